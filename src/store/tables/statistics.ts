import type { Change, Counted, Fold, Sheet, SheetRange, Subject } from '../../reports/statistics/ports.ts';
import type { Cell, CommitCell } from './payments.ts';

/** Every statement about the statistics, in the form of statements.ts. */

/** Where the columns of a payment's line come from. */
export const changeSource = {
  merchant_id: 'merchant_id',
  subject_id: 'id',
  revision: 'revision',
  line: 'counted',
} as const satisfies Record<string, CommitCell>;

const columns = 'n, merchant_id, subject_id, revision, line';

export const statisticsReads = {
  foldRevision: 'SELECT revision FROM statistic_fold WHERE id = 1',
  changes: `SELECT ${columns} FROM statistic_change ORDER BY n LIMIT ?1`,
  counted: 'SELECT merchant_id, subject_id, revision, line FROM statistic_open WHERE merchant_id = ?1 AND subject_id = ?2',
  sheet: 'SELECT node_id, span, begins, body FROM statistic_sheet WHERE node_id = ?1 AND span = ?2 AND begins = ?3',
  sheetsWithin: `
    SELECT node_id, span, begins, body FROM statistic_sheet WHERE node_id = ?1 AND span = ?2 AND begins >= ?3 AND begins < ?4`,
} as const;

export const statisticsWrites = {
  turnFold: 'UPDATE statistic_fold SET revision = revision + 1 WHERE id = 1 AND revision = ?1',
  putSheet: `
    INSERT INTO statistic_sheet (node_id, span, begins, body) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (node_id, span, begins) DO UPDATE SET body = excluded.body`,
  putCounted: `
    INSERT INTO statistic_open (merchant_id, subject_id, revision, line) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (merchant_id, subject_id) DO UPDATE SET revision = excluded.revision, line = excluded.line`,
  dropCounted: 'DELETE FROM statistic_open WHERE merchant_id = ?1 AND subject_id = ?2',
  dropChanges: 'DELETE FROM statistic_change WHERE n IN (SELECT value FROM json_each(?1))',
  // Before the delivery itself is settled: what has ended meanwhile is not counted again.
  countDelivery: `
    INSERT INTO statistic_change (merchant_id, subject_id, revision, line)
    SELECT merchant_id, id, 0, ?2 FROM delivery WHERE id = ?1 AND state = 'due'`,
} as const;

const keysOf = (columnsOf: string): string => `json_to_recordset(?1::text::json) AS k (${columnsOf})`;
const isSubject = 'o.merchant_id = k.merchant_id AND o.subject_id = k.subject_id';

/** What PostgreSQL does for many at once. Rows are written in one order, so that no two wait for each other. */
export const postgresStatistics = {
  changes: `SELECT ${columns} FROM statistic_change ORDER BY n LIMIT ?1`,
  counted: `
    SELECT o.merchant_id, o.subject_id, o.revision, o.line
    FROM ${keysOf('merchant_id text, subject_id text')} JOIN statistic_open o ON ${isSubject}`,
  sheets: `
    SELECT s.node_id, s.span, s.begins, s.body
    FROM ${keysOf('node_id text, span bigint, begins bigint')}
    JOIN statistic_sheet s ON s.node_id = k.node_id AND s.span = k.span AND s.begins = k.begins`,
  sheetsWithin: `
    SELECT s.node_id, s.span, s.begins, s.body
    FROM ${keysOf('span bigint, since bigint, before bigint')}
    CROSS JOIN LATERAL (
      SELECT f.node_id, f.span, f.begins, f.body FROM statistic_sheet f
      WHERE f.node_id = ?2 AND f.span = k.span AND f.begins >= k.since AND f.begins < k.before
    ) s`,
  putSheets: `
    INSERT INTO statistic_sheet (node_id, span, begins, body)
    SELECT k.node_id, k.span, k.begins, k.body FROM ${keysOf('node_id text, span bigint, begins bigint, body text')}
    ON CONFLICT (node_id, span, begins) DO UPDATE SET body = excluded.body`,
  putCounted: `
    INSERT INTO statistic_open (merchant_id, subject_id, revision, line)
    SELECT k.merchant_id, k.subject_id, k.revision, k.line
    FROM ${keysOf('merchant_id text, subject_id text, revision bigint, line text')}
    ON CONFLICT (merchant_id, subject_id) DO UPDATE SET revision = excluded.revision, line = excluded.line`,
  dropCounted: `DELETE FROM statistic_open o USING ${keysOf('merchant_id text, subject_id text')} WHERE ${isSubject}`,
  dropChanges: 'DELETE FROM statistic_change WHERE n IN (SELECT CAST(json_array_elements_text(?1::text::json) AS bigint))',
} as const;

/** PostgreSQL answers large integers as text. */
type Whole = number | string;

export type ChangeRow = {
  readonly n: Whole;
  readonly merchant_id: string;
  readonly subject_id: string;
  readonly revision: Whole;
  readonly line: string;
};
export type CountedRow = Omit<ChangeRow, 'n'>;
export type SheetRow = { readonly node_id: string; readonly span: Whole; readonly begins: Whole; readonly body: string };
export type FoldRow = { readonly revision: Whole };

export const changeOf = ({ n, merchant_id, subject_id, revision, line }: ChangeRow): Change => ({
  n: Number(n),
  merchantId: merchant_id,
  subjectId: subject_id,
  revision: Number(revision),
  line,
});

export const countedOf = ({ merchant_id, subject_id, revision, line }: CountedRow): Counted => ({
  merchantId: merchant_id,
  subjectId: subject_id,
  revision: Number(revision),
  line,
});

export const sheetOf = ({ node_id, span, begins, body }: SheetRow): Sheet => ({
  nodeId: node_id,
  span: Number(span),
  begins: Number(begins),
  body,
});

export const sheetCells = ({ nodeId, span, begins, body }: Sheet): Cell[] => [nodeId, span, begins, body];
export const countedCells = ({ merchantId, subjectId, revision, line }: Counted): Cell[] => [
  merchantId,
  subjectId,
  revision,
  line,
];

const subjectRow = ({ merchantId, subjectId }: Subject) => ({ merchant_id: merchantId, subject_id: subjectId });

/** As PostgreSQL is given them. */
export const subjectsJson = (subjects: readonly Subject[]): string => JSON.stringify(subjects.map(subjectRow));
export const keysJson = (keys: readonly Omit<Sheet, 'body'>[]): string =>
  JSON.stringify(keys.map(({ nodeId, span, begins }) => ({ node_id: nodeId, span, begins })));
export const sheetRangesJson = (ranges: readonly SheetRange[]): string =>
  JSON.stringify(ranges.map(({ span, from, before }) => ({ span, since: from, before })));
export const sheetsJson = ({ sheets }: Fold): string =>
  JSON.stringify(sheets.map(({ nodeId, span, begins, body }) => ({ node_id: nodeId, span, begins, body })));
export const countedJson = ({ counted }: Fold): string =>
  JSON.stringify(counted.map((one) => ({ ...subjectRow(one), revision: one.revision, line: one.line })));
