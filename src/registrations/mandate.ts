import type { Amount } from '../money/amount.ts';
import type { mandateStates } from '../spec/areas/stored.ts';

/** A direct debit mandate as pages show it. Days are `yyyy-MM-dd`. */

/** One collection by a mandate. */
export type MandateCollection = {
  readonly paymentId: string;
  readonly amount: Amount;
  readonly dueOn: string;
  /** FRST, RCUR, OOFF or FNAL. */
  readonly sequence: string;
  /** The payer must have been informed by the end of this day. */
  readonly noticeBy: string;
};

/** `ended`: by its last collection, or by hand. `lapsed`: nothing was collected for too long. */
export type MandateState = (typeof mandateStates)[number];

export type KnownMandate = {
  /** As the payer signed it, unique for the account. */
  readonly id: string;
  readonly merchantId: string;
  readonly scheme: 'CORE' | 'B2B';
  readonly signedOn: string;
  readonly state: MandateState;
  readonly createdAt: number;
  /** When it was ended by hand; null: it was not. */
  readonly endedAt: number | null;
  /** The last day on which something can be collected by it. */
  readonly lapsesOn: string;
  /** Collections that were made of it. */
  readonly uses: number;
  /** The newest collections, the newest first. */
  readonly collections: readonly MandateCollection[];
  /** Of the collections, the next one to come; null: there is none. */
  readonly next: MandateCollection | null;
  /** The day of the last one before today. */
  readonly lastDueOn: string | null;
  readonly creditorId: string;
  readonly creditorName: string;
  /** The end of the payer's account number. */
  readonly last4: string | null;
  /** The merchant's own id of the payer. */
  readonly customerId: string | null;
  /** The stored payment details that hold it. */
  readonly registrationId: string | null;
};

/** A position in a list, from the newest on. */
export type MandateCursor = { readonly createdAt: number; readonly id: string };

/** The mandates of one account. */
export interface MandateBook {
  /** The mandates of a merchant, the newest first. */
  list(
    merchantId: string,
    page: { readonly limit: number; readonly before: MandateCursor | null },
  ): Promise<readonly KnownMandate[]>;
  find(merchantId: string, mandateId: string): Promise<KnownMandate | null>;
  /** Nothing more is collected by it. Null: there is no such mandate. */
  end(merchantId: string, mandateId: string): Promise<KnownMandate | null>;
}
