import type { Amount } from '../../money/amount.ts';
import { type Payment, paymentRefText } from '../../payments/payment.ts';
import type { AcquirerAnswer } from '../../payments/ports.ts';
import { digitsOf } from '../../spec/currencies.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import { HOUR_MS } from '../../spec/time.ts';
import { amountFor, type Exponents, amountFrom as hundredthsFrom } from '../kind.ts';
import type { AccountNeeds } from '../ports.ts';
import type { ApiReply, Client } from './client.ts';

/** The settings of an account. */
export type StripeSettings = {
  readonly url: string;
  readonly connectedAccount: string;
  readonly acquirerAuthentication: boolean;
  readonly storeCredentials: boolean;
  readonly multicapture: boolean;
  readonly incrementalAuthorisation: boolean;
  readonly descriptorCharacters: number;
  readonly ugxDecimals: UgxDecimals;
};

/** The shared context of one payment's steps. */
export type Session = {
  readonly client: Client;
  readonly settings: StripeSettings;
  readonly needs: Pick<AccountNeeds, 'alarm' | 'documents' | 'returnUrl' | 'log'>;
  now(): number;
};

/** Short requests that move no money. */
export const STEP_MS = 10_000;
/** Requests that wait for an issuer. */
export const ISSUER_MS = 25_000;

/** The acquirer keeps an idempotency key for at least 24 hours; after that the same key is a new request. */
const REPEATABLE_MS = 23 * HOUR_MS;

/** Whether a request of this payment that moves no secrets may be sent again with its key. */
export const isRepeatable = ({ createdAt }: Payment, now: number): boolean => now - createdAt < REPEATABLE_MS;

/** So long after a request, the acquirer's search may still miss it. */
export const SEARCH_LAG_MS = HOUR_MS;

/** The field of the acquirer's metadata that names our payment. */
export const METADATA_PAYMENT = 'turnpike_payment';

export const metadataOf = (payment: Payment): Readonly<Record<string, string>> => ({
  [METADATA_PAYMENT]: paymentRefText(payment),
});

export const unitsIn = ({ settings }: Session, { amount, currency }: Pick<Payment, 'amount' | 'currency'>): Units =>
  unitsOf(amount, currency, settings.ugxDecimals);

/** An object that is neither an answer nor a clear refusal: the core counts the error as silence. */
export class Silence extends Error {
  constructor(why: string) {
    super(`no usable answer: ${why}`);
    this.name = 'Silence';
  }
}

export const waiting = (reference: string | undefined): AcquirerAnswer =>
  reference === undefined ? { is: 'waiting' } : { is: 'waiting', reference };

/** The code of a request of which no byte was executed. */
export const codeWhenNotExecuted = ({ why }: Extract<ApiReply, { readonly is: 'notExecuted' }>) =>
  (({ unreachable: '900.100.600', busy: '800.120.100', mode: '900.100.310' }) as const)[why];

/** Ids go into paths: anything else than an id of the kind is refused. */
export const isId = (text: string | undefined, prefix: 'pi' | 'seti' | 'ch' | 'py' | 're' | 'pm' | 'cus'): text is string =>
  text !== undefined && new RegExp(`^${prefix}_[A-Za-z0-9_]{1,250}$`).test(text);

/** Digits that differ from ISO 4217. ISK stays at two for old clients, with zeros behind; MGA has none. */
export const stripeExponents: Exponents = { ISK: 2, MGA: 0 };

/** No charge has more digits than this. */
const UNITS_MAX = 99_999_999n;

/** How the account counts UGX: pages of the acquirer contradict each other, so an account must be tried before it is set. */
type UgxDecimals = 'unknown' | '0' | '2';

type Units = { readonly is: 'units'; readonly units: bigint } | { readonly is: 'refused'; readonly code: NegativeCode };

/** Undefined: nothing is known about UGX on this account. */
function exponentsFor(currency: string, ugxDecimals: UgxDecimals): Exponents | undefined {
  if (currency !== 'UGX') return stripeExponents;
  return ugxDecimals === 'unknown' ? undefined : { UGX: Number(ugxDecimals) };
}

/** The amount in the acquirer's smallest unit, or why it cannot be sent. */
export function unitsOf(amount: Amount, currency: string, ugxDecimals: UgxDecimals): Units {
  const known = exponentsFor(currency, ugxDecimals);
  const digits = digitsOf(currency);
  if (known === undefined || digits === undefined) return { is: 'refused', code: '100.550.401' };
  // A currency without decimals stays whole, also where the acquirer adds two zeros.
  const isWhole = digits !== 0 || amount % 100n === 0n;
  const units = isWhole ? amountFor(amount, currency, known) : undefined;
  if (units === undefined) return { is: 'refused', code: '100.550.303' };
  return units > UNITS_MAX ? { is: 'refused', code: '100.550.301' } : { is: 'units', units };
}

/** The acquirer's amount in hundredths; null: not expressible, or no currency of ours. */
export function amountFrom(units: bigint, currency: string, ugxDecimals: UgxDecimals): Amount | null {
  const known = exponentsFor(currency, ugxDecimals);
  return (known && hundredthsFrom(units, currency, known)) ?? null;
}
