import { BrokenCommit } from '../../payments/storeErrors.ts';
import type { DocumentChange, DocumentQuery, StoredDocument } from '../../users/documents.ts';

/** Every statement about the documents of the back office, in the form of statements.ts. */

const columns = 'collection, id, owner_id, at, revision, body';

export const documentReads = {
  document: `SELECT ${columns} FROM document WHERE collection = ?1 AND id = ?2`,
  documents: `
    SELECT ${columns} FROM document WHERE collection = ?1 AND owner_id = ?2 AND (at, id) < (?3, ?4)
    ORDER BY at DESC, id DESC LIMIT ?5`,
} as const;

export const documentWrites = {
  addDocument: `INSERT INTO document (${columns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING`,
  changeDocument: `
    UPDATE document SET owner_id = ?3, at = ?4, revision = ?5, body = ?6 WHERE collection = ?1 AND id = ?2 AND revision + 1 = ?5`,
  removeDocument: 'DELETE FROM document WHERE collection = ?1 AND id = ?2 AND revision = ?3',
  deleteDocuments: 'DELETE FROM document WHERE collection = ?1 AND at < ?2',
} as const;

/** PostgreSQL answers large integers as text. */
export type DocumentRow = {
  readonly collection: string;
  readonly id: string;
  readonly owner_id: string;
  readonly at: number | string;
  readonly revision: number | string;
  readonly body: string;
};

export const documentOf = (row: DocumentRow): StoredDocument => ({
  collection: row.collection,
  id: row.id,
  ownerId: row.owner_id,
  at: Number(row.at),
  revision: Number(row.revision),
  body: JSON.parse(row.body),
});

type DocumentCells = readonly [collection: string, id: string, ownerId: string, at: number, revision: number, body: string];

const documentCellsOf = ({ collection, id, ownerId, at, revision, body }: StoredDocument): DocumentCells => [
  collection,
  id,
  ownerId,
  at,
  revision,
  JSON.stringify(body),
];

/** What one change does: each of these must change a row. */
export const documentStep = (change: DocumentChange) => {
  if (change.isDeleted) return ['removeDocument', change.collection, change.id, change.revision] as const;
  return [change.revision === 1 ? 'addDocument' : 'changeDocument', ...documentCellsOf(change)] as const;
};

export const documentCells = ({ collection, ownerId, before, limit }: DocumentQuery): readonly (string | number)[] => [
  collection,
  ownerId,
  before?.at ?? Number.MAX_SAFE_INTEGER,
  before?.id ?? '',
  limit,
];

export function checkDocuments(changes: readonly DocumentChange[]): void {
  const isWhole = (change: DocumentChange) =>
    Number.isSafeInteger(change.revision) && change.revision >= 1 && (change.isDeleted || Number.isSafeInteger(change.at));
  if (!changes.every(isWhole)) throw new BrokenCommit('a document that cannot be stored');
}
