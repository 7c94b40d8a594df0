import { settlementFileFor } from '../connectors/simulator/settlementActions.ts';
import type { SettlementService } from '../http/admin/ports.ts';
import type { MerchantFilter } from '../merchants/merchantFilter.ts';
import type { World } from '../payments/ports.ts';
import { type SettleDaysNeeds, settleDays } from '../settlement/sandboxDays/settleDays.ts';
import { settlementOf } from '../settlement/settings.ts';
import { simulatorSettlementJobs } from '../workers/jobs.ts';
import type { Job } from '../workers/loop.ts';
import type { Foundation } from './foundation.ts';
import type { AppOptions } from './options.ts';
import { sleep } from './system.ts';

type SandboxSettlementParts = {
  readonly worldOf: (merchantId: string | null) => World;
  readonly settlement: Pick<SettlementService, 'importFile' | 'recordDisputes'>;
};

export type SandboxSettlementModule = {
  /** Settles the days of the given merchants that are over; returns their number. */
  readonly settle: (merchantId: string | null, merchants: MerchantFilter) => Promise<number>;
  readonly jobs: readonly Job[];
};

const RETRY_MS = 50;

/** Settlement by the simulated acquirer, in the test environment: one file a day, and the chargebacks of scenarios. */
export function createSandboxSettlement(
  { store }: AppOptions,
  { directory, clocks, alarm }: Foundation,
  { worldOf, settlement }: SandboxSettlementParts,
): SandboxSettlementModule {
  const accountNumber = (entityId: string): string | undefined =>
    settlementOf(directory.entity(entityId)?.settings.settlement).accounts[0];
  const needs: SettleDaysNeeds = {
    store,
    connector: 'simulator',
    account: ({ entityId, merchantId }) => accountNumber(entityId) ?? accountNumber(merchantId) ?? null,
    formatFile: settlementFileFor,
    allMerchants: async () => directory.merchantIds(),
    importFile: settlement.importFile,
    recordDisputes: settlement.recordDisputes,
    rest: () => sleep(RETRY_MS),
    alarm,
  };
  const settle: SandboxSettlementModule['settle'] = (merchantId, merchants) =>
    settleDays(needs, { merchants, now: worldOf(merchantId).clock.now() });
  return { settle, jobs: simulatorSettlementJobs(clocks, ({ merchantId, merchants }) => settle(merchantId, merchants)) };
}
