import type { Office } from '../assets/asset.ts';
import type { AuditService } from '../audit/service.ts';
import type { CheckoutService } from '../checkouts/ports.ts';
import type { Holding } from '../ledger/entry.ts';
import type { TraceStore } from '../ledger/ports.ts';
import type { Directory } from '../merchants/directory.ts';
import type { Throttler } from '../merchants/ports.ts';
import type { ReceiveNotification } from '../payments/connector/notifications.ts';
import type { Environment } from '../payments/order.ts';
import type { World } from '../payments/ports.ts';
import type { QueryStore } from '../payments/search/listing.ts';
import type { SearchStore } from '../payments/search/search.ts';
import type { NamedBook } from '../registrations/mandate.ts';
import type { ReportService } from '../reports/settlementReport/report.ts';
import type { StatisticsStore } from '../reports/statistics/ports.ts';
import type { ScheduleService } from '../schedules/change.ts';
import type { OpenApiDocumentName } from '../spec/openApi/documents.ts';
import type { JobAge, Metrics } from '../telemetry/metrics.ts';
import type { MetricFigures } from '../telemetry/prometheus.ts';
import type { ResultsAccess } from '../threeds/live/resultsAccess.ts';
import type { UserService } from '../users/service.ts';
import type { SandboxIssuer } from '../wallets/issuer/issuer.ts';
import type {
  AccountService,
  ClockService,
  DeveloperService,
  ListingStore,
  RiskService,
  RoutingService,
  ScenarioService,
  SettlementService,
  WebhookService,
} from './admin/ports.ts';
import type { KeptReplies } from './api/keptReplies.ts';
import type { LongReplies } from './merchantSlots.ts';
import type { Replies } from './replies.ts';
import type { TrustedProxies } from './transport/clientAddress.ts';

import type { Reply } from './transport/reply.ts';

/** The health of this node. */
export type Health = {
  /** The problems that keep the node from taking payments, in words. Cheap, and answered in a bounded time. */
  readonly problems: () => Promise<readonly string[]>;
  readonly jobs: () => readonly JobAge[];
  /** The settings that live still lacks to take a payment: a kind, and a sentence for the operator. Empty in the test environment. */
  readonly missing: () => Promise<readonly { readonly kind: string; readonly says: string }[]>;
  /** How many accounts have an acquirer that does not answer, as this node sees it. */
  readonly unreachable: () => number;
  /** How many files of the widget differed from their build at the last check. */
  readonly changedFiles: () => number;
};

/** The documentation: the API as data, and the site, built at the first request for it. */
export interface ReferencePages {
  openApi(name: OpenApiDocumentName): Reply;
  /** A page or a file of the site, with examples for the origin that it was requested by; null: there is none. */
  file(path: string, at: SiteRequest): Promise<Reply | null>;
}

export type SiteRequest = { readonly origin: string; readonly environment: Environment; readonly takesGzip: boolean };

/** Reads of the back office from a replica. */
type ReplicaService = {
  /** Runs work, and returns its result with the age of the oldest data that it read; null: all of it came from the primary. */
  measure<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ageMs: number | null }>;
};

/** The services behind the endpoints. A handler takes only the ones that it uses: `Pick<Services, 'replies' | 'world'>`. */
export type Services = {
  readonly environment: Environment;
  readonly world: World;
  readonly queries: QueryStore;
  readonly search: SearchStore & TraceStore;
  readonly reports: ReportService;
  readonly statistics: StatisticsStore;
  readonly settlement: SettlementService;
  readonly checkouts: CheckoutService;
  /** Lists of registrations, checkouts and schedules. */
  readonly listings: ListingStore;
  /** The mandates of a merchant, by account. */
  readonly mandates: (merchantId: string) => readonly NamedBook[];
  readonly risk: RiskService;
  readonly routing: RoutingService;
  readonly schedules: ScheduleService;
  readonly webhooks: WebhookService;
  /** Takes the notifications that acquirers send unasked. */
  readonly notifications: ReceiveNotification;
  /** The test clocks of merchants; null in live. */
  readonly clocks: ClockService | null;
  /** These services under the test clock of a merchant; the same ones where the merchant has not moved it. */
  readonly forMerchant: (merchantId: string | null) => Services;
  /** Whether any merchant has a test clock. */
  readonly hasTestClocks: () => boolean;
  /** Null in live. */
  readonly scenarios: ScenarioService | null;
  readonly directory: Directory;
  readonly developer: DeveloperService;
  readonly accounts: AccountService;
  readonly users: UserService;
  readonly throttler: Throttler;
  readonly replies: Replies;
  readonly keptReplies: KeptReplies;
  /** The long lists that merchants have under way. */
  readonly longReplies: LongReplies;
  readonly metrics: Metrics;
  /** The figures of the other request threads; null: there are none. */
  readonly threadFigures: (() => Promise<readonly (readonly MetricFigures[])[]>) | null;
  readonly documents: ReferencePages;
  /** The pages of the back office, built at the first request for them. */
  readonly backOffice: () => Promise<Office>;
  readonly trust: TrustedProxies;
  /** The origin under which browsers reach the gateway; null: the one that a request came by. */
  readonly publicUrl: string | null;
  /** Which directory servers may send results of challenges; null: every sender who knows the ids, as in the test environment. */
  readonly resultsAccess: ResultsAccess | null;
  /** Issues wallet tokens for tests; null in live. */
  readonly walletIssuer: SandboxIssuer | null;
  /** The keyed hash of a request, by the vault. */
  readonly digest: (entityId: string, text: Uint8Array | string) => string;
  /** SHA-256 of the operator's token; null when there is none. */
  readonly operatorHash: Uint8Array | null;
  readonly auditLog: AuditService;
  /** Null: everything is read from the primary. */
  readonly replica: ReplicaService | null;
  /** The balances of a merchant's accounts at an instant. */
  readonly balances: (merchantId: string, at: number) => Promise<readonly Holding[]>;
  readonly health: Health;
};
