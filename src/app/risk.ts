import type { RiskService } from '../http/admin/ports.ts';
import { backtestHere } from '../payments/backtest/run.ts';
import { emptyLookups } from '../risk/lookups/lookups.ts';
import { createBacktests } from '../users/backtests.ts';
import type { AppOptions } from './options.ts';
import type { Foundation, PaymentModule } from './payments.ts';
import { rest } from './system.ts';

/** What the people of the back office need to look after risk. */
export function createRiskModule(
  { store, clock, lookups = emptyLookups, backtest }: AppOptions,
  { vault, ids, alarm }: Pick<Foundation, 'vault' | 'ids' | 'alarm'>,
  { lists }: Pick<PaymentModule, 'lists'>,
): RiskService {
  return {
    lists,
    store,
    entries: (merchantId, now) => store.listEntries(now, merchantId),
    fingerprint: async (merchantId, number) => {
      await vault.ready(merchantId);
      return vault.fingerprint(merchantId, number);
    },
    backtests: createBacktests({
      documents: store,
      payment: store.payment,
      // A store in memory is open to this thread alone.
      run: backtest ?? backtestHere({ history: store, lookups, rest }),
      ...{ clock, ids, alarm },
    }),
  };
}
