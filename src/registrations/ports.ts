import type { ListQuery } from '../merchants/listing.ts';
import type { DueQuery } from '../merchants/merchantFilter.ts';
import type { NetworkToken, Secrets } from './instrument.ts';
import type { Registration, RegistrationState } from './registration.ts';

/** The dependencies of registrations. */

/** A registration with its sealed secrets, as one reading. */
export type StoredRegistration = { readonly registration: Registration; readonly sealed: Uint8Array | null };

export interface RegistrationStore {
  registration(merchantId: string, registrationId: string): Promise<StoredRegistration | null>;
  /** Notes a use. Not part of a payment's commit: it only decides how long the details are kept, and a day more or less is the same. */
  touch(merchantId: string, registrationId: string, at: { readonly usedAt: number; readonly expiresAt: number }): Promise<void>;
  /** Active registrations whose time is over, the longest overdue first. */
  outlived(asked: DueQuery): Promise<readonly Registration[]>;
  /** Active registrations for which the scheme is to be asked for a token by now. */
  awaitingToken(asked: DueQuery): Promise<readonly StoredRegistration[]>;
  /** Forgets the wallet tokens that would be refused as expired by now; answers how many. */
  deleteTokenUses(now: number): Promise<number>;
}

export interface NetworkTokens {
  /** A token for a stored card; null: this card gets none. Rejects when the scheme cannot answer now. */
  provide(registration: Registration, secrets: Pick<Secrets, 'number'>): Promise<NetworkToken | null>;
  /** A cryptogram for one payment with the token. Rejects when there is none: the card's number is then used instead. */
  cryptogram(token: NetworkToken): Promise<string>;
}

export type RegistrationListQuery = ListQuery & {
  readonly state: RegistrationState | null;
  /** Only instruments that end so. */
  readonly last4Digits: string | null;
};

/** The part of a store that lists of stored details need. */
export interface RegistrationLists {
  registrationsListed(asked: RegistrationListQuery): Promise<readonly Registration[]>;
  /** The active registrations of a customer, by the merchant's own id of the customer; the newest first. */
  registrationsOfCustomer(merchantId: string, customerId: string, limit: number): Promise<readonly Registration[]>;
}
