import type { AssetStore, CheckoutStore } from '../checkouts/ports.ts';
import { type Clocks, realClocks } from '../merchants/clocks.ts';
import type { Directory } from '../merchants/directory.ts';
import type { Environment } from '../payments/order.ts';
import type { World } from '../payments/ports.ts';
import { goOnWithHeld, sweep } from '../payments/sweep.ts';
import { forgetOutlived, provideTokens } from '../payments/upkeep.ts';
import type { RiskStore } from '../risk/ports.ts';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../spec/time.ts';
import type { WebhookStore } from '../webhooks/ports.ts';
import { type ClockScope, clockScopes } from './clockScopes.ts';
import type { Job } from './loop.ts';

export type JobNeeds = {
  readonly world: World;
  /** The world in a merchant's own time; left out: everybody lives in the same. */
  readonly worldOf?: (merchantId: string | null) => World;
  readonly clocks?: Clocks;
  readonly environment: Environment;
  /** Reads the vault's keys again. */
  readonly refreshKeys: () => Promise<void>;
  readonly directory: Pick<Directory, 'reload'>;
  /** Told what each sweep found. */
  readonly swept: (oldestMs: number | null, failed: number) => void;
};

/** Keys are promised for 31 days; a few more cost little. */
export const KEY_LIFE_MS = 35 * DAY_MS;
const SWEEP_AT_ONCE = 100;
const TOKENS_AT_ONCE = 20;
const OUTLIVED_AT_ONCE = 100;
/** Rounds of a sweep that finds more than it may take at once. */
const ROUNDS_MAX = 20;

/** Runs that go through many things, or wait for acquirers and merchants. */
const SLOW_MS = 10 * MINUTE_MS;
/** A sweep waits for acquirers too, but a payment must not wait long for a sweep that hangs. */
const SWEEP_LIMIT_MS = 2 * MINUTE_MS;

type Rounds = { readonly atOnce: number; readonly signal: AbortSignal };

/** Again and again while there is as much to do as may be done at once. */
async function inRounds({ atOnce, signal }: Rounds, work: (round: number) => Promise<number>): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX && !signal.aborted; round += 1) if ((await work(round)) < atOnce) return;
}

const sweepJob = ({ worldOf, clocks, swept }: Required<Pick<JobNeeds, 'worldOf' | 'clocks' | 'swept'>>): Job => ({
  name: 'sweep',
  everyMs: SECOND_MS,
  limitMs: SWEEP_LIMIT_MS,
  async run(signal) {
    for (const { merchantId, merchants } of clockScopes(clocks)) {
      await inRounds({ atOnce: SWEEP_AT_ONCE, signal }, async (round) => {
        const { looked, failed, oldestMs } = await sweep(worldOf(merchantId), { limit: SWEEP_AT_ONCE, merchants });
        // How long something has been open by a clock that is moved about tells an operator nothing.
        if (merchantId === null && (round === 0 || failed > 0)) swept(oldestMs, failed);
        return failed > 0 ? 0 : looked;
      });
    }
  },
});

/** Payments that a clock was put back under: each is looked at once, and then due by the clock as it is. */
const misdatedJob = ({ worldOf, clocks }: Required<Pick<JobNeeds, 'worldOf' | 'clocks'>>): Job => ({
  name: 'sweep misdated payments',
  everyMs: 30 * SECOND_MS,
  limitMs: SWEEP_LIMIT_MS,
  async run(signal) {
    for (const { merchantId, merchants } of clockScopes(clocks)) {
      const turn = { limit: SWEEP_AT_ONCE, merchants, isMisdated: true };
      await inRounds({ atOnce: SWEEP_AT_ONCE, signal }, async () => {
        const { looked, failed } = await sweep(worldOf(merchantId), turn);
        return failed > 0 ? 0 : looked;
      });
    }
  },
});

/** What the gateway does when nobody asks. */
export function coreJobs(needs: JobNeeds): readonly Job[] {
  const { world, environment, directory, refreshKeys, swept, worldOf = () => world, clocks = realClocks(world.clock) } = needs;
  let turn = 0;
  return [
    sweepJob({ worldOf, clocks, swept }),
    misdatedJob({ worldOf, clocks }),
    {
      name: 'delete expired idempotency keys',
      everyMs: HOUR_MS,
      limitMs: SLOW_MS,
      async run() {
        await world.store.deleteIdempotencyKeys(clocks.earliest() - KEY_LIFE_MS);
      },
    },
    {
      name: 'request network tokens',
      everyMs: 2 * SECOND_MS,
      limitMs: SLOW_MS,
      async run(signal) {
        for (const { merchantId, merchants } of clockScopes(clocks)) {
          const turn = { limit: TOKENS_AT_ONCE, merchants };
          await inRounds({ atOnce: TOKENS_AT_ONCE, signal }, () => provideTokens(worldOf(merchantId), turn));
        }
      },
    },
    {
      name: 'delete expired registrations',
      everyMs: HOUR_MS,
      limitMs: SLOW_MS,
      async run(signal) {
        for (const { merchantId, merchants } of clockScopes(clocks)) {
          const asked = { limit: OUTLIVED_AT_ONCE, merchants };
          await inRounds({ atOnce: OUTLIVED_AT_ONCE, signal }, () => forgetOutlived(worldOf(merchantId), environment, asked));
        }
      },
    },
    {
      name: 'delete expired wallet token uses',
      everyMs: HOUR_MS,
      limitMs: SLOW_MS,
      async run() {
        // A node whose clock is behind would still take the token.
        await world.store.forgetSpent(clocks.earliest() - DAY_MS);
      },
    },
    {
      name: 'resume authenticated payments',
      everyMs: SECOND_MS,
      async run() {
        turn = await goOnWithHeld(worldOf, turn);
      },
    },
    { name: 'reload vault keys', everyMs: 10 * SECOND_MS, isVital: true, run: refreshKeys },
    { name: 'reload directory', everyMs: 10 * SECOND_MS, isVital: true, run: () => directory.reload() },
  ];
}

export type RiskJobNeeds = {
  readonly clock: Clock;
  /** Tells the windows of the risk checks what they cannot know of themselves. */
  readonly remember: () => Promise<void>;
  /** Reads block and allow lists again when they have changed. */
  readonly refreshLists: () => Promise<void>;
  readonly store: Pick<RiskStore, 'forgetListEntries'>;
};

/** What keeps the memory of the risk checks up to date. */
export const riskJobs = ({ clock, remember, refreshLists, store }: RiskJobNeeds): readonly Job[] => [
  { name: 'update risk counters', everyMs: SECOND_MS, run: remember },
  { name: 'reload risk lists', everyMs: 5 * SECOND_MS, isVital: true, run: refreshLists },
  {
    name: 'delete expired risk list entries',
    everyMs: HOUR_MS,
    limitMs: SLOW_MS,
    async run() {
      await store.forgetListEntries(clock.now());
    },
  },
];

/** Plans that are claimed at once. */
const PLANS_AT_ONCE = 500;
/** Far more rounds than a minute has work for: a plan that cannot be run must not keep the others from resting. */
const PLAN_ROUNDS_MAX = 400;

/** What charges plans when they are due. */
export const scheduleJobs = (
  clocks: Clocks,
  runDue: (turn: ClockScope, limit: number) => Promise<{ readonly looked: number }>,
  putRight: (turn: ClockScope) => Promise<unknown>,
): readonly Job[] => [
  {
    name: 'correct misdated schedules',
    everyMs: 10 * MINUTE_MS,
    limitMs: SLOW_MS,
    async run() {
      for (const turn of clockScopes(clocks)) await putRight(turn);
    },
  },
  {
    name: 'run due schedules',
    everyMs: SECOND_MS,
    limitMs: SLOW_MS,
    async run(signal) {
      for (const turn of clockScopes(clocks)) {
        for (let round = 0; round < PLAN_ROUNDS_MAX && !signal.aborted; round += 1) {
          if ((await runDue(turn, PLANS_AT_ONCE)).looked < PLANS_AT_ONCE) break;
        }
      }
    },
  },
];

/** What ends the days of the simulated acquirer: of the test environment alone. */
export const simulatorSettlementJobs = (clocks: Clocks, settle: (turn: ClockScope) => Promise<unknown>): readonly Job[] => [
  {
    name: 'settle simulator days',
    everyMs: MINUTE_MS,
    limitMs: SLOW_MS,
    async run() {
      for (const turn of clockScopes(clocks)) await settle(turn);
    },
  },
];

export type WebhookJobNeeds = {
  readonly clock: Clock;
  readonly store: Pick<WebhookStore, 'deleteEvents'>;
  /** Puts fresh news on its way to everybody who wants to hear it. */
  readonly fanOut: () => Promise<void>;
  readonly dispatch: () => Promise<void>;
  /** Gives up what has waited too long for webhooks that hear nothing. */
  readonly abandonOverdue: () => Promise<void>;
  /** Puts deliveries back that were given instants by a clock that was ahead. */
  readonly correctMisdated: () => Promise<void>;
  /** Says which webhooks do not work. */
  readonly reportFailing: () => Promise<void>;
};

/** News leave within half a second, and a little more where it is spread and delivered on different nodes. */
const NEWS_MS = 250;
/** What could not be delivered is given up after 30 days; a few more are for whoever looks for it, and sends it again. */
export const EVENT_LIFE_MS = 35 * DAY_MS;

/** What tells merchants what happened. */
export const webhookJobs = ({
  clock,
  store,
  fanOut: spread,
  dispatch: deliver,
  correctMisdated: recall,
  abandonOverdue: giveUp,
  reportFailing: remind,
}: WebhookJobNeeds): readonly Job[] => [
  { name: 'fan out events', everyMs: NEWS_MS, run: spread },
  { name: 'dispatch deliveries', everyMs: NEWS_MS, limitMs: SLOW_MS, run: deliver },
  { name: 'correct misdated deliveries', everyMs: MINUTE_MS, run: recall },
  { name: 'abandon overdue deliveries', everyMs: HOUR_MS, limitMs: SLOW_MS, run: giveUp },
  { name: 'report failing webhooks', everyMs: HOUR_MS, run: remind },
  {
    name: 'delete old events',
    everyMs: HOUR_MS,
    limitMs: SLOW_MS,
    async run() {
      await store.deleteEvents(clock.now() - EVENT_LIFE_MS);
    },
  },
];

export type CheckoutJobNeeds = {
  readonly clock: Clock;
  readonly store: Pick<CheckoutStore & AssetStore, 'forgetCheckouts' | 'forgetAssets'>;
  /** Tells merchants to ask what became of a checkout. */
  readonly callMerchants: () => Promise<void>;
  /** Says that this node still serves its build of the widget. */
  readonly putBuild: () => Promise<void>;
  /** Looks whether the widget is what it was built as. */
  readonly checkFiles: () => Promise<void>;
};

/** A build is kept for two days after the last node has said that it serves it: far longer than a checkout lives. */
const BUILD_LIFE_MS = 2 * DAY_MS;

/** What checkouts and the widget need. */
export const checkoutJobs = ({ clock, store, callMerchants, putBuild, checkFiles }: CheckoutJobNeeds): readonly Job[] => [
  { name: 'send checkout notifications', everyMs: 5 * SECOND_MS, limitMs: SLOW_MS, run: callMerchants },
  { name: 'publish widget build', everyMs: HOUR_MS, run: putBuild },
  { name: 'verify widget files', everyMs: HOUR_MS, run: checkFiles },
  {
    name: 'delete expired checkouts and builds',
    everyMs: HOUR_MS,
    limitMs: SLOW_MS,
    async run() {
      await store.forgetCheckouts(clock.now() - DAY_MS);
      await store.forgetAssets(clock.now() - BUILD_LIFE_MS);
    },
  },
];

export type ReconciliationJobNeeds = {
  /** Looks which files are wanted. */
  readonly plan: () => Promise<void>;
  /** Begins with what is due; does not wait for it. */
  readonly deliver: () => Promise<void>;
};

/** What brings reconciliation files to merchants. */
export const reconciliationJobs = ({ plan, deliver }: ReconciliationJobNeeds): readonly Job[] => [
  { name: 'schedule reconciliation files', everyMs: 60 * SECOND_MS, limitMs: SLOW_MS, run: plan },
  { name: 'deliver reconciliation files', everyMs: 10 * SECOND_MS, run: deliver },
];
