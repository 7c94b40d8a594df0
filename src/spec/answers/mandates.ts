import type { AmountText, Id, Instant } from './texts.ts';

/** What is answered about direct debit mandates, as the pages read it. Days are `yyyy-MM-dd`. */

export type CollectionView = {
  readonly paymentId: Id;
  readonly amount: AmountText;
  readonly currency: string;
  readonly dueOn: string;
  /** FRST, RCUR, OOFF or FNAL. */
  readonly sequence: string;
  /** The payer must have been informed by the end of this day. */
  readonly noticeBy: string;
  /** The text for the payer; null: the day has passed. */
  readonly notice: string | null;
};

export type MandateView = {
  /** For the address of the mandate. */
  readonly id: string;
  readonly merchantId: Id;
  /** As the payer signed it. */
  readonly mandateId: string;
  /** The account that collects by it. */
  readonly account: string;
  readonly scheme: 'CORE' | 'B2B';
  readonly state: 'active' | 'ended' | 'lapsed';
  readonly signedOn: string;
  readonly createdAt: Instant;
  /** The day of the last collection before today. */
  readonly lastDueOn: string | null;
  /** The last day on which something can be collected by it. */
  readonly lapsesOn: string;
  readonly uses: number;
  /** The next collection to come. */
  readonly next: CollectionView | null;
  readonly last4: string | null;
  readonly customerId: string | null;
  readonly registrationId: string | null;
};

/** Of listMandates. `next` is sent as `after` for the page behind; it may come with a page that is not full. */
export type MandatePage = { readonly mandates: readonly MandateView[]; readonly next: string | null };

/** Of seeMandate. */
export type MandateDetail = MandateView & {
  readonly creditorId: string;
  readonly creditorName: string;
  readonly endedAt: Instant | null;
  /** The newest first. */
  readonly collections: readonly CollectionView[];
};
