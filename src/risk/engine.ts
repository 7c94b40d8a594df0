import type { ModuleSettings } from '../merchants/moduleSettings.ts';
import type { Clock } from '../spec/time.ts';
import { type Assessment, assess, clamped } from './assess.ts';
import type { RiskFacts } from './facts.ts';
import { createLists } from './lists/lists.ts';
import type { Keys, Lists, Lookups, ScreeningProvider, Velocity, WindowEvent, WindowQuery } from './ports.ts';
import { type RuleBook, ruleBookOf } from './ruleBook.ts';
import type { RuleSet } from './rules.ts';
import { screenWithin, withScreening } from './screening.ts';
import { defaultRiskSettings, inheritRiskSettings, type RiskSettings, type Silence } from './settings.ts';
import { createVelocity } from './velocity/windows.ts';

/** Evaluates the risk rules of requests. There is one engine per process, because it holds the velocity counters. */
export interface RiskEngine {
  readonly lookups: Lookups;
  /**
   * The verdict with the rules that led to it; null when risk checks are off. An attempt is counted, a dry run is not. Never rejects:
   * a fact that cannot be determined is unknown. `paymentId` is for an engine in another thread, which counts the payment there.
   */
  evaluate(facts: RiskFacts, settings: ModuleSettings, as: 'attempt' | 'dryRun', paymentId?: string): Promise<Assessment | null>;
  /**
   * Records the outcome of an accepted attempt, once and with the facts of its evaluation. Also records attempts of other nodes and
   * attempts from before this process started.
   */
  record(facts: RiskFacts, settings: ModuleSettings, is: WindowEvent['is'], paymentId?: string): Promise<void>;
  /** The setting for a payment that should be challenged and cannot be. */
  unchallenged(settings: ModuleSettings): Silence;
}

type Timers = { within<T>(ms: number, promise: Promise<T>): Promise<T> };

type RiskEngineParts = {
  readonly velocity: Velocity;
  readonly lists: Lists;
  readonly lookups: Lookups;
  readonly timers: Timers;
  /** Null when no provider of that name is set up. */
  screening(name: string): ScreeningProvider | null;
};

type CompiledSettings = { readonly settings: RiskSettings; readonly book: RuleBook };

/** Settings are reloaded every few seconds and hardly ever change: rules are compiled once for each version. */
const COMPILED_MAX = 1_000;

function createSettingsCache(): (given: ModuleSettings) => CompiledSettings {
  const byObject = new WeakMap<ModuleSettings, CompiledSettings>();
  const byText = new Map<string, CompiledSettings>();
  return (given) => {
    const known = byObject.get(given);
    if (known) return known;
    const text = JSON.stringify(given);
    const ready = byText.get(text) ?? compileSettings(given);
    if (byText.size >= COMPILED_MAX) byText.clear();
    byText.set(text, ready);
    byObject.set(given, ready);
    return ready;
  };
}

function compileSettings(given: ModuleSettings): CompiledSettings {
  const settings = inheritRiskSettings(defaultRiskSettings, given as Partial<RiskSettings>);
  return { settings, book: ruleBookOf(settings) };
}

/** A risk engine without lookups, screening provider or stored lists. */
export function createBareRiskEngine(clock: Clock, timers: Timers): RiskEngine {
  const lookups: Lookups = { issuer: () => null, country: () => null };
  return createRiskEngine({ velocity: createVelocity(), lists: createLists(clock), lookups, timers, screening: () => null });
}

export function createRiskEngine({ velocity, lists, lookups, timers, screening }: RiskEngineParts): RiskEngine {
  const compiledFor = createSettingsCache();
  const record: RiskEngine['record'] = async (facts, given, is) => {
    const { settings, book } = compiledFor(given);
    if (settings.mode !== 'off') await recordOutcome(velocity, { facts, ruleSet: book.select(facts.risk), is });
  };
  /** The assessment combined with the verdict of the provider. */
  const screened = async (
    wanted: NonNullable<RiskSettings['screening']>,
    own: Assessment,
    facts: RiskFacts,
  ): Promise<Assessment> => {
    const silent: ScreeningProvider = { name: wanted.provider, screen: () => Promise.reject(new Error('not set up')) };
    return withScreening(own, await screenWithin(screening(wanted.provider) ?? silent, facts, { ...wanted, timers }));
  };
  return {
    lookups,
    async evaluate(facts, given, as) {
      const { settings, book } = compiledFor(given);
      if (settings.mode === 'off') return null;
      const evaluateAs = as === 'attempt' ? evaluateAttempt : evaluateOnly;
      const own = await evaluateAs(facts, book.select(facts.risk), { velocity, lists });
      if (settings.mode === 'report') return withReportedScore(own);
      // The provider learns nothing of payments that are declined already, and is not asked in report mode.
      if (!settings.screening || own.verdict.is === 'decline') return own;
      const combined = await screened(settings.screening, own, facts);
      if (as === 'attempt' && combined.verdict.is === 'decline') await record(facts, given, 'blocked');
      return combined;
    },
    record,
    unchallenged: (given) => compiledFor(given).settings.unchallenged,
  };
}

/** In report mode the score is what the rules gave, although it decides nothing. */
const withReportedScore = (assessment: Assessment): Assessment =>
  assessment.shadow.length === 0
    ? assessment
    : { ...assessment, score: clamped(assessment.shadow.reduce((sum, { score }) => sum + score, 0)) };

/** One query for each window of an event, in their order. */
export const windowQueries = ({ windows, keys, currency, at }: Omit<WindowEvent, 'is'>): readonly WindowQuery[] =>
  windows.map((window) => ({ window, key: keys[window.per], currency, now: at }));

/** One query for each window of a rule set, in its order. */
export const windowQueriesFor = (facts: RiskFacts, ruleSet: RuleSet, keys: Keys): readonly WindowQuery[] =>
  windowQueries(windowEvent(facts, ruleSet, keys));

/** The event that velocity counters record for an attempt or its outcome. */
export const windowEvent = ({ now, amount, currency }: RiskFacts, { windows }: RuleSet, keys: Keys): Omit<WindowEvent, 'is'> => ({
  at: now,
  keys,
  amount,
  currency,
  windows,
});

type EvaluationState = { readonly velocity: Velocity; readonly lists: Lists };

/** Evaluates the rules and records the attempt. A decline is recorded immediately; other outcomes come later through recordOutcome(). */
export async function evaluateAttempt(
  facts: RiskFacts,
  ruleSet: RuleSet,
  { velocity, lists }: EvaluationState,
): Promise<Assessment> {
  const listed = await lists.listed(ruleSet.listings, facts);
  return velocity.attempt(windowEvent(facts, ruleSet, velocity.keysOf(facts)), (windows) =>
    assess(facts, ruleSet, { windows, listed }),
  );
}

/** Evaluates the rules without recording an attempt. */
async function evaluateOnly(facts: RiskFacts, ruleSet: RuleSet, { velocity, lists }: EvaluationState): Promise<Assessment> {
  const [windows, listed] = await Promise.all([
    velocity.query(windowQueriesFor(facts, ruleSet, velocity.keysOf(facts))),
    lists.listed(ruleSet.listings, facts),
  ]);
  return assess(facts, ruleSet, { windows, listed });
}

type AttemptOutcome = { readonly facts: RiskFacts; readonly ruleSet: RuleSet; readonly is: WindowEvent['is'] };

/** Records the outcome of an accepted payment: once per payment, with the facts of its evaluation. */
export async function recordOutcome(velocity: Velocity, { facts, ruleSet, is }: AttemptOutcome): Promise<void> {
  await velocity.record({ ...windowEvent(facts, ruleSet, velocity.keysOf(facts)), is });
}
