import { adviceFor } from './advice.ts';
import { countsAs } from './countsAs.ts';

/** Whether and when a declined payment may be tried again. */
export type RetryRule = {
  /**
   * Another account may be asked at once with the same request. `unsent`: the issuer was not asked, so always. `declined`: the acquirer
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

/** Codes, blanks between them. What no row names may not be sent to another account. */
const otherAccounts: readonly (readonly [when: 'unsent' | 'declined', codes: string])[] = [
  // No connection, throttled, no free terminal, credentials or configuration of the account.
  ['unsent', '900.100.600 900.100.310 800.120.100 800.500.110 800.100.190'],
  // A technical refusal, a limit of the merchant's contract, a card type, currency or brand that this acquirer does not process.
  ['declined', '900.100.200 800.100.164 800.120.401 800.100.169 800.100.173 800.100.175'],
];

/** Beside those that the advice says never to try again: invalid card, blocked, closed, not permitted. Visa forbids another try. */
const hard = new Set('800.100.151 800.100.160 800.100.170 800.100.172 800.100.202 800.310.200'.split(' '));

/** Limits other than those of the schemes. A direct debit without cover may be collected twice more, not on the same day. */
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
  const advice = adviceFor(code);
  // Something may be booked all the same: another try could charge twice.
  if (advice === 'wait' || countsAs(code) === 'open') return 'never';
  if (advice === 'do not retry' || hard.has(code)) return 'never';
  return advice === 'retry later' ? 'later' : 'advised';
}

/** Every code that a row names, for the test that they are codes. */
export const retryRows: readonly string[] = [...otherAccountByCode.keys(), ...hard, ...limitByCode.keys()];
