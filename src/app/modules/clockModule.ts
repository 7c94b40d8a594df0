import type { Get } from '../../checkouts/notifyMerchants.ts';
import type { ClockService } from '../../http/admin/ports.ts';
import { createReplies } from '../../http/replies.ts';
import type { Services } from '../../http/services.ts';
import { type Clocks, perClock } from '../../merchants/clocks.ts';
import type { World } from '../../payments/ports.ts';
import { createClockAdvancer } from '../../workers/advanceClocks.ts';
import { inquireOnArrival, runDueWork } from '../../workers/dueWork.ts';
import type { Job } from '../../workers/loop.ts';
import type { Foundation } from '../foundation.ts';
import type { AppOptions } from '../options.ts';
import { sleep } from '../system.ts';
import type { PaymentModule } from './paymentModule.ts';
import type { SandboxSettlementModule } from './settlementModule.ts';
import type { WebhookModule } from './webhookModule.ts';

/** The services, with `forMerchant` for the same services under the clock of a merchant. */
export function servicesPerClock(
  clocks: Clocks,
  worldOf: (merchantId: string | null) => World,
  services: Omit<Services, 'forMerchant' | 'hasTestClocks'>,
): Services {
  const inRealTime: Services = {
    ...services,
    forMerchant: (merchantId) => forMerchant(merchantId),
    hasTestClocks: () => clocks.withTestClock().length > 0,
  };
  const forMerchant = perClock(clocks, inRealTime, (merchantId) => {
    const world = worldOf(merchantId);
    return {
      ...inRealTime,
      world,
      checkouts: { ...services.checkouts, world },
      schedules: { ...services.schedules, world },
      replies: createReplies(world, services.replies.base('').buildNumber),
    };
  });
  return inRealTime;
}

type ClockParts = {
  /** A function, because the services are created after this module. */
  readonly services: () => Services;
  readonly get: Get;
  readonly webhooks: Pick<WebhookModule, 'dispatchFor' | 'refresh'>;
  readonly sandboxSettlement: Pick<SandboxSettlementModule, 'settle'>;
};

export type ClockModule = { readonly service: ClockService; readonly jobs: readonly Job[]; stop(): Promise<void> };

const REFRESH_MS = 1_000;

/** Test clocks: their service, and the jobs that advance them. */
export function createClockModule(
  { store, clock, isAlone = false }: AppOptions,
  { clocks, alarm }: Foundation,
  { connectors }: Pick<PaymentModule, 'connectors'>,
  { services, get, webhooks, sandboxSettlement }: ClockParts,
): ClockModule {
  const ending = new AbortController();
  const dueWork = {
    servicesFor: (merchantId: string) => services().forMerchant(merchantId),
    nextRunAt: store.nextRunAt,
    get,
    upkeep: (merchantId: string) => connectors.upkeepOf(merchantId, ending.signal),
    settle: sandboxSettlement.settle,
    dispatch: webhooks.dispatchFor,
  };
  const advancer = createClockAdvancer({
    clocks,
    store,
    clock,
    sleep,
    isAlone,
    alarm,
    prepare: webhooks.refresh,
    work: (merchantId) => runDueWork(dueWork, merchantId),
    arrive: (merchantId) => inquireOnArrival(dueWork.servicesFor(merchantId), merchantId),
  });
  const service: ClockService = {
    refresh: clocks.refresh,
    row: clocks.row,
    now: (merchantId) => clocks.of(merchantId).now(),
    freeze: advancer.freeze,
    resetToReal: advancer.resetToReal,
    advance: advancer.advance,
    isAdvancing: advancer.isAdvancing,
  };
  const jobs: readonly Job[] = [
    { name: 'reload test clocks', everyMs: REFRESH_MS, run: clocks.refresh },
    { name: 'advance test clocks', everyMs: REFRESH_MS, run: advancer.resume },
  ];
  const stop = (): Promise<void> => {
    ending.abort();
    return advancer.stop();
  };
  return { service, jobs, stop };
}
