import { type Advice, adviceFor } from './resultCodes/advice.ts';
import { approved } from './resultCodes/approved.ts';
import { chargeback } from './resultCodes/chargeback.ts';
import { declined } from './resultCodes/declined.ts';
import { groupOf, type ResultGroup } from './resultCodes/groups.ts';
import { pending } from './resultCodes/pending.ts';
import { refused } from './resultCodes/refused.ts';
import { type RetryRule, retryRuleFor } from './resultCodes/retryRules.ts';

/** Text by code, one table for each meaning, so that a code of the wrong kind does not compile where another kind must stand. */
const textByMeaning = { approved, pending, declined, refused, chargeback } as const;

/** `declined`: by an acquirer, bank or scheme, or not reachable. `refused`: by the gateway, before any of them was asked. */
export type Meaning = keyof typeof textByMeaning;

/** The codes with one of these meanings: `CodeThat<'approved' | 'declined'>`. */
export type CodeThat<Means extends Meaning> = { [M in Means]: keyof (typeof textByMeaning)[M] }[Means];

/** Every code of the catalogue. */
export type ResultCode = CodeThat<Meaning>;
/** A payment at rest has one of these; a pending code cannot be final. */
export type FinalCode = CodeThat<'approved' | 'declined' | 'refused' | 'chargeback'>;
/** Declined or refused. */
export type NegativeCode = CodeThat<'declined' | 'refused'>;

/** One outcome and what goes with it. */
export type ResultEntry = {
  readonly means: Meaning;
  /** `result.description` on the wire. */
  readonly text: string;
  readonly advice: Advice;
  readonly retry: RetryRule;
  /** The status of an answer that carries this code. 800.900.3xx is also sent with 401: the authenticator knows which. */
  readonly http: 200 | 400 | 403 | 404 | 429;
  readonly group: ResultGroup | null;
};

/** Every outcome the gateway can name, in the order of the codes. */
export const resultCodes = catalogue(textByMeaning) as Readonly<Record<ResultCode, ResultEntry>>;

function catalogue(texts: Readonly<Record<Meaning, Readonly<Record<string, string>>>>): Record<string, ResultEntry> {
  const entries = Object.entries(texts).flatMap(([means, textByCode]) =>
    Object.entries(textByCode).map(([code, text]): [string, ResultEntry] => [code, entry(code, means as Meaning, text)]),
  );
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function entry(code: string, means: Meaning, text: string): ResultEntry {
  return { means, text, advice: adviceFor(code), retry: retryRuleFor(code), http: httpOf(code, means), group: groupOf(code) };
}

function httpOf(code: string, means: Meaning): ResultEntry['http'] {
  // A chargeback that was recorded is an answer like a success: its code says why the bank took the money back.
  if (means === 'approved' || means === 'pending' || means === 'chargeback') return 200;
  if (code === '800.900.300' || code === '800.900.301' || code === '800.900.302') return 403;
  if (code === '700.400.580') return 404;
  return code === '800.120.100' ? 429 : 400;
}

/** Whether a text is a code of the catalogue. */
export const isResultCode = (text: string): text is ResultCode => Object.hasOwn(resultCodes, text);

/** Whether a code is a reason for a chargeback. */
export const isChargebackReason = (text: string): text is CodeThat<'chargeback'> => Object.hasOwn(chargeback, text);

/** Whether a code is a yes. */
export const isApproval = (code: ResultCode): code is CodeThat<'approved'> => Object.hasOwn(approved, code);

/** Whether a transaction can end with a code. */
export const isFinal = (code: ResultCode): code is FinalCode => isApproval(code) || isChargebackReason(code) || isNegative(code);

/** Whether a code is declined or refused. */
export const isNegative = (code: ResultCode): code is NegativeCode =>
  Object.hasOwn(declined, code) || Object.hasOwn(refused, code);
