import { adviceFor } from './advice.ts';

/** Whether and when a declined payment may be tried again. */
export type RetryRule = {
  /**
   * Whether another account may be asked immediately with the same request. `unsent`: the issuer was not asked, so always. `declined`: the acquirer
   * refused it for itself, so unless the request holds what counts only once. `no`: the answer would be the same, or must be obeyed.
   */
  readonly otherAccount: 'unsent' | 'declined' | 'no';
  /** The same account again. `advised`: only when the issuer's advice code names a time. `never`: whatever the advice. */
  readonly again: 'later' | 'advised' | 'never';
  /** A retry is at least so many days later. */
  readonly afterDays: number;
  /** Tries of the same payment, the first one included: the schemes allow no more. */
  readonly triesMax: number;
};

/** Visa allows 15 tries of one card and amount in 30 days, Mastercard 35; the gateway keeps to the lower one. */
const SCHEME_TRIES_MAX = 15;

/** Codes, blanks between them. A payment with any other code may not be sent to another account. */
const otherAccounts: readonly (readonly [when: 'unsent' | 'declined', codes: string])[] = [
  // No connection, throttled, no free terminal, credentials or configuration of the account.
  ['unsent', '900.100.600 900.100.310 800.120.100 800.500.110 800.100.190'],
  // A technical refusal, a limit of the merchant's contract, a card type, currency or brand that this acquirer does not process.
  ['declined', '900.100.200 800.100.164 800.120.401 800.100.169 800.100.173 800.100.175'],
];

/** Further codes that are never tried again: invalid card, blocked, closed, not permitted. Visa forbids another try. */
const hard = new Set('800.100.151 800.100.160 800.100.170 800.100.172 800.100.202 800.310.200'.split(' '));

/**
 * Refused because another transaction was under way, and not sent on: nothing of this request can be booked. It may follow when the other
 * one has its result.
 */
const afterAnother = new Set('700.400.570 800.600.100'.split(' '));

/** Limits lower than the limits of the schemes. A direct debit without cover may be collected twice more, not on the same day. */
const limits: readonly (readonly [limit: Pick<RetryRule, 'afterDays' | 'triesMax'>, codes: string])[] = [
  [{ afterDays: 1, triesMax: 3 }, '800.100.203'],
];

const rowsOf = <Value>(rows: readonly (readonly [value: Value, codes: string])[]): ReadonlyMap<string, Value> =>
  new Map(rows.flatMap(([value, codes]) => codes.split(' ').map((code) => [code, value] as const)));

const otherAccountByCode = rowsOf(otherAccounts);
const limitByCode = rowsOf(limits);

export function retryRuleFor(code: string): RetryRule {
  const { afterDays, triesMax } = limitByCode.get(code) ?? { afterDays: 0, triesMax: SCHEME_TRIES_MAX };
  return { otherAccount: otherAccountByCode.get(code) ?? 'no', again: againAfter(code), afterDays, triesMax };
}

function againAfter(code: string): RetryRule['again'] {
  if (afterAnother.has(code)) return 'later';
  const advice = adviceFor(code);
  // Something may be booked all the same: another try could charge twice.
  if (advice === 'wait' || countsAs(code) === 'open') return 'never';
  if (advice === 'do not retry' || hard.has(code)) return 'never';
  return advice === 'retry later' ? 'later' : 'advised';
}

/** Every code that a row names, for the test that they are codes. */
export const retryRows: readonly string[] = [...otherAccountByCode.keys(), ...hard, ...afterAnother, ...limitByCode.keys()];

/**
 * How an attempt that ended with a code counts in the rules about earlier attempts. `declined`: somebody looked at the card and said no.
 * `unbooked`: nothing is booked, and the end says nothing about the card: the acquirer was away or wrongly set up, or the shopper left.
 * `open`: something may be booked all the same.
 */
type CountsAs = 'declined' | 'unbooked' | 'open';

/** Beginnings of codes, blanks between them. The longest that fits a code decides; a code that none fits counts as declined. */
const beginnings: readonly (readonly [counts: CountsAs, codes: string])[] = [
  // The shopper left, or the merchant called the payment off.
  ['unbooked', '100.396 100.395.501 100.395.502 100.397.101 900.300'],
  // No answer, no connection, maintenance, too many requests, an error of a system.
  ['unbooked', '900. 999. 600.1 800.120.100 800.500.110 800.800.4 800.800.8'],
  // The account or the channel is wrongly set up, or has used up its own limit.
  ['unbooked', '500. 600.2 800.100.164 800.100.190'],
  // 3D Secure was not available: no issuer has judged.
  ['unbooked', '000.400.103 000.400.104 000.400.107 100.390.105 100.390.106 100.390.108 100.390.111 100.390.112 100.390.116'],
  // The same for external risk checks.
  ['unbooked', '000.400.200 100.380.501 100.400.007 100.400.051 100.400.071 100.400.091 100.400.130 100.400.139 100.400.143'],
  ['unbooked', '100.400.145 100.400.150 100.400.152 100.400.312 100.400.322 100.400.323 100.400.324 100.400.325 100.400.327'],
  // The outcome is uncertain, another one is still worked on, or a part could not be taken back.
  ['open', '900.100.300 700.400.570 800.600 000.400.030'],
];

const countsByBeginning: ReadonlyMap<string, CountsAs> = new Map(
  beginnings.flatMap(([counts, codes]) => codes.split(' ').map((beginning) => [beginning, counts] as const)),
);

/** For a code that is no approval. */
export function countsAs(code: string): CountsAs {
  for (let length = code.length; length > 0; length -= 1) {
    const counts = countsByBeginning.get(code.slice(0, length));
    if (counts) return counts;
  }
  return 'declined';
}
