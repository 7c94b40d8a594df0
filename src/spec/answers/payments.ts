import type { PaymentAction } from '../areas/payments.ts';
import type { AmountText, CodeText, Id, Instant } from './texts.ts';
import type { ReasonView } from './users.ts';

/** Answers about payments. Instants are ISO texts, amounts have two decimals. */

/**
 * The status of a payment and its money. `left`: the amount not refunded. `uncaptured`: the amount an authorisation still holds; absent:
 * nothing. `amount` of a dispute: the part that the bank took back; null: all of it. `returned`: a refund that came back, `amount` as
 * of a dispute. `recorded`: a chargeback or its reversal. `expired`: an authorisation that ended without a capture, or the release of
 * its rest.
 */
export type PaymentStatus =
  | {
      readonly kind:
        | 'pending'
        | 'declined'
        | 'approved'
        | 'authorised'
        | 'captured'
        | 'reversed'
        | 'expired'
        | 'refunded'
        | 'recorded';
    }
  | { readonly kind: 'partiallyCaptured'; readonly captured: AmountText; readonly total: AmountText }
  | { readonly kind: 'partiallyRefunded'; readonly left: AmountText; readonly uncaptured?: AmountText }
  | { readonly kind: 'disputed' | 'returned'; readonly amount: AmountText | null };

export type FoundPayment = {
  readonly id: string;
  readonly shortId: string;
  readonly merchantTransactionId: string | null;
  readonly merchantId: Id;
  readonly entityId: Id;
  readonly channel: string;
  readonly createdAt: Instant;
  readonly paymentType: string;
  readonly paymentBrand: string | null;
  readonly amount: AmountText;
  readonly currency: string;
  readonly state: 'open' | 'approved' | 'declined';
  readonly status: PaymentStatus;
  readonly code: CodeText;
  readonly description: string;
  readonly last4: string | null;
  readonly email: string | null;
  readonly referencedId: Id | null;
};

/** Of searchPayments. `next`: where to go on; null: there is no more. `searchedTo`: how far back this page has looked. */
export type FoundPayments = {
  readonly payments: readonly FoundPayment[];
  readonly next: string | null;
  readonly searchedTo: Instant | null;
};

/** An action on a payment, and whether it is possible. */
export type PossibleAction = {
  readonly act: PaymentAction;
  readonly remaining: AmountText;
  /** Only all of it. */
  readonly isWhole: boolean;
  /** Why the action is not possible; null: it is. */
  readonly refusal: { readonly code: CodeText; readonly description: string } | null;
  /** The approval limit of the user; null: approvals are off. */
  readonly limit: UnapprovedLimit | null;
};

/** The limit, and the sums of the user's unapproved actions: on this payment, and today (UTC) at this merchant. */
export type UnapprovedLimit = {
  readonly amount: AmountText;
  readonly onPayment: AmountText;
  readonly today: AmountText;
  /** The names of the users who may approve an amount above it. */
  readonly approvers: readonly string[];
};

/** `at` null: no timestamp was recorded; the entry is placed by its kind. */
export type TimelineEntry = {
  readonly at: Instant | null;
  readonly kind: 'request' | 'checks' | 'scenario' | 'risk' | 'threeDS' | 'connector' | 'state' | 'ledger' | 'webhook' | 'family';
  /** The event, as a word that the texts of the page know. */
  readonly what: string;
  readonly tone: 'plain' | 'good' | 'warn' | 'bad';
  /** A result code, an amount or the name of a rule, shown beside the title. */
  readonly note: string | null;
  /** A remark about the note, where there is one. */
  readonly detail: string | null;
  /** Another payment that it is about. */
  readonly paymentId: Id | null;
  /** The recorded raw data. */
  readonly raw: unknown;
};

export type FamilyMember = Pick<
  FoundPayment,
  'id' | 'shortId' | 'paymentType' | 'amount' | 'currency' | 'state' | 'status' | 'code' | 'createdAt' | 'referencedId'
>;

/** An action that waits for approval. */
export type PendingAction = {
  readonly id: string;
  readonly act: PaymentAction;
  readonly amount: AmountText;
  readonly by: string;
  readonly at: Instant;
};

/** Of seePayment. */
export type PaymentDetail = {
  readonly payment: FoundPayment & {
    readonly merchant: string;
    readonly method: string;
    readonly mode: string;
    /** The account that took it. */
    readonly connector: string;
    /** The accounts that declined before it was asked, the first one first. */
    readonly earlier: readonly { readonly account: string; readonly code: CodeText; readonly at: Instant }[];
    readonly descriptor: string;
    readonly memo: string | null;
    readonly ndc: string;
    readonly changedAt: Instant;
    /** Until when an authorisation may be captured; null: it is none. */
    readonly captureBefore: Instant | null;
    readonly bin: string | null;
    readonly holder: string | null;
    readonly expiry: string | null;
    readonly registrationId: Id | null;
    /** The merchant's own id of the customer. */
    readonly customerId: string | null;
    readonly checkoutId: string | null;
    readonly scheduleId: Id | null;
    readonly source: string;
  };
  readonly result: { readonly code: CodeText; readonly description: string; readonly means: string; readonly advice: string };
  readonly acts: readonly PossibleAction[];
  readonly waiting: readonly PendingAction[];
  readonly family: readonly FamilyMember[];
  readonly timeline: readonly TimelineEntry[];
  /** As the API answers it. */
  readonly raw: unknown;
};

/** Of capturePayment and the like: the new transaction, or the users who have to agree. */
export type ActionDone = {
  readonly payment: FoundPayment | null;
  readonly approval: {
    readonly id: string;
    /** Which limit it would exceed. */
    readonly reason: ReasonView;
    /** The names of those who may approve it. */
    readonly approvers: readonly string[];
  } | null;
};

export type SavedView = {
  readonly id: string;
  readonly page: string;
  readonly name: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly columns: readonly string[] | null;
};
