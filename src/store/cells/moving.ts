/** What a move asks of each of its two databases. Rows, keys and places are JSON texts that only databases read. */

/** here: writes. leaving: writes, and keys are noted. arriving: a copy. gone: being removed. left: nothing is there. */
export type OwnedState = 'here' | 'leaving' | 'arriving' | 'gone' | 'left';

export type CopiedRow = { readonly row: string; readonly at: string };
export type RowDigest = { readonly key: string; readonly digest: string; readonly at: string };
/** Of all rows of a portion together; `at`: the place of the last one. */
export type RangeDigest = { readonly count: number; readonly digest: string | null; readonly at: string | null };
export type MovingKey = { readonly n: string; readonly table: string; readonly key: string };
export type MoveChange = { readonly table: string; readonly rows: readonly string[]; readonly removed: readonly string[] };
/** What is copied as a whole within the stop. */
export type RestRows = { readonly tables: Readonly<Record<string, readonly string[]>>; readonly files: readonly string[] };

/** Rows between two places, in their order. `to`: the last of them; null or absent: to the end. */
export type Walk = {
  readonly merchantId: string;
  readonly after: string | null;
  readonly to?: string | null;
  readonly limit: number;
};
type Portion = {
  readonly table: string;
  readonly rows: readonly string[] /** Null: the last one. */;
  readonly at: string | null;
};

export interface MovingCell {
  owned(merchantId: string): Promise<OwnedState | null>;
  /** From now on only this run of the mover changes anything about the merchant. */
  takeOver(merchantId: string, run: string): Promise<void>;
  /** Begins a copy where there is nothing of the merchant. */
  arrive(merchantId: string, run: string): Promise<boolean>;
  /** Notes the keys of all changes from now on. */
  leave(merchantId: string, run: string): Promise<boolean>;
  /** Refuses writes for so long at most. */
  stop(merchantId: string, run: string, ms: number): Promise<boolean>;
  /** The decision: false when the stop has ended, or a key is noted that was not copied. */
  depart(merchantId: string, run: string): Promise<boolean>;
  /** `run` null: of any run. */
  change(merchantId: string, from: OwnedState, to: OwnedState, run: string | null): Promise<boolean>;

  /** The place that each table was copied to; null: to its end. */
  progress(merchantId: string): Promise<ReadonlyMap<string, string | null>>;
  keys(merchantId: string, limit: number): Promise<readonly MovingKey[]>;
  dropKeys(merchantId: string, numbers: readonly string[]): Promise<void>;
  /** How many keys are noted; no more than 10,000 are counted. */
  countKeys(merchantId: string): Promise<number>;
  /** Settlement files with lines of the merchant that are being read or dropped. */
  unfinishedFiles(merchantId: string): Promise<readonly string[]>;
  fileIds(merchantId: string): Promise<readonly string[]>;
  webhooks(): Promise<readonly string[]>;
  addWebhooks(rows: readonly string[]): Promise<void>;

  portion(table: string, walk: Walk): Promise<readonly CopiedRow[]>;
  digests(table: string, walk: Walk): Promise<readonly RowDigest[]>;
  rangeDigest(table: string, walk: Walk): Promise<RangeDigest>;
  /** In the order of the keys; null: there is no such row. */
  rows(table: string, merchantId: string, keys: readonly string[]): Promise<readonly (string | null)[]>;
  digestsOf(table: string, merchantId: string, keys: readonly string[]): Promise<readonly (string | null)[]>;
  balancesOf(merchantId: string, familyIds: readonly string[]): Promise<readonly string[]>;
  rest(merchantId: string, fileIds: readonly string[]): Promise<RestRows>;
  totals(merchantId: string): Promise<string>;

  addPortion(merchantId: string, run: string, portion: Portion): Promise<void>;
  apply(merchantId: string, run: string, changes: readonly MoveChange[]): Promise<void>;
  putRest(merchantId: string, run: string, rest: RestRows): Promise<void>;
  removePortion(merchantId: string, run: string, table: string, limit: number): Promise<number>;
  removeKeys(merchantId: string, run: string, table: string, keys: readonly string[]): Promise<void>;
}
