import { theOffice } from '../assets/assets.ts';
import { createReferencePages } from '../http/api/documents.ts';
import type { Services } from '../http/services.ts';
import { balancesAt } from '../ledger/balances.ts';
import { sealBooks } from '../ledger/seal.ts';
import { createDirectory } from '../merchants/directory.ts';
import type { ModuleFaults } from '../merchants/moduleSettings.ts';
import { createThrottler } from '../merchants/throttle.ts';
import { createOutbound } from '../outbound/client.ts';
import type { World } from '../payments/ports.ts';
import { createMemory } from '../payments/riskMemory/memory.ts';
import { reconciliationSettingFaults } from '../reports/reconciliation/settings.ts';
import { countingDeliveries } from '../reports/statistics/keep.ts';
import { riskSettingFaults } from '../risk/settings.ts';
import { redateCharges, runDue } from '../schedules/runDue.ts';
import { scheduleSettingFaults } from '../schedules/settings.ts';
import { settlementSettingFaults } from '../settlement/match/tolerance.ts';
import { scenarioSettingFaults } from '../spec/scenarios/attached.ts';
import { createResultsAccess } from '../threeds/live/resultsAccess.ts';
import { threeDSSettingFaults } from '../threeds/settings.ts';
import { openVault } from '../vault/vault.ts';
import { coreJobs, riskJobs, scheduleJobs } from '../workers/jobs.ts';
import { ledgerJobs } from '../workers/ledgerJobs.ts';
import type { Job } from '../workers/loop.ts';
import { createJobRecords, type JobRecords } from '../workers/records.ts';
import { createAccountModule } from './accounts.ts';
import { createAuditModule } from './audit.ts';
import { createClockModule, openClocks, servicesAt } from './clocks.ts';
import { createDeveloperModule } from './developer.ts';
import { countingRefusals, createHealth } from './health.ts';
import type { AppOptions } from './options.ts';
import { createPaymentModule, type Foundation, type PaymentModule } from './payments.ts';
import { createReconciliationModule } from './reconciliation.ts';
import { createRiskModule } from './risk.ts';
import { createSandboxSettlement } from './sandboxSettlement.ts';
import { createScenarioModule, playedReceiver } from './scenarios.ts';
import { createSettlementModule } from './settlement.ts';
import { statisticsJobs } from './statistics.ts';
import { createIds, elapsed, rest } from './system.ts';
import { createUserModule, userJobs } from './users.ts';
import { createWebhookModule, type WebhookModule, type WebhookParts } from './webhooks.ts';
import { createCheckoutService, putBuild, widgetJobs } from './widget.ts';

/** It knows itself when it is time to ask again. */
const RANGES_MS = 5_000;
/** How long what is told at the end may take. */
const LAST_WORDS_MS = 5_000;

export type App = {
  readonly world: World;
  readonly services: Services;
  readonly jobs: readonly Job[];
  /** When each job ran last; the loop writes it. */
  readonly records: JobRecords;
  /** Writes what is to be written before the first payment. */
  begin(): Promise<void>;
  /** Ends what the jobs have begun and not waited for. */
  stop(): Promise<void>;
};

const moduleFaults: ModuleFaults = {
  risk: riskSettingFaults,
  threeDS: threeDSSettingFaults,
  schedules: scheduleSettingFaults,
  scenarios: scenarioSettingFaults,
  settlement: settlementSettingFaults,
  reconciliation: reconciliationSettingFaults,
};

/** Furnishes every room around an open store; nothing is listened to and nothing runs yet. */
export async function createApp(given: AppOptions): Promise<App> {
  const records = createJobRecords({ now: elapsed, onEnd: given.metrics.jobEnded });
  const health = createHealth({ store: given.store, jobs: records.list, timers: given.timers, now: elapsed });
  const parts: AppOptions = { ...given, store: countingRefusals(given.store, health.refused) };
  const { environment, store, clock, timers, isAlone = false } = parts;
  const ground = await createFoundation(parts);
  const built = await createPaymentModule(parts, ground);
  const { clocks, directory, vault, alarm } = ground;
  const { world, worldOf, live } = built;
  const developer = createDeveloperModule(parts, ground);
  const webhooks = webhookModule(parts, { world, worldOf, clocks, vault, directory, inboxes: developer.service.inboxes });
  const settlement = createSettlementModule({ ...parts, vault, directory, world, worldOf, reach: reachOf(parts) });
  const days = createSandboxSettlement({ store, directory, clocks, worldOf, settlement: settlement.service, alarm });
  const reconciliation = createReconciliationModule({ store, directory, vault, clocks, timers, alarm, reach: reachOf(parts) });
  // Shops of the test environment often stand on this machine.
  const { get } = createOutbound({ timers, reach: environment === 'test' ? 'loopback' : 'public' });
  const moving = createClockModule({
    ...{ clocks, store, clock, get, isAlone, webhooks, days, alarm },
    services: () => services,
  });
  const audit = createAuditModule(parts, vault);
  const risk = createRiskModule(parts, ground, built);
  const services: Services = servicesAt(clocks, worldOf, {
    ...plainServices(parts, ground, built),
    health,
    webhooks: webhooks.service,
    settlement: settlement.service,
    risk,
    developer: developer.service,
    auditLog: audit.service,
    clocks: environment === 'test' ? moving.service : null,
  });
  // The loop sleeps before it works: what is needed from the first payment on is fetched now.
  void live?.refresh();
  const jobs = [
    ...[webhooks, settlement, reconciliation, developer].flatMap((house) => house.jobs),
    ...ownJobs(parts, ground, built),
    ...userJobs(services.users),
    ...widgetJobs(parts, services, { clocks, get }),
    ...scheduleJobs(
      clocks,
      ({ merchantId, merchants }, limit) => runDue(services.forMerchant(merchantId).schedules, { limit, merchants }),
      ({ merchantId, merchants }) => redateCharges(services.forMerchant(merchantId).schedules, { merchants, rest }),
    ),
    ...(environment === 'test' ? [...moving.jobs, ...days.jobs] : []),
  ];
  // A store that does not answer any more cannot hold the end either.
  const shutdown = async () => {
    await Promise.all([developer.stop(), risk.backtests.stop()]);
    await audit.end();
  };
  const stop = async () => {
    await Promise.all([moving.stop(), webhooks.stop(), reconciliation.stop()]);
    await timers.within(LAST_WORDS_MS, shutdown()).catch(() => {});
  };
  const begin = async () => {
    // Another node may be asked for a checkout of this one a moment later.
    await putBuild(parts);
    await audit.begin();
  };
  return { world, services, jobs, records, begin, stop };
}

/** What everything stands on. */
async function createFoundation({ environment, store, masters, clock, log }: AppOptions): Promise<Foundation> {
  return {
    ids: createIds(clock.now),
    clocks: await openClocks(environment, store, clock),
    vault: await openVault({ masters, store, now: clock.now }),
    directory: await createDirectory(store, clock, moduleFaults),
    alarm: (message, about) => log.error({ alarm: true, ...about }, message),
  };
}

/** The rooms that stand by themselves. */
function plainServices(parts: AppOptions, { vault, directory, ids }: Foundation, { world, live, walletIssuer }: PaymentModule) {
  const { environment, store, clock, replies, metrics, trust, publicUrl = null, operatorHash = null } = parts;
  return {
    ...{ environment, world, directory, replies, metrics, trust, publicUrl, operatorHash, walletIssuer },
    throttler: createThrottler(clock),
    documents: createReferencePages(),
    backOffice: theOffice,
    checkouts: createCheckoutService(parts, world, directory),
    queries: store,
    listings: store,
    search: store,
    statistics: store,
    accounts: createAccountModule(parts, { vault, directory, ids }, moduleFaults),
    users: createUserModule(parts, { vault, directory, ids }),
    reports: { store, entity: directory.entity },
    schedules: { world, store, environment },
    resultsAccess: live && parts.connections ? createResultsAccess(parts.connections, clock) : null,
    digest: vault.digest,
    balances: (merchantId: string, at: number) => balancesAt(store, merchantId, at),
    scenarios: environment === 'test' ? createScenarioModule({ store, directory, vault }) : null,
  };
}

/** What the core does when nobody asks. */
function ownJobs(parts: AppOptions, { clocks, vault, directory }: Foundation, built: PaymentModule): readonly Job[] {
  const { environment, store, metrics, isAlone = false } = parts;
  const { world, worldOf, live, lists, told } = built;
  const memory = createMemory({ world, history: store, told, isAlone, rest });
  return [
    ...coreJobs({ ...{ world, worldOf, clocks, environment, directory }, refreshKeys: vault.refresh, swept: metrics.swept }),
    ...riskJobs({ clock: { now: clocks.earliest }, remember: memory.run, refreshLists: lists.refresh, store }),
    ...ledgerJobs(() => sealBooks(store)),
    ...statisticsJobs({ store, directory }),
    ...(live ? [{ name: 'load card ranges', everyMs: RANGES_MS, run: live.refresh }] : []),
  ];
}

/** Whom we call by ourselves: in the test environment this machine too, where the operator does not forbid it. */
const reachOf = ({ environment, webhookReach }: AppOptions): 'loopback' | 'public' =>
  webhookReach ?? (environment === 'test' ? 'loopback' : 'public');

const webhookModule = (
  parts: AppOptions,
  built: Pick<WebhookParts, 'world' | 'worldOf' | 'clocks' | 'vault' | 'directory' | 'inboxes'>,
): WebhookModule =>
  createWebhookModule({
    ...built,
    store: countingDeliveries(parts.store),
    timers: parts.timers,
    log: parts.log,
    buildNumber: parts.replies.base('').buildNumber,
    ...(parts.environment === 'test' && { receiver: playedReceiver(parts.store) }),
    reach: reachOf(parts),
  });
