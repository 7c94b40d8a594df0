import { latestFor } from '../../merchants/merchantFilter.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import type { ReconciliationRun, ReconciliationStore } from '../../reports/reconciliation/ports.ts';
import type { Change, Counted, Sheet, StatisticsStore } from '../../reports/statistics/ports.ts';
import { type BulkStatement, type Cell, type Database, each, needed, type ReadDatabase, step } from '../database.ts';

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

/** A run that can be renamed, or is done, has been sent; a run that is over is not claimed. */
export function checkRun({ merchantId, day, part, state, name, digest, claimedUntil, revision }: ReconciliationRun): void {
  const isNamed = state === 'due' || state === 'failed' || (name !== null && digest !== null);
  const isFree = state === 'due' || state === 'renaming' || claimedUntil === 0;
  const isPlaced = merchantId !== '' && /^\d{4}-\d\d-\d\d$/.test(day) && part >= 1 && revision >= 1;
  if (!isNamed || !isFree || !isPlaced) throw new BrokenCommit('a run that makes no sense');
}

/** The statistics: the queue of lines, the lines of subjects that may still change, and the sheets. */

const rowsOf = (columns: string): string => `json_to_recordset(?1::text::json) AS k (${columns})`;
const isSubject = 'o.merchant_id = k.merchant_id AND o.subject_id = k.subject_id';

/** PostgreSQL writes the rows of one fold in one order, so that no two folds wait for each other. */
export const statisticsStatements = {
  foldRevision: 'SELECT revision FROM statistic_fold WHERE id = 1',
  turnFold: 'UPDATE statistic_fold SET revision = revision + 1 WHERE id = 1 AND revision = ?1',
  changes: 'SELECT n, merchant_id, subject_id, revision, line FROM statistic_change ORDER BY n LIMIT ?1',
  dropChanges: {
    sqlite: 'DELETE FROM statistic_change WHERE n IN (SELECT value FROM json_each(?1))',
    postgres: 'DELETE FROM statistic_change WHERE n IN (SELECT CAST(json_array_elements_text(?1::text::json) AS bigint))',
  },
  counted: {
    columns: ['merchant_id', 'subject_id'],
    sqlite: 'SELECT merchant_id, subject_id, revision, line FROM statistic_open WHERE merchant_id = ?1 AND subject_id = ?2',
    postgres: `
    SELECT o.merchant_id, o.subject_id, o.revision, o.line
    FROM ${rowsOf('merchant_id text, subject_id text')} JOIN statistic_open o ON ${isSubject}`,
  } satisfies BulkStatement,
  putCounted: {
    columns: ['merchant_id', 'subject_id', 'revision', 'line'],
    sqlite: `
    INSERT INTO statistic_open (merchant_id, subject_id, revision, line) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (merchant_id, subject_id) DO UPDATE SET revision = excluded.revision, line = excluded.line`,
    postgres: `
    INSERT INTO statistic_open (merchant_id, subject_id, revision, line)
    SELECT k.merchant_id, k.subject_id, k.revision, k.line
    FROM ${rowsOf('merchant_id text, subject_id text, revision bigint, line text')}
    ON CONFLICT (merchant_id, subject_id) DO UPDATE SET revision = excluded.revision, line = excluded.line`,
  } satisfies BulkStatement,
  dropCounted: {
    columns: ['merchant_id', 'subject_id'],
    sqlite: 'DELETE FROM statistic_open WHERE merchant_id = ?1 AND subject_id = ?2',
    postgres: `DELETE FROM statistic_open o USING ${rowsOf('merchant_id text, subject_id text')} WHERE ${isSubject}`,
  } satisfies BulkStatement,
  sheets: {
    columns: ['node_id', 'span', 'begins'],
    sqlite: 'SELECT node_id, span, begins, body FROM statistic_sheet WHERE node_id = ?1 AND span = ?2 AND begins = ?3',
    postgres: `
    SELECT s.node_id, s.span, s.begins, s.body
    FROM ${rowsOf('node_id text, span bigint, begins bigint')}
    JOIN statistic_sheet s ON s.node_id = k.node_id AND s.span = k.span AND s.begins = k.begins`,
  } satisfies BulkStatement,
  sheetsWithin: {
    columns: ['span', 'since', 'before'],
    sqlite: `
    SELECT node_id, span, begins, body FROM statistic_sheet WHERE span = ?1 AND begins >= ?2 AND begins < ?3 AND node_id = ?4`,
    postgres: `
    SELECT s.node_id, s.span, s.begins, s.body
    FROM ${rowsOf('span bigint, since bigint, before bigint')}
    CROSS JOIN LATERAL (
      SELECT f.node_id, f.span, f.begins, f.body FROM statistic_sheet f
      WHERE f.node_id = ?2 AND f.span = k.span AND f.begins >= k.since AND f.begins < k.before
    ) s`,
  } satisfies BulkStatement,
  putSheets: {
    columns: ['node_id', 'span', 'begins', 'body'],
    sqlite: `
    INSERT INTO statistic_sheet (node_id, span, begins, body) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (node_id, span, begins) DO UPDATE SET body = excluded.body`,
    postgres: `
    INSERT INTO statistic_sheet (node_id, span, begins, body)
    SELECT k.node_id, k.span, k.begins, k.body FROM ${rowsOf('node_id text, span bigint, begins bigint, body text')}
    ON CONFLICT (node_id, span, begins) DO UPDATE SET body = excluded.body`,
  } satisfies BulkStatement,
} as const;

export const statisticsReads = (db: ReadDatabase): Pick<StatisticsStore, 'foldRevision' | 'sheetsWithin'> => ({
  foldRevision: async () => Number((await db.read<{ readonly revision: Whole }>(statisticsStatements.foldRevision))[0]?.revision),
  sheetsWithin: async (nodeId, ranges) => {
    const rows = ranges.map(({ span, from, before }) => [span, from, before]);
    return (await db.readEach<SheetRow>(statisticsStatements.sheetsWithin, rows, nodeId)).map(sheetOf);
  },
});

export const statisticsMethods = (db: Database): StatisticsStore => ({
  ...statisticsReads(db),
  changes: async (limit) => (await db.read<ChangeRow>(statisticsStatements.changes, limit)).map(changeOf),
  counted: async (subjects) => {
    const rows = subjects.map(({ merchantId, subjectId }) => [merchantId, subjectId]);
    return (await db.readEach<CountedRow>(statisticsStatements.counted, rows)).map(countedOf);
  },
  sheets: async (keys) => {
    const rows = keys.map(({ nodeId, span, begins }) => [nodeId, span, begins]);
    return (await db.readEach<SheetRow>(statisticsStatements.sheets, rows)).map(sheetOf);
  },
  // The first step waits for a concurrent fold, which then has changed the revision.
  fold: async ({ revision, sheets, counted, ended, done }) =>
    (await db.write(
      needed(statisticsStatements.turnFold, revision),
      each(
        statisticsStatements.putSheets,
        sheets.map(({ nodeId, span, begins, body }) => [nodeId, span, begins, body]),
      ),
      each(
        statisticsStatements.putCounted,
        counted.map((one) => [one.merchantId, one.subjectId, one.revision, one.line]),
      ),
      each(
        statisticsStatements.dropCounted,
        ended.map(({ merchantId, subjectId }) => [merchantId, subjectId]),
      ),
      step(statisticsStatements.dropChanges, JSON.stringify(done)),
    )) > 0,
});

/** PostgreSQL returns large integers as strings. */
type Whole = number | string;

type ChangeRow = {
  readonly n: Whole;
  readonly merchant_id: string;
  readonly subject_id: string;
  readonly revision: Whole;
  readonly line: string;
};
type CountedRow = Omit<ChangeRow, 'n'>;
type SheetRow = { readonly node_id: string; readonly span: Whole; readonly begins: Whole; readonly body: string };

const changeOf = ({ n, merchant_id, subject_id, revision, line }: ChangeRow): Change => ({
  n: Number(n),
  merchantId: merchant_id,
  subjectId: subject_id,
  revision: Number(revision),
  line,
});

const countedOf = ({ merchant_id, subject_id, revision, line }: CountedRow): Counted => ({
  merchantId: merchant_id,
  subjectId: subject_id,
  revision: Number(revision),
  line,
});

const sheetOf = ({ node_id, span, begins, body }: SheetRow): Sheet => ({
  nodeId: node_id,
  span: Number(span),
  begins: Number(begins),
  body,
});
