import { fileOfActs } from '../connectors/simulator/settlementActs.ts';
import type { SettlementService } from '../http/admin/ports.ts';
import type { Clocks } from '../merchants/clocks.ts';
import type { Directory } from '../merchants/directory.ts';
import type { MerchantFilter } from '../merchants/merchantFilter.ts';
import type { Payment } from '../payments/payment.ts';
import type { World } from '../payments/ports.ts';
import { settlementOf } from '../settlement/match/tolerance.ts';
import { type DaysNeeds, settleDays } from '../settlement/sandboxDays/settleDays.ts';
import type { Store } from '../store/store.ts';
import { simulatorSettlementJobs } from '../workers/jobs.ts';
import type { Job } from '../workers/loop.ts';
import { sleep } from './system.ts';

export type DaysParts = {
  readonly store: Store;
  readonly directory: Pick<Directory, 'entity'>;
  readonly clocks: Clocks;
  readonly worldOf: (merchantId: string | null) => World;
  readonly settlement: Pick<SettlementService, 'importFile' | 'recordDisputes'>;
  readonly alarm: World['alarm'];
};

/** Of the test environment: the simulated acquirer settles, and takes back what scenarios say. */
export type SandboxSettlementModule = {
  readonly settle: (merchantId: string | null, merchants: MerchantFilter) => Promise<number>;
  readonly jobs: readonly Job[];
};

const BUSY_MS = 50;

/** Lets the simulated acquirer settle each day. */
export function createSandboxSettlement({
  store,
  directory,
  clocks,
  worldOf,
  settlement,
  alarm,
}: DaysParts): SandboxSettlementModule {
  const numberOf = (entityId: string): string | undefined =>
    settlementOf(directory.entity(entityId)?.settings.settlement).accounts[0];
  const needs: DaysNeeds = {
    store,
    connector: 'simulator',
    account: ({ entityId, merchantId }: Payment) => numberOf(entityId) ?? numberOf(merchantId) ?? null,
    fileOf: fileOfActs,
    allMerchants: async () => (await store.entities()).filter(({ kind }) => kind === 'merchant').map(({ id }) => id),
    bring: settlement.importFile,
    recordDisputes: settlement.recordDisputes,
    rest: () => sleep(BUSY_MS),
    alarm,
  };
  const settle: SandboxSettlementModule['settle'] = (merchantId, merchants) =>
    settleDays(needs, { merchants, now: worldOf(merchantId).clock.now() });
  return { settle, jobs: simulatorSettlementJobs(clocks, ({ merchantId, merchants }) => settle(merchantId, merchants)) };
}
