import { type AuditEntry, type AuditHead, NO_ENTRIES } from '../../audit/entry.ts';
import type { Checkout } from '../../checkouts/checkout.ts';
import type { Asset } from '../../checkouts/ports.ts';
import type { CallBatch } from '../../developer/ports.ts';
import type { Block, Posting } from '../../ledger/entry.ts';
import type { DirectoryChange, MerchantClock, TokenRow, VersionedEntity } from '../../merchants/ports.ts';
import type { Payment } from '../../payments/payment.ts';
import type { DueRelease, IdempotencyKey, NewOutboxEvent } from '../../payments/ports.ts';
import type { Schedule, ScheduleRun } from '../../payments/schedule.ts';
import type { StoredRegistration } from '../../registrations/ports.ts';
import type { ReconciliationRun } from '../../reports/reconciliation/ports.ts';
import type { Change, Counted, Sheet } from '../../reports/statistics/ports.ts';
import type { ListEntry } from '../../risk/ports.ts';
import type { ScheduledSettlement, SettlementDay } from '../../settlement/ports.ts';
import type { SettlementFile, SettlementRecord } from '../../settlement/record.ts';
import type { StoredDocument } from '../../users/documents.ts';
import type { KeyRow } from '../../vault/ports.ts';
import type { TokenUse } from '../../wallets/ports.ts';
import type { Delivery, OutboxEvent, Webhook } from '../../webhooks/webhook.ts';

/** `about`: the subject of the id and the revision. */
export type StoredEvent = NewOutboxEvent & {
  readonly merchantId: string;
  readonly subjectId: string;
  readonly revision: number;
  readonly about: 'payment' | 'registration' | 'schedule';
  readonly entityId: string;
  readonly transactionId: string | null;
};

type Held = IdempotencyKey & { readonly paymentId: string; readonly createdAt: number };
type Secret = { readonly entityId: string; readonly name: string; readonly sealed: Uint8Array };

/** Claimed while the instant is ahead. */
export type HeldDelivery = { readonly delivery: Delivery; readonly claimedUntil: number };

/** Neither ids nor keys hold a line break, so that two names never run into one. */
export const join = (...parts: readonly string[]): string => parts.join('\n');

/** The books of one merchant: the postings without a block, by subject and revision, and the blocks with their postings. */
export type Book = {
  readonly unsealed: Map<string, Posting>;
  readonly blocks: { readonly block: Block; readonly postings: readonly Posting[] }[];
};

/** The queue by number, the counted lines that may still change by subject, the sheets by node, length and beginning. */
type StatisticsTable = {
  readonly changes: Map<number, Change>;
  readonly open: Map<string, Counted>;
  readonly sheets: Map<string, Sheet>;
  readonly fold: { revision: number; last: number };
};

/** The tables of the databases, as maps. */
export type Tables = {
  readonly payments: Map<string, Payment>;
  readonly sealed: Map<string, Uint8Array>;
  /** Search keys of payments that are not in the payments themselves. */
  readonly emailHashes: Map<string, string>;
  /** The open ones again, for the sweeper. */
  readonly open: Map<string, Payment>;
  /** The approved authorisations whose rest will be looked at. */
  readonly releases: Map<string, DueRelease>;
  readonly families: Map<string, { readonly version: number; readonly ids: readonly string[] }>;
  readonly idempotencyKeys: Map<string, Held>;
  readonly outbox: Map<string, StoredEvent>;
  readonly changes: Set<string>;
  readonly registrations: Map<string, StoredRegistration>;
  readonly tokenUses: Map<string, TokenUse>;
  readonly keys: Map<string, KeyRow>;
  readonly secrets: Map<string, Secret>;
  readonly entities: Map<string, VersionedEntity>;
  readonly tokens: Map<string, TokenRow>;
  /** Changes of entities and tokens, the oldest first. */
  readonly directoryChanges: DirectoryChange[];
  readonly listEntries: Map<string, ListEntry>;
  readonly listChange: { count: number };
  /** The ids of the payments that were tried with a checkout. */
  readonly attempts: Map<string, readonly string[]>;
  readonly checkouts: Map<string, Checkout>;
  readonly assets: Map<string, Asset & { readonly putAt: number }>;
  readonly schedules: Map<string, { readonly schedule: Schedule; readonly claimedUntil: number }>;
  /** The runs of a schedule, by their due instants. */
  readonly runs: Map<string, ReadonlyMap<number, ScheduleRun>>;
  readonly webhooks: Map<string, Webhook>;
  /** By webhook: the keys of the events that happened before it was added. */
  readonly earlierEvents: Map<string, ReadonlySet<string>>;
  /** Outbox events before their fan-out, and after it. */
  readonly fresh: Map<string, OutboxEvent>;
  readonly fannedOut: Map<string, OutboxEvent>;
  readonly deliveries: Map<string, HeldDelivery>;
  readonly clocks: Map<string, MerchantClock>;
  /** By collection and id. */
  readonly documents: Map<string, StoredDocument>;
  readonly audit: { readonly entries: AuditEntry[]; head: AuditHead };
  readonly callBatches: Map<string, CallBatch>;
  readonly statistics: StatisticsTable;
  readonly reconciliationRuns: Map<string, ReconciliationRun>;
  /** By merchant. */
  readonly books: Map<string, Book>;
  readonly settlementFiles: Map<string, SettlementFile>;
  readonly settlementRecords: Map<string, SettlementRecord>;
  /** By merchant, payment and act. */
  readonly scheduledSettlements: Map<string, ScheduledSettlement>;
  /** By merchant. */
  readonly settlementDays: Map<string, SettlementDay>;
};

export const emptyTables = (): Tables => ({
  payments: new Map(),
  sealed: new Map(),
  emailHashes: new Map(),
  open: new Map(),
  releases: new Map(),
  families: new Map(),
  idempotencyKeys: new Map(),
  outbox: new Map(),
  changes: new Set(),
  registrations: new Map(),
  tokenUses: new Map(),
  keys: new Map(),
  secrets: new Map(),
  entities: new Map(),
  tokens: new Map(),
  directoryChanges: [{ seq: 0, kind: 'entity', key: '' }],
  listEntries: new Map(),
  listChange: { count: 0 },
  attempts: new Map(),
  checkouts: new Map(),
  assets: new Map(),
  schedules: new Map(),
  runs: new Map(),
  webhooks: new Map(),
  earlierEvents: new Map(),
  fresh: new Map(),
  fannedOut: new Map(),
  deliveries: new Map(),
  clocks: new Map(),
  documents: new Map(),
  audit: { entries: [], head: NO_ENTRIES },
  callBatches: new Map(),
  statistics: { changes: new Map(), open: new Map(), sheets: new Map(), fold: { revision: 0, last: 0 } },
  reconciliationRuns: new Map(),
  books: new Map(),
  settlementFiles: new Map(),
  settlementRecords: new Map(),
  scheduledSettlements: new Map(),
  settlementDays: new Map(),
});

/** Makes a method of a store from a synchronous step. */
export type WhileOpen = <Given extends readonly unknown[], T>(step: (...given: Given) => T) => (...given: Given) => Promise<T>;
