import { type BackupRecord, COLLECTION, ID } from '../../app/backup/records.ts';
import { DAY_MS } from '../../spec/time.ts';
import { type Check, type Exam, findings, spanText } from './check.ts';

const PROOF_MS = 35 * DAY_MS;

async function recordIn({ database }: Exam): Promise<BackupRecord | null> {
  const [row] = await database.rows<{ readonly body: string }>('SELECT body FROM document WHERE collection = ?1 AND id = ?2', [
    COLLECTION,
    ID,
  ]);
  return row ? (JSON.parse(row.body) as BackupRecord) : null;
}

/** In the test environment only a schedule that is set is watched. */
const isWatched = ({ config }: Exam): boolean => config.environment === 'live' || config.backup.to !== null;

export const backupChecks: readonly Check[] = [
  {
    id: 'backup.age',
    looksAt: 'whether a backup was made within twice BACKUP_EVERY_HOURS',
    severity: 'error',
    remedy: 'npx turnpike backup --to PLACE, and set BACKUP_TO (docs/backup.md)',
    needs: 'schema',
    find: async (exam) => {
      if (!isWatched(exam)) return [];
      const record = await recordIn(exam);
      if (!record?.last) return findings('No backup was ever made.');
      const age = exam.now() - record.last.at;
      const isOld = age > 2 * exam.config.backup.everyMs;
      const since = record.failedAt === null ? '' : `; the last try failed ${spanText(exam.now() - record.failedAt)} ago`;
      return findings(isOld && `The last backup is ${spanText(age)} old${since}.`);
    },
  },
  {
    id: 'backup.proof',
    looksAt: 'whether a backup was restored and verified within 35 days, with success',
    severity: 'warning',
    remedy: 'npx turnpike prove --from PLACE',
    needs: 'schema',
    find: async (exam) => {
      const record = isWatched(exam) ? await recordIn(exam) : null;
      if (!record?.last) return [];
      const { proof } = record;
      if (!proof) return findings('No backup was ever proved.');
      return findings(
        !proof.ok && `The proof of ${proof.name} has failed.`,
        exam.now() - proof.at > PROOF_MS && `The last proof is ${spanText(exam.now() - proof.at)} old.`,
      );
    },
  },
];
