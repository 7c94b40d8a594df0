import type { Office } from '../assets/asset.ts';
import type { AuditService } from '../audit/service.ts';
import type { CheckoutService } from '../checkouts/ports.ts';
import type { Holding } from '../ledger/entry.ts';
import type { TraceStore } from '../ledger/trace.ts';
import type { Directory } from '../merchants/directory.ts';
import type { Throttler } from '../merchants/throttle.ts';
import type { Environment } from '../payments/order.ts';
import type { World } from '../payments/ports.ts';
import type { QueryStore } from '../payments/search/listing.ts';
import type { SearchStore } from '../payments/search/search.ts';
import type { ReportService } from '../reports/settlementReport/service.ts';
import type { StatisticsStore } from '../reports/statistics/ports.ts';
import type { ScheduleService } from '../schedules/change.ts';
import type { ResultsAccess } from '../threeds/live/resultsAccess.ts';
import type { UserService } from '../users/service.ts';
import type { SandboxIssuer } from '../wallets/issuer/sandboxIssuer.ts';
import type { AccountService } from './admin/accountService.ts';
import type { ClockService } from './admin/clockService.ts';
import type { DeveloperService } from './admin/developerService.ts';
import type { RiskService } from './admin/riskService.ts';
import type { ScenarioService } from './admin/scenarioService.ts';
import type { SettlementService } from './admin/settlementService.ts';
import type { StoredService } from './admin/storedService.ts';
import type { WebhookService } from './admin/webhookService.ts';
import type { ReferencePages } from './api/documents.ts';
import type { TrustedProxies } from './server/clientAddress.ts';
import type { JobAge, Metrics } from './server/metrics.ts';
import type { Responder } from './server/replies.ts';

/** How this node fares. */
export type Health = {
  /** What keeps it from taking payments, in words for anybody; empty: nothing does. Cheap to ask, and answered in a bounded time. */
  readonly problems: () => Promise<readonly string[]>;
  readonly jobs: () => readonly JobAge[];
};

/** Everything an answer may need. The server has it from the moment the gateway can take payments. */
export type Services = {
  readonly environment: Environment;
  readonly world: World;
  /** Lists of payments. */
  readonly queries: QueryStore;
  /** Finding payments, and what was written down about one. */
  readonly search: SearchStore & TraceStore;
  /** What was settled. */
  readonly reports: ReportService;
  readonly statistics: StatisticsStore;
  /** Files of acquirers and what was made of them. */
  readonly settlement: SettlementService;
  readonly checkouts: CheckoutService;
  /** Lists of what merchants have stored. */
  readonly stored: StoredService;
  /** Rules, lists and reviews, for those who look after them. */
  readonly risk: RiskService;
  readonly schedules: ScheduleService;
  readonly webhooks: WebhookService;
  /** Null in live, where time is real for everybody. */
  readonly clocks: ClockService | null;
  /** The same rooms in a merchant's own time; these here where it is the real one. */
  readonly at: (merchantId: string | null) => Services;
  /** Whether any merchant has a time of his own at this moment. */
  readonly hasTestClocks: () => boolean;
  /** Null in live, which plays none. */
  readonly scenarios: ScenarioService | null;
  readonly directory: Directory;
  /** What developers look at and try with. */
  readonly developer: DeveloperService;
  /** The hierarchy as it is administered. */
  readonly accounts: AccountService;
  /** Who works in the back office. */
  readonly users: UserService;
  readonly throttler: Throttler;
  readonly respond: Responder;
  readonly metrics: Metrics;
  readonly documents: ReferencePages;
  /** The pages of the back office; they are made when they are first asked for. */
  readonly office: () => Promise<Office>;
  readonly trust: TrustedProxies;
  /** The origin under which browsers know us; null: the one that a request came by. */
  readonly publicUrl: string | null;
  /** Who may tell how challenges ended; without one everybody may who knows the ids, as in the test environment. */
  readonly resultsAccess: ResultsAccess | null;
  /** Makes wallet tokens to try; null in the live environment. */
  readonly walletIssuer: SandboxIssuer | null;
  /** Keyed hash of a request, by the vault. */
  readonly digest: (entityId: string, text: Uint8Array | string) => string;
  /** SHA-256 of the operator's own token; null when there is none. */
  readonly operatorHash: Uint8Array | null;
  readonly auditLog: AuditService;
  /** What stood on the accounts of a merchant at an instant. */
  readonly balances: (merchantId: string, at: number) => Promise<readonly Holding[]>;
  readonly health: Health;
};
