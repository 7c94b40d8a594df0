import type { ReconciliationStore } from '../reports/out/needs.ts';
import type { Pool } from './postgresPool.ts';
import { write } from './postgresWrite.ts';
import { checkRun, type RunRow, runCells, runOf } from './reconciliationRows.ts';
import { reconciliationReads, reconciliationWrites } from './reconciliationStatements.ts';

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
