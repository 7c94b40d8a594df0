import type { ListQuery } from '../merchants/listing.ts';
import type { Registration, RegistrationState } from './registration.ts';

export type RegistrationListQuery = ListQuery & {
  readonly state: RegistrationState | null;
  /** Only instruments that end so. */
  readonly last4Digits: string | null;
};

/** What lists of stored details need of a store. */
export interface RegistrationLists {
  registrationsListed(asked: RegistrationListQuery): Promise<readonly Registration[]>;
  /** The active registrations of a customer, by the merchant's own id of the customer; the newest first. */
  registrationsOfCustomer(merchantId: string, customerId: string, limit: number): Promise<readonly Registration[]>;
}
