import { sealBooks } from '../ledger/seal.ts';
import { createRiskMemory } from '../payments/riskMemory/riskMemory.ts';
import { foldAll } from '../reports/statistics/fold.ts';
import { HOUR_MS } from '../spec/time.ts';
import { coreJobs, ledgerJobs, riskJobs } from '../workers/jobs.ts';
import type { Job } from '../workers/loop.ts';
import { NOTIFICATION_LIFE_MS, NOTIFICATIONS } from './acquirerNotifications.ts';
import type { Foundation } from './foundation.ts';
import type { AppOptions } from './options.ts';
import type { PaymentModule } from './payments.ts';
import { rest } from './system.ts';

/** `refresh` checks its own schedule, so a call every 5 s is cheap. */
const RANGES_MS = 5_000;
const STATISTICS_MS = 1_000;
const ACCOUNTS_MS = 60_000;
/** Files are uploaded to slow servers. Each wait has a time limit of its own. */
const ACCOUNTS_LIMIT_MS = 600_000;

/** The jobs of payments, risk, ledger and statistics. */
export function createCoreJobs(
  options: AppOptions,
  { clocks, vault, directory }: Foundation,
  payments: PaymentModule,
): readonly Job[] {
  const { environment, store, metrics, isAlone = false } = options;
  const { world, worldOf, live, lists, countedEvents, connectors } = payments;
  const memory = createRiskMemory({ world, history: store, countedEvents, isAlone, rest });
  const statistics = {
    store,
    pathOf: (entityId: string) => directory.entity(entityId)?.path ?? null,
    refresh: () => directory.reload(),
  };
  return [
    ...coreJobs({ world, worldOf, clocks, environment, directory, refreshKeys: vault.refresh, onSweep: metrics.swept }),
    ...riskJobs({ clock: { now: clocks.earliest }, updateCounters: memory.run, refreshLists: lists.refresh, store }),
    ...ledgerJobs(() => sealBooks(store)),
    { name: 'aggregate statistics', everyMs: STATISTICS_MS, run: () => foldAll(statistics, rest) },
    {
      name: 'delete old acquirer notifications',
      everyMs: HOUR_MS,
      run: async () => void (await store.deleteDocuments(NOTIFICATIONS, clocks.earliest() - NOTIFICATION_LIFE_MS)),
    },
    { name: 'work of accounts', everyMs: ACCOUNTS_MS, limitMs: ACCOUNTS_LIMIT_MS, run: connectors.upkeep },
    ...(live ? [{ name: 'load card ranges', everyMs: RANGES_MS, run: live.refresh }] : []),
  ];
}
