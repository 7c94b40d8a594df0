/** Parameters of which some must be there. */
export type Needing<Parameters, Names extends keyof Parameters> = Parameters & {
  readonly [Name in Names]-?: NonNullable<Parameters[Name]>;
};

/** What one call may say for itself. */
export type CallOptions = {
  /** The Idempotency-Key of this request. Default: a random one, the same for every attempt of this call. */
  readonly idempotencyKey?: string;
  /** Ends the call, its retries included. */
  readonly signal?: AbortSignal;
};
