import type { Paper, PaperChange, PapersQuestion } from '../people/cabinet.ts';
import { BrokenCommit } from './errors.ts';

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
