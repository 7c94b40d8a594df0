import type { DocumentStore } from '../../users/documents.ts';
import type { MadeBackup } from './makeBackup.ts';

/** The state of backups for all nodes, in one document. */
export type BackupRecord = {
  readonly last: MadeBackup | null;
  /** The last failure since then. */
  readonly failedAt: number | null;
  readonly proof: { readonly at: number; readonly name: string; readonly ok: boolean } | null;
  /** Until then a node is making one. */
  readonly claimedUntil: number;
};

export const [COLLECTION, ID] = ['backups', 'record'];
const NOTHING: BackupRecord = { last: null, failedAt: null, proof: null, claimedUntil: 0 };
const TRIES_MAX = 5;

type Documents = Pick<DocumentStore, 'document' | 'saveDocuments'>;

export async function readBackupRecord(store: Pick<DocumentStore, 'document'>): Promise<BackupRecord> {
  const document = await store.document(COLLECTION, ID);
  return document ? (document.body as BackupRecord) : NOTHING;
}

/** Saves what `change` makes of the record; null: it stays, and so it is returned. Another node may change it at the same time. */
export async function changeBackupRecord(
  store: Documents,
  now: number,
  change: (record: BackupRecord) => BackupRecord | null,
): Promise<BackupRecord | null> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const document = await store.document(COLLECTION, ID);
    const body = change(document ? (document.body as BackupRecord) : NOTHING);
    if (body === null) return null;
    const revision = (document?.revision ?? 0) + 1;
    if (await store.saveDocuments([{ collection: COLLECTION, id: ID, ownerId: '', at: now, revision, body }])) return body;
  }
  throw new Error('the record of backups is changed by others all the time');
}
