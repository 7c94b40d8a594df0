import type { AuditStore } from '../audit/entry.ts';
import type { AssetStore, CheckoutLists, CheckoutStore } from '../checkouts/ports.ts';
import type { CallStore } from '../developer/ports.ts';
import type { LedgerStore, TraceStore } from '../ledger/ports.ts';
import type { ClockStore, LeaseStore, MerchantStore, RateStore } from '../merchants/ports.ts';
import type { ConnectionFigures, PaymentHistory, PaymentStore, QueueStore } from '../payments/ports.ts';
import type { FollowUpLists, QueryStore } from '../payments/search/listing.ts';
import type { SearchStore } from '../payments/search/search.ts';
import type { RegistrationLists, RegistrationStore } from '../registrations/ports.ts';
import type { ReconciliationStore } from '../reports/reconciliation/ports.ts';
import type { StatisticsStore } from '../reports/statistics/ports.ts';
import type { RiskListPages, RiskStore } from '../risk/ports.ts';
import type { ScheduleLists, ScheduleStore } from '../schedules/ports.ts';
import type { SandboxSettlementStore, SettlementStore } from '../settlement/ports.ts';
import type { DocumentStore } from '../users/documents.ts';
import type { KeyStore, RetentionStore, SecretStore } from '../vault/ports.ts';
import type { WebhookStore } from '../webhooks/ports.ts';

export interface StoreLife {
  /** Resolves when the store can read. */
  ping(): Promise<void>;
  /**
   * Writes test data durably; rejects when the store cannot write. `isThorough`: as much as a large payment, in new space, so that a full
   * disk is noticed; otherwise as little as possible.
   */
  tryWrite(isThorough: boolean): Promise<void>;
  /** The connections to the database of this thread; null: the store has none. */
  connections(): ConnectionFigures | null;
  /** Finishes accepted commits, then releases all resources. */
  close(): Promise<void>;
}

/** Reads past payments from another thread or process. It never writes and never migrates. */
export type OpenedHistory = PaymentHistory & Pick<StoreLife, 'close'>;

/** Lists of the back office, the newest first. */
export type StoredLists = RegistrationLists & CheckoutLists & ScheduleLists & FollowUpLists & RiskListPages;

/** The store that every driver implements. */
export type Store = PaymentStore &
  PaymentHistory &
  QueryStore &
  SearchStore &
  TraceStore &
  RiskStore &
  RegistrationStore &
  KeyStore &
  RetentionStore &
  SecretStore &
  MerchantStore &
  RateStore &
  LeaseStore &
  CheckoutStore &
  AssetStore &
  ScheduleStore &
  WebhookStore &
  ClockStore &
  DocumentStore &
  AuditStore &
  StoredLists &
  CallStore &
  LedgerStore &
  SettlementStore &
  SandboxSettlementStore &
  ReconciliationStore &
  StatisticsStore &
  QueueStore &
  StoreLife;

/**
 * `off` exists for the control of the kill test: a store that acknowledges before it is durable, so that the test can be seen to find
 * the loss. Nothing that reads the environment may set it.
 */
export type Durability = 'full' | 'off';
