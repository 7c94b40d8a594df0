import { holdsSandbox } from '../../../merchants/sandbox.ts';
import { appliedMigrations, migrationsOf } from '../../../store/migrate.ts';
import type { Reader } from '../../../store/open.ts';
import { bytesText, type Check, findings, spanText } from './check.ts';

type Settings = Readonly<Record<string, string>>;

/** Settings of the server as this database and user have them. */
async function settingsOf(database: Reader, ...names: readonly string[]): Promise<Settings> {
  const rows = await database.rows<{ readonly name: string; readonly setting: string }>(
    `SELECT name, setting FROM pg_settings WHERE name IN (${names.map((_, at) => `?${at + 1}`).join(', ')})`,
    names,
  );
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}

/** 14 is the oldest that its makers still support. */
const POSTGRES_MIN = 14;
const CLOCK_MS_MAX = 1_000;
const LOG_BYTES_MAX = 268_435_456;
const RETAINED_BYTES_MAX = 1_073_741_824;
const LAG_SECONDS_MAX = 60;
const CONNECTED_MAX = 0.8;
const TRANSACTIONS_MAX = 1_500_000_000;

type Sender = { readonly application_name: string; readonly lag: string | number | null };
type Slot = { readonly slot_name: string; readonly active: boolean; readonly retained: string | null };

async function replicationFaults(database: Reader): Promise<readonly (string | false)[]> {
  const senders = await database.rows<Sender>(
    'SELECT application_name, EXTRACT(epoch FROM replay_lag)::bigint AS lag FROM pg_stat_replication',
  );
  const slots = await database.rows<Slot>(
    `SELECT slot_name, active, (CASE WHEN pg_is_in_recovery() THEN NULL ELSE pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) END)::text AS retained
       FROM pg_replication_slots`,
  );
  return [
    ...senders.map(
      ({ application_name, lag }) =>
        Number(lag ?? 0) > LAG_SECONDS_MAX && `The standby ${application_name} is ${spanText(1_000 * Number(lag))} behind.`,
    ),
    ...slots.map(({ slot_name, active, retained }) => {
      if (active) return false;
      const kept = Number(retained ?? 0) > RETAINED_BYTES_MAX ? ` and keeps ${bytesText(Number(retained))} of WAL` : '';
      return `The replication slot ${slot_name} has no standby${kept}.`;
    }),
  ];
}

export const databaseChecks: readonly Check[] = [
  {
    id: 'database.schema',
    looksAt: 'whether the schema is that of this program',
    severity: 'error',
    remedy: 'start the gateway once: it brings an older schema up to date; for a newer one install the newer version',
    needs: 'database',
    find: async ({ database }) => {
      const rows = await database.rows<{ readonly number: string | number }>(appliedMigrations).catch(() => null);
      if (rows === null) return findings('The database has no schema yet.');
      const [applied, known] = [
        rows.map(({ number }) => Number(number)),
        migrationsOf(database.dialect).map(({ number }) => number),
      ];
      const missing = known.filter((number) => !applied.includes(number));
      const newer = applied.filter((number) => number > (known.at(-1) ?? 0));
      return findings(
        missing.length > 0 && `${missing.length} migrations have not been applied.`,
        newer.length > 0 && `The schema is ${newer.at(-1)}, this program knows ${known.at(-1)}.`,
      );
    },
  },
  {
    id: 'database.sandbox',
    looksAt: 'public credentials of the sandbox in a live database',
    severity: 'error',
    remedy: 'use an empty database: live does not start on this one',
    needs: 'schema',
    find: async ({ database, config }) => {
      if (config.environment !== 'live') return [];
      const entities = await database.rows<{ readonly id: string }>('SELECT id FROM entity');
      const tokens = await database.rows<{ readonly token_hash: string }>('SELECT token_hash FROM access_token');
      const isPublic = holdsSandbox({ entities, tokens: tokens.map(({ token_hash }) => ({ tokenHash: token_hash })) });
      return findings(isPublic && 'The database holds the public credentials of the sandbox.');
    },
  },
  {
    id: 'sqlite.journal',
    looksAt: 'whether SQLite writes ahead (journal_mode WAL)',
    severity: 'error',
    remedy: 'sqlite3 "$DATA_DIR/turnpike.db" "PRAGMA journal_mode = WAL"',
    needs: 'sqlite',
    find: async ({ database }) => {
      const [row] = await database.rows<{ readonly journal_mode: string }>('PRAGMA journal_mode');
      return findings(row?.journal_mode !== 'wal' && `The journal mode is ${row?.journal_mode}: readers would stop payments.`);
    },
  },
  {
    id: 'sqlite.log',
    looksAt: 'a log (turnpike.db-wal) of more than 256 MB: another program holds a reading transaction open',
    severity: 'warning',
    remedy: 'fuser -v "$DATA_DIR/turnpike.db" lists the programs that have the database open; end the one that reads',
    needs: 'sqlite',
    find: async ({ config, probes }) => {
      const bytes = probes.file(`${config.dataDir}/turnpike.db-wal`)?.bytes ?? 0;
      return findings(bytes > LOG_BYTES_MAX && `The log of the database has grown to ${bytesText(bytes)}.`);
    },
  },
];

export const postgresChecks: readonly Check[] = [
  {
    id: 'postgres.version',
    looksAt: `the version of the server: older than ${POSTGRES_MIN}`,
    severity: 'error',
    remedy: 'pg_upgrade to a supported version',
    needs: 'postgres',
    find: async ({ database }) => {
      const { server_version_num: number } = await settingsOf(database, 'server_version_num');
      return findings(
        Math.floor(Number(number) / 10_000) < POSTGRES_MIN && `The server is PostgreSQL ${Math.floor(Number(number) / 10_000)}.`,
      );
    },
  },
  {
    id: 'postgres.durability',
    looksAt: 'fsync, full_page_writes and synchronous_commit',
    severity: 'error',
    remedy:
      'ALTER SYSTEM SET fsync = on; ALTER SYSTEM SET full_page_writes = on; ALTER DATABASE … RESET synchronous_commit; SELECT pg_reload_conf();',
    needs: 'postgres',
    find: async ({ database }) => {
      const names = ['fsync', 'full_page_writes', 'synchronous_commit'];
      const settings = await settingsOf(database, ...names);
      return findings(...names.map((name) => settings[name] === 'off' && `${name} is off: a crash loses or damages payments.`));
    },
  },
  {
    id: 'postgres.standby',
    looksAt: 'whether the server is a standby, or can only be read',
    severity: 'error',
    remedy: 'name the primary in DATABASE_URL, or list all hosts and add ?target_session_attrs=read-write',
    needs: 'postgres',
    find: async ({ database }) => {
      const [row] = await database.rows<{ readonly standby: boolean; readonly fixed: string }>(
        "SELECT pg_is_in_recovery() AS standby, current_setting('default_transaction_read_only') AS fixed",
      );
      return findings(row?.standby && 'The server is a standby.', row?.fixed === 'on' && 'default_transaction_read_only is on.');
    },
  },
  {
    id: 'postgres.synchronous',
    looksAt: 'whether a synchronous standby is required and none is connected: commits would wait for ever',
    severity: 'error',
    remedy: "start the standby, or: ALTER SYSTEM SET synchronous_standby_names = ''; SELECT pg_reload_conf();",
    needs: 'postgres',
    find: async ({ database }) => {
      const { synchronous_standby_names: names } = await settingsOf(database, 'synchronous_standby_names');
      if (!names) return [];
      const rows = await database.rows("SELECT 1 AS one FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')");
      return findings(
        rows.length === 0 && `synchronous_standby_names is ${JSON.stringify(names)}, and no such standby is connected.`,
      );
    },
  },
  {
    id: 'postgres.replication',
    looksAt: 'standbys that lag by more than a minute, slots without a standby',
    severity: 'warning',
    remedy: "start the standby, or: SELECT pg_drop_replication_slot('NAME');",
    needs: 'postgres',
    find: async ({ database }) => findings(...(await replicationFaults(database))),
  },
  {
    id: 'postgres.archive',
    looksAt: 'an archive_command that fails: WAL fills the disk, and point-in-time recovery ends at the last archived file',
    severity: 'error',
    remedy: 'SELECT * FROM pg_stat_archiver; names the file: correct archive_command or its target',
    needs: 'postgres',
    find: async ({ database }) => {
      const [row] = await database.rows<{ readonly file: string }>(
        `SELECT last_failed_wal AS file FROM pg_stat_archiver
          WHERE last_failed_time IS NOT NULL AND last_failed_time > COALESCE(last_archived_time, '-infinity')`,
      );
      return findings(row && `The archive_command has failed for ${row.file}.`);
    },
  },
  {
    id: 'postgres.clock',
    looksAt: 'the difference between the clocks of the database server and of this machine: more than a second',
    severity: 'warning',
    remedy: 'timedatectl set-ntp true on both machines',
    needs: 'postgres',
    find: async ({ database, now }) => {
      const before = now();
      const [row] = await database.rows<{ readonly ms: string }>(
        'SELECT (EXTRACT(epoch FROM clock_timestamp()) * 1000)::bigint AS ms',
      );
      const difference = Math.abs(Number(row?.ms) - (before + now()) / 2);
      return findings(difference > CLOCK_MS_MAX && `The clocks differ by ${Math.round(difference)} ms.`);
    },
  },
  {
    id: 'postgres.connections',
    looksAt: 'whether more than four fifths of max_connections are in use',
    severity: 'warning',
    remedy: 'ALTER SYSTEM SET max_connections = 200, then restart the server; or end idle sessions of other programs',
    needs: 'postgres',
    find: async ({ database }) => {
      const { max_connections: most } = await settingsOf(database, 'max_connections');
      const [row] = await database.rows<{ readonly count: string }>(
        "SELECT COUNT(*) AS count FROM pg_stat_activity WHERE backend_type = 'client backend'",
      );
      const isMany = Number(row?.count) > CONNECTED_MAX * Number(most);
      return findings(isMany && `${row?.count} of ${most} connections are in use.`);
    },
  },
  {
    id: 'postgres.vacuum',
    looksAt: 'autovacuum, and the age of the oldest transaction id',
    severity: 'warning',
    remedy: 'ALTER SYSTEM SET autovacuum = on; SELECT pg_reload_conf(); then VACUUM (FREEZE)',
    needs: 'postgres',
    find: async ({ database }) => {
      const { autovacuum } = await settingsOf(database, 'autovacuum');
      const [row] = await database.rows<{ readonly age: string }>(
        'SELECT age(datfrozenxid) AS age FROM pg_database WHERE datname = current_database()',
      );
      return findings(
        autovacuum === 'off' && 'autovacuum is off: tables grow, and the server stops when transaction ids run out.',
        Number(row?.age) > TRANSACTIONS_MAX && `The oldest transaction id is ${row?.age} transactions old.`,
      );
    },
  },
  {
    id: 'postgres.archiving',
    looksAt: 'whether WAL is archived, so that any moment can be recovered',
    severity: 'note',
    remedy: 'docs/backup.md, point-in-time recovery: archive_mode = on, archive_command = …',
    needs: 'postgres',
    find: async ({ database, config }) => {
      const { archive_mode: mode, wal_level: level } = await settingsOf(database, 'archive_mode', 'wal_level');
      return findings(
        config.environment === 'live' && mode === 'off' && 'WAL is not archived: a recovery ends at the last backup.',
        level === 'minimal' && 'wal_level is minimal: no standby and no base backup is possible.',
      );
    },
  },
];
