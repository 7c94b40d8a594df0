import type { MethodCode } from '../spec/methods.ts';
import type { PaymentType } from '../spec/paymentTypes.ts';
import type { CodeThat, NegativeCode, ResultCode } from '../spec/resultCodes.ts';
import type { AnswerDetails, Family, Mode, Payment } from './payment.ts';

/** What the payments room asks of the rooms that stand outside it. Each has an honest in-memory form; none is ever mocked. */

/** The claim of one `Idempotency-Key`, made in the same commit as the payment it stands for. */
export type Claim = {
  readonly entityId: string;
  readonly key: string;
  /** Keyed hash of method, path and body: the same key with another body is refused. */
  readonly bodyHash: string;
};

/** The news for the merchant that goes with a change; the payment itself is read again when the message is delivered. */
export type Message = {
  readonly id: string;
  readonly type: 'PAYMENT';
  /** The result code at this change: the payment may have moved on when the message leaves. */
  readonly code: ResultCode;
};

/** State, money and message together. Exactly one payment changes in a commit. */
export type Commit = {
  /** The payment as it is after the change, whole. New when its revision is 1. */
  readonly payment: Payment;
  /** The family's version the change was decided on; 0 for the first payment of a family. A kept commit raises it by one. */
  readonly version: number;
  /** The sealed instrument; only with a new payment. */
  readonly sealed: Uint8Array | null;
  readonly claim: Claim | null;
  readonly message: Message;
};

/**
 * `kept`: durable. `moved`: the family is not at that version any more, nothing was written. `overrun`: the database refused the sums,
 * nothing was written. `claimed`: the key belongs to another payment, nothing was written.
 */
export type Outcome =
  | { readonly is: 'kept' | 'moved' | 'overrun' }
  | { readonly is: 'claimed'; readonly paymentId: string; readonly bodyHash: string };

export interface PaymentStore {
  /** The family of any of its members; null when this merchant has no such payment. */
  family(merchantId: string, paymentId: string): Promise<Family | null>;
  payment(merchantId: string, paymentId: string): Promise<Payment | null>;
  /** The sealed instrument of a payment. */
  sealed(merchantId: string, paymentId: string): Promise<Uint8Array | null>;
  claim(entityId: string, key: string): Promise<{ readonly paymentId: string; readonly bodyHash: string } | null>;
  /** All or nothing. Rejects only when the outcome is unknown or the store is out of order. */
  commit(change: Commit): Promise<Outcome>;
  /** Open payments whose `dueAt` has passed, the longest overdue first. */
  due(now: number, limit: number): Promise<readonly Payment[]>;
  /** Forgets idempotency keys claimed before the instant; answers how many. */
  forgetClaims(before: number): Promise<number>;
}

/** What leaves the process only towards the acquirer, and is never written down in clear. */
export type Secrets = {
  readonly number?: string;
  readonly iban?: string;
  readonly cvv?: string;
  readonly cryptogram?: string;
  readonly dtvc?: string;
  readonly verificationId?: string;
};

export type Attempt = {
  /** Its id is the acquirer's idempotency reference: the same id is never booked twice. */
  readonly payment: Payment;
  readonly secrets: Secrets;
  /** The payment it references, for CP, RV, RF and the like. */
  readonly referenced: Payment | null;
};

/** What an acquirer can say. `waiting`: received, no decision yet. `absent`: never heard of it. `cancelled`: it will never be booked. */
export type Answer =
  | { readonly is: 'approved'; readonly code?: CodeThat<'approved'>; readonly details: AnswerDetails }
  | { readonly is: 'declined'; readonly code: NegativeCode; readonly details: AnswerDetails }
  | { readonly is: 'waiting' | 'absent' | 'cancelled' };

/** One payment method as a connector offers it: data, read by the router, the documentation and the back office. */
export type Capability = {
  readonly types: readonly PaymentType[];
  readonly partialCapture: boolean;
  readonly multipleCaptures: boolean;
  /** Reversal is possible until this UTC time of day, so many days after the day of the payment; null: not supported. */
  readonly reversal: { readonly until: string; readonly daysLater: Readonly<Partial<Record<PaymentType, number>>> } | null;
};

export interface Connector {
  readonly name: string;
  /** A simulator never takes part in LIVE. */
  readonly modes: readonly Mode[];
  readonly supports: Readonly<Partial<Record<MethodCode, Capability>>>;
  /** How long an answer is waited for before silence is assumed. */
  readonly answerMsMax: number;
  send(attempt: Attempt): Promise<Answer>;
  inquire(payment: Payment): Promise<Answer>;
  cancel(payment: Payment): Promise<Answer>;
  /**
   * Present when the connector touches nothing outside the process. Its answer is then a pure function of the attempt, so that intent
   * and answer share one commit; `book` is told once that commit is kept. Null: this attempt wants the long way.
   */
  decide?(attempt: Attempt): Answer | null;
  book?(payment: Payment): void;
}

/** Seals an instrument's number for storage and recognises it again. Only the vault knows a key. */
export interface Vault {
  seal(record: { readonly entityId: string; readonly recordId: string; readonly field: string }, clear: string): Uint8Array;
  open(record: { readonly entityId: string; readonly recordId: string; readonly field: string }, sealed: Uint8Array): string;
  fingerprint(merchantId: string, number: string): string;
}

export interface Ids {
  /** 32 lowercase hex, time-ordered in front, 80 random bits behind. */
  next(): string;
  /** 32 lowercase hex, all random. */
  random(): string;
  /** NNNN.NNNN.NNNN */
  short(): string;
}

export interface Clock {
  now(): number;
}

export interface Timers {
  /** Rejects with `late` when the promise has not settled in time; the promise itself is left to its fate. */
  within<T>(ms: number, promise: Promise<T>): Promise<T>;
}

/** Everything the payments room lives in. Time, identity and chance are given, never taken. */
export interface World {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly timers: Timers;
  readonly store: PaymentStore;
  readonly vault: Vault;
  /** Null when no connector of that name is set up. */
  connector(name: string): Connector | null;
}
