import type { Change, Counted, Fold, FoldState, Sheet, Stretch, Subject } from '../reports/statistics/needs.ts';
import type { Cell } from './rows.ts';

/** PostgreSQL answers large integers as text. */
type Whole = number | string;

export type ChangeRow = {
  readonly n: Whole;
  readonly merchant_id: string;
  readonly subject_id: string;
  readonly revision: Whole;
  readonly line: string | null;
};
export type CountedRow = Omit<ChangeRow, 'n'> & { readonly line: string };
export type SheetRow = { readonly node_id: string; readonly span: Whole; readonly begins: Whole; readonly body: string };
export type FoldRow = { readonly revision: Whole; readonly past_from: Whole | null; readonly past_to: Whole | null };

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

/** The past is numbered from -1 downwards without a gap, and taken away from its upper end. */
export function foldStateOf({ revision, past_from, past_to }: FoldRow): FoldState {
  const isOver = past_from === null || past_to === null;
  const [from, to] = [Number(past_from), Number(past_to)];
  return { revision: Number(revision), left: isOver ? 0 : to - from + 1, total: isOver ? 0 : -from };
}

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
export const stretchesJson = (stretches: readonly Stretch[]): string =>
  JSON.stringify(stretches.map(({ span, from, before }) => ({ span, since: from, before })));
export const sheetsJson = ({ sheets }: Fold): string =>
  JSON.stringify(sheets.map(({ nodeId, span, begins, body }) => ({ node_id: nodeId, span, begins, body })));
export const countedJson = ({ counted }: Fold): string =>
  JSON.stringify(counted.map((one) => ({ ...subjectRow(one), revision: one.revision, line: one.line })));
