import type { Explanation } from '../explain/explain.ts';
import type { ExplainedFault } from '../explain/explainFaults.ts';
import type { Scenario } from '../scenarios/language.ts';
import type { AmountText, CodeText, Id, Instant } from './texts.ts';

/** Answers about API calls, the webhook inbox and the tools of the test environment. Instants are ISO texts. */

export type CallView = {
  readonly id: string;
  readonly at: Instant;
  readonly entityId: Id;
  readonly endpoint: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** '' where the answer has none. */
  readonly code: string;
  readonly ndc: string | null;
  readonly ms: number;
  readonly paymentId: Id | null;
  readonly merchantTransactionId: string | null;
};

/** Of listCalls. `next`: the `after` of the next page; null: there is none. `isOn`: calls are recorded. */
export type CallsView = { readonly calls: readonly CallView[]; readonly next: string | null; readonly isOn: boolean };

export type FieldView = { readonly name: string; readonly value: string; readonly isMasked?: true };

/** The cause of a decline, beyond its code. */
export type CauseView =
  | { readonly is: 'rule'; readonly rule: string; readonly says: string; readonly verdict: string; readonly score: number }
  | { readonly is: 'threeDS'; readonly step: string; readonly status: string | null; readonly reason: string | null };

/** Of readCall. */
export type CallDetailView = CallView & {
  readonly from: string;
  /** The user of the access token. */
  readonly who: string | null;
  readonly againOf: string | null;
  readonly aboutIds: readonly string[];
  readonly fields: readonly FieldView[];
  readonly unread: 'otherMedia' | 'tooLong' | null;
  readonly hasIdempotencyKey: boolean;
  /** JSON, on several lines; null where the answer was none. */
  readonly answer: string | null;
  readonly explanation: Explanation & { readonly faults: readonly ExplainedFault[]; readonly causes: readonly CauseView[] };
  readonly curl: string;
  /** Fields to fill in before the call can be run again; null: it cannot be. */
  readonly toFill: readonly string[] | null;
};

/** Of runCall: the new call, or null when it was not recorded. */
export type RanCall = { readonly callId: string | null; readonly status: number; readonly code: string | null };

export type InboxAnswers = '200' | '500' | 'slow';

export type InboxView = {
  readonly id: string;
  readonly entityId: Id;
  readonly webhookId: Id;
  /** 'gone': its webhook was deleted. */
  readonly webhookState: 'unproven' | 'active' | 'paused' | 'off' | 'gone';
  readonly url: string;
  readonly answers: InboxAnswers;
  readonly createdAt: Instant;
};

/** `good`: signed by the webhook's key, and lately. `stale`: signed, long ago. `forged`: not signed by a key that is good now. */
export type InboxVerdict = 'good' | 'stale' | 'forged';

export type MessageView = {
  readonly id: string;
  readonly at: Instant;
  readonly verdict: InboxVerdict;
  /** Null: the response timed out. */
  readonly answered: number | null;
  /** Null where the message could not be opened. */
  readonly type: string | null;
  readonly action: string | null;
  readonly code: string | null;
  readonly paymentId: Id | null;
  /** The same in every try. */
  readonly eventId: Id;
};

/** Of readInbox. */
export type InboxPageView = {
  readonly inbox: InboxView | null;
  readonly messages: readonly MessageView[];
  readonly next: string | null;
};

/** Of readInboxMessage. */
export type MessageDetailView = MessageView & {
  readonly headers: Readonly<Record<string, string>>;
  /** Encrypted, as it came. */
  readonly body: string;
  /** JSON, on several lines, as a receiver reads it; null: it could not be opened. */
  readonly opened: string | null;
};

/** Of readDue. `kind`: a regular payment, a webhook delivery, or anything else. */
export type DueView = {
  readonly due: readonly { readonly at: Instant; readonly kind: 'run' | 'delivery' | 'other' }[];
};

/** Of readClock and moveClock. */
export type ClockView = {
  /** The merchant of the clock. */
  readonly merchantId: Id;
  readonly now: Instant;
  readonly isFrozen: boolean;
  readonly isReal: boolean;
  /** The clock moves to its target, from one due instant to the next. */
  readonly isMoving: boolean;
  readonly target: Instant | null;
  /**
   * The work of this move so far: how often open payments were looked at, runs of schedules (charges, retries among them, and skipped
   * runs), and attempts to deliver webhooks.
   */
  readonly did?: { readonly payments: number; readonly runs: number; readonly deliveries: number };
};

/** Of issueWalletToken. */
export type WalletTokenView = {
  readonly wallet: string;
  readonly version: string;
  readonly parameter: string;
  readonly token: string;
  readonly amount: AmountText;
  readonly currency: string;
  readonly validUntil: Instant | null;
  /** Why a payment with it is refused; null for a good one. */
  readonly refused: string | null;
  readonly curl: string;
};

/** Of readScenario. */
export type ScenarioView = {
  readonly isReady: boolean;
  readonly scenario: Scenario;
};

/** Of readScenarioLog: a line of JSON for each event. */
export type ScenarioLogView = {
  readonly name: string;
  readonly seed: number;
  /** One line of JSON per event, with times in ms since the event that the line names. */
  readonly log: string;
};

/** Of readPlayed: the scenario of a payment, and its log. */
export type PlayedView = {
  readonly id: string;
  readonly name: string;
  readonly seed: number;
  /** Which attempt of the scenario this payment is, from 1. */
  readonly attempt: number;
  /** The events of the scenario as drawn by the seed. */
  readonly acts: unknown;
  readonly code: CodeText;
  readonly isOpen: boolean;
  /** One line of JSON per event, with times in ms since the event that the line names. */
  readonly log: string;
};

/** Of listScenarios. */
export type ScenariosView = {
  readonly scenarios: readonly {
    readonly name: string;
    readonly says: string;
    /** False: a scenario of the entity. */
    readonly isReady: boolean;
    /** The way to try a built-in scenario: a card, a bank, or 3D Secure. */
    readonly with: string | null;
    /** The results of the attempts of a built-in scenario. */
    readonly ends: readonly CodeText[] | null;
  }[];
  readonly attached: {
    /** The scenario of every payment; null: none. */
    readonly channel: string | null;
    /** The scenarios of single cards. */
    readonly cards: readonly string[];
  };
};
