import type { AuditEntry, AuditHead, AuditQuery, AuditStore } from '../../audit/entry.ts';
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

/** The audit log: entries that are chained by hash, and the head of the chain. */

export const auditColumns =
  'number, at, actor, who, who_name, what, entity_id, object_id, origin, result, node, note, previous, hash';

export const auditHeadText = 'SELECT number, hash, seal FROM audit_head WHERE id = 1';
const places = Array.from({ length: auditColumns.split(',').length }, (_, at) => `?${at + 1}`).join(', ');

const moveHead = 'UPDATE audit_head SET number = ?3, hash = ?4, seal = ?5 WHERE id = 1 AND number = ?1 AND hash = ?2';
const numbers: readonly string[] = ['number', 'at'];
const typed = auditColumns.split(', ').map((name) => `${name} ${numbers.includes(name) ? 'bigint' : 'text'}`);

export const auditLogStatements = {
  auditHead: auditHeadText,
  auditEntries: `
    SELECT ${auditColumns} FROM audit_entry WHERE (at, number) < (?1, ?2) AND at >= ?3
    ORDER BY at DESC, number DESC LIMIT ?4`,
  auditChain: `SELECT ${auditColumns} FROM audit_entry WHERE number > ?1 ORDER BY number LIMIT ?2`,
  moveAuditHead: moveHead,
  addAuditEntry: `INSERT INTO audit_entry (${auditColumns}) VALUES (${places})`,
  // In PostgreSQL one statement locks the head until its entries are committed, so that all nodes write one chain.
  appendAudit: {
    sqlite: null,
    postgres: `
  WITH moved AS (${moveHead} RETURNING 1)
  INSERT INTO audit_entry (${auditColumns})
  SELECT ${auditColumns} FROM json_to_recordset(?6::text::json) AS entry (${typed.join(', ')})
  WHERE EXISTS (SELECT 1 FROM moved) ORDER BY number`,
  },
} as const;

export const auditLogMethods = (db: Database): AuditStore => ({
  auditHead: async () => {
    const [row] = await db.read<HeadRow>(auditLogStatements.auditHead);
    if (!row) throw new BrokenCommit('the head of the audit log is gone');
    return auditHeadOf(row);
  },
  appendAudit: async (head, entries, next) => {
    const cells = headCells(head, next);
    const changed =
      db.dialect === 'postgres'
        ? db.write(step(auditLogStatements.appendAudit, ...cells, JSON.stringify(entries.map(auditRow))))
        : db.write(
            needed(auditLogStatements.moveAuditHead, ...cells),
            ...entries.map((entry) => step(auditLogStatements.addAuditEntry, ...auditCells(entry))),
          );
    return (await changed) > 0;
  },
  auditEntries: async (query) =>
    (await db.read<AuditRow>(auditLogStatements.auditEntries, ...auditQuestionCells(query))).map(auditEntryOf),
  auditChain: async (after, limit) => (await db.read<AuditRow>(auditLogStatements.auditChain, after, limit)).map(auditEntryOf),
});

/** PostgreSQL returns large integers as strings. */
export type AuditRow = {
  readonly number: number | string;
  readonly at: number | string;
  readonly actor: string;
  readonly who: string;
  readonly who_name: string;
  readonly what: string;
  readonly entity_id: string | null;
  readonly object_id: string | null;
  readonly origin: string;
  readonly result: string;
  readonly node: string;
  readonly note: string | null;
  readonly previous: string;
  readonly hash: string;
};

export const auditEntryOf = (row: AuditRow): AuditEntry => ({
  number: Number(row.number),
  at: Number(row.at),
  by: row.actor,
  who: row.who,
  whoName: row.who_name,
  what: row.what,
  entityId: row.entity_id,
  objectId: row.object_id,
  from: row.origin,
  result: row.result,
  node: row.node,
  note: row.note,
  previous: row.previous,
  hash: row.hash,
});

/** An entry by the names of the columns. */
const auditRow = (entry: AuditEntry): AuditRow => ({
  number: entry.number,
  at: entry.at,
  actor: entry.by,
  who: entry.who,
  who_name: entry.whoName,
  what: entry.what,
  entity_id: entry.entityId,
  object_id: entry.objectId,
  origin: entry.from,
  result: entry.result,
  node: entry.node,
  note: entry.note,
  previous: entry.previous,
  hash: entry.hash,
});

/** In the order of `auditColumns`. */
export const auditCells = (entry: AuditEntry): readonly (string | number | null)[] => [
  ...[entry.number, entry.at, entry.by, entry.who, entry.whoName, entry.what, entry.entityId, entry.objectId],
  ...[entry.from, entry.result, entry.node, entry.note, entry.previous, entry.hash],
];

export type HeadRow = { readonly number: number | string; readonly hash: string; readonly seal: string };
export const auditHeadOf = ({ number, hash, seal }: HeadRow): AuditHead => ({ number: Number(number), hash, seal });

const headCells = (head: AuditHead, next: AuditHead): readonly (string | number)[] => [
  ...[head.number, head.hash, next.number, next.hash, next.seal],
];

/** Where the walk to the past begins: before the instant, or behind the last entry that was read. */
export function auditQuestionCells({ before, from, to, limit }: AuditQuery): readonly [number, number, number, number] {
  const until = to ?? Number.MAX_SAFE_INTEGER;
  const place = before && before.at < until ? before : { at: until, number: 0 };
  return [place.at, place.number, from ?? 0, limit];
}
