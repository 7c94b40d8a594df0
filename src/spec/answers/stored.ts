import type { PaymentStatus } from './payments.ts';
import type { AmountText, Id, Instant } from './texts.ts';

/** Answers about checkouts, registrations, customers and schedules. Instants are ISO strings, amounts strings with two decimals. */

/** A payment in a list. */
export type PaymentView = {
  readonly id: string;
  readonly merchantId: Id;
  readonly entityId: Id;
  readonly createdAt: Instant;
  readonly paymentType: string;
  readonly amount: AmountText;
  readonly currency: string;
  readonly paymentBrand: string | null;
  readonly last4: string | null;
  readonly merchantTransactionId: string | null;
  readonly state: 'open' | 'approved' | 'declined';
  readonly status: PaymentStatus;
  /** Null while it is open. */
  readonly code: string | null;
};

/** The parts of an instrument that may be shown. */
export type InstrumentView = {
  readonly kind: string;
  readonly brand: string | null;
  /** Such as 420000••••0000. */
  readonly masked: string;
  readonly holder: string | null;
  /** Such as 05/2034. */
  readonly expiry: string | null;
};

export type RegistrationView = {
  readonly id: string;
  readonly merchantId: Id;
  readonly entityId: Id;
  readonly state: 'open' | 'active' | 'rejected' | 'deleted';
  readonly instrument: InstrumentView;
  readonly createdAt: Instant;
  readonly usedAt: Instant;
};

/** Of listRegistrations. `next` is sent as `after` for the page behind; it may come with a page that is not full. */
export type RegistrationPage = { readonly registrations: readonly RegistrationView[]; readonly next: string | null };

/** Of seeRegistration. */
export type RegistrationDetail = RegistrationView & {
  readonly code: string;
  readonly mode: string;
  /** The merchant's own id of the customer. */
  readonly customerId: string | null;
  readonly paymentId: Id;
  readonly expiresAt: Instant;
  readonly extendedUntil: Instant | null;
  readonly series: { readonly type: string | null; readonly initialTransactionId: string | null } | null;
  readonly networkToken: { readonly last4: string; readonly expiry: string } | null;
  readonly schedules: readonly ListedSchedule[];
};

/** Of listUses. */
export type UsePage = { readonly payments: readonly PaymentView[]; readonly next: string | null };

/** `paid`: an attempt succeeded; `trying`: one is under way; `open`: it can be paid; `over`: its time is. */
export type CheckoutState = 'paid' | 'trying' | 'open' | 'over';

export type CheckoutView = {
  readonly id: string;
  readonly merchantId: Id;
  readonly entityId: Id;
  readonly state: CheckoutState;
  readonly amount: AmountText | null;
  readonly currency: string | null;
  readonly paymentType: string | null;
  readonly merchantTransactionId: string | null;
  readonly isRegistering: boolean;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly attempts: number;
  /** The address of the page of a payment link; null: a checkout of a shop. */
  readonly link: string | null;
};

export type CheckoutPage = { readonly checkouts: readonly CheckoutView[]; readonly next: string | null };

/** Of seeCheckout. */
export type CheckoutDetail = CheckoutView & {
  readonly origin: string;
  readonly clickedAt: Instant | null;
  readonly shopOrigin: string | null;
  readonly askedAt: Instant | null;
  readonly tried: readonly PaymentView[];
  /** The parameters that the merchant sent, without personal data. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
};

/** Of createPaymentLink. */
export type CreatedPaymentLink = { readonly id: string; readonly url: string; readonly expiresAt: string };

export type ListedSchedule = {
  readonly id: string;
  readonly merchantId: Id;
  readonly entityId: Id;
  readonly state: 'active' | 'ending' | 'over';
  readonly name: string | null;
  readonly amount: AmountText | null;
  readonly currency: string | null;
  /** When it runs, in words. */
  readonly words: string;
  readonly timeZone: string;
  readonly nextAt: Instant | null;
  readonly registrationId: Id;
  readonly createdAt: Instant;
};

export type SchedulePage = { readonly schedules: readonly ListedSchedule[]; readonly next: string | null };

/** Of previewRuns. */
export type RunsPreview = {
  /** When it would run, in words. */
  readonly words: string;
  readonly timeZone: string;
  readonly nextRuns: readonly Instant[];
  /** The last run, where a number of payments is asked for. */
  readonly lastRun: Instant | null;
};

/** Of seeSchedule. */
export type ScheduleDetail = ListedSchedule & {
  readonly endsAt: Instant | null;
  readonly expression: string;
  /** Beginning and end as they were sent: local times of the time zone. */
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly descriptor: string | null;
  readonly merchantTransactionId: string | null;
  readonly testMode: string | null;
  readonly nextRuns: readonly string[];
  /** The retry after a decline. */
  readonly again: { readonly at: Instant | null; readonly tries: number } | null;
  readonly instrument: InstrumentView | null;
  /** The newest first. */
  readonly runs: readonly {
    readonly dueAt: Instant;
    readonly doneAt: Instant;
    readonly payment: PaymentView | null;
    readonly skipped: string | null;
  }[];
};

/** A customer of a merchant, by `customer.merchantCustomerId`. */
export type CustomerView = {
  readonly merchantCustomerId: string;
  readonly merchantId: Id;
  readonly merchant: string;
  readonly lastActivityAt: Instant;
};

/** Approved amounts in one currency. `paid`: debits and captures that were not reversed. `credited`: credits to the customer. */
export type CustomerTotal = {
  readonly currency: string;
  readonly payments: number;
  readonly paid: AmountText;
  readonly refunded: AmountText;
  readonly disputed: AmountText;
  readonly credited: AmountText;
};

/** Of seeCustomer. */
export type CustomerDetail = CustomerView & {
  /** Of the newest payment that has one. */
  readonly name: string | null;
  readonly email: string | null;
  readonly firstSeenAt: Instant;
  /** The number of transactions that the totals count. */
  readonly counted: number;
  /** False: there are older transactions, which the totals leave out. */
  readonly isComplete: boolean;
  readonly totals: readonly CustomerTotal[];
  /** Active ones. */
  readonly registrations: readonly RegistrationView[];
  readonly schedules: readonly ListedSchedule[];
};

/** Answers about direct debit mandates. Days are `yyyy-MM-dd`. */

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
