import type { RiskService, RoutingService } from '../../http/admin/ports.ts';
import { backtestRouting } from '../../payments/backtest/routingCount.ts';
import { backtestHere } from '../../payments/backtest/run.ts';
import type { SearchStore } from '../../payments/search/search.ts';
import { emptyLookups } from '../../risk/lookups/lookups.ts';
import { createBacktests } from '../../users/backtests.ts';
import type { Foundation } from '../foundation.ts';
import type { AppOptions } from '../options.ts';
import { rest } from '../system.ts';
import type { PaymentModule } from './paymentModule.ts';

/** Administration of risk: lists, reviews and back-tests. */
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
      // The in-memory store cannot be read by other threads.
      run: backtest ?? backtestHere({ history: store, lookups, rest }),
      clock,
      ids,
      alarm,
    }),
  };
}

/** Back-tests of routing: one at a time, so that they take a bounded part of this node. */
export function createRoutingModule({ store }: { readonly store: Pick<SearchStore, 'search'> }): RoutingService {
  let isRunning = false;
  return {
    async backtest(trial, period) {
      if (isRunning) return 'busy';
      isRunning = true;
      try {
        return await backtestRouting(trial, period, { search: store.search, rest });
      } finally {
        isRunning = false;
      }
    },
  };
}
