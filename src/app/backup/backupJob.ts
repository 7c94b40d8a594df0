import type { Config } from '../../config/config.ts';
import { HOUR_MS, MINUTE_MS } from '../../spec/time.ts';
import type { BackupAges } from '../../telemetry/metrics.ts';
import type { Job } from '../../workers/loop.ts';
import type { AppOptions } from '../options.ts';
import { type BackupRecord, changeBackupRecord, readBackupRecord } from './records.ts';

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
