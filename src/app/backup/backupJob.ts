import type { Config } from '../../config/config.ts';
import { HOUR_MS, MINUTE_MS } from '../../spec/time.ts';
import type { BackupAges } from '../../telemetry/metrics.ts';
import type { DocumentStore } from '../../users/documents.ts';
import type { Job } from '../../workers/loop.ts';
import type { AppOptions } from '../options.ts';
import type { MadeBackup } from './makeBackup.ts';

/** A node that vanishes while it makes a backup leaves the next one to others after this time. */
const CLAIM_MS = 6 * HOUR_MS;
const RETRY_MS = 15 * MINUTE_MS;

type Needs = Pick<AppOptions, 'store' | 'masters' | 'clock' | 'metrics'> & {
  readonly config: Pick<Config, 'backup' | 'databaseUrl' | 'dataDir'>;
};

/** Whether the next backup is due and no node is making one. */
export function isDue({ last, failedAt, claimedUntil }: BackupRecord, everyMs: number, now: number): boolean {
  const isTime = last === null || now - last.at >= everyMs || now < last.at;
  return isTime && now >= claimedUntil && (failedAt === null || now - failedAt >= RETRY_MS || now < failedAt);
}

/** Makes backups where BACKUP_TO says, one node at a time, and shows the age of the last one in metrics. */
export function createBackupJob({ store, masters, clock, metrics, config }: Needs): Job {
  const { backup } = config;
  let known: BackupRecord | null = null;
  metrics.backupsHold(() => known && agesOf(known, clock.now()));

  async function run(): Promise<void> {
    known = await readBackupRecord(store);
    if (backup.to === null || !isDue(known, backup.everyMs, clock.now())) return;
    const claim = await changeBackupRecord(store, clock.now(), (record) =>
      isDue(record, backup.everyMs, clock.now()) ? { ...record, claimedUntil: clock.now() + CLAIM_MS } : null,
    );
    if (claim === null) return;
    try {
      // Loaded where backups are made: it brings libraries with it.
      const { backupKeys, makeBackup, rotateBackups } = await import('./makeBackup.ts');
      const { openPlace } = await import('./places.ts');
      const place = await openPlace(backup.to, backup);
      try {
        const last = await makeBackup({ database: config, key: backupKeys(backup, masters)[0], place, now: clock.now });
        known = await changeBackupRecord(store, clock.now(), (record) => ({ ...record, last, failedAt: null, claimedUntil: 0 }));
        await rotateBackups(place, backup.keep);
      } finally {
        place.close();
      }
    } catch (error) {
      await changeBackupRecord(store, clock.now(), (record) => ({ ...record, failedAt: clock.now(), claimedUntil: 0 })).catch(
        () => {},
      );
      throw error;
    }
  }
  return { name: 'make backups', everyMs: MINUTE_MS, limitMs: CLAIM_MS, run };
}

const agesOf = ({ last, proof }: BackupRecord, now: number): BackupAges => ({
  ageMs: last && now - last.at,
  bytes: last?.bytes ?? 0,
  proofAgeMs: proof && now - proof.at,
  isProved: proof?.ok ?? false,
});

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
