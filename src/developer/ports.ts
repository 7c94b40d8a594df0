/** One parameter as the back office shows it. `isMasked`: the value is not the one that was sent. */
export type ShownField = { readonly name: string; readonly value: string; readonly isMasked?: true };

/**
 * One request to the API and its answer, recorded for troubleshooting. A record has no secrets and nothing by which the request could
 * be replayed.
 */
export type Call = {
  /** Ids are in the order of time, and so are calls. */
  readonly id: string;
  /** In real time, also when the merchant has a test clock. */
  readonly at: number;
  /** The merchant, or the entity itself where it is above merchants. */
  readonly merchantId: string;
  readonly entityId: string;
  readonly endpoint: string;
  readonly method: string;
  /** The path, with ids of this gateway only. */
  readonly path: string;
  readonly status: number;
  /** '' where the answer has none. */
  readonly code: string;
  readonly ndc: string | null;
  readonly ms: number;
  /** The origin of the gateway in the request, such as `https://pay.example`; null when unknown. */
  readonly origin: string | null;
  /** The address of the client. */
  readonly from: string;
  /** The user of the access token; null: an unknown caller, or a shopper's browser. */
  readonly who: string | null;
  /** The original call, when a back-office user ran it again. */
  readonly againOf: string | null;
  /** The object of the call: a payment, a registration, a schedule, a checkout. */
  readonly paymentId: string | null;
  readonly aboutIds: readonly string[];
  readonly merchantTransactionId: string | null;
  readonly fields: readonly ShownField[];
  /** Why the parameters are not shown, where they are not. */
  readonly unread: 'otherMedia' | 'tooLong' | null;
  readonly hasIdempotencyKey: boolean;
  /** The JSON of the answer, masked; null where it was none, or too long. */
  readonly answer: string | null;
};

/** Which calls are listed. Members that are absent do not limit. */
export type CallQuery = {
  /** Of one channel, of one merchant, or of all these. */
  readonly merchants:
    | { readonly is: 'entity'; readonly entityId: string }
    | { readonly is: 'merchant'; readonly merchantId: string }
    | { readonly is: 'merchants'; readonly merchantIds: readonly string[] };
  readonly endpoint?: string;
  /** From and to, both included. */
  readonly statuses?: readonly [number, number];
  /** How the result code begins. */
  readonly code?: string;
  /** Somewhere in its ids, its ndc or the merchant's reference. */
  readonly text?: string;
  /** One more of these. */
  readonly paymentId?: string;
  readonly from?: number;
  /** Not included. */
  readonly to?: number;
  /** Only older calls than this one, the last of the page before. */
  readonly after?: string;
  /** Only newer calls than this one. */
  readonly newer?: string;
  readonly limit: number;
};

/**
 * Some calls of one entity as they are stored: one row for many calls, which costs little more than a row for one. `callBatch.ts` packs and
 * opens it.
 */
export type CallBatch = {
  /** The ids of the newest call and of the oldest; at most an hour lies between them. */
  readonly id: string;
  readonly firstId: string;
  readonly merchantId: string;
  readonly entityId: string;
  /** The number of calls. */
  readonly calls: number;
  readonly data: Uint8Array;
};

/** The store of recorded calls. */
export interface CallStore {
  /** A batch is stored once. */
  saveCalls(batches: readonly CallBatch[]): Promise<void>;
  call(id: string): Promise<Call | null>;
  /** The newest first. */
  calls(asked: CallQuery): Promise<readonly Call[]>;
  /** Deletes batches whose calls are all older than the instant, in portions; returns how many. */
  deleteCalls(before: number): Promise<number>;
  /** Deletes the oldest batches of a merchant that the newest `keep` calls leave over; returns how many. */
  trimCalls(merchantId: string, keep: number): Promise<number>;
}
