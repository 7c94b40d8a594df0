import { counted, foundBy, planted, type Requirement, uncounted, YES_OR_NO } from './row.ts';

/** R42 to R45: webhooks, supply chain, operation. */
export const operationRows: readonly Requirement[] = [
  {
    id: 'R42',
    says: 'Every event reaches every healthy webhook, encrypted and signed, beside dead ones and through kills and key rotation.',
    tests: [
      'test/webhooks/r42.test.ts: at 100 events a second beside dead receivers every healthy receiver gets every event',
      'test/webhooks/r42.test.ts: five days of failure pause with an alert, 30 days make dead letters',
      'test/webhooks/r42.long.test.ts: a process that is killed in the middle loses no event',
      'test/webhooks/deliver.test.ts: a receiver that is …',
      'test/webhooks/deliver.test.ts: 410 disables the webhook, with an alert',
      'test/webhooks/deliver.test.ts: key rotation loses nothing',
      'src/webhooks/envelope.test.ts: the known answer of facts 7.2',
      'src/webhooks/signature.test.ts: the known answer of the Standard Webhooks convention',
      'src/webhooks/retry.test.ts: by chance later, never earlier',
    ],
    control: foundBy(
      planted('events count as delivered before they are'),
      planted('one failing endpoint blocks all others'),
      planted('the new key signs alone'),
      'test/webhookDocs.test.ts: the receiver of the page refuses what is foreign, changed or too old',
    ),
    figures: counted(['deliveries']),
    gap: null,
  },
  {
    id: 'R43',
    says: 'Few packages, none with an install script, exact versions, known licences, a bill of materials, no known hole.',
    tests: [
      'test/sameBuild.long.test.ts: two builds of the package are the same in every byte',
      'test/dependencies.test.ts: at most … runtime packages are named in package.json',
      'test/dependencies.test.ts: no runtime package but those named here has an install script',
      'test/dependencies.test.ts: versions are exact, and the lock file names no address to download from',
      'test/release.test.ts: every released package has a licence that may be distributed',
      'test/release.test.ts: the bill of materials has every production package with its checksum',
      'test/release.long.test.ts: no released package has a known vulnerability of high or critical severity',
    ],
    control: foundBy(
      'test/dependencies.test.ts: control: an import of another package is found however it is written',
      'test/sameBuild.long.test.ts: control: one byte more in one file of a build is found',
    ),
    figures: uncounted(YES_OR_NO),
    gap: 'not yet: signatures of the registry',
  },
  {
    id: 'R44',
    says: 'The gateway runs without root, on a read-only root, with least rights, and over TLS 1.2 or newer.',
    tests: [
      'test/http/weakSuites.test.ts: TLS: of all suites, one by one, only those with forward secrecy',
      'test/http/weakSuites.test.ts: … is refused, whatever suite is offered',
      'test/users/leastRights.test.ts: PostgreSQL: with the rights of docs/postgresql.md a gateway starts and pays, and can change no table',
      'src/config.test.ts: live does not run as root',
      'test/deploy.test.ts: nothing runs as root, writes outside its folders or keeps capabilities',
      'test/http/startAndStop.test.ts: over TLS, and over nothing older than 1.2',
      'test/image.long.test.ts: it starts on a root that can only be read, is soon ready, and pays',
      'test/users/auditTampering.test.ts: postgres: a role that may only add, as docs/audit.md sets it up',
    ],
    control: foundBy(
      'test/deploy.test.ts: control: the reader of YAML reads what it should, and refuses the rest',
      'test/http/weakSuites.test.ts: control: a lax server agrees on weak suites, and that is found',
      'test/users/leastRights.test.ts: control: the owner of the tables may do all that',
    ),
    figures: counted(['weak suites refused', 'forbidden statements']),
    gap: null,
  },
  {
    id: 'R45',
    says: 'A backup is proven by restoring it: the books add up and sealed records open.',
    tests: [
      'src/cli/backup/backup.test.ts: a proof restores, verifies and opens sealed records, and leaves nothing behind',
      'src/cli/backup/backup.test.ts: a backup that is made while payments are taken is whole',
      'src/cli/backup/backup.test.ts: kill -9 during a backup leaves no file that looks whole',
      'test/pointInTime.long.test.ts: a base backup and the archived WAL restore the payments before a moment',
      'test/millionBackup.long.test.ts: a database of … payments is backed up and proved',
      'test/backupDocs.test.ts: the guide leads from a database to a proven backup and a recovered database',
    ],
    control: foundBy(
      'src/cli/backup/backup.test.ts: a damaged backup changes nothing, wherever it is damaged',
      'src/app/backup/format.test.ts: a backup with one bit altered, a chunk exchanged or anything behind its end is refused',
      'test/ledger/verify.test.ts: every damage is found, with its place',
    ),
    figures: uncounted('yes or no; the long form has a million payments'),
    gap: null,
  },
];
