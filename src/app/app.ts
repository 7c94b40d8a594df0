import { theOffice, theSite } from '../assets/assets.ts';
import type { AuditService } from '../audit/service.ts';
import { createReferencePages } from '../http/api/documents.ts';
import { createKeptReplies } from '../http/api/keptReplies.ts';
import { createLongReplies } from '../http/merchantSlots.ts';
import type { Services } from '../http/services.ts';
import { balancesAt } from '../ledger/chain.ts';
import { createOutbound } from '../outbound/client.ts';
import type { World } from '../payments/ports.ts';
import { reportRefusals } from '../store/bounded.ts';
import { describeStoreError } from '../store/errors.ts';
import { createResultsAccess } from '../threeds/live/resultsAccess.ts';
import { createLeases, type Leases, leaseJob } from '../workers/leases.ts';
import { createJobRecords, type Job, type JobRecords } from '../workers/loop.ts';
import { createReadiness } from '../workers/readiness.ts';
import { createAccountModule, missingForPayments } from './connectors/accountModule.ts';
import { createNotificationReceiver } from './connectors/acquirerNotifications.ts';
import { createMandateBooks } from './connectors/connectorModule.ts';
import { createFoundation, type Foundation } from './foundation.ts';
import { createCheckoutService, createWidgetCheck, createWidgetJobs, publishBuild } from './modules/checkoutModule.ts';
import { createClockModule, servicesPerClock } from './modules/clockModule.ts';
import { createCardDataJob, createCoreJobs, createScheduleJobs } from './modules/coreJobs.ts';
import { createDeveloperModule, createScenarioModule } from './modules/developerModule.ts';
import { createPaymentModule, type PaymentModule } from './modules/paymentModule.ts';
import { createReconciliationModule } from './modules/reconciliationModule.ts';
import { createRiskModule, createRoutingModule } from './modules/riskModule.ts';
import { createSandboxSettlement, createSettlementModule } from './modules/settlementModule.ts';
import { createAuditModule, createUserModule, userJobs } from './modules/userModule.ts';
import { createWebhookModule } from './modules/webhookModule.ts';
import { createRateLimits, nodeIdOf, type RateLimitModule } from './nodes/rateLimits.ts';
import type { AppOptions } from './options.ts';
import { traceCommits } from './process/telemetry.ts';
import { elapsed } from './system.ts';

/** The time limit of the last writes of a shutdown: a silent store must not delay the end. */
const LAST_WRITES_MS = 5_000;

export type App = {
  readonly world: World;
  readonly services: Services;
  readonly jobs: readonly Job[];
  /** When each job ran last; the loop writes it. */
  readonly records: JobRecords;
  /** Which jobs this node runs for all nodes. */
  readonly leases: Leases;
  /** Writes what must be written before the first payment. */
  begin(): Promise<void>;
  /** Ends work that jobs have started and not waited for. */
  stop(): Promise<void>;
};

/** The store reports refused writes, its commits are traced, and its connections are on the page of metrics. */
function withWatchedStore(given: AppOptions, onRefused: Parameters<typeof reportRefusals>[1]): AppOptions {
  given.metrics.databaseHolds(given.store.connections);
  return { ...given, store: traceCommits(reportRefusals(given.store, onRefused), given.tracer) };
}

/** Wires all modules around an open store. Nothing listens and no job runs yet. */
export async function createApp(given: AppOptions): Promise<App> {
  const { environment, timers } = given;
  const records = createJobRecords({ now: elapsed, onEnd: given.metrics.jobEnded });
  const { tryWrite } = given.store;
  const readiness = createReadiness({ tryWrite, describeProblem: describeStoreError, jobs: records.list, timers, now: elapsed });
  const options = withWatchedStore(given, readiness.writeRefused);
  // Shops of the test environment often run on this machine.
  const { get } = createOutbound({ timers, reach: environment === 'test' ? 'loopback' : 'public' });

  const foundation = await createFoundation(options);
  const payments = await createPaymentModule(options, foundation);
  const developer = createDeveloperModule(options, foundation);
  const webhooks = createWebhookModule(options, foundation, { ...payments, inboxes: developer.service.inboxes });
  const settlement = createSettlementModule(options, foundation, payments);
  const sandboxSettlement = createSandboxSettlement(options, foundation, { ...payments, settlement: settlement.service });
  const reconciliation = createReconciliationModule(options, foundation);
  const clocks = createClockModule(options, foundation, payments, { get, webhooks, sandboxSettlement, services: () => services });
  const audit = createAuditModule(options, foundation);
  const risk = createRiskModule(options, foundation, payments);
  const rates = createRateLimits(options);

  const widgetCheck = createWidgetCheck(options, foundation.alarm);
  const services: Services = servicesPerClock(foundation.clocks, payments.worldOf, {
    ...createPlainServices(options, foundation, payments),
    throttler: rates.throttler,
    health: { ...readiness, ...acquirerHealth(options, foundation, payments), ...widgetCheck },
    webhooks: webhooks.service,
    notifications: createNotificationReceiver({
      ...foundation,
      ...options,
      worldOf: payments.worldOf,
      connector: payments.connectors.ofOwner,
    }),
    settlement: settlement.service,
    risk,
    developer: developer.service,
    auditLog: notingChanges(audit.service, options.replica),
    clocks: environment === 'test' ? clocks.service : null,
  });
  const jobs = [
    ...webhooks.jobs,
    ...rates.jobs,
    ...settlement.jobs,
    ...reconciliation.jobs,
    ...developer.jobs,
    ...createCoreJobs(options, foundation, payments),
    ...userJobs(services.users, options),
    createCardDataJob(options, audit.service, foundation.clocks.earliest),
    ...createWidgetJobs(options, services, { clocks: foundation.clocks, get, check: widgetCheck }),
    ...createScheduleJobs(foundation, services),
    ...(environment === 'test' ? [...clocks.jobs, ...sandboxSettlement.jobs] : []),
  ];
  const names = jobs.map(({ name }) => name);
  const leases = createLeases({ ...options, ...rates, nodeId: nodeIdOf(options), names, now: elapsed });
  // The loop sleeps before the first run of a job, and the first payment needs the card ranges.
  if (options.isMain !== false) void payments.live?.refresh();

  const ends = { leases, clocks, webhooks, reconciliation, audit, developer, backtests: risk.backtests };
  return {
    world: payments.world,
    services,
    jobs: [...jobs, leaseJob(leases)],
    records,
    leases,
    begin: () => writeFirst(options, { rates, leases }, audit),
    stop: () => endWork(ends, timers),
  };
}

type Stoppable = { stop(): Promise<unknown> };

/** Ends the work that jobs have begun, then writes the last entries. Other nodes run the jobs of this one from now on. */
async function endWork(
  parts: {
    readonly leases: Pick<Leases, 'release'>;
    readonly audit: { end(): Promise<unknown> };
  } & Readonly<Record<'clocks' | 'webhooks' | 'reconciliation' | 'developer' | 'backtests', Stoppable>>,
  timers: AppOptions['timers'],
): Promise<void> {
  const { leases, clocks, webhooks, reconciliation, developer, backtests, audit } = parts;
  await Promise.all([clocks.stop(), webhooks.stop(), reconciliation.stop()]);
  const writeLast = async () => {
    await Promise.all([leases.release().catch(() => {}), developer.stop(), backtests.stop()]);
    await audit.end();
  };
  await timers.within(LAST_WRITES_MS, writeLast()).catch(() => {});
}

/** Writes the entries that must be there before this node takes requests. */
async function writeFirst(
  options: AppOptions,
  { rates, leases }: { readonly rates: Pick<RateLimitModule, 'begin'>; readonly leases: Pick<Leases, 'renew'> },
  audit: { readonly begin: () => Promise<unknown> },
): Promise<void> {
  // Another node may get a request for a checkout of this one a moment later.
  await publishBuild(options);
  await rates.begin();
  await leases.renew();
  await audit.begin();
}

/** Asked at most every few seconds, however often a load balancer asks. */
const MISSING_MS = 10_000;

function createMissing({ environment, store }: AppOptions, { directory }: Foundation): Services['health']['missing'] {
  let known: { readonly at: number; readonly missing: ReturnType<typeof missingForPayments> } | null = null;
  return async () => {
    if (environment !== 'live') return [];
    if (known === null || elapsed() - known.at >= MISSING_MS)
      known = { at: elapsed(), missing: missingForPayments(directory, store).catch(() => []) };
    return known.missing;
  };
}

/** The part of readiness that is about accounts at acquirers. */
const acquirerHealth = (options: AppOptions, foundation: Foundation, { connectors }: Pick<PaymentModule, 'connectors'>) => ({
  missing: createMissing(options, foundation),
  unreachable: () => connectors.reachability.unreachable().length,
});

/** The next list that a user sees has the user's changes, because every command of the back office is audited. */
const notingChanges = (service: AuditService, replica: AppOptions['replica']): AuditService =>
  replica
    ? {
        ...service,
        write: (act) => {
          replica.noteChange();
          return service.write(act);
        },
      }
    : service;

/** The services without jobs or state of their own. */
function createPlainServices(
  options: AppOptions,
  foundation: Foundation,
  { world, live, walletIssuer, connectors }: PaymentModule,
) {
  const { environment, store, clock, replies, metrics, trust, publicUrl = null, operatorHash = null } = options;
  const { vault, directory } = foundation;
  const lists = options.replica ? { ...store, ...options.replica.reads } : store;
  return {
    environment,
    world,
    directory,
    replies,
    metrics,
    trust,
    publicUrl,
    operatorHash,
    walletIssuer,
    threadFigures: options.threadFigures ?? null,
    documents: createReferencePages(theSite),
    keptReplies: createKeptReplies(),
    longReplies: createLongReplies(),
    backOffice: theOffice,
    checkouts: createCheckoutService(options, world, directory),
    routing: createRoutingModule(options),
    queries: store,
    listings: lists,
    mandates: createMandateBooks({ directory, connectors }),
    search: lists,
    statistics: lists,
    replica: options.replica ?? null,
    accounts: createAccountModule(options, foundation, connectors.reachability),
    users: createUserModule(options, foundation),
    reports: { store, entity: directory.entity },
    schedules: { world, store, environment },
    resultsAccess: live && options.connections ? createResultsAccess(options.connections, clock) : null,
    digest: vault.digest,
    balances: (merchantId: string, at: number) => balancesAt(store, merchantId, at),
    scenarios: environment === 'test' ? createScenarioModule({ store, directory, vault }) : null,
  };
}
