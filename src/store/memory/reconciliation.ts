import { latestFor } from '../../merchants/merchantFilter.ts';
import type { ReconciliationRun, ReconciliationStore } from '../../reports/reconciliation/ports.ts';
import { checkRun } from '../areas/reconciliation.ts';
import type { Tables, WhileOpen } from './tables.ts';

const keyOf = ({ merchantId, day, part }: ReconciliationRun): string => `${merchantId} ${day} ${String(part).padStart(9, '0')}`;
const byKey = (one: ReconciliationRun, other: ReconciliationRun): number => (keyOf(one) < keyOf(other) ? -1 : 1);

/** Files for merchants in memory. */
export function reconciliationMethods({ reconciliationRuns: runs }: Tables, whileOpen: WhileOpen): ReconciliationStore {
  return {
    addReconciliation: whileOpen((run) => {
      checkRun(run);
      if (runs.has(keyOf(run))) return false;
      runs.set(keyOf(run), run);
      return true;
    }),
    saveReconciliation: whileOpen((run) => {
      checkRun(run);
      if ((runs.get(keyOf(run))?.revision ?? Number.NaN) + 1 !== run.revision) return false;
      runs.set(keyOf(run), run);
      return true;
    }),
    reconciliations: whileOpen((merchantId, from) =>
      [...runs.values()].filter((run) => run.merchantId === merchantId && run.day >= from).sort(byKey),
    ),
    dueReconciliations: whileOpen((now, merchantId, limit) =>
      [...runs.values()]
        .filter(({ state }) => ['due', 'renaming'].includes(state))
        .filter(({ dueAt }) => dueAt <= now || dueAt > latestFor('reconciliation', now))
        .filter(({ claimedUntil }) => claimedUntil <= now || claimedUntil > latestFor('reconciliationClaim', now))
        .filter((run) => merchantId === null || run.merchantId === merchantId)
        .sort((one, other) => one.dueAt - other.dueAt || byKey(one, other))
        .slice(0, limit),
    ),
  };
}
