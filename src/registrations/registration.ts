import type { MethodCode } from '../spec/paymentTypes.ts';
import type { ResultCode } from '../spec/resultCodes.ts';
import { sealedFields } from '../vault/ports.ts';
import type { Instrument, NetworkToken, Secrets } from './instrument.ts';

/** Where a transaction is executed: by our simulators, by the processor's test system, or for real. */
export type Mode = 'INTERNAL' | 'EXTERNAL' | 'LIVE';

/** Whether a string has the form of an id at all. */
export const isRegistrationId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

/** `open`: the transaction that makes it is not decided yet. Only an `active` one can be charged. */
export type RegistrationState = 'open' | 'active' | 'rejected' | 'deleted';

/** A series that began at another provider, as the deprecated recurringMigration parameters tell it. */
export type Migration = {
  readonly paymentType: string;
  readonly amount: string | null;
  readonly requestTimestamp: string | null;
  readonly connectorTxIds: readonly string[];
};

/** The scheme's data for charging a stored instrument again. */
export type Series = {
  /** The scheme's reference of the payment in which the shopper agreed. */
  readonly initialTransactionId: string | null;
  readonly agreementId: string | null;
  readonly type: string | null;
  readonly recurringType: string | null;
  readonly expiry: string | null;
  readonly frequency: string | null;
  readonly numberOfInstallments: string | null;
  readonly migration: Migration | null;
};

/** Payment details that were stored to be charged again. The number itself is sealed and stands apart. */
export type Registration = {
  readonly id: string;
  /** The tenant. Every channel of this merchant may use it. */
  readonly merchantId: string;
  /** The channel that made it. */
  readonly entityId: string;
  /** The transaction that made it: of type RG with the same id, or a payment with createRegistration. */
  readonly paymentId: string;
  readonly paymentBrand: string | null;
  readonly method: MethodCode;
  readonly mode: Mode;
  /** The account that took the transaction that made it, and gives out network tokens for it. */
  readonly connector: string;
  readonly instrument: Instrument;
  readonly fingerprint: string | null;
  readonly state: RegistrationState;
  /** The result at which it stands. */
  readonly code: ResultCode;
  readonly series: Series | null;
  /** The part of the scheme's token that may be shown; its number is sealed with the card's. */
  readonly networkToken: { readonly last4Digits: string; readonly expiryMonth: string; readonly expiryYear: string } | null;
  /** When the scheme is to be asked for a token; null when there is nothing to ask. */
  readonly tokenDueAt: number | null;
  readonly tokenTries: number;
  readonly createdAt: number;
  readonly movedAt: number;
  readonly usedAt: number;
  /** It is kept no longer than this; see retention.ts. */
  readonly expiresAt: number;
  /** Until when its life was extended; null when it never was. */
  readonly extendedUntil: number | null;
  /** Counts the commits of this registration, from 1. */
  readonly revision: number;
  readonly ndc: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Read for a list: some of the fields are left out, and it cannot be stored. */
  readonly isBrief?: true;
};

/** The last four digits of an instrument that has a number; null without one. */
export const last4Of = (instrument: Instrument | null): string | null =>
  instrument === null || instrument.kind === 'virtualAccount' ? null : instrument.last4Digits;

/** The secrets of an instrument that may be kept, sealed. They never authenticate a single payment. */
export type StoredSecrets = {
  readonly number?: string;
  readonly iban?: string;
  readonly networkToken?: NetworkToken;
};

/** As it goes into the vault; null when there is nothing to keep. */
export function secretsText({ number, iban, networkToken }: StoredSecrets): string | null {
  return number === undefined && iban === undefined ? null : JSON.stringify({ number, iban, networkToken });
}

/** As it comes out of the vault. */
export const parseSecrets = (text: string): StoredSecrets => JSON.parse(text) as StoredSecrets;

/** The number, which a payment keeps of its secrets because no refund is possible without it. */
export const paymentSecretsText = ({ number, iban }: Secrets): string | null =>
  number === undefined && iban === undefined ? null : JSON.stringify({ number, iban });

/** Where the secrets of a registration are sealed. */
export const sealedRecordOf = ({ merchantId, entityId, id }: Pick<Registration, 'merchantId' | 'entityId' | 'id'>) =>
  ({ merchantId, entityId, recordId: id, field: sealedFields.registration }) as const;
