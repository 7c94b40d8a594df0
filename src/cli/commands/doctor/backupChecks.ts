import { type BackupRecord, COLLECTION, ID } from '../../../app/backup/backupJob.ts';
import { DAY_MS } from '../../../spec/time.ts';
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

/** Checks a folder; a remote place is opened by the next backup, which reports its faults. */
const missingFolder = ({ config, probes }: Omit<Exam, 'database'>): string | false => {
  const { to } = config.backup;
  if (to?.kind !== 'folder') return false;
  const file = probes.file(to.path);
  if (file === null) return `BACKUP_TO: the folder ${to.path} does not exist.`;
  return !file.isFolder && `BACKUP_TO: ${to.path} is no folder.`;
};

export const backupChecks: readonly Check[] = [
  {
    id: 'backup.place',
    looksAt: 'whether the folder that BACKUP_TO names exists',
    severity: 'error',
    remedy: 'mkdir -p "$BACKUP_TO" for the user of the gateway, or correct BACKUP_TO',
    needs: 'configuration',
    find: async (exam) => findings(missingFolder(exam)),
  },
  {
    id: 'backup.createdb',
    looksAt: 'whether the user of DATABASE_URL may create the scratch database of npx turnpike prove',
    severity: 'note',
    remedy: 'as a superuser: ALTER ROLE name CREATEDB;',
    needs: 'postgres',
    find: async ({ database }) => {
      const [row] = await database.rows<{ readonly may: boolean; readonly name: string }>(
        'SELECT rolcreatedb OR rolsuper AS may, rolname AS name FROM pg_roles WHERE rolname = current_user',
      );
      const grant = `ALTER ROLE ${row?.name} CREATEDB;`;
      return row?.may
        ? []
        : [
            {
              says: `The user ${row?.name} may not create databases: a backup cannot be proved.`,
              remedy: `as a superuser: ${grant}`,
            },
          ];
    },
  },
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
