import type { Paper, PaperChange, PapersQuestion } from '../../users/documents.ts';
import { BrokenCommit } from '../errors.ts';

/** Every statement about the papers of the back office, in the form of statements.ts. */

const columns = 'drawer, id, owner_id, at, revision, body';

export const cabinetReads = {
  paper: `SELECT ${columns} FROM paper WHERE drawer = ?1 AND id = ?2`,
  papers: `
    SELECT ${columns} FROM paper WHERE drawer = ?1 AND owner_id = ?2 AND (at, id) < (?3, ?4)
    ORDER BY at DESC, id DESC LIMIT ?5`,
} as const;

export const cabinetWrites = {
  addPaper: `INSERT INTO paper (${columns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING`,
  changePaper: `
    UPDATE paper SET owner_id = ?3, at = ?4, revision = ?5, body = ?6 WHERE drawer = ?1 AND id = ?2 AND revision + 1 = ?5`,
  removePaper: 'DELETE FROM paper WHERE drawer = ?1 AND id = ?2 AND revision = ?3',
  forgetPapers: 'DELETE FROM paper WHERE drawer = ?1 AND at < ?2',
} as const;

/** PostgreSQL answers large integers as text. */
export type PaperRow = {
  readonly drawer: string;
  readonly id: string;
  readonly owner_id: string;
  readonly at: number | string;
  readonly revision: number | string;
  readonly body: string;
};

export const paperOf = (row: PaperRow): Paper => ({
  drawer: row.drawer,
  id: row.id,
  ownerId: row.owner_id,
  at: Number(row.at),
  revision: Number(row.revision),
  body: JSON.parse(row.body),
});

type PaperCells = readonly [drawer: string, id: string, ownerId: string, at: number, revision: number, body: string];

const paperCells = ({ drawer, id, ownerId, at, revision, body }: Paper): PaperCells => [
  drawer,
  id,
  ownerId,
  at,
  revision,
  JSON.stringify(body),
];

/** What one change does: each of these must change a row. */
export const paperStep = (change: PaperChange) => {
  if ('isGone' in change) return ['removePaper', change.drawer, change.id, change.revision] as const;
  return [change.revision === 1 ? 'addPaper' : 'changePaper', ...paperCells(change)] as const;
};

export const papersCells = ({ drawer, ownerId, before, limit }: PapersQuestion): readonly (string | number)[] => [
  drawer,
  ownerId,
  before?.at ?? Number.MAX_SAFE_INTEGER,
  before?.id ?? '',
  limit,
];

export function checkPapers(changes: readonly PaperChange[]): void {
  const isWhole = (change: PaperChange) =>
    Number.isSafeInteger(change.revision) && change.revision >= 1 && ('isGone' in change || Number.isSafeInteger(change.at));
  if (!changes.every(isWhole)) throw new BrokenCommit('a paper that nobody can keep');
}
