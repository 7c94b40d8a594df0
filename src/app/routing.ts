import type { RoutingService } from '../http/admin/ports.ts';
import { backtestRouting } from '../payments/backtest/routingBacktest.ts';
import type { SearchStore } from '../payments/search/search.ts';
import { rest } from './system.ts';

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
