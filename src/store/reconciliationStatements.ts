import { latestFor } from '../merchants/whose.ts';

/** Every statement about files for merchants, in the form of statements.ts. */

const columns = 'merchant_id, day, part, state, due_at, claimed_until, revision, data';

export const reconciliationReads = {
  reconciliationsOf: `SELECT ${columns} FROM reconciliation_run WHERE merchant_id = ?1 AND day >= ?2 ORDER BY day, part`,
  dueReconciliations: `
    SELECT ${columns} FROM reconciliation_run
    WHERE state IN ('due', 'renaming') AND (due_at <= ?1 OR due_at > ?1 + ${latestFor('reconciliation', 0)})
      AND (claimed_until <= ?1 OR claimed_until > ?1 + ${latestFor('reconciliationClaim', 0)})
      AND (CAST(?2 AS TEXT) IS NULL OR merchant_id = CAST(?2 AS TEXT))
    ORDER BY due_at, merchant_id, day, part LIMIT ?3`,
} as const;

export const reconciliationWrites = {
  addReconciliation: `INSERT INTO reconciliation_run (${columns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING`,
  saveReconciliation: `
    UPDATE reconciliation_run SET state = ?4, due_at = ?5, claimed_until = ?6, revision = ?7, data = ?8
    WHERE merchant_id = ?1 AND day = ?2 AND part = ?3 AND revision + 1 = ?7`,
} as const;
