import type { Amount } from '../money/amount.ts';
import type { Payment } from '../payments/payment.ts';
import type { KeyRow, SealedRow } from '../vault/ports.ts';
import type { Delivery, OutboxEvent } from '../webhooks/webhook.ts';
import type { Block, Holding, Posting } from './entry.ts';

/** The postings after a block, up to an instant. */
export type Behind = { readonly merchantId: string; readonly number: number; readonly at: number };

/** The store of the ledger. The postings of payments are part of their commits. */
export interface LedgerStore {
  /** Adds postings that belong to no payment's commit, each once. */
  post(postings: readonly Posting[]): Promise<void>;
  /** The merchants with postings that are in no block. */
  unsealedMerchants(): Promise<readonly string[]>;
  /** The next postings that are in no block, as lines, in the order of sealing. */
  unsealed(merchantId: string, limit: number): Promise<readonly string[]>;
  lastBlock(merchantId: string): Promise<Block | null>;
  /** Writes a block with the postings of these lines, all or nothing. False: a block of this number exists. */
  seal(block: Block, lines: readonly string[]): Promise<boolean>;
  /** The last block that, with all blocks before it, has no posting after the instant. */
  blockThrough(merchantId: string, at: number): Promise<Block | null>;
  /** The sums of the postings after a block up to the instant, included. */
  sumsBehind(query: Behind): Promise<readonly Holding[]>;
}

/** A stored posting. `block` 0: in none yet. */
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

/** The expected posting of a matched settlement record. `mode`: of its payment; null: there is no such payment. */
export type StoredSettlement = {
  readonly merchantId: string;
  readonly recordId: string;
  readonly currency: string;
  readonly mode: Payment['mode'] | null;
  readonly settled: Amount;
  readonly fee: Amount;
};

type FamilyName = { readonly merchantId: string; readonly familyId: string };

/** A stored record that cannot be read, and a sentence without its content. */
export type Unreadable = {
  readonly merchantId: string;
  readonly id: string;
  /** Of a payment. */
  readonly familyId?: string;
  readonly says: string;
};

/** A page of records. One that cannot be read stands apart and hides no other. */
export type Page<Thing> = { readonly records: readonly Thing[]; readonly unreadable: readonly Unreadable[] };

/** A consistent snapshot of everything that is verified. `merchantId` null: all merchants. */
export interface Audit {
  counts(merchantId: string | null): Promise<{ readonly postings: number; readonly payments: number }>;
  /** By merchant and block, in the order of sealing. */
  postings(merchantId: string | null): AsyncIterable<readonly Stored[]>;
  /** By merchant and number. */
  blocks(merchantId: string | null): AsyncIterable<readonly Block[]>;
  payments(merchantId: string | null): AsyncIterable<Page<Payment>>;
  /** Of kept files, as far as they move money; computed from their lines. */
  settlements(merchantId: string | null): AsyncIterable<Page<StoredSettlement>>;
  /** Records without money that cannot be read: registrations, schedules, checkouts, webhooks, settings and others. */
  unreadable(merchantId: string | null): AsyncIterable<readonly Unreadable[]>;
  /** Sealed texts of payments and their proofs, of registrations, and secrets, as far as their records can be read. */
  sealed(merchantId: string | null): AsyncIterable<readonly SealedRow[]>;
  /** The keys of one owner, or all. */
  keys(owner: string | null): Promise<readonly KeyRow[]>;
  /** All payments of these families, and their sums in the database. */
  families(names: readonly FamilyName[]): Promise<Page<Payment> & { readonly sums: readonly StoredSums[] }>;
}

/** Names the events that a transaction has caused. `subjectId`: see `eventSubjectOf`. */
export type TransactionEvents = { readonly subjectId: string; readonly transactionId: string };

/** The stored traces of one payment. */
export interface TraceStore {
  /** Its events that are still stored, the oldest first. */
  eventsOf(merchantId: string, about: TransactionEvents): Promise<readonly OutboxEvent[]>;
  /** Its postings in a period, both ends included. */
  postingsOf(
    merchantId: string,
    paymentId: string,
    within: { readonly from: number; readonly to: number },
  ): Promise<readonly Posting[]>;
  /** The deliveries of its events that are still stored. */
  deliveriesOf(merchantId: string, about: TransactionEvents): Promise<readonly Delivery[]>;
}

/** An error in the ledger. */
export type Finding = {
  readonly merchantId: string;
  readonly block: number | null;
  readonly subjectId: string | null;
  readonly says: string;
};

/** The progress of a verification. */
export type ProofStep = { readonly phase: 'chaining' | 'comparing'; readonly done: number; readonly total: number };

/** Receives findings and progress. `step` throws when the verification is to stop. */
export type Report = {
  find(finding: Finding): void;
  step(at: ProofStep): void;
};

export const findingOf = ({ merchantId, id, says }: Unreadable): Finding => ({ merchantId, block: null, subjectId: id, says });
