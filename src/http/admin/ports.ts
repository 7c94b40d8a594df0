import type { CheckoutLists } from '../../checkouts/ports.ts';
import type { InboxService } from '../../developer/inbox.ts';
import type { CallStore } from '../../developer/ports.ts';
import type { ModuleDefaults } from '../../merchants/accounts.ts';
import type { ChangeNeeds } from '../../merchants/changeSettings.ts';
import type { AdvanceSummary } from '../../merchants/clocks.ts';
import type { DirectoryReads, MerchantClock, MerchantStore } from '../../merchants/ports.ts';
import type { ScenarioSettingsStore } from '../../merchants/scenarioSettings.ts';
import type { RoutingOutcome, RoutingPeriod, RoutingTrial } from '../../payments/backtest/routingCount.ts';
import type { FollowUpLists } from '../../payments/search/listing.ts';
import type { SearchStore } from '../../payments/search/search.ts';
import type { WebhookPayload } from '../../payments/webhook/payload.ts';
import type { RegistrationLists } from '../../registrations/ports.ts';
import type { StoredLists } from '../../risk/lists/lists.ts';
import type { ListEntry, RiskListPages } from '../../risk/ports.ts';
import type { ScheduleLists } from '../../schedules/ports.ts';
import type { Candidates, Decision, Resolution } from '../../settlement/exceptions/resolve.ts';
import type { Unsettled, UnsettledQuery } from '../../settlement/exceptions/unsettled.ts';
import type { ImportResult, Source } from '../../settlement/in/importFile.ts';
import type { UploadStore } from '../../settlement/in/uploads.ts';
import type { SettlementStore } from '../../settlement/ports.ts';
import type { SettlementRecord } from '../../settlement/record.ts';
import type { Backtests } from '../../users/backtests.ts';
import type { DocumentStore } from '../../users/documents.ts';
import type { SecretService } from '../../users/entitySecrets.ts';
import type { WebhookKeys } from '../../webhooks/keys.ts';
import type { WebhookStore } from '../../webhooks/ports.ts';
import type { OutboxEvent, Webhook } from '../../webhooks/webhook.ts';
import type { Activation } from '../../webhooks/webhookState.ts';
import type { Inspector } from '../inspector/inspector.ts';

/** The hierarchy, its settings and its tokens. Time is real here, whatever test clock a merchant has. */
export interface AccountService {
  readonly store: DirectoryReads &
    Pick<MerchantStore, 'entities' | 'tokens' | 'insertAccounts' | 'saveEntity' | 'endToken' | 'setTokenAddresses'>;
  readonly change: ChangeNeeds;
  /** The settings that hold where no entity has set any. */
  readonly defaults: ModuleDefaults;
  readonly secrets: SecretService;
  /** The connectors that accounts can be made of. */
  readonly acquirers: AcquirerService;
  readonly ids: { next(): string; random(): string };
  now(): number;
  /** Reloads the directory: this node knows a change immediately, the others within seconds. */
  reload(): Promise<void>;
  /** The name of a user; null: unknown. */
  nameOf(userId: string): Promise<string | null>;
}

/** Connectors with accounts. */
export interface AcquirerService {
  /** Null: there is no connector of that name. */
  form(connector: string): AcquirerForm | null;
  /** The fault of a credential, as the end of a sentence that begins with its name; null: none. */
  secretFault(connector: string, secret: { readonly name: string; readonly text: string }): string | null;
  /** Whether the acquirer of an account answers, as far as this node has seen. */
  isReachable(account: { readonly ownerId: string; readonly name: string }): boolean;
}

export type AcquirerForm = {
  readonly title: string;
  readonly secrets: readonly { readonly name: string; readonly help: string; readonly isOptional: boolean }[];
};

/** Test clocks of merchants. */
export type ClockService = {
  /** Loads what other nodes have set. */
  readonly refresh: () => Promise<void>;
  readonly row: (merchantId: string) => MerchantClock;
  readonly now: (merchantId: string) => number;
  /** Stops the clock. */
  readonly freeze: (merchantId: string) => Promise<void>;
  /** Returns the clock to real time. */
  readonly resetToReal: (merchantId: string) => Promise<void>;
  /**
   * Advances the clock from one due instant to the next, and waits for a while until it has arrived; returns the work done until then.
   * Null: it is being moved already.
   */
  readonly advance: (merchantId: string, target: number) => Promise<AdvanceSummary | null>;
  /** Whether this node still works for an advance, including the work due at its target. */
  readonly isAdvancing: (merchantId: string) => boolean;
};

/** The services of the developer pages. */
export type DeveloperService = {
  readonly calls: CallStore;
  /** Null: calls are not recorded. Earlier ones can still be read. */
  readonly inspector: Inspector | null;
  /** Null in live. */
  readonly inboxes: InboxService | null;
  /** The first instant after another one at which something of a merchant is due; null when nothing is. */
  readonly nextDueAt: (merchantId: string, after: number) => Promise<number | null>;
  /** When a schedule of the merchant runs next, and when a webhook delivery is due. */
  readonly nextRunAt: (merchantId: string) => Promise<number | null>;
  readonly nextDeliveryAt: (merchantId: string) => Promise<number | null>;
};

/** Rules, lists, reviews and back-tests. */
export type RiskService = {
  readonly lists: Pick<StoredLists, 'put' | 'remove'>;
  readonly store: RiskListPages & FollowUpLists & Pick<SearchStore, 'anyPayment'> & DocumentStore;
  /** Every entry that has not expired, for a back-test. */
  readonly entries: (merchantId: string, now: number) => Promise<readonly ListEntry[]>;
  /** The keyed hash by which a merchant's cards are recognised. */
  readonly fingerprint: (merchantId: string, number: string) => Promise<string>;
  readonly backtests: Backtests;
};

/** Routing rules are tried on past payments. */
export type RoutingService = {
  /** busy: another one is under way. */
  readonly backtest: (trial: RoutingTrial, period: RoutingPeriod) => Promise<RoutingOutcome | 'busy'>;
};

/** Scenarios of entities of the test environment. */
export interface ScenarioService extends ScenarioSettingsStore {
  /** The keyed hash of a card number, stored in its place. */
  fingerprint(merchantId: string, number: string): Promise<string>;
}

/** Files of acquirers and the lines in them. */
export type SettlementService = {
  readonly store: Pick<SettlementStore, 'file' | 'files' | 'countFile' | 'record' | 'exceptions'>;
  /** Where a file is kept while it is read, and how long it may be. */
  readonly uploads: UploadStore;
  readonly bytesMax: number;
  readonly importFile: (entityId: string, source: Source) => Promise<ImportResult>;
  readonly resolve: (record: SettlementRecord, decision: Decision) => Promise<Resolution>;
  /** The payments that exceptions may be about, by the id of the record. */
  readonly candidates: (records: readonly SettlementRecord[]) => Promise<ReadonlyMap<string, Candidates>>;
  /** Creates the transactions of matched chargebacks. */
  readonly recordDisputes: () => Promise<void>;
  readonly unsettled: (asked: UnsettledQuery) => Promise<Unsettled>;
};

/** Lists of registrations, checkouts and schedules. */
export type ListingStore = RegistrationLists & CheckoutLists & ScheduleLists & Pick<FollowUpLists, 'usesOf'>;

/** Webhooks, their keys and their payloads. */
export type WebhookService = {
  readonly store: WebhookStore;
  readonly keys: WebhookKeys;
  /** Sends the test delivery. */
  readonly activate: (webhook: Webhook) => Promise<Activation>;
  /** The payload of an event as it would be sent now; null when its object does not exist any more. */
  readonly payloadFor: (event: OutboxEvent) => Promise<WebhookPayload | null>;
  /** Why no webhook may have this address, as a sentence; null when it may. */
  readonly addressFault: (url: string) => string | null;
};
