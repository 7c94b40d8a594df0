import type { Amount } from '../money/amount.ts';
import type { Payment } from '../payments/payment.ts';
import type { Block, Holding, Posting } from './entry.ts';

/** Which postings are added up: those behind a block, up to an instant. */
export type Behind = { readonly merchantId: string; readonly number: number; readonly at: number };

/** What the books ask of a store. The postings of payments come with their commits. */
export interface LedgerStore {
  /** Postings that belong to no payment's commit. Each is given once. */
  post(postings: readonly Posting[]): Promise<void>;
  /** Who has postings that are in no block. */
  unsealedMerchants(): Promise<readonly string[]>;
  /** The next postings that are in no block, as lines, in the order in which they are sealed. */
  unsealed(merchantId: string, limit: number): Promise<readonly string[]>;
  lastBlock(merchantId: string): Promise<Block | null>;
  /**
   * Writes the block with the postings of these lines in it, which were read behind the block before: all or nothing. False: a block
   * of this number is there already.
   */
  seal(block: Block, lines: readonly string[]): Promise<boolean>;
  /** The last block that holds, like all before it, nothing later than the instant. */
  blockThrough(merchantId: string, at: number): Promise<Block | null>;
  /** What the postings behind a block do up to the instant, the instant included. */
  sumsBehind(asked: Behind): Promise<readonly Holding[]>;
}

/** A posting as it stands in the books. `block` 0: in none yet. */
export type Stored = { readonly merchantId: string; readonly block: number; readonly line: string };

/** The database's own sums of one payment. */
export type StoredSums = {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly available: bigint;
  readonly captured: bigint;
  readonly refunded: bigint;
  readonly reversed: bigint;
  readonly chargedBack: bigint;
};

/** What a matched line of a settlement must have done to the books. `mode`: its payment's; null: there is no such payment. */
export type StoredSettlement = {
  readonly merchantId: string;
  readonly recordId: string;
  readonly currency: string;
  readonly mode: Payment['mode'] | null;
  readonly settled: Amount;
  readonly fee: Amount;
};

export type FamilyName = { readonly merchantId: string; readonly familyId: string };

/** Everything that is audited, at one moment: concurrent writes are not seen. `merchantId` null: all merchants. */
export interface Audit {
  counts(merchantId: string | null): Promise<{ readonly postings: number; readonly payments: number }>;
  /** By merchant and, where they are in one, by block, in the order in which they were sealed. */
  postings(merchantId: string | null): AsyncIterable<readonly Stored[]>;
  /** By merchant and number. */
  blocks(merchantId: string | null): AsyncIterable<readonly Block[]>;
  payments(merchantId: string | null): AsyncIterable<readonly Payment[]>;
  /** Of kept files, as far as they move money; worked out from what the lines say. */
  settlements(merchantId: string | null): AsyncIterable<readonly StoredSettlement[]>;
  /** All payments of these families, and the sums that the database keeps of them. */
  families(
    names: readonly FamilyName[],
  ): Promise<{ readonly payments: readonly Payment[]; readonly sums: readonly StoredSums[] }>;
}
