import type { AuditService } from '../../audit/service.ts';
import type { Services } from '../../http/services.ts';
import { sealBooks } from '../../ledger/chain.ts';
import { readLine } from '../../ledger/entry.ts';
import { countedQueues } from '../../payments/ports.ts';
import { createRiskMemory } from '../../payments/riskMemory/riskMemory.ts';
import { foldAll } from '../../reports/statistics/fold.ts';
import { correctMisdatedSchedules, runDue } from '../../schedules/runDue.ts';
import { defaultRetention } from '../../spec/retention.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../spec/time.ts';
import type { Store } from '../../store/store.ts';
import { coreJobs, ledgerJobs, riskJobs, scheduleJobs } from '../../workers/jobs.ts';
import type { Job } from '../../workers/loop.ts';
import { NOTIFICATION_LIFE_MS, NOTIFICATIONS } from '../connectors/acquirerNotifications.ts';
import type { Foundation } from '../foundation.ts';
import type { AppOptions } from '../options.ts';
import { rest } from '../system.ts';
import type { PaymentModule } from './paymentModule.ts';

/** `refresh` checks its own schedule, so a call every 5 s is cheap. */
const RANGES_MS = 5_000;
/** A node that is further behind reads all entities and tokens anew. */
const DIRECTORY_CHANGES_KEPT = 20_000;
const STATISTICS_MS = 1_000;
const ACCOUNTS_MS = 60_000;
/** Files are uploaded to slow servers. Each wait has a time limit of its own. */
const ACCOUNTS_LIMIT_MS = 600_000;

const QUEUES_MS = 15_000;

/** Ages of the oldest entries and lengths, of merchants in real time: work under a test clock waits for that clock. */
async function measureQueues({ store, metrics, clock }: AppOptions, clocks: Foundation['clocks']): Promise<void> {
  const ageOf = (at: number | undefined): number => (at === undefined ? 0 : clock.now() - at);
  const withTestClock = clocks.withTestClock();
  for (const queue of countedQueues) {
    const query = { now: clock.now(), limit: COUNTED_MAX, except: withTestClock };
    const { length, oldestAt } = await store.queueLength(queue, query);
    metrics.queueCounted(queue, length);
    metrics.queueAged(queue, ageOf(oldestAt ?? undefined));
  }
  const ages = [0];
  for (const merchantId of (await store.unsealedMerchants()).slice(0, MEASURED_MAX)) {
    const [line] = withTestClock.includes(merchantId) ? [] : await store.unsealed(merchantId, 1);
    ages.push(ageOf(line === undefined ? undefined : readLine(line).at));
  }
  metrics.queueAged('postings', Math.max(...ages));
}

/** A longer queue is not counted to its end. The table of metrics names this bound. */
const COUNTED_MAX = 10_000;

/** Merchants whose postings are measured in one run. */
const MEASURED_MAX = 100;

/** The jobs of payments, risk, ledger and statistics. */
export function createCoreJobs(
  options: AppOptions,
  { clocks, vault, directory }: Foundation,
  payments: PaymentModule,
): readonly Job[] {
  const { environment, store, metrics, isAlone = false, retention = defaultRetention } = options;
  const { world, worldOf, live, lists, countedEvents, connectors } = payments;
  const memory = createRiskMemory({ world, history: store, countedEvents, isAlone, rest });
  const statistics = {
    store,
    pathOf: (entityId: string) => directory.entity(entityId)?.path ?? null,
    refresh: async () => void (await directory.follow()),
  };
  return [
    ...coreJobs({
      world,
      worldOf,
      clocks,
      environment,
      directory,
      retention,
      refreshKeys: vault.refresh,
      onSweep: metrics.swept,
    }),
    ...riskJobs({ clock: { now: clocks.earliest }, updateCounters: memory.run, refreshLists: lists.refresh, store, isAlone }),
    ...ledgerJobs(() => sealBooks(store)),
    { name: 'aggregate statistics', everyMs: STATISTICS_MS, run: () => foldAll(statistics, rest) },
    {
      name: 'delete old directory changes',
      everyMs: HOUR_MS,
      run: async () => void (await store.deleteDirectoryChanges(DIRECTORY_CHANGES_KEPT)),
    },
    {
      name: 'delete old acquirer notifications',
      everyMs: HOUR_MS,
      run: async () => void (await store.deleteDocuments(NOTIFICATIONS, clocks.earliest() - NOTIFICATION_LIFE_MS)),
    },
    { name: 'work of accounts', everyMs: ACCOUNTS_MS, limitMs: ACCOUNTS_LIMIT_MS, run: connectors.upkeep },
    { name: 'measure queues', everyMs: QUEUES_MS, run: () => measureQueues(options, clocks) },
    ...(live ? [{ name: 'load card ranges', everyMs: RANGES_MS, run: live.refresh }] : []),
  ];
}

/** The jobs of schedules, each under the clock of its merchants. */
export const createScheduleJobs = ({ clocks }: Pick<Foundation, 'clocks'>, services: Services): readonly Job[] =>
  scheduleJobs(
    clocks,
    ({ merchantId, merchants }, limit) => runDue(services.forMerchant(merchantId).schedules, { limit, merchants }),
    ({ merchantId, merchants }) => correctMisdatedSchedules(services.forMerchant(merchantId).schedules, { merchants, rest }),
  );

type Needs = Pick<AppOptions, 'retention'> & {
  readonly store: Pick<Store, 'eraseCardData' | 'document' | 'saveDocuments'>;
};

/** Everything created before `until` is erased. `beganAt`: when the walk began at the oldest payment. */
type Progress = { readonly until: number; readonly beganAt: number };

const [COLLECTION, ID] = ['retention', 'cardData'];
/** Batches of one run: it goes on in the next. */
const BATCHES_MAX = 500;
/** A clock that was behind may date a payment before the part that is erased already, so the walk begins anew after this time. */
const WALK_MS = 30 * DAY_MS;
const LIMIT_MS = 10 * MINUTE_MS;

/** Erases the sealed numbers of old payments in batches, and writes to the audit log how many. */
export function createCardDataJob(
  { store, retention = defaultRetention }: Needs,
  audit: Pick<AuditService, 'write'>,
  /** The earliest clock of all merchants. */
  now: () => number,
): Job {
  async function erase(from: number, before: number, signal: AbortSignal): Promise<{ until: number; erased: number }> {
    let [until, erased] = [from, 0];
    for (let batch = 0; batch < BATCHES_MAX && until < before && !signal.aborted; batch += 1) {
      const done = await store.eraseCardData(until, before);
      until = done.until;
      erased += done.erased;
    }
    return { until, erased };
  }

  async function run(signal: AbortSignal): Promise<void> {
    const document = await store.document(COLLECTION, ID);
    const [at, before] = [now(), now() - retention.cardData * DAY_MS];
    const known = document?.body as Progress | undefined;
    const isKnown = known !== undefined && at - known.beganAt < WALK_MS && at >= known.beganAt;
    const begun: Progress = isKnown ? known : { until: 0, beganAt: at };
    const { until, erased } = await erase(begun.until, before, signal);
    // Written last: a run that dies is repeated, and finds nothing more to erase.
    if (erased > 0)
      await audit.write({
        who: 'turnpike',
        by: 'system',
        what: 'eraseCardData',
        entityId: null,
        objectId: null,
        result: 'done',
        from: '',
        note: `${erased} numbers of payments before ${new Date(until).toISOString().slice(0, 10)}`,
      });
    if (until === known?.until && isKnown) return;
    const revision = (document?.revision ?? 0) + 1;
    const body: Progress = { ...begun, until };
    await store.saveDocuments([{ collection: COLLECTION, id: ID, ownerId: '', at, revision, body }]);
  }
  return { name: 'erase old card data', everyMs: HOUR_MS, limitMs: LIMIT_MS, run };
}
