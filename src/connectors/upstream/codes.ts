import { isNegative, isResultCode, type NegativeCode } from '../../spec/resultCodes.ts';
import type { CodeRow } from '../kind.ts';

/**
 * The meaning of a platform's result code for a payment that was sent to it. `uncertain`: the platform itself does not know, or is broken.
 * `misconfigured`: the operator must act; nothing was booked. `throttled`: not processed. `notFound`: the answer of a search.
 */
export type CodeMeaning =
  | 'approved'
  | 'review'
  | 'pending'
  | 'uncertain'
  | 'misconfigured'
  | 'throttled'
  | 'notFound'
  | 'declined';

/** Beginnings of codes, blanks between them. The longest that fits a code decides; a code without a row is a decline. */
const beginnings: readonly (readonly [meaning: CodeMeaning, codes: string])[] = [
  ['approved', '000.000. 000.100.1 000.3 000.5 000.6 000.400.110 000.400.120'],
  // The platform's merchant should look at it, and so should ours.
  ['review', '000.400.0 000.400.100'],
  ['pending', '000.200. 800.400.5 100.400.500'],
  // Reasons of chargebacks, among them "succeeded with another amount": never the answer to a payment.
  ['uncertain', '000.100.2'],
  ['uncertain', '000.400.030 600.100.100 900.100.100 900.100.300 900.100.400 900.100.500 999.'],
  ['misconfigured', '500. 600.2 600.3 800.121. 800.900.1 800.900.3'],
  ['throttled', '800.120.100'],
  ['notFound', '700.400.580'],
];

const rows: readonly (readonly [beginning: string, meaning: CodeMeaning])[] = beginnings
  .flatMap(([meaning, codes]) => codes.split(' ').map((beginning) => [beginning, meaning] as const))
  .toSorted(([one], [other]) => other.length - one.length);

export const meaningOf = (code: string): CodeMeaning => rows.find(([beginning]) => code.startsWith(beginning))?.[1] ?? 'declined';

/** A decline that this catalogue does not have, or that the platform has as something else. */
export const UNKNOWN_DECLINE: NegativeCode = '800.100.100';
/** The account is not set up as it must be. */
export const MISCONFIGURED: NegativeCode = '800.100.190';

/** The decline as the merchant sees it: the same code, because both sides speak the same catalogue. */
export function declineOf(code: string): NegativeCode {
  if (meaningOf(code) === 'misconfigured') return MISCONFIGURED;
  return isResultCode(code) && isNegative(code) ? code : UNKNOWN_DECLINE;
}

/** The answers to a reversal that prove that there is nothing to reverse. */
export const NOTHING_BOOKED: ReadonlySet<string> = new Set(['700.300.200']);

/** The names of the meanings on the page. */
const meanings: Readonly<Record<CodeMeaning, string>> = {
  approved: 'approved, with the code of our mode',
  review: 'approved with the same code, for review',
  pending: 'pending, with or without a redirect',
  uncertain: 'unknown: the gateway inquires',
  misconfigured: `${MISCONFIGURED} and an alarm; the code is in AcquirerResponse`,
  throttled: 'sent again twice, then 800.120.100',
  notFound: 'of a query: not found; of a payment: 700.400.580',
  declined: 'declined with the same code',
};

/** Every group of codes, by the beginning of its codes. */
export const codeRows: readonly CodeRow[] = [
  ...beginnings.map(([meaning, codes]) => ({
    theirs: codes
      .split(' ')
      .map((code) => (/^[0-9]{3}\.[0-9]{3}\.[0-9]{3}$/.test(code) ? code : `${code}*`))
      .join(', '),
    ours: meanings[meaning],
  })),
  { theirs: 'a code that the catalogue does not have', ours: `${UNKNOWN_DECLINE}; the code is in AcquirerResponse` },
  { theirs: 'every other code', ours: meanings.declined },
];
