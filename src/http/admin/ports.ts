import type { CheckoutLists } from '../../checkouts/listing.ts';
import type { InboxService } from '../../developer/inbox.ts';
import type { CallStore } from '../../developer/ports.ts';
import type { ModuleDefaults } from '../../merchants/accounts.ts';
import type { ChangeNeeds } from '../../merchants/changeSettings.ts';
import type { AdvanceSummary } from '../../merchants/clock.ts';
import type { MerchantClock, MerchantStore } from '../../merchants/ports.ts';
import type { ScenarioSettingsStore } from '../../merchants/scenarioSettings.ts';
import type { FollowUpLists } from '../../payments/search/listing.ts';
import type { SearchStore } from '../../payments/search/search.ts';
import type { WebhookPayload } from '../../payments/webhook/payload.ts';
import type { RegistrationLists } from '../../registrations/listing.ts';
import type { StoredLists } from '../../risk/lists/storedLists.ts';
import type { ListEntry, RiskListPages } from '../../risk/ports.ts';
import type { ScheduleLists } from '../../schedules/listing.ts';
import type { Decision, Resolution } from '../../settlement/exceptions/resolve.ts';
import type { Unsettled, UnsettledQuery } from '../../settlement/exceptions/unsettled.ts';
import type { ImportResult, Source } from '../../settlement/in/importFile.ts';
import type { UploadStore } from '../../settlement/in/uploads.ts';
import type { ReportStore } from '../../settlement/ports.ts';
import type { SettlementRecord } from '../../settlement/record.ts';
import type { Backtests } from '../../users/backtests.ts';
import type { DocumentStore } from '../../users/documents.ts';
import type { SecretService } from '../../users/entitySecrets.ts';
import type { Activation } from '../../webhooks/activate.ts';
import type { WebhookKeys } from '../../webhooks/keys.ts';
import type { WebhookStore } from '../../webhooks/ports.ts';
import type { OutboxEvent, Webhook } from '../../webhooks/webhook.ts';
import type { Inspector } from '../inspector/inspector.ts';

/** What those work with who administer the hierarchy, its settings and its tokens. Time is real here, whatever a merchant's own is. */
export interface AccountService {
  readonly store: Pick<MerchantStore, 'entities' | 'tokens' | 'seed' | 'saveEntity' | 'endToken'>;
  readonly change: ChangeNeeds;
  /** What holds where nobody has set anything. */
  readonly defaults: ModuleDefaults;
  readonly secrets: SecretService;
  readonly ids: { next(): string; random(): string };
  now(): number;
  /** This node knows at once what has changed, the others within seconds. */
  reload(): Promise<void>;
  /** Whom an id of a user means, for people; null: nobody who is known any more. */
  nameOf(userId: string): Promise<string | null>;
}

/** Merchants' clocks, for those who read and set them. */
export type ClockService = {
  /** Reads what other nodes have set. */
  readonly refresh: () => Promise<void>;
  readonly row: (merchantId: string) => MerchantClock;
  readonly now: (merchantId: string) => number;
  /** Stops it where it is. */
  readonly freeze: (merchantId: string) => Promise<void>;
  /** Lets it show real time again. */
  readonly resetToReal: (merchantId: string) => Promise<void>;
  /**
   * Moves it forward, from one due instant to the next, and waits for a while until it has arrived; answers what was done until then.
   * Null: it is being moved already.
   */
  readonly advance: (merchantId: string, target: number) => Promise<AdvanceSummary | null>;
};

/** What developers look at and try with. */
export type DeveloperService = {
  readonly calls: CallStore;
  /** Null: nobody keeps calls. What was kept before can still be read. */
  readonly inspector: Inspector | null;
  /** Null in live. */
  readonly inboxes: InboxService | null;
  /** The first instant behind another one at which something of a merchant is due; null when nothing is. */
  readonly nextDueAt: (merchantId: string, after: number) => Promise<number | null>;
  /** When a plan of his runs next, and when something is sent to a webhook. */
  readonly nextRunAt: (merchantId: string) => Promise<number | null>;
  readonly nextDeliveryAt: (merchantId: string) => Promise<number | null>;
};

/** What those need who look after risk. */
export type RiskService = {
  readonly lists: Pick<StoredLists, 'put' | 'remove'>;
  readonly store: RiskListPages & FollowUpLists & Pick<SearchStore, 'anyPayment'> & DocumentStore;
  /** Every entry that holds, for a back-test. */
  readonly entries: (merchantId: string, now: number) => Promise<readonly ListEntry[]>;
  /** The keyed hash by which a merchant's cards are recognised. */
  readonly fingerprint: (merchantId: string, number: string) => Promise<string>;
  readonly backtests: Backtests;
};

/** Scenarios of entities of the test environment. */
export interface ScenarioService extends ScenarioSettingsStore {
  /** The keyed hash of a card number, stored in its place. */
  fingerprint(merchantId: string, number: string): Promise<string>;
}

/** What those need who bring files of acquirers and look after their lines. */
export type SettlementService = {
  readonly store: Pick<ReportStore, 'file' | 'files' | 'countFile' | 'record' | 'exceptions'>;
  /** Where a file lies while it is read, and how long it may be. */
  readonly uploads: UploadStore;
  readonly bytesMax: number;
  readonly importFile: (entityId: string, source: Source) => Promise<ImportResult>;
  readonly resolve: (record: SettlementRecord, decision: Decision) => Promise<Resolution>;
  /** Makes the transactions of chargebacks that were matched. */
  readonly recordDisputes: () => Promise<void>;
  readonly unsettled: (asked: UnsettledQuery) => Promise<Unsettled>;
};

/** Lists of what merchants have stored. */
export type ListingStore = RegistrationLists & CheckoutLists & ScheduleLists & Pick<FollowUpLists, 'usesOf'>;

/** What those need who set up webhooks. */
export type WebhookService = {
  readonly store: WebhookStore;
  readonly keys: WebhookKeys;
  /** Sends the test delivery. */
  readonly activate: (webhook: Webhook) => Promise<Activation>;
  /** The message for news as it would be sent now; null when what it is about is not there any more. */
  readonly payloadFor: (news: OutboxEvent) => Promise<WebhookPayload | null>;
  /** Why no webhook may have this address, as a sentence; null when it may. */
  readonly addressFault: (url: string) => string | null;
};
