import { amountText } from '../../money/amount.ts';
import { type AnswerDetails, acquirerKey, type Payment, type Redirect } from '../../payments/payment.ts';
import type { AcquirerAnswer } from '../../payments/ports.ts';
import { isRecord } from '../../runtime/json.ts';
import { maskCardNumbers } from '../../spec/cards/cardNumbers.ts';
import { type CodeThat, isApproval, isNegative, isResultCode, type NegativeCode } from '../../spec/resultCodes.ts';
import { DAY_MS, HOUR_MS } from '../../spec/time.ts';
import type { CodeRow } from '../kind.ts';
import { type Json, textAt } from './client.ts';

/**
 * The meaning of an answer of the platform for a payment. `uncertain`: it is known there, but its outcome is not. `foreign`: the answer
 * does not fit the payment, so it proves nothing. `unprocessed`: the platform took nothing.
 */
export type Reading =
  | {
      readonly is: 'answer';
      readonly answer: AcquirerAnswer;
    }
  | { readonly is: 'uncertain'; readonly reference: string | null }
  | { readonly is: 'foreign'; readonly why: string }
  | { readonly is: 'throttled' | 'notFound' }
  | {
      readonly is: 'misconfigured';
      readonly code: string;
      readonly answer: Extract<AcquirerAnswer, { readonly is: 'declined' }>;
    };

/** Later requests have their ids in the path. */
const ID = /^[0-9A-Za-z][0-9A-Za-z._-]{7,63}$/;
/** A cardholder is away for minutes; the shopper of a bank or of an invoice is away for as long as the platform waits. */
const CARD_MS = HOUR_MS;
const BRAND_MS = 30 * DAY_MS;

export const idIn = (json: unknown, name = 'id'): string | null => {
  const id = textAt(json, name);
  return id !== null && ID.test(id) ? id : null;
};

/** An outcome that stands, from a message that has no request; null: there is none yet. */
export function readFinal(json: Json): Extract<AcquirerAnswer, { readonly is: 'approved' | 'declined' }> | null {
  const [code, reference] = [textAt(json, 'result', 'code') ?? '', idIn(json)];
  if (reference === null) return null;
  switch (meaningOf(code)) {
    case 'approved':
    case 'review':
      return approval(json, code, reference);
    case 'declined':
    case 'misconfigured':
      return { is: 'declined', code: declineOf(code), details: declineDetails(json, code), reference };
    default:
      return null;
  }
}

function approval(json: Json, code: string, reference: string): Extract<AcquirerAnswer, { readonly is: 'approved' }> {
  const review = reviewCode(code);
  return { is: 'approved', details: approvalDetails(json), reference, ...(review !== null && { code: review }) };
}

/** Reads the answer to a payment, or the payment as a query shows it. */
export function readPayment(json: Json, payment: Payment, now: number): Reading {
  const code = textAt(json, 'result', 'code') ?? '';
  const reference = idIn(json);
  const named = reference === null ? {} : { reference };
  switch (meaningOf(code)) {
    case 'throttled':
      return { is: 'throttled' };
    case 'notFound':
      return { is: 'notFound' };
    case 'uncertain':
      return { is: 'uncertain', reference };
    case 'misconfigured':
      return {
        is: 'misconfigured',
        code,
        answer: { is: 'declined', code: declineOf(code), details: declineDetails(json, code), ...named },
      };
    case 'declined':
      return { is: 'answer', answer: { is: 'declined', code: declineOf(code), details: declineDetails(json, code), ...named } };
    case 'pending': {
      const why = misfit(json, payment);
      if (why !== null) return { is: 'foreign', why };
      const redirect = payment.phase.at === 'shopper' ? null : redirectIn(json);
      return {
        is: 'answer',
        answer: redirect
          ? { is: 'redirected', redirect, until: now + patienceMs(payment), ...named }
          : { is: 'waiting', ...named },
      };
    }
    case 'approved':
    case 'review': {
      const why = misfit(json, payment);
      if (reference === null || why !== null) return { is: 'foreign', why: why ?? 'it has no id' };
      return { is: 'answer', answer: approval(json, code, reference) };
    }
  }
}

const patienceMs = ({ method }: Payment): number => (method === 'CC' || method === 'DC' ? CARD_MS : BRAND_MS);

/** Only a review is passed on as it is: the code of a plain success depends on our own mode. */
const reviewCode = (code: string): CodeThat<'approved'> | null =>
  meaningOf(code) === 'review' && isResultCode(code) && isApproval(code) ? code : null;

/** The reason why an answer cannot be about the payment; null: it can. Fields that are not echoed are not compared. */
function misfit(json: Json, payment: Payment): string | null {
  const differs = (name: string, ours: string): boolean => (textAt(json, name) ?? ours) !== ours;
  if (differs('merchantTransactionId', acquirerKey(payment))) return 'it names another payment';
  if (payment.paymentType === 'RG') return null;
  if (differs('paymentType', payment.paymentType)) return 'it has another payment type';
  if (differs('currency', payment.currency)) return 'it has another currency';
  // Some platforms show the amount of the reversed payment.
  if (payment.paymentType === 'RV') return null;
  return differs('amount', amountText(payment.amount)) ? 'it has another amount' : null;
}

/** The shopper's next page. Entries of `preconditions` are left out: they prepare 3D Secure and nothing depends on them. */
function redirectIn(json: Json): Redirect | null {
  const text = textAt(json, 'redirect', 'url');
  const url = text === null ? null : URL.parse(text);
  if (url === null || !['https:', 'http:'].includes(url.protocol)) return null;
  const list = isRecord(json.redirect) ? json.redirect.parameters : null;
  const parameters = (Array.isArray(list) ? list : []).flatMap((entry: unknown) => {
    const [name, value] = [textAt(entry, 'name'), textAt(entry, 'value')];
    return name === null || value === null ? [] : [{ name, value }];
  });
  const method = textAt(json, 'redirect', 'method');
  return { url: url.href, parameters, ...((method === 'GET' || method === 'POST') && { method }) };
}

const TEXT_CHARACTERS_MAX = 255;
/** Details that are passed on under their own names. */
const PASSED_ON = [
  'ExtendedDescription',
  'AcquirerResponse',
  'MerchantAdviceCode',
  'clearingInstituteName',
  'CardholderInitiatedTransactionID',
];

/** The card networks' own ids have up to 15 digits. */
const cleaned = (text: string): string =>
  maskCardNumbers(text.replace(/\p{Cc}/gu, ' '), { shortest: 16 }).slice(0, TEXT_CHARACTERS_MAX);

/** Their id is the first of our connector's ids; their connector's own follow it. */
function resultDetailsIn(json: Json): Record<string, string> {
  const details: Record<string, string> = {};
  const keep = (name: string, text: string | null): void => {
    if (text !== null && text !== '') details[name] = cleaned(text);
  };
  for (const name of PASSED_ON) keep(name, textAt(json, 'resultDetails', name));
  keep('ConnectorTxID1', idIn(json));
  keep('ConnectorTxID2', textAt(json, 'resultDetails', 'ConnectorTxID1'));
  keep('ConnectorTxID3', textAt(json, 'resultDetails', 'ConnectorTxID2'));
  return details;
}

/** The end of an authorisation as the platform names it: an instant such as 2031-10-02 09:15:31+0000. */
function captureBeforeIn(json: Json): number | null {
  const text = textAt(json, 'resultDetails', 'CaptureBefore') ?? '';
  const at = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+0000$/.test(text)
    ? Date.parse(`${text.slice(0, 10)}T${text.slice(11, 19)}Z`)
    : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

const [AVS, CVV] = [/^[AZNUF]$/, /^[MNPSU]$/];

function cardDetails(json: Json): Writable<AnswerDetails> {
  const details: Writable<AnswerDetails> = { resultDetails: resultDetailsIn(json) };
  const avs = textAt(json, 'result', 'avsResponse');
  if (avs !== null && AVS.test(avs)) details.avsResponse = avs as NonNullable<AnswerDetails['avsResponse']>;
  const cvv = textAt(json, 'result', 'cvvResponse');
  if (cvv !== null && CVV.test(cvv)) details.cvvResponse = cvv as NonNullable<AnswerDetails['cvvResponse']>;
  const card = Object.fromEntries(
    ['binCountry', 'type', 'level'].flatMap((name) => {
      const text = textAt(json, 'card', name);
      return text === null ? [] : [[name, cleaned(text)]];
    }),
  );
  return Object.keys(card).length > 0 ? { ...details, card } : details;
}

/** Their own code where ours says less; the names of the parameters that they refuse. */
function declineDetails(json: Json, code: string): AnswerDetails {
  const details = cardDetails(json);
  const resultDetails: Record<string, string> = { ...details.resultDetails };
  if (declineOf(code) !== code) resultDetails.AcquirerResponse = code;
  const refused = refusedParameters(json);
  if (refused.length > 0) resultDetails.ExtendedDescription = cleaned(`The platform refuses ${refused.join(', ')}`);
  return { ...details, resultDetails };
}

/** Names only: a value may be a secret. */
function refusedParameters(json: Json): readonly string[] {
  const faults = isRecord(json.result) ? json.result.parameterErrors : null;
  return (Array.isArray(faults) ? faults : [])
    .flatMap((fault: unknown) => textAt(fault, 'name')?.slice(0, 64) ?? [])
    .slice(0, 10);
}

/** The scheme's reference, which later payments of a series must name. */
function approvalDetails(json: Json): AnswerDetails {
  const details = cardDetails(json);
  const captureBefore = captureBeforeIn(json);
  if (captureBefore !== null) details.captureBefore = captureBefore;
  const ofScheme = textAt(json, 'resultDetails', 'CardholderInitiatedTransactionID');
  const isFirst = textAt(json, 'standingInstruction', 'mode') === 'INITIAL';
  const initial = ofScheme ?? (isFirst ? textAt(json, 'standingInstruction', 'initialTransactionId') : null);
  const agreement = isFirst ? textAt(json, 'standingInstruction', 'agreementId') : null;
  if (initial !== null) details.schemeReference = cleaned(initial);
  if (initial !== null && isFirst) details.initialTransactionId = cleaned(initial);
  if (agreement !== null) details.agreementId = cleaned(agreement);
  return details;
}

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
