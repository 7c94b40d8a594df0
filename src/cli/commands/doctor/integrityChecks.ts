import { damagedRecords, damagedTable } from '../../../ledger/verify.ts';
import { type Reader, withAudit } from '../../../store/open.ts';
import { WHOLE_BYTES_MAX } from '../../../store/sqlite/check.ts';
import { openReadOnlyVault } from '../../../vault/vault.ts';
import { type Check, type Exam, type Finding, findings } from './check.ts';

/** Checks that read whole tables. They run with `--deep`. */

const DAY_MS = 86_400_000;
const FINDINGS_MAX = 20;
const one = (text: string): string => text.replaceAll(/\s+/g, ' ');

type Named = { readonly name: string };

/** SQLite's check of each table: pages, the order of keys, and that indexes and tables have the same rows. */
async function sqliteFaults({ database, onStep }: Exam): Promise<readonly Finding[]> {
  const tables = await database.rows<Named>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  const found: string[] = [];
  for (const [at, { name }] of tables.entries()) {
    onStep({ phase: 'examining', done: at, total: tables.length });
    const rows = await database
      .rows<{ readonly integrity_check: string }>(`PRAGMA integrity_check("${name}")`)
      .catch((error: Error) => [{ integrity_check: error.message }]);
    const faults = rows.map(({ integrity_check: says }) => one(says)).filter((says) => says !== 'ok');
    found.push(...faults.map((says) => `The table ${name}: ${says}.`));
    if (found.length >= FINDINGS_MAX) break;
  }
  onStep({ phase: 'examining', done: tables.length, total: tables.length });
  return findings(...found.slice(0, FINDINGS_MAX));
}

const INDEXES = `
  SELECT c.oid::text AS id, c.relname AS name FROM pg_class c
  JOIN pg_index i ON i.indexrelid = c.oid JOIN pg_am a ON a.oid = c.relam
  WHERE a.amname = 'btree' AND i.indisvalid AND c.relpersistence = 'p' AND c.relnamespace = current_schema()::regnamespace
  ORDER BY c.relname`;
const TABLES = `
  SELECT c.oid::text AS id, c.relname AS name FROM pg_class c
  WHERE c.relkind = 'r' AND c.relpersistence = 'p' AND c.relnamespace = current_schema()::regnamespace ORDER BY c.relname`;

const USABLE = `
  SELECT bool_and(has_function_privilege(p.oid, 'EXECUTE')) AS usable FROM pg_proc p
  JOIN pg_depend d ON d.objid = p.oid AND d.deptype = 'e' JOIN pg_extension e ON e.oid = d.refobjid
  WHERE e.extname = 'amcheck' AND p.proname IN ('bt_index_check', 'verify_heapam')`;

/** Null: the extension is not installed. */
async function isUsable(database: Reader): Promise<boolean | null> {
  const [row] = await database.rows<{ readonly usable: boolean | null }>(USABLE);
  return row?.usable ?? null;
}

/** The check of amcheck: every row of a table is in its index, keys are in order, and rows can be read. */
async function postgresFaults({ database, onStep }: Exam): Promise<readonly Finding[]> {
  if ((await isUsable(database)) !== true) return [];
  const [extension] = await database.rows<Named>(
    "SELECT n.nspname AS name FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'amcheck'",
  );
  const schema = `"${extension?.name ?? 'public'}"`;
  const indexes = await database.rows<Named & { readonly id: string }>(INDEXES);
  const tables = await database.rows<Named & { readonly id: string }>(TABLES);
  const total = indexes.length + tables.length;
  const found: string[] = [];
  for (const [at, { id, name }] of indexes.entries()) {
    onStep({ phase: 'examining', done: at, total });
    const says = await database
      .rows(`SELECT ${schema}.bt_index_check(index => ${id}::oid::regclass, heapallindexed => true)`)
      .then(
        () => null,
        (error: Error) => one(error.message),
      );
    if (says !== null) found.push(`The index ${name}: ${says}.`);
  }
  for (const [at, { id, name }] of tables.entries()) {
    onStep({ phase: 'examining', done: indexes.length + at, total });
    const faults = await database.rows<{ readonly blkno: string; readonly msg: string }>(
      `SELECT blkno, msg FROM ${schema}.verify_heapam(relation => ${id}::oid::regclass) LIMIT ${FINDINGS_MAX}`,
    );
    found.push(...faults.map(({ blkno, msg }) => `The table ${name}, block ${blkno}: ${one(msg)}.`));
  }
  onStep({ phase: 'examining', done: total, total });
  return findings(...found.slice(0, FINDINGS_MAX));
}

/** Records whose content is damaged, without any comparison of the books. */
async function brokenRecords({ config, masters, now }: Exam): Promise<readonly Finding[]> {
  const place = config.databaseUrl === null ? { dataDir: config.dataDir } : { databaseUrl: config.databaseUrl };
  return withAudit(place, async (audit) => {
    const found: string[] = [];
    const add = (all: readonly { readonly merchantId: string; readonly id: string; readonly says: string }[]) =>
      found.push(
        ...all.map(
          ({ merchantId, id, says }) =>
            `${merchantId === id ? `Entity ${id}` : [merchantId && `Merchant ${merchantId}`, id].filter(Boolean).join(', ')}: ${says}.`,
        ),
      );
    for (const read of [audit.payments, audit.settlements]) {
      try {
        for await (const { unreadable } of read(null)) add(unreadable);
      } catch (error) {
        add([damagedTable(error)]);
      }
    }
    // Wrong keys, damaged ones and secrets have checks of their own.
    const open = async () => (await openReadOnlyVault({ keys: audit.keys, masters: masters(), now })).open;
    for await (const damaged of damagedRecords(audit, null, await open().catch(() => null), 'secret')) add(damaged);
    return findings(...found.slice(0, FINDINGS_MAX));
  });
}

export const integrityChecks: readonly Check[] = [
  {
    id: 'database.records',
    looksAt: `whether every stored record can be read; without --deep in a file of SQLite of up to ${WHOLE_BYTES_MAX / 1_048_576} MB`,
    severity: 'error',
    remedy: 'npx turnpike verify names all of them; take the record from a backup (docs/backup.md)',
    needs: 'schema',
    withinMs: DAY_MS,
    find: async (exam) => {
      const { config, probes, isDeep } = exam;
      const bytes = config.databaseUrl === null ? (probes.file(`${config.dataDir}/turnpike.db`)?.bytes ?? 0) : Number.MAX_VALUE;
      return isDeep || bytes <= WHOLE_BYTES_MAX ? brokenRecords(exam) : [];
    },
  },
  {
    id: 'sqlite.integrity',
    looksAt: 'with --deep every page, key and index of the file',
    severity: 'error',
    remedy: 'stop the gateway, keep a copy of DATA_DIR, and restore a backup: npx turnpike restore --overwrite (docs/backup.md)',
    needs: 'sqlite',
    isDeep: true,
    withinMs: DAY_MS,
    find: sqliteFaults,
  },
  {
    id: 'postgres.integrity',
    looksAt: 'with --deep every index and table, by the extension amcheck',
    severity: 'error',
    remedy:
      'an index: REINDEX INDEX CONCURRENTLY name; a table: fail over to a standby, or restore a backup (docs/postgresql.md)',
    needs: 'postgres',
    isDeep: true,
    withinMs: DAY_MS,
    find: postgresFaults,
  },
  {
    id: 'postgres.amcheck',
    looksAt: 'with --deep whether amcheck is there and may be used',
    severity: 'note',
    remedy:
      'as a superuser: CREATE EXTENSION amcheck; GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO the user of DATABASE_URL',
    needs: 'postgres',
    isDeep: true,
    find: async ({ database }) => {
      const usable = await isUsable(database);
      return findings(
        usable === null && 'The extension amcheck is not installed: indexes and tables were not examined.',
        usable === false && 'This user may not call amcheck: indexes and tables were not examined.',
      );
    },
  },
];
