import type { Entity } from '../../merchants/directory.ts';
import { type Amount, amountText } from '../../money/amount.ts';
import type { ResultCode } from '../../spec/resultCodes.ts';
import { type Assessment, assess } from '../assess.ts';
import type { RiskFacts } from '../facts.ts';
import type { Lists, Window } from '../ports.ts';
import type { RuleSet } from '../rules.ts';
import { keysOf } from '../velocity/keys.ts';
import { columns, OUTCOMES } from '../velocity/tiers.ts';
import { createWindows, type Variant, type WindowHandle, type WindowLimits } from '../velocity/windows.ts';

/** A stored payment: the facts of its evaluation and its outcome. `open`: there is no outcome, and there may never be one. */
export type PastPayment = {
  readonly facts: RiskFacts;
  readonly is: 'approved' | 'declined' | 'blocked' | 'unbooked' | 'open';
  readonly code: ResultCode | null;
  readonly isChargedBack: boolean;
};

/** `other`: declined for lack of funds, blocked by a rule at the time, or never decided. Whether it was fraud is unknown. */
export type Worth = 'good' | 'bad' | 'other';

/** The number of payments, and their amounts by currency. */
export type Tally = { readonly count: number; readonly money: Readonly<Record<string, Amount>> };
export type Tallies = Readonly<Record<Worth, Tally>>;

/** The effect of a rule set: the payments that it blocks, challenges and sends to review, and how often each rule fired. */
export type SideReport = {
  readonly blocked: Tallies;
  readonly challenged: Tallies;
  readonly reviewed: Tallies;
  readonly rules: Readonly<Record<string, Readonly<Record<Worth, number>>>>;
  /** Rules in shadow mode: they blocked nothing. */
  readonly shadow: Readonly<Record<string, Readonly<Record<Worth, number>>>>;
};

/** `blockedNow`: blocked by the changed rules only; `freedNow`: blocked by the current rules only. */
export type BacktestReport = {
  readonly all: Tallies;
  readonly before: SideReport;
  readonly after: SideReport;
  readonly blockedNow: Tallies;
  readonly freedNow: Tallies;
};

/**
 * Selects the rule set for a payment; channels may have different ones. Null: the payment only feeds the velocity counters, because it is
 * before the period or of another channel.
 */
export type RuleSelector = {
  /** Every rule set that select() may return. */
  readonly sets: readonly RuleSet[];
  select(facts: RiskFacts): RuleSet | null;
};

export const selectorOf = (given: RuleSet | RuleSelector): RuleSelector =>
  'select' in given ? given : { sets: [given], select: () => given };

/** All windows that the rules of one side use. */
export const windowsOf = ({ sets }: RuleSelector): readonly Window[] => sets.flatMap(({ windows }) => windows);

export type Progress = { readonly done: number; readonly total: number | null };

type Backtest = {
  readonly before: RuleSet | RuleSelector;
  readonly after: RuleSet | RuleSelector;
  readonly lists?: Lists;
  readonly total?: number;
  readonly limits?: Partial<WindowLimits>;
  /** Called and awaited every 10,000 payments, so that the caller can yield the processor. */
  readonly onProgress?: (progress: Progress) => Promise<void>;
};

const PROGRESS_EVERY = 10_000;

/** Codes by which an acquirer or a screening provider reported fraud: stolen, lost, picked up, manipulated, denied by screening. */
const FRAUD = /^(?:800\.100\.(?:158|159|160|165|171|172)|800\.200\.|100\.400\.(?:081|100|121|140|142|147|242))/;

/** Whether a payment turned out to be good or fraudulent. */
export function worthOf({ is, code, isChargedBack }: PastPayment): Worth {
  if (isChargedBack) return 'bad';
  if (is === 'approved') return 'good';
  return is === 'declined' && code !== null && FRAUD.test(code) ? 'bad' : 'other';
}

/**
 * Evaluates stored payments, oldest first, by two rule sets. Each has its own outcomes in the velocity counters: a payment that it blocks
 * never reaches the acquirer and cannot fail there. Outcomes are known immediately here; in production they take a second. This function is
 * the reference; production uses two threads, paymentBatch.ts, batchEvaluator.ts and joinTraces.ts, in a third of the time.
 */
export async function backtest(payments: AsyncIterable<PastPayment>, given: Backtest): Promise<BacktestReport> {
  const all = tallies();
  const [blockedNow, freedNow] = [tallies(), tallies()];
  const windows = createWindows(given.limits);
  const [before, after] = [runner(selectorOf(given.before), 0), runner(selectorOf(given.after), 1)];
  const allWindows = [...windowsOf(before.judges), ...windowsOf(after.judges)];
  const total = given.total ?? null;
  let done = 0;
  for await (const past of payments) {
    const { amount, currency, now: at } = past.facts;
    const handle = windows.open({ keys: keysOf(past.facts), windows: allWindows, at, amount, currency });
    const sets = [before, after].map(({ judges }) => judges.select(past.facts));
    if (sets[0] && sets[1]) {
      const worth = worthOf(past);
      const [own, other] = await Promise.all(sets.map((set) => given.lists?.listed(set?.listings ?? [], past.facts)));
      const then = before.run(past, worth, { ruleSet: sets[0], handle, listed: own });
      const now = after.run(past, worth, { ruleSet: sets[1], handle, listed: other });
      handle.increment(countersFor(past, [then, now]));
      all[worth].add(currency, amount);
      if (now && !then) blockedNow[worth].add(currency, amount);
      if (then && !now) freedNow[worth].add(currency, amount);
    } else handle.increment(countersFor(past, [false, false]));
    done += 1;
    if (done % PROGRESS_EVERY === 0) await given.onProgress?.({ done, total });
  }
  await given.onProgress?.({ done, total });
  const totals = [all, blockedNow, freedNow].map(totalsOf) as [Tallies, Tallies, Tallies];
  return { all: totals[0], before: before.side(), after: after.side(), blockedNow: totals[1], freedNow: totals[2] };
}

type Counter = { add(currency: string, amount: Amount): void; total(): Tally };
type Counters = Readonly<Record<Worth, Counter>>;

function counter(): Counter {
  const money = new Map<string, Amount>();
  let count = 0;
  return {
    add(currency, amount) {
      count += 1;
      money.set(currency, (money.get(currency) ?? 0n) + amount);
    },
    total: () => ({ count, money: Object.fromEntries(money) }),
  };
}

export const tallies = (): Counters => ({ good: counter(), bad: counter(), other: counter() });
export const totalsOf = ({ good, bad, other }: Counters): Tallies => ({
  good: good.total(),
  bad: bad.total(),
  other: other.total(),
});

/** The counters that an attempt increments, per variant: a payment that one rule set blocks may be approved under the other. */
export function countersFor({ is }: Pick<PastPayment, 'is'>, isBlocked: readonly boolean[]): readonly number[] {
  const raised: number[] = [columns.attempt];
  isBlocked.forEach((blocked, variant) => {
    const outcome = blocked ? 'blocked' : is;
    if (outcome !== 'open') raised.push(columns[outcome] + OUTCOMES * variant);
  });
  return raised;
}

type RunInput = {
  readonly ruleSet: RuleSet;
  readonly handle: WindowHandle;
  readonly listed: readonly (boolean | null)[] | undefined;
};
type Runner = {
  readonly judges: RuleSelector;
  run(past: PastPayment, worth: Worth, known: RunInput): boolean;
  side(): SideReport;
};
type RuleCounts = Map<string, Record<Worth, number>>;

function runner(judges: RuleSelector, variant: Variant): Runner {
  const [blocked, challenged, reviewed] = [tallies(), tallies(), tallies()];
  const [rules, shadow]: [RuleCounts, RuleCounts] = [new Map(), new Map()];
  const counters = { decline: blocked, challenge: challenged, review: reviewed, accept: null };
  return {
    judges,
    run({ facts }, worth, { ruleSet, handle, listed = [] }) {
      const assessment = assess(facts, ruleSet, { windows: handle.read(ruleSet.windows, variant), listed });
      counters[assessment.verdict.is]?.[worth].add(facts.currency, facts.amount);
      countRules(assessment, worth, { rules, shadow });
      return assessment.verdict.is === 'decline';
    },
    side: () => ({
      blocked: totalsOf(blocked),
      challenged: totalsOf(challenged),
      reviewed: totalsOf(reviewed),
      rules: Object.fromEntries(rules),
      shadow: Object.fromEntries(shadow),
    }),
  };
}

function countRules({ fired, shadow }: Assessment, worth: Worth, counts: Record<'rules' | 'shadow', RuleCounts>): void {
  for (const { rule } of fired) countRule(counts.rules, rule, worth);
  for (const { rule } of shadow) countRule(counts.shadow, rule, worth);
}

export function countRule(into: RuleCounts, rule: string, worth: Worth): void {
  const own = into.get(rule) ?? { good: 0, bad: 0, other: 0 };
  own[worth] += 1;
  into.set(rule, own);
}

/** The entity and the period of a report. */
export type ReportContext = {
  readonly entity: Pick<Entity, 'id' | 'name' | 'kind'>;
  readonly span: { readonly from: number | null; readonly before: number };
  readonly timeZone: string;
  /** How long it took. */
  readonly ms: number;
};

/** The report as JSON; amounts are in wire format. */
export function reportJson(report: BacktestReport, { entity, span, ms }: ReportContext) {
  return {
    entity: { id: entity.id, kind: entity.kind, name: entity.name },
    span: { from: span.from === null ? null : instant(span.from), to: instant(span.before) },
    seconds: ms / 1_000,
    all: tallyJson(report.all),
    before: side(report.before),
    after: side(report.after),
    blockedNow: tallyJson(report.blockedNow),
    freedNow: tallyJson(report.freedNow),
  };
}

const instant = (ms: number): string => Temporal.Instant.fromEpochMilliseconds(ms).toString();

const side = ({ blocked, challenged, reviewed, rules, shadow }: SideReport) => ({
  blocked: tallyJson(blocked),
  challenged: tallyJson(challenged),
  reviewed: tallyJson(reviewed),
  rules,
  shadow,
});

const tallyJson = ({ good, bad, other }: Tallies) => ({ good: tally(good), bad: tally(bad), other: tally(other) });

const tally = ({ count, money }: Tally) => ({
  count,
  money: Object.fromEntries(Object.entries(money).map(([currency, amount]) => [currency, amountText(amount)])),
});
