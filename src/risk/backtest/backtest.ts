import type { Amount } from '../../money/amount.ts';
import type { ResultCode } from '../../spec/resultCodes.ts';
import { type Assessment, assess } from '../assess.ts';
import type { RiskFacts } from '../facts.ts';
import type { Lists, Window } from '../ports.ts';
import type { RuleSet } from '../rules.ts';
import { keysOf } from '../velocity/keys.ts';
import { columns } from '../velocity/tiers.ts';
import { createWindows, type Visit, type WindowLimits, type World } from '../velocity/windows.ts';

/** A stored payment: what was known when it was judged, and what became of it. `open`: nobody has said yet, or ever will. */
export type Past = {
  readonly facts: RiskFacts;
  readonly is: 'approved' | 'declined' | 'blocked' | 'open';
  readonly code: ResultCode | null;
  readonly isChargedBack: boolean;
};

/** `other`: declined for want of money, blocked by a rule of its day, or never decided. Nobody knows whether it was good. */
export type Worth = 'good' | 'bad' | 'other';

/** How many, and how much by currency. */
export type Tally = { readonly count: number; readonly money: Readonly<Record<string, Amount>> };
export type Tallies = Readonly<Record<Worth, Tally>>;

/** What a rule set does: whom it blocks, challenges and gives to review, and how often each of its rules fired. */
export type Side = {
  readonly blocked: Tallies;
  readonly challenged: Tallies;
  readonly reviewed: Tallies;
  readonly rules: Readonly<Record<string, Readonly<Record<Worth, number>>>>;
  /** Rules on trial: they blocked nobody. */
  readonly shadow: Readonly<Record<string, Readonly<Record<Worth, number>>>>;
};

/** `blockedNow`: by the changed rules and not by those before; `freedNow`: the other way round. */
export type Report = {
  readonly all: Tallies;
  readonly before: Side;
  readonly after: Side;
  readonly blockedNow: Tallies;
  readonly freedNow: Tallies;
};

/**
 * The rules of one side. Several channels may have several rule sets; null: the payment is remembered with what became of it, and
 * neither judged nor counted, because it was before the days in question or on another channel.
 */
export type Judges = {
  /** Every one that select() may answer. */
  readonly sets: readonly RuleSet[];
  select(facts: RiskFacts): RuleSet | null;
};

export const judgesOf = (given: RuleSet | Judges): Judges => ('select' in given ? given : { sets: [given], select: () => given });

/** All that the rules of one side ask the windows for. */
export const windowsOf = ({ sets }: Judges): readonly Window[] => sets.flatMap(({ windows }) => windows);

export type Progress = { readonly done: number; readonly total: number | null };

export type Backtest = {
  readonly before: RuleSet | Judges;
  readonly after: RuleSet | Judges;
  readonly lists?: Lists;
  readonly total?: number;
  readonly limits?: Partial<WindowLimits>;
  /** Called every 10,000 payments and waited for, so that the caller can let others have the processor. */
  readonly onProgress?: (progress: Progress) => void | Promise<void>;
};

const PROGRESS_EVERY = 10_000;

/** Codes with which somebody outside said that it is fraud: stolen, lost, picked up, manipulated, denied by a screening. */
const FRAUD = /^(?:800\.100\.(?:158|159|160|165|171|172)|800\.200\.|100\.400\.(?:081|100|121|140|142|147|242))/;

/** What a payment turned out to be. */
export function worthOf({ is, code, isChargedBack }: Past): Worth {
  if (isChargedBack) return 'bad';
  if (is === 'approved') return 'good';
  return is === 'declined' && code !== null && FRAUD.test(code) ? 'bad' : 'other';
}

/**
 * Judges stored payments, oldest first, by two rule sets, each with outcomes of its own in the windows: what one of them blocks never
 * reaches the acquirer and fails there no more. Outcomes are known at once here, which in life take a second. This says what a back-test
 * is; two threads do the same in a third of the time with backtestSheet.ts, backtestJudge.ts and backtestJoin.ts.
 */
export async function backtest(payments: AsyncIterable<Past>, given: Backtest): Promise<Report> {
  const all = tallies();
  const [blockedNow, freedNow] = [tallies(), tallies()];
  const windows = createWindows(given.limits);
  const [before, after] = [runner(judgesOf(given.before), 0), runner(judgesOf(given.after), 1)];
  const allWindows = [...windowsOf(before.judges), ...windowsOf(after.judges)];
  const total = given.total ?? null;
  let done = 0;
  for await (const past of payments) {
    const { amount, currency, now: at } = past.facts;
    const visit = windows.visit({ keys: keysOf(past.facts), windows: allWindows, at, amount, currency });
    const sets = [before, after].map(({ judges }) => judges.select(past.facts));
    if (sets[0] && sets[1]) {
      const worth = worthOf(past);
      const [own, other] = await Promise.all(sets.map((set) => given.lists?.listed(set?.listings ?? [], past.facts)));
      const then = before.run(past, worth, { ruleSet: sets[0], visit, listed: own });
      const now = after.run(past, worth, { ruleSet: sets[1], visit, listed: other });
      visit.note(raisedBy(past, [then, now]));
      all[worth].add(currency, amount);
      if (now && !then) blockedNow[worth].add(currency, amount);
      if (then && !now) freedNow[worth].add(currency, amount);
    } else visit.note(raisedBy(past, [false, false]));
    done += 1;
    if (done % PROGRESS_EVERY === 0) await given.onProgress?.({ done, total });
  }
  await given.onProgress?.({ done, total });
  const told = [all, blockedNow, freedNow].map(tell) as [Tallies, Tallies, Tallies];
  return { all: told[0], before: before.side(), after: after.side(), blockedNow: told[1], freedNow: told[2] };
}

type Counter = { add(currency: string, amount: Amount): void; tell(): Tally };
export type Counters = Readonly<Record<Worth, Counter>>;

function counter(): Counter {
  const money = new Map<string, Amount>();
  let count = 0;
  return {
    add(currency, amount) {
      count += 1;
      money.set(currency, (money.get(currency) ?? 0n) + amount);
    },
    tell: () => ({ count, money: Object.fromEntries(money) }),
  };
}

/** Counts by worth, to be added to and told in the end. */
export const tallies = (): Counters => ({ good: counter(), bad: counter(), other: counter() });
export const tell = ({ good, bad, other }: Counters): Tallies => ({ good: good.tell(), bad: bad.tell(), other: other.tell() });

/** The counters that an attempt raises in each world: what is blocked in one may be approved in the other. */
export function raisedBy({ is }: Pick<Past, 'is'>, isBlocked: readonly boolean[]): readonly number[] {
  const raised: number[] = [columns.attempt];
  isBlocked.forEach((blocked, world) => {
    const outcome = blocked ? 'blocked' : is;
    if (outcome !== 'open') raised.push(columns[outcome] + 3 * world);
  });
  return raised;
}

type Known = { readonly ruleSet: RuleSet; readonly visit: Visit; readonly listed: readonly (boolean | null)[] | undefined };
type Runner = { readonly judges: Judges; run(past: Past, worth: Worth, known: Known): boolean; side(): Side };
type RuleCounts = Map<string, Record<Worth, number>>;

function runner(judges: Judges, world: World): Runner {
  const [blocked, challenged, reviewed] = [tallies(), tallies(), tallies()];
  const [rules, shadow]: [RuleCounts, RuleCounts] = [new Map(), new Map()];
  const counters = { decline: blocked, challenge: challenged, review: reviewed, accept: null };
  return {
    judges,
    run({ facts }, worth, { ruleSet, visit, listed = [] }) {
      const assessment = assess(facts, ruleSet, { windows: visit.read(ruleSet.windows, world), listed });
      counters[assessment.verdict.is]?.[worth].add(facts.currency, facts.amount);
      countRules(assessment, worth, { rules, shadow });
      return assessment.verdict.is === 'decline';
    },
    side: () => ({
      blocked: tell(blocked),
      challenged: tell(challenged),
      reviewed: tell(reviewed),
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
