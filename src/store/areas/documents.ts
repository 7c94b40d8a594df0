import { BrokenCommit } from '../../payments/storeErrors.ts';
import type { DocumentChange, DocumentStore, StoredDocument } from '../../users/documents.ts';
import { type Database, needed, type Step, step } from '../database.ts';

/** The documents of the back office. */

const columns = 'collection, id, owner_id, at, revision, body';

export const documentStatements = {
  document: `SELECT ${columns} FROM document WHERE collection = ?1 AND id = ?2`,
  documents: `
    SELECT ${columns} FROM document WHERE collection = ?1 AND owner_id = ?2 AND (at, id) < (?3, ?4)
    ORDER BY at DESC, id DESC LIMIT ?5`,
  addDocument: `INSERT INTO document (${columns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING`,
  changeDocument: `
    UPDATE document SET owner_id = ?3, at = ?4, revision = ?5, body = ?6 WHERE collection = ?1 AND id = ?2 AND revision + 1 = ?5`,
  removeDocument: 'DELETE FROM document WHERE collection = ?1 AND id = ?2 AND revision = ?3',
  deleteDocuments: 'DELETE FROM document WHERE collection = ?1 AND at < ?2',
} as const;

export const documentMethods = (db: Database): DocumentStore => ({
  document: async (collection, id) => {
    const [row] = await db.read<DocumentRow>(documentStatements.document, collection, id);
    return row ? documentOf(row) : null;
  },
  documents: async ({ collection, ownerId, before, limit }) => {
    const cursor = [before?.at ?? Number.MAX_SAFE_INTEGER, before?.id ?? ''];
    return (await db.read<DocumentRow>(documentStatements.documents, collection, ownerId, ...cursor, limit)).map(documentOf);
  },
  saveDocuments: async (changes) => {
    checkDocuments(changes);
    return changes.length === 0 || (await db.write(...changes.map(documentStep))) > 0;
  },
  deleteDocuments: (collection, before) => db.write(step(documentStatements.deleteDocuments, collection, before)),
});

/** PostgreSQL returns large integers as strings. */
type DocumentRow = {
  readonly collection: string;
  readonly id: string;
  readonly owner_id: string;
  readonly at: number | string;
  readonly revision: number | string;
  readonly body: string;
};

const documentOf = (row: DocumentRow): StoredDocument => ({
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

/** A change that finds another revision undoes all changes with it. */
function documentStep(change: DocumentChange): Step {
  if (change.isDeleted) return needed(documentStatements.removeDocument, change.collection, change.id, change.revision);
  const statement = change.revision === 1 ? documentStatements.addDocument : documentStatements.changeDocument;
  return needed(statement, ...documentCellsOf(change));
}

export function checkDocuments(changes: readonly DocumentChange[]): void {
  const isWhole = (change: DocumentChange) =>
    Number.isSafeInteger(change.revision) && change.revision >= 1 && (change.isDeleted || Number.isSafeInteger(change.at));
  if (!changes.every(isWhole)) throw new BrokenCommit('a document that cannot be stored');
}
