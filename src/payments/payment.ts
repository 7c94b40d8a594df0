import { SKEW_MS_MAX } from '../merchants/merchantFilter.ts';
import type { Amount } from '../money/amount.ts';
import type { Instrument } from '../registrations/instrument.ts';
import type { Mode } from '../registrations/registration.ts';
import type { Assessment } from '../risk/assess.ts';
import type { MethodCode, TransactionType } from '../spec/paymentTypes.ts';
import type { FinalCode, NegativeCode } from '../spec/resultCodes.ts';
import type { Validity } from '../spec/validity.ts';
import type { Authentication } from '../threeds/authentication.ts';

/**
 * A payment is at rest (`final`) or has exactly one open question to the outside world. `dueAt` is the instant after which no request waits
 * for the answer any more and the sweeper asks.
 */
export type Phase =
  | { readonly at: 'authentication'; readonly dueAt: number }
  /** `hasOthers`: the request that is under way may send the payment to another account when this one declines. */
  | { readonly at: 'acquirer'; readonly dueAt: number; readonly hasOthers?: true }
  | {
      readonly at: 'shopper';
      readonly redirect: Redirect;
      readonly tries: number;
      readonly until: number;
      readonly dueAt: number;
    }
  /** `since`: no byte of the request left later than this. */
  | { readonly at: 'doubt'; readonly tries: number; readonly dueAt: number; readonly since?: number }
  /** `code`: the result once the acquirer has confirmed the cancellation; without it, that of an acquirer that was silent. */
  | {
      readonly at: 'cancelling';
      readonly tries: number;
      readonly dueAt: number;
      readonly since?: number;
      readonly code?: FinalCode;
    }
  | { readonly at: 'final'; readonly code: FinalCode };

/** Where the shopper is sent. A url that begins with a slash is a page of the gateway. */
export type Redirect = {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
};

/** An authentication of the cardholder. Its proof is stored sealed, or held in memory by the node that asks the acquirer. */
export type ThreeDS = {
  /** The address under which the gateway is known to the shopper's browser and to the directory server. */
  readonly origin: string;
  readonly state: Authentication;
  readonly sealedProof: string | null;
};

/** Details of the acquirer's answer. Keys of `resultDetails` are names of the API. */
export type AnswerDetails = {
  readonly resultDetails?: Readonly<Record<string, string>>;
  readonly avsResponse?: 'A' | 'Z' | 'N' | 'U' | 'F';
  readonly cvvResponse?: 'M' | 'N' | 'P' | 'S' | 'U';
  /** Issuer data of the card, when the acquirer knows it. */
  readonly card?: Readonly<Record<string, string>>;
  /** The reference of the first payment of a series, which later ones must name. */
  readonly initialTransactionId?: string;
  readonly agreementId?: string;
  /** The merchant took it back before it left: it is declined, and its reversal is a reversal of nothing. */
  readonly isWithdrawn?: true;
  /** Of a reversal: the validity of the authorisation has ended, and the gateway released the rest; see validity.ts. */
  readonly isRelease?: true;
  /** The end of the authorisation, where the acquirer names it. */
  readonly captureBefore?: number;
  /** The scheme's reference of this authorisation, whether or not a series begins with it. Stored, not shown. */
  readonly schemeReference?: string;
};

/** An account that declined before the next one was asked. */
export type EarlierAttempt = {
  readonly connector: string;
  readonly code: NegativeCode;
  readonly declinedAt: number;
  /** The acquirer's id of the payment, if it named one. */
  readonly reference?: string;
  /** Of the acquirer's answer. */
  readonly resultDetails?: Readonly<Record<string, string>>;
};

export type Payment = {
  readonly id: string;
  /** The merchant's entity: the tenant, in every key and every query. */
  readonly merchantId: string;
  /** The channel that took the payment. */
  readonly entityId: string;
  /** The first payment of the chain; a payment and everything that references it are one family with one version. */
  readonly familyId: string;
  readonly referencedId: string | null;
  readonly paymentType: TransactionType;
  readonly paymentBrand: string | null;
  readonly method: MethodCode;
  readonly amount: Amount;
  readonly currency: string;
  readonly mode: Mode;
  /** The account that takes it, by its name; the connector's own name where it needs no account. */
  readonly connector: string;
  /** The accounts that were asked before it, the first one first; absent: none. */
  readonly earlier?: readonly EarlierAttempt[];
  /** The acquirer's id of the payment, from the first answer that names it. */
  readonly reference?: string;
  readonly shortId: string;
  readonly ndc: string;
  readonly descriptor: string;
  readonly merchantTransactionId: string | null;
  /** INCREMENTAL_AUTH raises the authorised total of the payment it references; see balance.ts. */
  readonly industryPractice: string | null;
  /** The brand was detected from the number. */
  readonly isBrandDetected: boolean;
  /** `sequence=FINAL`: nothing of this kind may follow. */
  readonly isLast: boolean;
  readonly numberOfCaptures: number | null;
  /** Of an authorisation: how long it is valid, as it was when it was made; absent: it is none, or from before validities were kept. */
  readonly validity?: Validity;
  readonly createdAt: number;
  readonly movedAt: number;
  /** Counts the commits of this payment, from 1. */
  readonly revision: number;
  readonly phase: Phase;
  readonly instrument: Instrument | null;
  /** Keyed hash of the instrument's number: it recognises the same card within one merchant and cannot be searched by number. */
  readonly fingerprint: string | null;
  /** The registration that it makes, uses, extends or deletes. */
  readonly registrationId: string | null;
  /** The merchant's own id of the customer for whom the charged details were stored, where the request names none. */
  readonly customerId?: string;
  /** The checkout in which it was made. */
  readonly checkoutId: string | null;
  /** The schedule that charged it. */
  readonly scheduleId?: string;
  /** The regular instant of the schedule's run, and which attempt of it this is. */
  readonly scheduledRun?: { readonly dueAt: number; readonly attempt: number };
  /** The source of the record where it was not the merchant; see chargeBack.ts. */
  readonly recordedBy?: string;
  /** The reason of a refusal, where the text of its code leaves it open. */
  readonly remark?: string;
  /** The `traceparent` of the request that made it; absent: it is not traced. Later events join that trace. */
  readonly traceparent?: string;
  readonly details: AnswerDetails;
  /** How the gateway authenticated the cardholder; null when it did not. */
  readonly threeDS: ThreeDS | null;
  /** The verdict of the risk checks with its reasons; null when there were none. */
  readonly risk: Assessment | null;
  /** The request structures to echo, by the names that were sent. Never a secret. */
  readonly fields: Readonly<Record<string, string>>;
  /** Read for a list: some of the fields are left out, and it cannot be stored. */
  readonly isBrief?: true;
};

/** The payments of one family, oldest first, and the version they were read at. */
export type Family = { readonly version: number; readonly payments: readonly Payment[] };

export const acquirerPhase = (dueAt: number, hasOthers: boolean): Phase =>
  hasOthers ? { at: 'acquirer', dueAt, hasOthers } : { at: 'acquirer', dueAt };

export const isOpen = (payment: Payment): boolean => payment.phase.at !== 'final';

/** Its last move was dated by a clock that was put back since: its `dueAt` means nothing, and it is due now. */
export const isMisdated = ({ movedAt }: Pick<Payment, 'movedAt'>, now: number): boolean => movedAt > now + SKEW_MS_MAX;

/** The merchant's own id of the customer: the one of the request, or the one of the stored details that are charged. */
export const customerIdOf = ({ fields, customerId }: Pick<Payment, 'fields' | 'customerId'>): string | null =>
  fields['customer.merchantCustomerId'] ?? customerId ?? null;

/** A payment in an address without an access token: the merchant is part of it. */
export type PaymentRef = { readonly merchantId: string; readonly paymentId: string };

const NAME = /^([0-9a-f]{32})\.([0-9a-f]{32})$/;

export const paymentRefText = ({ merchantId, id }: { readonly merchantId: string; readonly id: string }): string =>
  `${merchantId}.${id}`;

/**
 * The reference of a payment at its acquirer, for idempotency keys: the id, and after other accounts the number of the attempt.
 * Two accounts may be of one acquirer, which must not take the second request for the first.
 */
export const acquirerKey = ({ id, earlier = [] }: { readonly id: string; readonly earlier?: readonly unknown[] }): string =>
  earlier.length === 0 ? id : `${id}-${earlier.length + 1}`;

const KEY = /^([0-9a-f]{32})(?:-[2-9])?$/;

/** The payment that a reference at an acquirer names; null: it names none. */
export const paymentIdIn = (key: string): string | null => KEY.exec(key)?.[1] ?? null;

/** The payment of a path segment; null when the segment is not one. */
export function parsePaymentRef(segment: string | null): PaymentRef | null {
  const [, merchantId, paymentId] = NAME.exec(segment ?? '') ?? [];
  return merchantId !== undefined && paymentId !== undefined ? { merchantId, paymentId } : null;
}

/** A file of the acquirer, and the hash that it must have; null: any. */
type ComponentFile = { readonly url: string; readonly integrity: string | null };

/** A script of the acquirer that works on a page of the gateway. */
export type Component = {
  readonly script: ComponentFile;
  readonly style: ComponentFile | null;
  /** The origins that it asks and loads pictures from. */
  readonly origins: readonly string[];
  /**
   * JavaScript: a function of `data`, of the element that it may fill, and of two functions, one to call with the result, a text, and one
   * to call when there will be none. It belongs to the connector and holds nothing that was sent.
   */
  readonly begin: string;
  readonly data: Readonly<Record<string, unknown>>;
};

/** The next step of a shopper who was redirected to the gateway's own page. */
export type ShopperStep =
  /** `token` belongs to this step: the page sends it with the result. `wasRefused`: the acquirer did not accept the last result. */
  | { readonly is: 'component'; readonly component: Component; readonly token: string; readonly wasRefused: boolean }
  | { readonly is: 'redirect'; readonly redirect: Redirect }
  /** The acquirer has everything: the shopper goes on to the shop. */
  | { readonly is: 'done' };

/** The fields of the form that the page sends; `completeReturn` gets them as parameters. */
export const STEP_FIELD = 'step';
export const RESULT_FIELD = 'result';

/** A page for a shopper's browser, or the address of the next one. */
export type Page =
  | {
      readonly is: 'page';
      readonly status: number;
      readonly html: string;
      readonly policy: string;
      /** The entity whose shops may show it in a frame; without one no page may. */
      readonly framedFor?: string;
    }
  | { readonly is: 'redirect'; readonly location: string };

/** Pages of an acquirer in this process: the bank or wallet of the sandbox. */
export interface ShopperPages {
  /** `ticket` is the end of the address that the payment was redirected to; `languages` the browser's Accept-Language. */
  show(ticket: string, languages: string): Page;
  act(ticket: string, form: ReadonlyMap<string, string>, languages: string): Promise<Page>;
}
