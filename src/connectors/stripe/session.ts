import { type Payment, paymentRefText } from '../../payments/payment.ts';
import type { AcquirerAnswer } from '../../payments/ports.ts';
import { HOUR_MS } from '../../spec/time.ts';
import type { AccountNeeds } from '../ports.ts';
import { type UgxDecimals, type Units, unitsOf } from './amounts.ts';
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

/** What the steps of one payment share. */
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
