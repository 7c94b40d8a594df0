import type { AssetStore, CheckoutStore } from '../checkouts/ports.ts';
import { type Clocks, realClocks } from '../merchants/clocks.ts';
import type { Directory } from '../merchants/directory.ts';
import type { Environment } from '../payments/order.ts';
import type { World } from '../payments/ports.ts';
import { deleteExpiredRegistrations, requestNetworkTokens } from '../payments/registration/changeRegistration.ts';
import { releaseAuthorisations } from '../payments/releaseAuthorisations.ts';
import { resumePendingPayments, type SweepResult, sweep, type UnreleasedClaims } from '../payments/sweep.ts';
import type { RiskStore } from '../risk/ports.ts';
import { defaultRetention, type RetentionDays } from '../spec/retention.ts';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../spec/time.ts';
import type { WebhookStore } from '../webhooks/ports.ts';
import { type ClockScope, clockScopes } from './dueWork.ts';
import type { Job } from './loop.ts';

export type JobNeeds = {
  readonly world: World;
  /** The world under the clock of a merchant. The default is `world` for every merchant. */
  readonly worldOf?: (merchantId: string | null) => World;
  readonly clocks?: Clocks;
  readonly environment: Environment;
  /** Reloads the keys of the vault. */
  readonly refreshKeys: () => Promise<void>;
  readonly directory: Pick<Directory, 'follow' | 'saveUses'>;
  readonly retention?: Pick<RetentionDays, 'idempotencyKeys'>;
  /** Receives the result of each batch of a sweep in real time. The first batch of a run has the oldest payment. */
  readonly onSweep: (result: SweepResult, isFirst: boolean) => void;
};

const SWEEP_AT_ONCE = 100;
const TOKENS_AT_ONCE = 20;
const EXPIRED_AT_ONCE = 100;
/** Rounds of one run, when each round finds a full batch. */
const ROUNDS_MAX = 20;

/** For jobs that process many rows, or wait for acquirers and merchants. */
const SLOW_MS = 10 * MINUTE_MS;
/** A sweep waits for acquirers too, but payments must not wait long for a sweep that hangs. */
const SWEEP_LIMIT_MS = 2 * MINUTE_MS;

type BatchOptions = { readonly atOnce: number; readonly signal: AbortSignal };

/** Repeats `work` while it returns a full batch. */
async function inBatches({ atOnce, signal }: BatchOptions, work: (round: number) => Promise<number>): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX && !signal.aborted; round += 1) if ((await work(round)) < atOnce) return;
}

function sweepJob({ worldOf, clocks, onSweep }: Required<Pick<JobNeeds, 'worldOf' | 'clocks' | 'onSweep'>>): Job {
  const unreleased: UnreleasedClaims = [];
  return {
    name: 'sweep',
    everyMs: SECOND_MS,
    limitMs: SWEEP_LIMIT_MS,
    async run(signal) {
      for (const { merchantId, merchants } of clockScopes(clocks)) {
        await inBatches({ atOnce: SWEEP_AT_ONCE, signal }, async (round) => {
          const result = await sweep(worldOf(merchantId), { limit: SWEEP_AT_ONCE, merchants }, unreleased);
          // The age of an open payment under a test clock means nothing to an operator.
          if (merchantId === null) onSweep(result, round === 0);
          return result.failed > 0 ? 0 : result.looked;
        });
      }
    },
  };
}

/** Sweeps payments dated in the future, by a clock that was set back since. Each then gets a due time by the present clock. */
const misdatedJob = ({ worldOf, clocks }: Required<Pick<JobNeeds, 'worldOf' | 'clocks'>>): Job => ({
  name: 'sweep misdated payments',
  everyMs: 30 * SECOND_MS,
  limitMs: SWEEP_LIMIT_MS,
  async run(signal) {
    for (const { merchantId, merchants } of clockScopes(clocks)) {
      const options = { limit: SWEEP_AT_ONCE, merchants, isMisdated: true };
      await inBatches({ atOnce: SWEEP_AT_ONCE, signal }, async () => {
        const { looked, failed } = await sweep(worldOf(merchantId), options);
        return failed > 0 ? 0 : looked;
      });
    }
  },
});

const RELEASES_AT_ONCE = 200;
/** Some 200 a second: a backlog of a million after an upgrade is worked off within two hours, beside the payments. */
const RELEASE_MS = 20 * SECOND_MS;

/** Releases the rest of authorisations that are not valid any more. Each run does a bounded number; a backlog goes over many runs. */
const releaseJob = ({ worldOf, clocks }: Required<Pick<JobNeeds, 'worldOf' | 'clocks'>>): Job => ({
  name: 'release authorisations',
  everyMs: RELEASE_MS,
  limitMs: SLOW_MS,
  async run(signal) {
    for (const { merchantId, merchants } of clockScopes(clocks)) {
      await inBatches({ atOnce: RELEASES_AT_ONCE, signal }, async () => {
        const { looked } = await releaseAuthorisations(worldOf(merchantId), { limit: RELEASES_AT_ONCE, merchants });
        return looked;
      });
    }
  },
});

/** A revoked token is refused everywhere within a second. */
const FOLLOW_MS = 500;
const directoryJobs = (directory: JobNeeds['directory']): readonly Job[] => [
  {
    name: 'follow directory changes',
    everyMs: FOLLOW_MS,
    isVital: true,
    isPrompt: true,
    run: async () => void (await directory.follow()),
  },
  { name: 'record token uses', everyMs: 10 * SECOND_MS, run: () => directory.saveUses() },
];

/** Jobs of payments, registrations, keys and directory. */
export function coreJobs(needs: JobNeeds): readonly Job[] {
  const { world, environment, directory, refreshKeys, onSweep, worldOf = () => world, clocks = realClocks(world.clock) } = needs;
  const { retention = defaultRetention } = needs;
  let resumeFrom = 0;
  return [
    sweepJob({ worldOf, clocks, onSweep }),
    misdatedJob({ worldOf, clocks }),
    releaseJob({ worldOf, clocks }),
    {
      name: 'delete expired idempotency keys',
      everyMs: HOUR_MS,
      limitMs: SLOW_MS,
      async run() {
        await world.store.deleteIdempotencyKeys(clocks.earliest() - retention.idempotencyKeys * DAY_MS);
      },
    },
    {
      name: 'delete ended claims of sweeps',
      everyMs: HOUR_MS,
      limitMs: SLOW_MS,
      async run() {
        await world.store.deleteClaims(clocks.earliest() - HOUR_MS);
      },
    },
    {
      name: 'request network tokens',
      everyMs: 2 * SECOND_MS,
      limitMs: SLOW_MS,
      async run(signal) {
        for (const { merchantId, merchants } of clockScopes(clocks)) {
          const options = { limit: TOKENS_AT_ONCE, merchants };
          await inBatches({ atOnce: TOKENS_AT_ONCE, signal }, () => requestNetworkTokens(worldOf(merchantId), options));
        }
      },
    },
    {
      name: 'delete expired registrations',
      everyMs: HOUR_MS,
      limitMs: SLOW_MS,
      async run(signal) {
        for (const { merchantId, merchants } of clockScopes(clocks)) {
          const options = { limit: EXPIRED_AT_ONCE, merchants };
          await inBatches({ atOnce: EXPIRED_AT_ONCE, signal }, () =>
            deleteExpiredRegistrations(worldOf(merchantId), environment, options),
          );
        }
      },
    },
    {
      name: 'delete expired wallet token uses',
      everyMs: HOUR_MS,
      limitMs: SLOW_MS,
      async run() {
        // A node whose clock is behind would still accept the token, and the clock of this node may be a day ahead.
        await world.store.deleteTokenUses(clocks.earliest() - 2 * DAY_MS);
      },
    },
    {
      name: 'resume authenticated payments',
      everyMs: SECOND_MS,
      async run() {
        resumeFrom = await resumePendingPayments(worldOf, resumeFrom);
      },
    },
    { name: 'reload vault keys', everyMs: 10 * SECOND_MS, isVital: true, run: refreshKeys },
    ...directoryJobs(directory),
  ];
}

export type RiskJobNeeds = {
  readonly clock: Clock;
  /** Loads payments of other nodes and earlier processes into the velocity counters. */
  readonly updateCounters: () => Promise<void>;
  /** No other node takes payments into the store. */
  readonly isAlone: boolean;
  /** Reloads block and allow lists when they have changed. */
  readonly refreshLists: () => Promise<void>;
  readonly store: Pick<RiskStore, 'deleteListEntries'>;
};

/** The counters of several nodes are within a second of each other. */
const COUNTERS_MS = 500;

/** Jobs of the risk engine. */
export const riskJobs = ({ clock, updateCounters, refreshLists, store, isAlone }: RiskJobNeeds): readonly Job[] => [
  isAlone
    ? { name: 'update risk counters', everyMs: SECOND_MS, run: updateCounters }
    : { name: 'update risk counters', everyMs: COUNTERS_MS, isPrompt: true, run: updateCounters },
  { name: 'reload risk lists', everyMs: 5 * SECOND_MS, isVital: true, run: refreshLists },
  {
    name: 'delete expired risk list entries',
    everyMs: HOUR_MS,
    limitMs: SLOW_MS,
    async run() {
      await store.deleteListEntries(clock.now());
    },
  },
];

const SCHEDULES_AT_ONCE = 500;
/** Far more rounds than a minute needs. The limit ends a run in which a schedule fails in every round. */
const SCHEDULE_ROUNDS_MAX = 400;

/** Jobs of schedules. */
export const scheduleJobs = (
  clocks: Clocks,
  runDue: (scope: ClockScope, limit: number) => Promise<{ readonly looked: number }>,
  correctMisdated: (scope: ClockScope) => Promise<unknown>,
): readonly Job[] => [
  {
    name: 'correct misdated schedules',
    everyMs: 10 * MINUTE_MS,
    limitMs: SLOW_MS,
    async run() {
      for (const scope of clockScopes(clocks)) await correctMisdated(scope);
    },
  },
  {
    name: 'run due schedules',
    everyMs: SECOND_MS,
    limitMs: SLOW_MS,
    async run(signal) {
      for (const scope of clockScopes(clocks)) {
        for (let round = 0; round < SCHEDULE_ROUNDS_MAX && !signal.aborted; round += 1) {
          if ((await runDue(scope, SCHEDULES_AT_ONCE)).looked < SCHEDULES_AT_ONCE) break;
        }
      }
    },
  },
];

/** Jobs of the simulated acquirer's settlement, in the test environment only. */
export const simulatorSettlementJobs = (clocks: Clocks, settle: (scope: ClockScope) => Promise<unknown>): readonly Job[] => [
  {
    name: 'settle simulator days',
    everyMs: MINUTE_MS,
    limitMs: SLOW_MS,
    async run() {
      for (const scope of clockScopes(clocks)) await settle(scope);
    },
  },
];

export type WebhookJobNeeds = {
  readonly clock: Clock;
  readonly store: Pick<WebhookStore, 'deleteEvents'>;
  readonly retention?: Pick<RetentionDays, 'events'>;
  /** Creates deliveries of pending events for their subscribers. */
  readonly fanOut: () => Promise<void>;
  readonly dispatch: () => Promise<void>;
  /** Abandons deliveries that have waited too long for paused or disabled webhooks. */
  readonly expireDeliveries: () => Promise<void>;
  /** Corrects due times that a node clock ahead of time has set. */
  readonly correctMisdated: () => Promise<void>;
  /** Logs webhooks that fail. */
  readonly reportFailing: () => Promise<void>;
};

/** Events leave within half a second; a little later where fan-out and dispatch run on different nodes. */
const DISPATCH_MS = 250;

/** Jobs of webhooks. */
export const webhookJobs = ({
  clock,
  store,
  retention = defaultRetention,
  fanOut: fanOutEvents,
  dispatch: deliver,
  correctMisdated: recall,
  expireDeliveries: giveUp,
  reportFailing: remind,
}: WebhookJobNeeds): readonly Job[] => [
  { name: 'fan out events', everyMs: DISPATCH_MS, run: fanOutEvents },
  { name: 'dispatch deliveries', everyMs: DISPATCH_MS, limitMs: SLOW_MS, run: deliver },
  { name: 'correct misdated deliveries', everyMs: MINUTE_MS, run: recall },
  { name: 'abandon overdue deliveries', everyMs: HOUR_MS, limitMs: SLOW_MS, run: giveUp },
  { name: 'report failing webhooks', everyMs: HOUR_MS, run: remind },
  {
    name: 'delete old events',
    everyMs: HOUR_MS,
    limitMs: SLOW_MS,
    async run() {
      await store.deleteEvents(clock.now() - retention.events * DAY_MS);
    },
  },
];

export type CheckoutJobNeeds = {
  readonly clock: Clock;
  readonly store: Pick<CheckoutStore & AssetStore, 'deleteCheckouts' | 'deleteAssets'>;
  /** Calls the notification addresses of finished checkouts. */
  readonly sendNotifications: () => Promise<void>;
  /** Records that this node still serves its build of the widget. */
  readonly publishBuild: () => Promise<void>;
  /** Compares the widget's files with their build. */
  readonly verifyFiles: () => Promise<void>;
};

/** A build is deleted two days after the last node published it: far longer than the life of a checkout. */
const BUILD_LIFE_MS = 2 * DAY_MS;

/** A changed file is an alarm within the hour, also when it changes right after a check. */
const VERIFY_MS = 30 * MINUTE_MS;

/** Jobs of checkouts and of the widget. */
export const checkoutJobs = ({
  clock,
  store,
  sendNotifications,
  publishBuild,
  verifyFiles,
}: CheckoutJobNeeds): readonly Job[] => [
  { name: 'send checkout notifications', everyMs: 5 * SECOND_MS, limitMs: SLOW_MS, run: sendNotifications },
  { name: 'publish widget build', everyMs: HOUR_MS, run: publishBuild },
  { name: 'verify widget files', everyMs: VERIFY_MS, run: verifyFiles },
  {
    name: 'delete expired checkouts and builds',
    everyMs: HOUR_MS,
    limitMs: SLOW_MS,
    async run() {
      await store.deleteCheckouts(clock.now() - DAY_MS);
      await store.deleteAssets(clock.now() - BUILD_LIFE_MS);
    },
  },
];

export type ReconciliationJobNeeds = {
  /** Creates the deliveries of files that are due. */
  readonly schedule: () => Promise<void>;
  /** Starts due deliveries without waiting for their end. */
  readonly deliver: () => Promise<void>;
};

/** Jobs of reconciliation files. */
export const reconciliationJobs = ({ schedule, deliver }: ReconciliationJobNeeds): readonly Job[] => [
  { name: 'schedule reconciliation files', everyMs: 60 * SECOND_MS, limitMs: SLOW_MS, run: schedule },
  { name: 'deliver reconciliation files', everyMs: 10 * SECOND_MS, run: deliver },
];

const SEAL_MS = 1_000;
/** After a schema change there may be many blocks to make. */
const SEAL_LIMIT_MS = 600_000;

/** Jobs of the ledger: new postings become sealed blocks. */
export const ledgerJobs = (seal: () => Promise<unknown>): readonly Job[] => [
  {
    name: 'seal ledger blocks',
    everyMs: SEAL_MS,
    limitMs: SEAL_LIMIT_MS,
    async run() {
      await seal();
    },
  },
];
