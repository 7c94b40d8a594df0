import { hashOf } from '../velocity/hashIndex.ts';
import { countRule, type Past, type Report, type Side, tallies, tell, type Worth, worthOf } from './backtest.ts';
import type { Named } from './sheet.ts';
import { growing, type Trace, verdicts } from './trace.ts';

/** What the payments that count were worth, in numbers; whoever reads them keeps it. */
export type Ledger = {
  readonly worths: Uint8Array;
  /** The place of each payment's currency in `currencies`. */
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

/** Writes down what each payment was worth. A charge-back comes long after the payment, so that it is told at any time. */
export function createLedger() {
  const [found, currencyAt, amounts, hashes, ids] = [
    growing(Uint8Array),
    growing(Uint8Array),
    growing(Float64Array),
    growing(Float64Array),
    growing(Int32Array),
  ];
  const currencies: string[] = [];
  const chargedBack = new Set<number>();
  return {
    add(past: Named): void {
      const { amount, currency } = past.facts;
      found.push(worths.indexOf(worthOf(past as Past)));
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
    ledger(): Ledger {
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

/** The report of two sides that saw the payments of the ledger. */
export function joined(before: Trace, after: Trace, ledger: Ledger): Report {
  const count = ledger.worths.length;
  if (before.verdicts.length !== count || after.verdicts.length !== count) {
    throw new Error(`of ${count} payments ${before.verdicts.length} and ${after.verdicts.length} were judged`);
  }
  const [all, blockedNow, freedNow] = [tallies(), tallies(), tallies()];
  const decline = verdicts.indexOf('decline');
  for (let at = 0; at < count; at += 1) {
    const { worth, currency, amount } = entryAt(ledger, at);
    all[worth].add(currency, amount);
    const [then, now] = [before.verdicts[at] === decline, after.verdicts[at] === decline];
    if (now && !then) blockedNow[worth].add(currency, amount);
    if (then && !now) freedNow[worth].add(currency, amount);
  }
  return {
    all: tell(all),
    before: sideOf(before, ledger),
    after: sideOf(after, ledger),
    blockedNow: tell(blockedNow),
    freedNow: tell(freedNow),
  };
}

export const worthAt = ({ worths: found }: Ledger, at: number): Worth => worths[found[at] as number] as Worth;

export const idAt = ({ ids }: Ledger, at: number): string =>
  WORDS.map((_, word) => ((ids[at * WORDS.length + word] as number) >>> 0).toString(16).padStart(WORD, '0')).join('');

function entryAt({ worths: found, currencies, currencyAt, amounts }: Ledger, at: number) {
  return {
    worth: worths[found[at] as number] as Worth,
    currency: currencies[currencyAt[at] as number] as string,
    amount: BigInt(amounts[at] as number),
  };
}

function sideOf(trace: Trace, ledger: Ledger): Side {
  const counters = { accept: null, review: tallies(), challenge: tallies(), decline: tallies() };
  trace.verdicts.forEach((verdict, at) => {
    const counter = counters[verdicts[verdict] ?? 'accept'];
    if (!counter) return;
    const { worth, currency, amount } = entryAt(ledger, at);
    counter[worth].add(currency, amount);
  });
  const [rules, shadow]: Parameters<typeof countRule>[0][] = [new Map(), new Map()] as const;
  for (let at = 0; at < trace.fired.length; at += 2) {
    const rule = trace.rules[trace.fired[at + 1] as number];
    if (rule && rules && shadow)
      countRule(rule.isShadow ? shadow : rules, rule.id, worths[ledger.worths[trace.fired[at] as number] as number] as Worth);
  }
  return {
    blocked: tell(counters.decline),
    challenged: tell(counters.challenge),
    reviewed: tell(counters.review),
    rules: Object.fromEntries(rules ?? []),
    shadow: Object.fromEntries(shadow ?? []),
  };
}
