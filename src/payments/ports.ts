import type { Channel } from '../merchants/channel.ts';
import type { ClaimQuery, ClaimRelease, DueQuery } from '../merchants/merchantFilter.ts';
import type { Amount } from '../money/amount.ts';
import type { Secrets } from '../registrations/instrument.ts';
import type { MandateBook } from '../registrations/mandate.ts';
import type { NetworkTokens, RegistrationStore } from '../registrations/ports.ts';
import type { Mode, Registration, Series } from '../registrations/registration.ts';
import type { RiskEngine } from '../risk/engine.ts';
import type { MethodCode, PaymentType, TransactionType } from '../spec/paymentTypes.ts';
import type { CodeThat, NegativeCode, ResultCode } from '../spec/resultCodes.ts';
import type { Clock } from '../spec/time.ts';
import type { ValidityRow } from '../spec/validity.ts';
import type { AuthenticationEvent } from '../threeds/authentication.ts';
import type { ParameterReader } from '../threeds/authenticationNeed.ts';
import type { Directory } from '../threeds/directory.ts';
import type { Extension } from '../threeds/messages/message.ts';
import type { Setup } from '../threeds/settings.ts';
import type { Vault } from '../vault/ports.ts';
import type { TokenUse, Wallets } from '../wallets/ports.ts';
import type { Balance } from './balance.ts';
import type { AnswerDetails, Family, Payment, PaymentRef, Redirect, ShopperPages, ShopperStep } from './payment.ts';
import type { CountedEvents } from './riskMemory/countedEvents.ts';
import type { Schedule, ScheduleEventDetail } from './schedule.ts';

/** The ports of payments. Each has an in-memory implementation; tests mock none of them. */

/** One `Idempotency-Key`, stored in the same commit as its payment. */
export type IdempotencyKey = {
  readonly entityId: string;
  readonly key: string;
  /** Keyed hash of method, path and body: the same key with another body is refused. */
  readonly bodyHash: string;
};

/** The outbox event of a change; the payment itself is read again when the webhook is delivered. */
export type NewOutboxEvent = {
  readonly id: string;
  readonly type: 'PAYMENT' | 'REGISTRATION' | 'SCHEDULE' | 'RISK';
  /** For registrations only. */
  readonly action: 'CREATED' | 'UPDATED' | 'DELETED' | null;
  /** The result code at this change: the payment may have another one when the webhook is sent. */
  readonly code: ResultCode;
  /** For schedules only: the change, its reason, and the next step. */
  readonly detail?: ScheduleEventDetail;
};

/** The change of a registration in the commit of a payment. */
export type RegistrationChange = {
  /** The registration as it is after the change, whole. New when its revision is 1, otherwise one revision on. */
  readonly registration: Registration;
  /** Its sealed secrets after the change; `kept` leaves them as they are, null erases them. */
  readonly sealed: Uint8Array | null | 'kept';
  /** The event that reports the change; null when the merchant can see nothing of it. */
  readonly event: NewOutboxEvent | null;
};

/** The change of a schedule in the commit of a transaction. */
export type ScheduleChange = {
  /** The schedule as it is after the change, whole. New when its revision is 1, otherwise one revision on. */
  readonly schedule: Schedule;
  /** The due instant for which this commit's payment is taken; null: it is no charge of the schedule. No instant is charged twice. */
  readonly dueAt: number | null;
  /** The event that reports the change; null with a charge: its payment has one. */
  readonly event: NewOutboxEvent | null;
};

/**
 * State, money and outbox event together, complete by type. Exactly one payment changes in a commit, and with it at most one registration
 * and one schedule. Only `commitPayment` makes one.
 */
export type Commit = CommitEffects & {
  /** The payment as it is after the change, whole. New when its revision is 1. */
  readonly payment: Payment;
  /** The family's version the change was decided on; 0 for the first payment of a family. A kept commit raises it by one. */
  readonly version: number;
  /** The sealed instrument; only with a new payment. */
  readonly sealed: Uint8Array | null;
  readonly idempotencyKey: IdempotencyKey | null;
  /** The payment's own event; null when the change tells the merchant nothing new, or the registration's or schedule's event reports it. */
  readonly event: NewOutboxEvent | null;
  readonly registration: RegistrationChange | null;
  /** The wallet token that pays; only with a new payment. */
  readonly tokenUse: TokenUse | null;
  /** The schedule that is made, changed or ended, or for which the payment is taken. */
  readonly schedule: ScheduleChange | null;
  /** The next release check of an authorisation; null: it is none, or its end is not known. */
  readonly releaseAt: number | null;
};

/** The ledger entries of a revision of a payment, by account. */
type LedgerEffect = { readonly at: number; readonly entries: Readonly<Partial<Record<string, Amount>>> };

/** Records of other modules in the commit of a payment. */
export type CommitEffects = {
  /** Null: the revision moves no money. */
  readonly posting: LedgerEffect | null;
  /** The line that statistics count; null: none. */
  readonly statisticsLine: string | null;
  /** The keyed hash by which the shopper's address is found; null without an address and after the first revision. */
  readonly emailHash: string | null;
};

/** Works the effects out. The ledger, the statistics and the search stand behind it; `app/` puts them together. */
export type DeriveEffects = (payment: Payment) => Promise<CommitEffects>;

/**
 * `kept`: durable. Otherwise nothing was written. `moved`: the family is not at that version any more, the registration or the
 * schedule not at the revision before, or the schedule's instant has a run already. `busy`: another payment of the same checkout is open or has succeeded.
 * `overrun`: the database refused the sums. `tokenUsed`: the wallet token has paid before. `keyUsed`: the key belongs to another payment.
 * Of several reasons the first of keyUsed, moved, busy, tokenUsed, overrun is returned.
 */
export type CommitOutcome =
  | { readonly is: 'kept' | 'moved' | 'busy' | 'overrun' | 'tokenUsed' }
  | { readonly is: 'keyUsed'; readonly paymentId: string; readonly bodyHash: string };

/** A position in the order in which payments began: by time, merchant and id. */
export type PaymentCursor = Pick<Payment, 'createdAt' | 'merchantId' | 'id'>;

/** `after` null: from the first one on. */
export type HistoryQuery = {
  readonly after: PaymentCursor | null;
  readonly before: number;
  readonly merchantId: string | null;
  readonly limit: number;
};

/** Past payments, for the risk memory and back-tests. */
export interface PaymentHistory {
  /** Payments that began after the cursor and before the instant, the oldest first: of one merchant, or of all. */
  history(asked: HistoryQuery): Promise<readonly Payment[]>;
}

export interface PaymentStore extends ReleaseStore {
  /** The family of any of its members; null when this merchant has no such payment. */
  family(merchantId: string, paymentId: string): Promise<Family | null>;
  /** The version of a family, by the id of its first payment; null when this merchant has none. */
  familyVersion(merchantId: string, familyId: string): Promise<number | null>;
  payment(merchantId: string, paymentId: string): Promise<Payment | null>;
  /** The sealed instrument of a payment. */
  sealed(merchantId: string, paymentId: string): Promise<Uint8Array | null>;
  idempotencyKey(
    merchantId: string,
    entityId: string,
    key: string,
  ): Promise<{ readonly paymentId: string; readonly bodyHash: string } | null>;
  /** All or nothing. Rejects only when the outcome is unknown or the store is out of order. */
  commit(change: Commit): Promise<CommitOutcome>;
  /** Open payments whose `dueAt` has passed, the longest overdue first. */
  due(asked: DueQuery): Promise<readonly Payment[]>;
  /** The same, each claimed for the caller: no other call gets it before the instant, or before it is released. */
  claimDue(asked: ClaimQuery): Promise<readonly Payment[]>;
  releaseSwept(release: ClaimRelease): Promise<void>;
  /** Deletes claims that ended before the instant; returns how many. */
  deleteClaims(before: number): Promise<number>;
  /**
   * Open payments that are not due and whose last move was dated by a clock that was put back since, see `isMisdated`; the earliest due
   * first.
   */
  misdated(asked: DueQuery): Promise<readonly Payment[]>;
  /** Deletes idempotency keys that were stored before the instant; returns how many. */
  deleteIdempotencyKeys(before: number): Promise<number>;
}

export type Attempt = {
  /** `acquirerKey` of it is the acquirer's idempotency reference: the same one is never booked twice. */
  readonly payment: Payment;
  readonly secrets: Secrets;
  /** The payment it references, for CP, RV, RF and the like. */
  readonly referenced: Payment | null;
  /** The balance of the referenced payment, without this payment. */
  readonly balance?: Balance;
  /** The stored details that are charged. */
  readonly registration: Registration | null;
  /** The series for the scheme; null when the payment is part of none. */
  readonly series: StandingInstruction | null;
  /** Accounts that may be asked when this one declines, in order, and the secrets of the request for them; absent: none. */
  readonly others?: { readonly accounts: readonly string[]; readonly secrets: Secrets };
  /** The time until a request that can book has left, and with what follows its lost answer; absent: no limit. */
  readonly wait?: { readonly unsentMs: number; readonly allMs: number };
};

/** A standing instruction as the scheme receives it: the one that was sent, completed by the stored series. */
export type StandingInstruction = Series & {
  readonly mode: 'INITIAL' | 'REPEATED' | null;
  readonly source: 'CIT' | 'MIT' | null;
  readonly practice: string | null;
};

/** A payment to ask about. No secret of it is left. */
export type Inquiry = {
  readonly payment: Payment;
  /** The payment it references, for CP, RV, RF and the like. */
  readonly referenced: Payment | null;
};

/** Any answer may name the acquirer's id of the payment. It is kept with the payment, also while the payment is open. */
type Referenced = { readonly reference?: string };

/**
 * The answers of an acquirer. `waiting`: received, no decision yet. `redirected`: the shopper decides elsewhere, until that instant. `absent`:
 * the acquirer does not know the payment. `cancelled`: the acquirer will never book it.
 */
export type AcquirerAnswer =
  | (Referenced & { readonly is: 'approved'; readonly code?: CodeThat<'approved'>; readonly details: AnswerDetails })
  | (Referenced & { readonly is: 'declined'; readonly code: NegativeCode; readonly details: AnswerDetails })
  | (Referenced & { readonly is: 'redirected'; readonly redirect: Redirect; readonly until: number })
  | (Referenced & {
      readonly is: 'waiting';
      /** The acquirer knows that nothing changes before this instant: the gateway asks again then, neither earlier nor later. */
      readonly nextAt?: number;
    })
  | (Referenced & { readonly is: 'cancelled' })
  | { readonly is: 'absent' };

/** How a connector learns the outcome of a request without an answer. The core believes no answer that contradicts it. */
export type Uncertainty = {
  /** Immediately by our id or theirs, by a search that may lag, by their notification alone, or by their files. */
  readonly learnedBy: 'id' | 'search' | 'notification' | 'file';
  /** So long after it was sent, a request may still arrive, be booked, or become visible to an inquiry. */
  readonly lateMs: number;
  /** A cancellation also refuses a request that arrives after it. */
  readonly cancelBindsLate: boolean;
  /** After `lateMs`, a payment that the acquirer does not find was never booked. */
  readonly absenceIsProof: boolean;
};

/** One payment method as a connector offers it: data, read by the router, the documentation and the back office. */
export type Capability = {
  /** The shopper can be redirected: brands of the asynchronous workflow. */
  readonly redirects: boolean;
  /** A method without RG is stored without a request to the acquirer. */
  readonly types: readonly (PaymentType | 'RG')[];
  readonly partialCapture: boolean;
  readonly multipleCaptures: boolean;
  /**
   * Possible until this UTC time of day, so many days after the payment; null: never. A PA is reversed as long as it is valid.
   * `withdrawal`: while it has not left (`withdraw`).
   */
  readonly reversal: {
    readonly until: string;
    readonly daysLater: Readonly<Partial<Record<Exclude<TransactionType, 'PA'>, number>>>;
  } | null;
  /** How long its authorisations are valid; absent: as the schemes say. See spec/validity.ts. */
  readonly validity?: readonly ValidityRow[];
  readonly withdrawal?: true;
};

/** A notification that an acquirer sends by itself, as it arrived. */
export type NotificationRequest = {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly receivedAt: number;
};

/** The claims of a notification about its payment. Absent: it does not say. */
export type NotificationClaims = {
  readonly paymentType?: string;
  readonly amount?: Amount;
  readonly currency?: string;
};

/** One event of a notification whose signature was verified. */
export type AcquirerNotification = {
  /** The acquirer's id of the event: the same id is the same event. */
  readonly id: string;
  /** `reference`: of the family's members the one with this reference, if there is one. Null: about no payment of this gateway. */
  readonly about: (PaymentRef & { readonly reference?: string }) | null;
  readonly event: /** An approval is believed only when what it claims is true of the payment; otherwise the acquirer is asked. */
    | { readonly is: 'answer'; readonly answer: AcquirerAnswer; readonly claims?: NotificationClaims }
    /** A reason to ask: the notification itself is not believed. */
    | { readonly is: 'inquire' }
    /** Money that the bank took back from the payment, or gave back. `code`: 000.100.2xx; `amount` null: all of it. */
    | { readonly is: 'chargeback' | 'chargebackReversal'; readonly amount: Amount | null; readonly code: string | null }
    /** Kept for later inquiries of the connector, which finds it among the payment's notifications. */
    | { readonly is: 'kept' };
  /** Data that the connector needs later. Never a secret, never personal. */
  readonly data: Readonly<Record<string, string>>;
};

export type NotificationReading =
  | { readonly is: 'read'; readonly notifications: readonly AcquirerNotification[]; readonly reply?: string }
  /** Not signed by the acquirer, too old, or unreadable. The reason is one of a few sentences, for log and metrics. */
  | { readonly is: 'refused'; readonly reason: string };

/** The account of a connector that sends payments to a bank in files and learns from the bank's files what happened to them. */
export type BankFiles = {
  /** The merchant's IBAN at the bank. */
  readonly iban: string;
  /** The payments of a sent message (`MsgId`), of one of its batches (`PmtInfId`), or of a batch alone. None: this account sent no such. */
  paymentsOfMessage(messageId: string | null, batchId: string | null): Promise<readonly PaymentRef[]>;
  /** The references of a payment at the bank, as `resultDetails` has them. */
  referencesOf?(payment: Payment): Promise<Readonly<Record<string, string>>>;
};

export interface Connector {
  /** The name of its account; that of the connector where it needs none. Payments keep it. */
  readonly name: string;
  /** The entity that has the account, a dot and its name; absent where it needs no account. */
  readonly accountId?: string;
  /**
   * The account at the acquirer, where several accounts here may stand for one there: a payment that one declines is not sent to another.
   */
  readonly acquirerAccount?: string;
  /** Its account takes no new payments; earlier payments are still followed up. */
  readonly isOff?: boolean;
  /** Its acquirer does not answer now. The call also probes whether it answers again, by a request that is no payment. */
  isAway?(): boolean;
  /** A simulator never takes part in LIVE. */
  readonly modes: readonly Mode[];
  readonly supports: Readonly<Partial<Record<MethodCode, Capability>>>;
  /** After this time without an answer the result is silence. */
  readonly answerMsMax: number;
  readonly uncertainty: Uncertainty;
  /** Called once for a payment, with its secrets. Retries that need them happen inside, with the same idempotency key. */
  send(attempt: Attempt): Promise<AcquirerAnswer>;
  inquire(inquiry: Inquiry): Promise<AcquirerAnswer>;
  /** Must also undo a booking that it finds, and answers `cancelled` only when that is confirmed. */
  cancel(inquiry: Inquiry): Promise<AcquirerAnswer>;
  /** Takes a payment back that has not left yet: `declined` with `isWithdrawn`, however often it is asked. Otherwise: it has left. */
  withdraw?(inquiry: Inquiry): Promise<AcquirerAnswer>;
  /** The shopper is back with these parameters in the address or the form; without it the acquirer is inquired of. */
  completeReturn?(inquiry: Inquiry, parameters: ReadonlyMap<string, string>): Promise<AcquirerAnswer>;
  /** The step that the gateway's page shows to a redirected shopper; null: nothing of this connector. */
  shopperStep?(inquiry: Inquiry): Promise<ShopperStep | null>;
  /** Verifies and reads what the acquirer sends by itself. */
  readNotification?(request: NotificationRequest): Promise<NotificationReading>;
  /**
   * Present when it works beside payments, such as on batches and files. Every node calls it at intervals, and two calls at the same time
   * are safe: it claims what it works on. The signal asks it to stop.
   */
  upkeep?(signal: AbortSignal): Promise<void>;
  /**
   * Present when its payments go to a bank in files. The settlement import reads the bank's files, and `notificationsOf` has what they
   * say.
   */
  readonly bankFiles?: BankFiles;
  /** Present when it collects by mandates. */
  readonly mandates?: MandateBook;
  /**
   * Present when the connector touches nothing outside the process. Its answer is then a pure function of the attempt, so that intent
   * and answer share one commit; `book` is called once that commit is durable. Null: this attempt must be sent.
   */
  decide?(attempt: Attempt): AcquirerAnswer | null;
  book?(payment: Payment): void;
  /** Present when the schemes behind the connector issue network tokens for stored cards. */
  readonly tokens?: NetworkTokens;
  /** Present when the connector shows pages to shoppers itself. */
  readonly pages?: ShopperPages;
}

export interface Ids {
  /** 32 lowercase hex, time-ordered in front, 80 random bits behind. */
  next(): string;
  /** 32 lowercase hex, all random. */
  random(): string;
  /** NNNN.NNNN.NNNN */
  short(): string;
}

export interface Timers {
  /** Rejects with `late` when the promise has not settled in time; the promise itself is not cancelled. */
  within<T>(ms: number, promise: Promise<T>): Promise<T>;
}

/** The directory servers, by the address under which the gateway is known to them. */
export interface ThreeDSServer {
  directory(origin: string): Directory;
  setup(channelName: string, origin: string): Setup;
  /** Extensions that only a directory server of the test environment receives. */
  extensions(read: ParameterReader): readonly Extension[];
  /** The result of a decoupled authentication, where the issuer has to be polled for it. */
  poll(origin: string, acsUrl: string, now: number): unknown;
}

/** The secrets of open authentications, which must never be stored: in memory alone, for as long as the shopper may take. */
export interface PendingSecrets {
  put(paymentId: string, attempt: Attempt, until: number): void;
  get(paymentId: string): Attempt | null;
  drop(paymentId: string): void;
  /**
   * The answer of the directory server about an attempt, pending or received: two tabs of one shopper, or a request that read the payment
   * earlier, must not ask twice. `ask` never rejects.
   */
  askOnce(attempt: Attempt, ask: () => Promise<AuthenticationEvent>): Promise<AuthenticationEvent>;
  /** The payments that have secrets here, and until when, by the clocks of their merchants. */
  ids(): readonly { readonly merchantId: string; readonly paymentId: string; readonly until: number }[];
}

/** Runs the work on one family one request after the other, within a node. */
export interface FamilyQueue {
  run<T>(family: string, work: () => Promise<T>): Promise<T>;
}

/** Everything that a payment needs from outside. Time, identity and chance are injected. */
export interface World {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly timers: Timers;
  /** How long a payment may wait in all for accounts that cannot be sent it, and for answers that were lost. */
  readonly unsentMs: number;
  readonly store: PaymentStore & RegistrationStore;
  readonly deriveEffects: DeriveEffects;
  readonly vault: Vault;
  readonly wallets: Wallets;
  /** The connector of an account, or one that needs no account; null when the entity has none of that name. */
  connector(name: string, entityId: string): Connector | null;
  /** Null where no directory server is set up: then no cardholder is authenticated. */
  readonly threeDS: ThreeDSServer | null;
  readonly pendingSecrets: PendingSecrets;
  readonly families: FamilyQueue;
  readonly risk: RiskEngine;
  /** The events that the velocity counters of this process have counted already. */
  readonly countedEvents: CountedEvents;
  /** Drives a payment in the main thread, which has the acquirers' accounts and the pending secrets; absent: this is that thread. */
  driveOnMain?(started: { readonly payment: Payment; readonly version: number }, attempt: Attempt): Promise<Payment>;
  /** Absent: nothing watches. */
  readonly watch?: PaymentWatch;
  /** The channel as it is set up now; null when it is gone. */
  channel(entityId: string): Channel | null;
  /** Reports to the operator what must not happen, such as a sealed text that does not open. */
  alarm(message: string, about: Readonly<Record<string, string>>): void;
}

/** Watches payments for traces, metrics and log lines. */
export interface PaymentWatch {
  /** The trace that a new payment belongs to; undefined: none. */
  traceparent(): string | undefined;
  /** Runs a question to the acquirer of a payment. The result is that of `ask`. */
  question<Answer extends { readonly is: string }>(
    about: { readonly payment: Payment; readonly question: Question },
    ask: () => Promise<Answer>,
  ): Promise<Answer>;
  /** A connector within the process has answered. */
  answered(payment: Payment, answer: AcquirerAnswer): void;
}

export type Question = 'send' | 'inquire' | 'cancel';

/** The mark of an authorisation that is never checked again. */
export const NEVER_AGAIN = -1;

/** An approved authorisation whose release is to be checked. `releaseAt` null: from before the column, or written by an older node. */
export type DueRelease = { readonly merchantId: string; readonly id: string; readonly releaseAt: number | null };

/** The next release check of an authorisation; kept only where the mark is still the one that was read. */
export type ReleaseMark = DueRelease & { readonly next: number };

/** The store of release checks. */
export interface ReleaseStore {
  /** Approved authorisations whose release check is due: first the ones without an instant, then the longest overdue. */
  releasesDue(asked: DueQuery): Promise<readonly DueRelease[]>;
  /** Sets the next check of authorisations; a negative one is never due. */
  markReleases(marks: readonly ReleaseMark[]): Promise<void>;
}

/** Figures of a store for its operator. */

/** Queues whose length a store can count. */
export const countedQueues = ['events', 'deliveries', 'schedules'] as const;
export type CountedQueue = (typeof countedQueues)[number];

/** The queue at `now`, of all merchants but some. */
type QueueQuery = { readonly now: number; readonly limit: number; readonly except: readonly string[] };

/** `length` is counted up to the limit of the query. `oldestAt` is the instant since which the first entry waits; null: none waits. */
export type QueueLength = { readonly length: number; readonly oldestAt: number | null };

/** `waiting`: statements and transactions that wait for a connection. */
export type ConnectionFigures = { readonly busy: number; readonly idle: number; readonly waiting: number };

export interface QueueStore {
  /**
   * Counts events before their fan-out, deliveries whose turn has come, or schedules that are due. Work that a node has claimed counts
   * until it is done.
   */
  queueLength(queue: CountedQueue, query: QueueQuery): Promise<QueueLength>;
}
