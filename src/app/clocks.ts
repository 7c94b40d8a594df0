import { callMerchants, type Get } from '../checkouts/callMerchants.ts';
import type { ClockService } from '../http/admin/ports.ts';
import { createReplies, type Replies } from '../http/server/replies.ts';
import type { Services } from '../http/services.ts';
import type { AdvanceSummary } from '../merchants/clock.ts';
import { type Clocks, createClocks, realClocks } from '../merchants/clocks.ts';
import type { World } from '../payments/ports.ts';
import { sweep } from '../payments/sweep.ts';
import { forgetOutlived, provideTokens } from '../payments/upkeep.ts';
import { runDue } from '../schedules/runDue.ts';
import type { Clock } from '../spec/time.ts';
import type { Store } from '../store/store.ts';
import { createSandboxThreeDS } from '../threeds/sandbox/server.ts';
import { createClockAdvancer } from '../workers/advanceClocks.ts';
import { merchantScope } from '../workers/clockScopes.ts';
import type { Job } from '../workers/loop.ts';
import type { SandboxSettlementModule } from './sandboxSettlement.ts';
import { createIds, sleep } from './system.ts';
import type { WebhookModule } from './webhooks.ts';

/** What time it is for whom. In live everybody lives in real time, and nothing is read. */
export const openClocks = (environment: 'test' | 'live', store: Store, clock: Clock): Promise<Clocks> =>
  environment === 'test' ? createClocks(store, clock) : Promise.resolve(realClocks(clock));

/** One thing for everybody in real time, and one of its own for each merchant who is not: the same one each time he is asked for. */
function perMerchant<Thing>(clocks: Clocks, common: Thing, make: (merchantId: string) => Thing) {
  const own = new Map<string, Thing>();
  return (merchantId: string | null): Thing => {
    if (merchantId === null || !clocks.withTestClock().includes(merchantId)) return common;
    const thing = own.get(merchantId) ?? make(merchantId);
    own.set(merchantId, thing);
    return thing;
  };
}

/** The world in each merchant's own time. */
export const worldsOf = (clocks: Clocks, world: World): ((merchantId: string | null) => World) =>
  perMerchant(clocks, world, (merchantId) => {
    const clock = clocks.of(merchantId);
    return { ...world, clock, ids: createIds(clock.now), threeDS: world.threeDS && createSandboxThreeDS(clock) };
  });

/** The rooms in each merchant's own time. */
export function servicesAt(
  clocks: Clocks,
  worldOf: (merchantId: string | null) => World,
  services: Omit<Services, 'forMerchant' | 'hasTestClocks'>,
): Services {
  const forMerchant: Services['forMerchant'] = perMerchant<Services>(
    clocks,
    { ...services, forMerchant: (one) => forMerchant(one), hasTestClocks: () => clocks.withTestClock().length > 0 },
    (one) => {
      const world = worldOf(one);
      return {
        ...common,
        world,
        checkouts: { ...services.checkouts, world },
        schedules: { ...services.schedules, world },
        replies: repliesOf(services.replies, world),
      };
    },
  );
  const common = forMerchant(null);
  return common;
}

const repliesOf = (replies: Replies, world: World): Replies => createReplies(world, replies.base('').buildNumber);

export type ClockParts = {
  readonly clocks: Clocks;
  readonly store: Store;
  /** They are furnished a moment later. */
  readonly services: () => Services;
  readonly clock: Clock;
  readonly get: Get;
  readonly isAlone: boolean;
  readonly webhooks: Pick<WebhookModule, 'dispatchFor' | 'refresh'>;
  readonly days: Pick<SandboxSettlementModule, 'settle'>;
  readonly alarm: World['alarm'];
};

export type ClockModule = { readonly service: ClockService; readonly jobs: readonly Job[]; stop(): Promise<void> };

const AT_ONCE = 500;
/** What is done may make something else due at the same instant; a fault must not hold the clock for ever. */
const ROUNDS_MAX = 20;
const REFRESH_MS = 1_000;

/** Lets merchants' clocks be read and moved. */
export function createClockModule(parts: ClockParts): ClockModule {
  const { clocks, store, clock, isAlone, alarm, webhooks } = parts;
  const mover = createClockAdvancer({
    ...{ clocks, store, clock, sleep, isAlone, alarm },
    prepare: webhooks.refresh,
    work: (merchantId) => workFor(parts, merchantId),
  });
  const service: ClockService = {
    refresh: clocks.refresh,
    row: clocks.row,
    now: (merchantId) => clocks.of(merchantId).now(),
    freeze: mover.freeze,
    resetToReal: mover.resetToReal,
    advance: mover.advance,
  };
  const jobs: readonly Job[] = [
    { name: 'reload test clocks', everyMs: REFRESH_MS, run: clocks.refresh },
    { name: 'advance test clocks', everyMs: REFRESH_MS, run: mover.resume },
  ];
  return { service, jobs, stop: mover.stop };
}

/** Everything of a merchant that is due by his clock, until nothing more is. */
async function workFor({ services, store, get, webhooks, days }: ClockParts, merchantId: string): Promise<AdvanceSummary> {
  const { world, schedules, checkouts, environment } = services().forMerchant(merchantId);
  const { merchants } = merchantScope(merchantId);
  const turn = { limit: AT_ONCE, merchants };
  const did = { payments: 0, runs: 0, deliveries: 0 };
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { looked: payments } = await sweep(world, turn);
    const isRun = ((await store.nextRunAt(merchantId)) ?? Number.POSITIVE_INFINITY) <= world.clock.now();
    // To claim plans is to write, and mostly there are none.
    const runs = isRun ? (await runDue(schedules, turn)).looked : 0;
    const stored = (await provideTokens(world, turn)) + (await forgetOutlived(world, environment, turn));
    const { called } = await callMerchants(checkouts, get, merchants);
    const settled = await days.settle(merchantId, merchants);
    const deliveries = await webhooks.dispatchFor(merchantId);
    did.payments += payments;
    did.runs += runs;
    did.deliveries += deliveries;
    if (payments + runs + stored + called + settled + deliveries === 0) break;
  }
  return did;
}
