import type { Amount } from '../money/amount.ts';
import type { ResultCode } from '../spec/resultCodes.ts';
import { type Assessment, assess } from './assess.ts';
import type { RiskFacts } from './facts.ts';
import { keysOf } from './keys.ts';
import type { Listing, Lists } from './needs.ts';
import type { RuleSet } from './rules.ts';
import { columns } from './tiers.ts';
import { createWindows, type Visit, type WindowLimits, type World } from './windows.ts';

/** A stored payment: what was known when it was judged, and what became of it. */
export type Past = {
  readonly facts: RiskFacts;
  readonly is: 'approved' | 'declined' | 'blocked';
  readonly code: ResultCode | null;
  readonly isChargedBack: boolean;
};

/** `other`: declined for want of money, or blocked by a rule of its day. Nobody knows whether it was good. */
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

export type Progress = { readonly done: number; readonly total: number | null };

export type Backtest = {
  readonly before: RuleSet;
  readonly after: RuleSet;
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
 * reaches the acquirer and fails there no more. Outcomes are known at once here, which in life take a second.
 */
export async function backtest(payments: AsyncIterable<Past>, given: Backtest): Promise<Report> {
  const all = tallies();
  const [blockedNow, freedNow] = [tallies(), tallies()];
  const windows = createWindows(given.limits);
  const allWindows = [...given.before.windows, ...given.after.windows];
  const [before, after] = [runner(given.before, 0), runner(given.after, 1)];
  const total = given.total ?? null;
  let done = 0;
  for await (const past of payments) {
    const worth = worthOf(past);
    const { amount, currency, now: at } = past.facts;
    const visit = windows.visit({ keys: keysOf(past.facts), windows: allWindows, at, amount, currency });
    const asked = given.lists
      ? await Promise.all([before, after].map(({ listings }) => given.lists?.listed(listings, past.facts)))
      : [];
    const then = before.run(past, worth, { visit, listed: asked[0] });
    const now = after.run(past, worth, { visit, listed: asked[1] });
    visit.note([columns.attempt, columnOf(then, past, 0), columnOf(now, past, 1)]);
    all[worth].add(currency, amount);
    if (now && !then) blockedNow[worth].add(currency, amount);
    if (then && !now) freedNow[worth].add(currency, amount);
    done += 1;
    if (done % PROGRESS_EVERY === 0) await given.onProgress?.({ done, total });
  }
  await given.onProgress?.({ done, total });
  const told = [all, blockedNow, freedNow].map(tell) as [Tallies, Tallies, Tallies];
  return { all: told[0], before: before.side(), after: after.side(), blockedNow: told[1], freedNow: told[2] };
}

type Counter = { add(currency: string, amount: Amount): void; tell(): Tally };
type Counters = Readonly<Record<Worth, Counter>>;

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

const tallies = (): Counters => ({ good: counter(), bad: counter(), other: counter() });
const tell = ({ good, bad, other }: Counters): Tallies => ({ good: good.tell(), bad: bad.tell(), other: other.tell() });

/** What is blocked in one world may be approved in the other. */
const columnOf = (isBlocked: boolean, past: Past, world: World): number => columns[isBlocked ? 'blocked' : past.is] + 3 * world;

type Known = { readonly visit: Visit; readonly listed: readonly (boolean | null)[] | undefined };
type Runner = { readonly listings: readonly Listing[]; run(past: Past, worth: Worth, known: Known): boolean; side(): Side };
type RuleCounts = Map<string, Record<Worth, number>>;

function runner(ruleSet: RuleSet, world: World): Runner {
  const [blocked, challenged, reviewed] = [tallies(), tallies(), tallies()];
  const [rules, shadow]: [RuleCounts, RuleCounts] = [new Map(), new Map()];
  const counters = { decline: blocked, challenge: challenged, review: reviewed, accept: null };
  return {
    listings: ruleSet.listings,
    run({ facts }, worth, { visit, listed = [] }) {
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
  for (const [ones, into] of [[fired, counts.rules] as const, [shadow, counts.shadow] as const]) {
    for (const { rule } of ones) {
      const own = into.get(rule) ?? { good: 0, bad: 0, other: 0 };
      own[worth] += 1;
      into.set(rule, own);
    }
  }
}
