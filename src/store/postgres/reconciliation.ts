import type { ReconciliationStore } from '../../reports/reconciliation/ports.ts';
import { checkRun, type RunRow, reconciliationReads, reconciliationWrites, runCells, runOf } from '../tables/reconciliation.ts';
import type { Pool } from './pool.ts';
import { write } from './write.ts';

/** Files for merchants in PostgreSQL. */
export const postgresReconciliation = (pool: Pool): ReconciliationStore => ({
  addReconciliation: async (run) => {
    checkRun(run);
    return (await write(pool, reconciliationWrites.addReconciliation, runCells(run))) > 0;
  },
  saveReconciliation: async (run) => {
    checkRun(run);
    return (await write(pool, reconciliationWrites.saveReconciliation, runCells(run))) > 0;
  },
  reconciliations: async (merchantId, from) =>
    (await pool.read<RunRow>(reconciliationReads.reconciliationsOf, [merchantId, from])).map(runOf),
  dueReconciliations: async (now, merchantId, limit) =>
    (await pool.read<RunRow>(reconciliationReads.dueReconciliations, [now, merchantId, limit])).map(runOf),
});
