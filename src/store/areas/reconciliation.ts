import { latestFor } from '../../merchants/merchantFilter.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import type { ReconciliationRun, ReconciliationStore } from '../../reports/reconciliation/ports.ts';
import { type Cell, type Database, step } from '../database.ts';

/** The deliveries of reconciliation files to merchants. */

const columns = 'merchant_id, day, part, state, due_at, claimed_until, revision, data';

export const reconciliationStatements = {
  reconciliationsOf: `SELECT ${columns} FROM reconciliation_run WHERE merchant_id = ?1 AND day >= ?2 ORDER BY day, part`,
  dueReconciliations: `
    SELECT ${columns} FROM reconciliation_run
    WHERE state IN ('due', 'renaming') AND (due_at <= ?1 OR due_at > ?1 + ${latestFor('reconciliation', 0)})
      AND (claimed_until <= ?1 OR claimed_until > ?1 + ${latestFor('reconciliationClaim', 0)})
      AND (CAST(?2 AS TEXT) IS NULL OR merchant_id = CAST(?2 AS TEXT))
    ORDER BY due_at, merchant_id, day, part LIMIT ?3`,
  addReconciliation: `INSERT INTO reconciliation_run (${columns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING`,
  saveReconciliation: `
    UPDATE reconciliation_run SET state = ?4, due_at = ?5, claimed_until = ?6, revision = ?7, data = ?8
    WHERE merchant_id = ?1 AND day = ?2 AND part = ?3 AND revision + 1 = ?7`,
} as const;

export const reconciliationMethods = (db: Database): ReconciliationStore => ({
  addReconciliation: async (run) => {
    checkRun(run);
    return (await db.write(step(reconciliationStatements.addReconciliation, ...runCells(run)))) > 0;
  },
  saveReconciliation: async (run) => {
    checkRun(run);
    return (await db.write(step(reconciliationStatements.saveReconciliation, ...runCells(run)))) > 0;
  },
  reconciliations: async (merchantId, from) =>
    (await db.read<RunRow>(reconciliationStatements.reconciliationsOf, merchantId, from)).map(runOf),
  dueReconciliations: async (now, merchantId, limit) =>
    (await db.read<RunRow>(reconciliationStatements.dueReconciliations, now, merchantId, limit)).map(runOf),
});

/** PostgreSQL returns large integers as strings. */
type RunRow = {
  readonly merchant_id: string;
  readonly day: string;
  readonly part: string | number;
  readonly state: ReconciliationRun['state'];
  readonly due_at: string | number;
  readonly claimed_until: string | number;
  readonly revision: string | number;
  readonly data: string;
};

const runOf = (row: RunRow): ReconciliationRun => ({
  ...(JSON.parse(row.data) as ReconciliationRun),
  merchantId: row.merchant_id,
  day: row.day,
  part: Number(row.part),
  state: row.state,
  dueAt: Number(row.due_at),
  claimedUntil: Number(row.claimed_until),
  revision: Number(row.revision),
});

/** In the order of the columns above. */
function runCells({ merchantId, day, part, state, dueAt, claimedUntil, revision, ...rest }: ReconciliationRun) {
  return [merchantId, day, part, state, dueAt, claimedUntil, revision, JSON.stringify(rest)] as const satisfies Cell[];
}

/** What can be renamed or is done has been sent, and a run that is over is not claimed. */
export function checkRun({ merchantId, day, part, state, name, digest, claimedUntil, revision }: ReconciliationRun): void {
  const isNamed = state === 'due' || state === 'failed' || (name !== null && digest !== null);
  const isFree = state === 'due' || state === 'renaming' || claimedUntil === 0;
  const isPlaced = merchantId !== '' && /^\d{4}-\d\d-\d\d$/.test(day) && part >= 1 && revision >= 1;
  if (!isNamed || !isFree || !isPlaced) throw new BrokenCommit('a run that makes no sense');
}
