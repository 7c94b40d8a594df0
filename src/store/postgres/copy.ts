import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import postgres, { type Sql } from 'postgres';
import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import { appliedMigrations, migrationsOf, migrationTable, noteMigration } from '../migrate.ts';
import { type Address, addressOf, withParameter } from './address.ts';
import { inServerForm } from './connection.ts';
import { codeOf, dialError, isFromServer, readError } from './errors.ts';
import { identified } from './tls.ts';

/** One table of a dump: its name, its columns, and its rows in the text format of COPY. */
export type CopiedTable = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<Uint8Array>;
};

type Dump = { readonly migrations: readonly number[]; readonly tables: () => AsyncGenerator<CopiedTable> };

/** Of several hosts, the first that is no standby, else the last. */
async function openSession(address: Address): Promise<Sql> {
  const { user, database, ssl, servers, pooler, password } = address;
  const connection = {
    application_name: 'turnpike backup',
    ...(pooler === 'none' && { statement_timeout: 0, idle_in_transaction_session_timeout: 0 }),
  };
  const common = { user, database, max: 1, fetch_types: false, onnotice: () => {}, connection, max_lifetime: null };
  const sslFor = (host: string) => (typeof ssl === 'object' ? identified(ssl, host) : ssl);
  const sessions = servers.map(
    (server) => () => postgres({ ...common, ...server, ssl: sslFor(server.host), pass: password(server) }),
  );
  for (const open of sessions.slice(0, -1)) {
    const sql = open();
    const [row] = await sql`SELECT pg_is_in_recovery() AS is_standby`.catch(() => []);
    if (row && !row.is_standby) return sql;
    await sql.end({ timeout: 1 });
  }
  return (sessions.at(-1) as () => Sql)();
}

/** One connection, so one session. It has no limits of time: whole tables are moved. */
async function withSession<T>(url: string, work: (session: Sql) => Promise<T>): Promise<T> {
  const address = addressOf(url);
  const sql = await openSession(address);
  try {
    // The work also writes to other places: only here is a refused connection one of this server.
    await sql`SELECT 1`.catch((error) =>
      Promise.reject(isFromServer(error) ? error : readError(dialError(error, address.servers))),
    );
    return await work(sql);
  } catch (error) {
    if (error instanceof StoreOutOfOrder || !(error instanceof postgres.PostgresError)) throw error;
    throw new StoreOutOfOrder(`PostgreSQL: ${error.code} ${error.message}`, error.code);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

const TABLES = `
  SELECT c.table_name AS table_name, c.column_name AS column_name, c.is_identity AS is_identity
  FROM information_schema.columns c
  JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
  WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
  ORDER BY c.table_name, c.ordinal_position`;

type Column = { readonly table_name: string; readonly column_name: string; readonly is_identity: 'YES' | 'NO' };

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const listed = (columns: readonly string[]): string => columns.map(quoted).join(', ');

/** Reads all tables as they are at one moment, while payments are taken. */
export function dumpPostgres<T>(url: string, work: (dump: Dump) => Promise<T>): Promise<T> {
  return withSession(url, async (session) => {
    await session.unsafe('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const applied = await session.unsafe<{ readonly number: string }[]>(appliedMigrations);
    const columns = await session.unsafe<Column[]>(TABLES);
    const tables = Map.groupBy(columns, ({ table_name }) => table_name);
    tables.delete('migration');
    const result = await work({
      migrations: applied.map(({ number }) => Number(number)),
      async *tables() {
        for (const [name, its] of tables) {
          const names = its.map(({ column_name }) => column_name);
          yield { name, columns: names, rows: linesOf(session, name, names) };
        }
      },
    });
    await session.unsafe('COMMIT');
    return result;
  });
}

/** Rows in memory at the same time. */
const PAGE = 200;

/**
 * Along a cursor, as COPY would write it. The driver's own stream of COPY stops the connection for ever when its last data arrive together
 * with its end (postgres.js 3.4.9).
 */
async function* linesOf(session: Sql, name: string, columns: readonly string[]): AsyncGenerator<Uint8Array> {
  const cells = columns.map((column) => `${quoted(column)}::text`).join(', ');
  await session.unsafe(`DECLARE copied NO SCROLL CURSOR FOR SELECT ${cells} FROM ${quoted(name)}`);
  for (;;) {
    const rows = await session.unsafe(`FETCH ${PAGE} FROM copied`).values();
    if (rows.length === 0) break;
    yield Buffer.from(rows.map((row) => `${(row as (string | null)[]).map(cellText).join('\t')}\n`).join(''));
  }
  await session.unsafe('CLOSE copied');
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const cellText = (text: string | null): string =>
  text === null ? '\\N' : text.replace(/[\\\n\r\t]/g, (character) => escapes[character] ?? character);

/** Whether the database has tables of any program. */
export const hasTables = (url: string): Promise<boolean> =>
  withSession(url, async (session) => (await session.unsafe(TABLES)).length > 0);

type Loading = { readonly migrations: readonly number[]; readonly overwrites: boolean };

/** Fills a database from the tables of a dump: all of it in one transaction, or nothing. */
export function loadPostgres(
  url: string,
  { migrations, overwrites }: Loading,
  tables: AsyncIterable<CopiedTable>,
): Promise<void> {
  return withSession(url, async (session) => {
    await session.unsafe('BEGIN');
    try {
      const grants = overwrites ? await emptySchema(session) : [];
      await createSchema(session, migrations);
      await load(session, tables);
      await grantAgain(session, grants);
      await session.unsafe('COMMIT');
    } catch (error) {
      await session.unsafe('ROLLBACK').catch(() => {});
      throw codeOf(error) === '42P07' ? new StoreOutOfOrder('The database is not empty.') : error;
    }
    await session.unsafe('ANALYZE').catch(() => {});
  });
}

/** The schema that the backup had; the next start brings it up to date. */
async function createSchema(session: Sql, migrations: readonly number[]): Promise<void> {
  const known = migrationsOf('postgres');
  const unknown = migrations.filter((number) => !known.some((one) => one.number === number));
  if (unknown.length > 0)
    throw new StoreOutOfOrder(`The backup is of schema ${unknown.at(-1)}: use the newer version of the program.`);
  await session.unsafe(migrationTable);
  for (const { number, name, text } of known.filter((one) => migrations.includes(one.number))) {
    await session.unsafe(text);
    await session.unsafe(inServerForm(noteMigration), [number, name]);
  }
}

/** Triggers guard changes of a running gateway; here the rows come as they were. */
async function load(session: Sql, tables: AsyncIterable<CopiedTable>): Promise<void> {
  const columns = await session.unsafe<Column[]>(TABLES);
  const known = new Set(columns.map(({ table_name }) => table_name));
  known.delete('migration');
  for (const name of known) {
    await session.unsafe(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
    await session.unsafe(`DELETE FROM ${quoted(name)}`);
  }
  for await (const { name, columns: names, rows } of tables) {
    if (!known.has(name))
      throw new StoreOutOfOrder(`The backup has a table ${JSON.stringify(name)} that its schema does not have.`);
    const into: Writable = await session.unsafe(`COPY ${quoted(name)} (${listed(names)}) FROM STDIN`).writable();
    const done = finished(into);
    done.catch(() => {});
    for await (const piece of rows) if (!into.write(piece)) await Promise.race([done, drained(into)]);
    into.end();
    await done;
  }
  await session.unsafe('SET CONSTRAINTS ALL IMMEDIATE');
  for (const name of known) await session.unsafe(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
  for (const { table_name, column_name } of columns.filter(({ is_identity }) => is_identity === 'YES')) {
    const [table, column] = [quoted(table_name), quoted(column_name)];
    await session.unsafe(
      `SELECT setval(pg_get_serial_sequence('${table}', '${column_name}'), GREATEST(1, (SELECT MAX(${column}) FROM ${table})))`,
    );
  }
}

const drained = (stream: Writable): Promise<void> => new Promise((resolve) => void stream.once('drain', resolve));

const INSUFFICIENT_PRIVILEGE = '42501';

const withoutRight = (error: unknown, user: string): unknown =>
  error instanceof StoreOutOfOrder && error.code === INSUFFICIENT_PRIVILEGE
    ? new StoreOutOfOrder(
        `The user ${user} may not create databases, which the proof of a backup needs. As a superuser: ALTER ROLE ${quoted(user)} CREATEDB;`,
        error.code,
      )
    : error;

/** A database of its own on the same server, dropped afterwards. */
export async function withScratchDatabase<T>(url: string, name: string, work: (scratch: string) => Promise<T>): Promise<T> {
  const onServer = (statement: string) => withSession(url, (session) => session.unsafe(statement));
  await onServer(`CREATE DATABASE ${quoted(name)}`).catch((error) => Promise.reject(withoutRight(error, addressOf(url).user)));
  try {
    return await work(withParameter(url, 'dbname', name));
  } finally {
    await onServer(`DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`);
  }
}

/** The grants of an object that is created again. */
type Grant = { readonly relation: string; readonly statement: string };

/** Members of extensions are not ours: `DROP EXTENSION` removes them. */
const ofNoExtension = (catalog: string, oid: string): string =>
  `NOT EXISTS (SELECT FROM pg_depend WHERE classid = '${catalog}'::regclass AND objid = ${oid} AND deptype = 'e')`;

/** A sequence of a column goes with its table; the others are last. */
const CONTENT = `
SELECT statement FROM (
SELECT format('DROP %s IF EXISTS %s CASCADE', kind.word, c.oid::regclass) AS statement
  FROM pg_class c
  JOIN (VALUES ('r', 'TABLE'), ('p', 'TABLE'), ('f', 'FOREIGN TABLE'), ('v', 'VIEW'), ('m', 'MATERIALIZED VIEW'), ('S', 'SEQUENCE'))
    AS kind (letter, word) ON kind.letter = c.relkind::text
 WHERE c.relnamespace = current_schema()::regnamespace AND ${ofNoExtension('pg_class', 'c.oid')}
UNION ALL
SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', p.oid::regprocedure)
  FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace AND p.prokind IN ('f', 'p') AND ${ofNoExtension('pg_proc', 'p.oid')}
UNION ALL
SELECT format('DROP TYPE IF EXISTS %s CASCADE', t.oid::regtype)
  FROM pg_type t WHERE t.typnamespace = current_schema()::regnamespace AND t.typtype IN ('e', 'd') AND ${ofNoExtension('pg_type', 't.oid')}
) AS content ORDER BY statement LIKE 'DROP SEQUENCE %'`;

const TO = `CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END, CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END`;

const GRANTS = `
SELECT quote_ident(c.relname) AS relation, format('GRANT %s ON %s %I TO %s%s',
         privilege_type, CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, c.relname, ${TO}) AS statement
  FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl)
 WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'S') AND grantee <> c.relowner
UNION ALL
SELECT quote_ident(c.relname), format('GRANT %s (%I) ON TABLE %I TO %s%s', privilege_type, a.attname, c.relname, ${TO})
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid CROSS JOIN LATERAL aclexplode(a.attacl)
 WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT a.attisdropped AND grantee <> c.relowner`;

/**
 * Removes what the schema holds, and returns the grants on its tables and sequences. The schema itself stays: so do the rights on it, its
 * default privileges, and extensions.
 */
async function emptySchema(session: Sql): Promise<readonly Grant[]> {
  const grants = await session.unsafe<Grant[]>(GRANTS);
  for (const { statement } of await session.unsafe<{ readonly statement: string }[]>(CONTENT)) await session.unsafe(statement);
  return grants;
}

/** Repeats the grants on every table that the restored schema has. */
async function grantAgain(session: Sql, grants: readonly Grant[]): Promise<void> {
  for (const { relation, statement } of grants) {
    const [row] = await session.unsafe<{ readonly oid: string | null }[]>('SELECT to_regclass($1) AS oid', [relation]);
    if (row?.oid) await session.unsafe(statement);
  }
}
