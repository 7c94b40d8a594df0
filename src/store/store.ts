import type { CheckoutLists } from '../checkouts/listing.ts';
import type { AssetStore, CheckoutStore } from '../checkouts/needs.ts';
import type { LedgerStore } from '../ledger/needs.ts';
import type { TraceStore } from '../ledger/trace.ts';
import type { ClockStore, MerchantStore } from '../merchants/needs.ts';
import type { FollowUpLists, QueryStore } from '../payments/listing.ts';
import type { PaymentHistory, PaymentStore } from '../payments/needs.ts';
import type { SearchStore } from '../payments/search.ts';
import type { AuditStore } from '../people/audit/needs.ts';
import type { CabinetStore } from '../people/cabinet.ts';
import type { CallStore } from '../people/calls/needs.ts';
import type { RegistrationLists } from '../registrations/listing.ts';
import type { KeyStore, RegistrationStore, SecretStore } from '../registrations/needs.ts';
import type { LaterStore } from '../reports/days/needs.ts';
import type { ReportStore } from '../reports/needs.ts';
import type { ReconciliationStore } from '../reports/out/needs.ts';
import type { StatisticsStore } from '../reports/statistics/needs.ts';
import type { EntryLists } from '../risk/listing.ts';
import type { RiskStore } from '../risk/needs.ts';
import type { PlanLists } from '../schedules/listing.ts';
import type { PlanStore } from '../schedules/needs.ts';
import type { WebhookStore } from '../webhooks/needs.ts';

export interface StoreLife {
  /** Resolves when the store can read. */
  ping(): Promise<void>;
  /**
   * Writes something without a meaning, durably; rejects when nothing can be written now. `isThorough`: as much as a large payment, in
   * fresh space, so that a disk that is full is found to be; otherwise as little as possible.
   */
  tryWrite(isThorough: boolean): Promise<void>;
  /** Finishes the commits that were accepted, then lets go of everything. */
  close(): Promise<void>;
}

/** The past alone, for a reader in another thread or process: it never writes, and never brings a schema up to date. */
export type OpenedHistory = PaymentHistory & Pick<StoreLife, 'close'>;

/** Lists of the back office, the newest first. */
export type StoredLists = RegistrationLists & CheckoutLists & PlanLists & FollowUpLists & EntryLists;

/** What every driver gives. */
export type Store = PaymentStore &
  PaymentHistory &
  QueryStore &
  SearchStore &
  TraceStore &
  RiskStore &
  RegistrationStore &
  KeyStore &
  SecretStore &
  MerchantStore &
  CheckoutStore &
  AssetStore &
  PlanStore &
  WebhookStore &
  ClockStore &
  CabinetStore &
  AuditStore &
  StoredLists &
  CallStore &
  LedgerStore &
  ReportStore &
  LaterStore &
  ReconciliationStore &
  StatisticsStore &
  StoreLife;

/**
 * `off` exists for the control of the kill test: a store that acknowledges before it is durable, so that the test can be seen to find
 * the loss. Nothing that reads the environment may set it.
 */
export type Durability = 'full' | 'off';
