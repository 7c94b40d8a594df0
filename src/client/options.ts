/** Options of one call. */
export type CallOptions = {
  /** The Idempotency-Key of this request. Default: a random one, the same for every attempt of this call. */
  readonly idempotencyKey?: string;
  /** Ends the call, its retries included. */
  readonly signal?: AbortSignal;
};
