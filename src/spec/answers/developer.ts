import type { Explanation } from '../explain.ts';
import type { ExplainedFault } from '../explainFaults.ts';

/** Answers about API calls, the webhook inbox and the tools of the test environment. Instants are ISO texts. */

export type SeenCall = {
  readonly id: string;
  readonly at: string;
  readonly entityId: string;
  readonly endpoint: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** '' where the answer has none. */
  readonly code: string;
  readonly ndc: string | null;
  readonly ms: number;
  readonly paymentId: string | null;
  readonly merchantTransactionId: string | null;
};

/** Of listCalls. `next`: the `after` of the next page; null: there is none. `isOn`: calls are recorded. */
export type SeenCalls = { readonly calls: readonly SeenCall[]; readonly next: string | null; readonly isOn: boolean };

export type SeenField = { readonly name: string; readonly value: string; readonly isMasked?: true };

/** What led to a no, beyond its code. */
export type SeenCause =
  | { readonly is: 'rule'; readonly rule: string; readonly says: string; readonly verdict: string; readonly score: number }
  | { readonly is: 'threeDS'; readonly step: string; readonly status: string | null; readonly reason: string | null };

/** Of readCall. */
export type SeenCallDetail = SeenCall & {
  readonly from: string;
  /** The user of the access token. */
  readonly who: string | null;
  readonly againOf: string | null;
  readonly aboutIds: readonly string[];
  readonly fields: readonly SeenField[];
  readonly unread: 'otherMedia' | 'tooLong' | null;
  readonly hasIdempotencyKey: boolean;
  /** JSON, on several lines; null where the answer was none. */
  readonly answer: string | null;
  readonly explanation: Explanation & { readonly faults: readonly ExplainedFault[]; readonly causes: readonly SeenCause[] };
  readonly curl: string;
  /** What has to be filled in before it can be run again; null: it cannot be. */
  readonly toFill: readonly string[] | null;
};

/** Of runCall: the new call, or null when it was not recorded. */
export type RanCall = { readonly callId: string | null; readonly status: number; readonly code: string | null };

export type InboxAnswers = '200' | '500' | 'slow';

export type SeenInbox = {
  readonly id: string;
  readonly entityId: string;
  readonly webhookId: string;
  /** 'gone': its webhook was deleted. */
  readonly webhookState: 'unproven' | 'active' | 'paused' | 'off' | 'gone';
  readonly url: string;
  readonly answers: InboxAnswers;
  readonly createdAt: string;
};

/** `good`: signed by the webhook's key, and lately. `stale`: signed, long ago. `forged`: not signed by a key that is good now. */
export type InboxVerdict = 'good' | 'stale' | 'forged';

export type SeenMessage = {
  readonly id: string;
  readonly at: string;
  readonly verdict: InboxVerdict;
  /** Null: the response timed out. */
  readonly answered: number | null;
  /** Null where the message could not be opened. */
  readonly type: string | null;
  readonly action: string | null;
  readonly code: string | null;
  readonly paymentId: string | null;
  /** The same in every try. */
  readonly eventId: string;
};

/** Of readInbox. */
export type SeenInboxPage = {
  readonly inbox: SeenInbox | null;
  readonly messages: readonly SeenMessage[];
  readonly next: string | null;
};

/** Of readInboxMessage. */
export type SeenMessageDetail = SeenMessage & {
  readonly headers: Readonly<Record<string, string>>;
  /** Encrypted, as it came. */
  readonly body: string;
  /** JSON, on several lines, as a receiver reads it; null: it could not be opened. */
  readonly opened: string | null;
};

/** Of readDue. `kind`: a regular payment, a webhook delivery, or anything else. */
export type SeenDue = {
  readonly due: readonly { readonly at: string; readonly kind: 'run' | 'delivery' | 'other' }[];
};

/** Of readClock and moveClock. */
export type SeenClock = {
  readonly merchantId: string;
  readonly now: string;
  readonly isFrozen: boolean;
  readonly isReal: boolean;
  readonly isMoving: boolean;
  readonly target: string | null;
  readonly did?: { readonly payments: number; readonly runs: number; readonly deliveries: number };
};

/** Of issueWalletToken. */
export type SeenWalletToken = {
  readonly wallet: string;
  readonly version: string;
  readonly parameter: string;
  readonly token: string;
  readonly amount: string;
  readonly currency: string;
  readonly validUntil: string | null;
  /** Why a payment with it is refused; null for a good one. */
  readonly refused: string | null;
  readonly curl: string;
};

/** Of readScenario. */
export type SeenScenario = {
  readonly isReady: boolean;
  readonly scenario: { readonly name: string; readonly says: string; readonly seed?: number };
};

/** Of readScenarioLog: a line of JSON for each event. */
export type SeenScenarioLog = { readonly name: string; readonly seed: number; readonly log: string };

/** Of readPlayed: the scenario of a payment, and its log. */
export type SeenPlayed = {
  readonly id: string;
  readonly name: string;
  readonly seed: number;
  readonly attempt: number;
  readonly acts: unknown;
  readonly code: string;
  readonly isOpen: boolean;
  readonly log: string;
};

/** Of listScenarios. */
export type SeenScenarios = {
  readonly scenarios: readonly {
    readonly name: string;
    readonly says: string;
    readonly isReady: boolean;
    readonly with: string | null;
    readonly ends: unknown;
  }[];
  readonly attached: { readonly channel: string | null; readonly cards: readonly string[] };
};
