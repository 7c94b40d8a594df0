import { fileOfActs } from '../connectors/simulator/settlementActs.ts';
import type { SettlementRoom } from '../http/admin/settlementService.ts';
import type { Clocks } from '../merchants/clocks.ts';
import type { Directory } from '../merchants/directory.ts';
import type { Whose } from '../merchants/merchantFilter.ts';
import type { Payment } from '../payments/payment.ts';
import type { World } from '../payments/ports.ts';
import { settlementOf } from '../settlement/match/tolerance.ts';
import { type DaysNeeds, settleDays } from '../settlement/sandboxDays/settleDays.ts';
import type { Store } from '../store/store.ts';
import { settlingJobs } from '../workers/jobs.ts';
import type { Job } from '../workers/loop.ts';
import { sleep } from './system.ts';

export type DaysParts = {
  readonly store: Store;
  readonly directory: Pick<Directory, 'entity'>;
  readonly clocks: Clocks;
  readonly worldOf: (merchantId: string | null) => World;
  readonly settlement: Pick<SettlementRoom, 'bring' | 'recordDisputes'>;
  readonly alarm: World['alarm'];
};

/** Of the test environment: the simulated acquirer settles, and takes back what scenarios say. */
export type DaysHouse = {
  readonly settle: (merchantId: string | null, whose: Whose) => Promise<number>;
  readonly jobs: readonly Job[];
};

const BUSY_MS = 50;

/** Lets the simulated acquirer settle each day. */
export function furnishDays({ store, directory, clocks, worldOf, settlement, alarm }: DaysParts): DaysHouse {
  const numberOf = (entityId: string): string | undefined =>
    settlementOf(directory.entity(entityId)?.settings.settlement).accounts[0];
  const needs: DaysNeeds = {
    store,
    connector: 'simulator',
    account: ({ entityId, merchantId }: Payment) => numberOf(entityId) ?? numberOf(merchantId) ?? null,
    fileOf: fileOfActs,
    merchants: async () => (await store.entities()).filter(({ kind }) => kind === 'merchant').map(({ id }) => id),
    bring: settlement.bring,
    recordDisputes: settlement.recordDisputes,
    rest: () => sleep(BUSY_MS),
    alarm,
  };
  const settle: DaysHouse['settle'] = (merchantId, whose) => settleDays(needs, { whose, now: worldOf(merchantId).clock.now() });
  return { settle, jobs: settlingJobs(clocks, ({ merchantId, whose }) => settle(merchantId, whose)) };
}
