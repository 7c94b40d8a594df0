import { approved, chargeback, pending } from './resultCodes/accepted.ts';
import { type Advice, adviceFor } from './resultCodes/advice.ts';
import { declined } from './resultCodes/declined.ts';
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

/** The groups that clients know, as the regular expressions they match codes with. No code is in two; 000.500.* is in none. */
export const resultGroups = {
  success: /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.[1][12]0)/,
  'success-manual-review': /^(000\.400\.0[^3]|000\.400\.100)/,
  pending: /^(000\.200)/,
  'pending-long': /^(800\.400\.5|100\.400\.500)/,
  '3ds-or-intercard-rejection': /^(000\.400\.[1][0-9][1-9]|000\.400\.2)/,
  'external-bank-decline': /^(800\.[17]00|800\.800\.[123])/,
  'communication-error': /^(900\.[1234]00|000\.400\.030)/,
  'system-error': /^(800\.[56]|999\.|600\.1|800\.800\.[84])/,
  'async-error': /^(100\.39[765])/,
  'soft-decline': /^(300\.100\.100)/,
  'external-risk': /^(100\.400\.[0-3]|100\.380\.100|100\.380\.11|100\.380\.4|100\.380\.5)/,
  'address-avs-validation': /^(800\.400\.1)/,
  '3ds-rejection': /^(800\.400\.2|100\.390)/,
  blacklist: /^(800\.[32])/,
  'risk-validation': /^(800\.1[123456]0)/,
  'configuration-validation': /^(600\.[23]|500\.[12]|800\.121)/,
  'registration-validation': /^(100\.[13]50)/,
  'job-validation': /^(100\.250|100\.360)/,
  'reference-validation': /^(700\.[1345][05]0)/,
  'retry-control-mac': /^(700\.600|700\.601)/,
  'format-validation': /^(200\.[123]|100\.[53][07]|800\.900|100\.[69]00\.500)/,
  'address-validation': /^(100\.800)/,
  'contact-validation': /^(100\.700|100\.900\.[123467890][0-9]{2})/,
  'account-validation': /^(100\.100|100\.2[01])/,
  'amount-validation': /^(100\.55)/,
  'risk-management': /^(100\.380\.[23]|100\.380\.101)/,
  chargeback: /^(000\.100\.2)/,
} as const;

export type ResultGroup = keyof typeof resultGroups;

const groupPatterns = Object.entries(resultGroups) as [ResultGroup, RegExp][];

/** The group a code is in, or null. */
export function groupOf(code: string): ResultGroup | null {
  return groupPatterns.find(([, pattern]) => pattern.test(code))?.[0] ?? null;
}

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
