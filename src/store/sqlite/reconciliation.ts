import type { ReconciliationStore } from '../../reports/reconciliation/ports.ts';
import { checkRun, type RunRow, runCells, runOf } from '../tables/reconciliation.ts';
import type { Reads } from './reads.ts';
import { write } from './registrations.ts';
import type { Writer } from './threads.ts';

/** Files for merchants in SQLite. */
export const sqliteReconciliation = (read: Reads, writer: Writer): ReconciliationStore => ({
  addReconciliation: async (run) => {
    checkRun(run);
    return (await write(writer, ['addReconciliation', ...runCells(run)])) > 0;
  },
  saveReconciliation: async (run) => {
    checkRun(run);
    return (await write(writer, ['saveReconciliation', ...runCells(run)])) > 0;
  },
  reconciliations: async (merchantId, from) => read.all<RunRow>('reconciliationsOf', merchantId, from).map(runOf),
  dueReconciliations: async (now, merchantId, limit) => read.all<RunRow>('dueReconciliations', now, merchantId, limit).map(runOf),
});
