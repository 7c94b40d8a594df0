import type { RuleEvaluation } from '../assess.ts';
import type { CompiledRule } from '../rules.ts';
import { hashOf } from '../velocity/hashIndex.ts';
import {
  type BacktestReport,
  countRule,
  type PastPayment,
  type SideReport,
  tallies,
  totalsOf,
  type Worth,
  worthOf,
} from './backtest.ts';
import type { IdentifiedPayment } from './paymentBatch.ts';

/** The verdicts and fired rules of one side in typed arrays. Two traces and the payment labels make a report. */
export type Trace = {
  /** The index in `verdicts` for each evaluated payment, in order. */
  readonly verdicts: Uint8Array;
  /** Pairs: the index of the payment and the index in `rules` of the rule that fired. */
  readonly fired: Int32Array;
  readonly rules: readonly { readonly id: string; readonly isShadow: boolean }[];
};

export const verdicts = ['accept', 'review', 'challenge', 'decline'] as const;

type Tracer = { add(weighed: RuleEvaluation): void; trace(): Trace };

export function createTracer(): Tracer {
  const [found, fired] = [createGrowingArray(Uint8Array), createGrowingArray(Int32Array)];
  const names = ruleNames();
  const put = (ready: CompiledRule, isShadow: boolean): void => {
    fired.push(found.count());
    fired.push(names.placeOf(ready, isShadow));
  };
  return {
    add(weighed) {
      for (const ready of weighed.fired) put(ready, false);
      for (const ready of weighed.shadow) put(ready, true);
      found.push(verdicts.indexOf(weighed.verdict.is));
    },
    trace: () => ({ verdicts: found.values(), fired: fired.values(), rules: names.all }),
  };
}

function ruleNames() {
  const all: { readonly id: string; readonly isShadow: boolean }[] = [];
  const places = new Map<string, number>();
  return {
    all,
    placeOf({ rule: { id } }: CompiledRule, isShadow: boolean): number {
      const name = `${isShadow ? '?' : ''}${id}`;
      const place = places.get(name) ?? all.push({ id, isShadow }) - 1;
      places.set(name, place);
      return place;
    },
  };
}

type Numbers = Uint8Array | Int32Array | Float64Array;

/** A typed array that grows. */
function createGrowingArray<Kind extends Numbers>(kind: new (length: number) => Kind) {
  let held = new kind(1_024);
  let used = 0;
  return {
    push(number: number): void {
      if (used === held.length) {
        const larger = new kind(held.length * 2);
        larger.set(held as never);
        held = larger;
      }
      held[used] = number;
      used += 1;
    },
    count: () => used,
    values: (): Kind => held.slice(0, used) as Kind,
  };
}

/** The evaluated payments in columns: label, amount, currency and id. The reading thread keeps them. */
export type PaymentLabels = {
  readonly worths: Uint8Array;
  /** The index of each payment's currency in `currencies`. */
  readonly currencyAt: Uint8Array;
  readonly currencies: readonly string[];
  /** In hundredths: exact, since an amount has at most fifteen digits. */
  readonly amounts: Float64Array;
  /** Four numbers for the id of each payment, which has 32 hex digits. */
  readonly ids: Int32Array;
};

const worths: readonly Worth[] = ['good', 'bad', 'other'];
const SEED = 0x1ed9e5;
const WORD = 8;
const WORDS: readonly number[] = [0, WORD, 2 * WORD, 3 * WORD];

/** Collects the labels of payments. A chargeback may be added at any time, because it comes long after the payment. */
export function createPaymentLabels() {
  const [found, currencyAt, amounts, hashes, ids] = [
    createGrowingArray(Uint8Array),
    createGrowingArray(Uint8Array),
    createGrowingArray(Float64Array),
    createGrowingArray(Float64Array),
    createGrowingArray(Int32Array),
  ];
  const currencies: string[] = [];
  const chargedBack = new Set<number>();
  return {
    add(past: IdentifiedPayment): void {
      const { amount, currency } = past.facts;
      found.push(worths.indexOf(worthOf(past as PastPayment)));
      let at = currencies.indexOf(currency);
      if (at === -1) at = currencies.push(currency) - 1;
      currencyAt.push(at);
      amounts.push(Number(amount));
      hashes.push(hashOf(past.id, SEED));
      for (const start of WORDS) ids.push(Number.parseInt(past.id.slice(start, start + WORD), 16) | 0);
    },
    chargeBack(id: string): void {
      chargedBack.add(hashOf(id, SEED));
    },
    labels(): PaymentLabels {
      const known = found.values();
      if (chargedBack.size > 0) {
        hashes.values().forEach((hash, at) => {
          if (chargedBack.has(hash)) known[at] = worths.indexOf('bad');
        });
      }
      return { worths: known, currencyAt: currencyAt.values(), currencies, amounts: amounts.values(), ids: ids.values() };
    },
  };
}

/** Joins the traces of both sides with the labels of the payments into the report. */
export function joinTraces(before: Trace, after: Trace, labels: PaymentLabels): BacktestReport {
  const count = labels.worths.length;
  if (before.verdicts.length !== count || after.verdicts.length !== count) {
    throw new Error(`of ${count} payments ${before.verdicts.length} and ${after.verdicts.length} were evaluated`);
  }
  const [all, blockedNow, freedNow] = [tallies(), tallies(), tallies()];
  const decline = verdicts.indexOf('decline');
  for (let at = 0; at < count; at += 1) {
    const { worth, currency, amount } = entryAt(labels, at);
    all[worth].add(currency, amount);
    const [then, now] = [before.verdicts[at] === decline, after.verdicts[at] === decline];
    if (now && !then) blockedNow[worth].add(currency, amount);
    if (then && !now) freedNow[worth].add(currency, amount);
  }
  return {
    all: totalsOf(all),
    before: sideOf(before, labels),
    after: sideOf(after, labels),
    blockedNow: totalsOf(blockedNow),
    freedNow: totalsOf(freedNow),
  };
}

const worthAt = ({ worths: found }: PaymentLabels, at: number): Worth => worths[found[at] as number] as Worth;

const idAt = ({ ids }: PaymentLabels, at: number): string =>
  WORDS.map((_, word) => ((ids[at * WORDS.length + word] as number) >>> 0).toString(16).padStart(WORD, '0')).join('');

function entryAt({ worths: found, currencies, currencyAt, amounts }: PaymentLabels, at: number) {
  return {
    worth: worths[found[at] as number] as Worth,
    currency: currencies[currencyAt[at] as number] as string,
    amount: BigInt(amounts[at] as number),
  };
}

function sideOf(trace: Trace, labels: PaymentLabels): SideReport {
  const counters = { accept: null, review: tallies(), challenge: tallies(), decline: tallies() };
  trace.verdicts.forEach((verdict, at) => {
    const counter = counters[verdicts[verdict] ?? 'accept'];
    if (!counter) return;
    const { worth, currency, amount } = entryAt(labels, at);
    counter[worth].add(currency, amount);
  });
  const [rules, shadow]: Parameters<typeof countRule>[0][] = [new Map(), new Map()] as const;
  for (let at = 0; at < trace.fired.length; at += 2) {
    const rule = trace.rules[trace.fired[at + 1] as number];
    if (rule && rules && shadow)
      countRule(rule.isShadow ? shadow : rules, rule.id, worths[labels.worths[trace.fired[at] as number] as number] as Worth);
  }
  return {
    blocked: totalsOf(counters.decline),
    challenged: totalsOf(counters.challenge),
    reviewed: totalsOf(counters.review),
    rules: Object.fromEntries(rules ?? []),
    shadow: Object.fromEntries(shadow ?? []),
  };
}

/** A payment whose verdict changes. */
export type Sample = { readonly id: string; readonly worth: Worth };

/** Examples of payments whose verdict changes, the newest first. */
export type Samples = Readonly<Record<'blockedNow' | 'freedNow' | 'reviewedNow', readonly Sample[]>>;

const SAMPLES_MAX = 20;

export function samplesOf([before, after]: readonly [Trace, Trace], labels: PaymentLabels): Samples {
  const [decline, review] = [verdicts.indexOf('decline'), verdicts.indexOf('review')];
  const found: Record<keyof Samples, Sample[]> = { blockedNow: [], freedNow: [], reviewedNow: [] };
  for (let at = labels.worths.length - 1; at >= 0; at -= 1) {
    const [then, now] = [before.verdicts[at], after.verdicts[at]];
    if (then === now) continue;
    const kind = now === decline ? 'blockedNow' : then === decline ? 'freedNow' : now === review ? 'reviewedNow' : null;
    if (kind && found[kind].length < SAMPLES_MAX) found[kind].push({ id: idAt(labels, at), worth: worthAt(labels, at) });
  }
  return found;
}
