import type { MessagePort } from 'node:worker_threads';
import type { ForwardedReply, ForwardedRequest } from '../../http/forwarded.ts';
import type { PackCalls } from '../../http/inspector/inspector.ts';
import type { Payment } from '../../payments/payment.ts';
import type { Attempt } from '../../payments/ports.ts';
import type { RiskFacts } from '../../risk/facts.ts';
import type { WindowEvent } from '../../risk/ports.ts';
import type { MetricFigures } from '../../telemetry/prometheus.ts';
import type { SentCall } from '../../telemetry/tracer.ts';
import type { Enrolment } from '../../threeds/directory.ts';
import type { NetworkName } from '../../threeds/networks.ts';
import type { SharedMemory } from './sharedMemory.ts';

/** The calls that a request thread makes to the main one. */
export type MainCalls = {
  /** Answers a request whose state the main thread has. */
  readonly request: (request: ForwardedRequest & { readonly call: SentCall }) => Promise<ForwardedReply>;
  /** The assessment as JSON, or the word null: to copy the object takes both threads longer. */
  readonly evaluate: (about: Evaluation) => Promise<string>;
  /** The velocity counters count the payment of an evaluation under another id: its family had changed, and it was made again. */
  readonly countAttempt: (paymentId: string) => void;
  readonly countOutcome: (about: Outcome) => void;
  readonly drive: (about: Driven) => Promise<Payment>;
  readonly putSecrets: (about: { readonly attempt: Attempt; readonly paymentId: string; readonly until: number }) => void;
  readonly dropSecrets: (paymentId: string) => void;
  readonly enrolment: (about: { readonly number: string; readonly network: NetworkName | undefined }) => Promise<Enrolment>;
  /** Masks recorded calls, in the thread that does so for all. */
  readonly packCalls: PackCalls;
  /** A port to the SQLite writer. Rejects while there is none. */
  readonly writerPort: (about: null) => Promise<MessagePort>;
  /** Requests come in: jobs run at their usual pace. */
  readonly noteRequest: (about: null) => void;
  /** Lines of the log, each whole. */
  readonly log: (lines: string) => void;
  /** An error that no code has caught: the process must end. */
  readonly crash: (error: { readonly name: string; readonly message: string; readonly stack: string }) => void;
};

export type Evaluation = { readonly facts: RiskFacts; readonly as: 'attempt' | 'dryRun'; readonly paymentId: string };

/** `evaluatedId`: the id that the payment had when it was evaluated. */
export type Outcome = {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly evaluatedId: string;
  readonly is: WindowEvent['is'];
};

export type Driven = { readonly payment: Payment; readonly version: number; readonly attempt: Attempt; readonly call: SentCall };

/** The calls that the main thread makes to a request thread. */
export type ThreadCalls = {
  /** Opens the store and listens; requests are refused until `open`. */
  readonly listen: (data: ThreadData) => Promise<void>;
  /** Reads merchants and access tokens again. */
  readonly reload: (about: null) => Promise<void>;
  /** Writes inspected requests to the store. */
  readonly flush: (about: null) => Promise<void>;
  readonly figures: (about: null) => readonly MetricFigures[];
  /** Takes requests from now on. */
  readonly open: (about: null) => void;
  /** Asks clients to close their connections, and serves their requests until `stop`. */
  readonly announceStop: (about: null) => void;
  /** Finishes the requests under way and releases everything. */
  readonly stop: (about: null) => Promise<void>;
};

/** The data that a request thread starts with; the rest follows when the main thread has opened the store. */
export type ThreadStart = { readonly link: MessagePort };

/** The data that a request thread needs to listen. */
export type ThreadData = {
  readonly host: string;
  readonly port: number;
  readonly memory: SharedMemory;
  readonly masterKey: Uint8Array;
  readonly ticketKeys: Uint8Array;
  readonly buildNumber: string;
  readonly widget: { readonly name: string; readonly files: readonly ThreadFile[] };
  /** The files and programs that the configuration was read from, with what they held then. */
  readonly texts: ReadonlyMap<string, string>;
};

type ThreadFile = { readonly name: string; readonly type: string; readonly bytes: Uint8Array };
