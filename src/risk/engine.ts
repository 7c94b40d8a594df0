import type { ModuleSettings } from '../merchants/moduleSettings.ts';
import type { Assessment } from './assess.ts';
import type { RiskFacts } from './facts.ts';
import { judge, look, settle } from './judge.ts';
import { createLists } from './lists/lists.ts';
import type { Lists, Lookups, Screening, Velocity, WindowEvent } from './ports.ts';
import { type RuleBook, ruleBookOf } from './ruleBook.ts';
import { joined, screen } from './screening.ts';
import { defaultRiskSettings, inheritRisk, type RiskSettings, type Silence } from './settings.ts';
import { createVelocity } from './velocity/windows.ts';

/** Where requests are judged. One for each process: it has the memory of the windows. */
export interface RiskEngine {
  readonly lookups: Lookups;
  /**
   * The verdict, and why; null where no checks are set up. An attempt is remembered, a question is not. Never rejects: what cannot be
   * read or asked is not known.
   */
  judge(facts: RiskFacts, settings: ModuleSettings, as: 'attempt' | 'question'): Promise<Assessment | null>;
  /**
   * What became of an attempt that was let through, once and with the facts it was judged by. Also whole attempts, with what became of
   * them: those of other nodes, and those of before this process was started.
   */
  note(facts: RiskFacts, settings: ModuleSettings, is: WindowEvent['is']): Promise<void>;
  /** What happens to a payment that was to be challenged where nobody can be asked. */
  unchallenged(settings: ModuleSettings): Silence;
}

type Timers = { within<T>(ms: number, promise: Promise<T>): Promise<T> };

export type RiskEngineParts = {
  readonly velocity: Velocity;
  readonly lists: Lists;
  readonly lookups: Lookups;
  readonly timers: Timers;
  /** Null when no provider of that name is set up. */
  screening(name: string): Screening | null;
};

type Ready = { readonly settings: RiskSettings; readonly book: RuleBook };

/** Settings are read again every few seconds and hardly ever change: rules are made ready once for each text. */
const READY_MAX = 1_000;

function createShelf(): (given: ModuleSettings) => Ready {
  const byObject = new WeakMap<ModuleSettings, Ready>();
  const byText = new Map<string, Ready>();
  return (given) => {
    const known = byObject.get(given);
    if (known) return known;
    const text = JSON.stringify(given);
    const ready = byText.get(text) ?? readied(given);
    if (byText.size >= READY_MAX) byText.clear();
    byText.set(text, ready);
    byObject.set(given, ready);
    return ready;
  };
}

function readied(given: ModuleSettings): Ready {
  const settings = inheritRisk(defaultRiskSettings, given as Partial<RiskSettings>);
  return { settings, book: ruleBookOf(settings) };
}

/** A desk that knows nothing from before and nobody to ask. */
export function createBareRiskEngine(clock: { now(): number }, timers: Timers): RiskEngine {
  const lookups: Lookups = { issuer: () => null, country: () => null };
  return createRiskEngine({ velocity: createVelocity(), lists: createLists(clock), lookups, timers, screening: () => null });
}

/** The desk around the memory it is given. */
export function createRiskEngine({ velocity, lists, lookups, timers, screening }: RiskEngineParts): RiskEngine {
  const readyFor = createShelf();
  return {
    lookups,
    async judge(facts, given, as) {
      const { settings, book } = readyFor(given);
      if (settings.mode === 'off') return null;
      const ruleSet = book.select(facts.risk);
      const own = await (as === 'attempt' ? judge : look)(facts, ruleSet, { velocity, lists });
      const provider = settings.screening && screening(settings.screening.provider);
      // What is declined already is not told to anybody; what is only reported is not asked about.
      if (!settings.screening || own.verdict.is === 'decline' || settings.mode === 'report') return own;
      const silent: Screening = { name: settings.screening.provider, ask: () => Promise.reject(new Error('not set up')) };
      const screened = await screen(provider ?? silent, facts, { ...settings.screening, timers });
      const both = joined(own, screened);
      if (as === 'attempt' && both.verdict.is === 'decline') await this.note(facts, given, 'blocked');
      return both;
    },
    async note(facts, given, is) {
      const { settings, book } = readyFor(given);
      if (settings.mode !== 'off') await settle(velocity, { facts, ruleSet: book.select(facts.risk), is });
    },
    unchallenged: (given) => readyFor(given).settings.unchallenged,
  };
}
