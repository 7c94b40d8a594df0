import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { testDatabase } from '../postgres.ts';

/** A PostgreSQL database with the schema of the program and the rows of its migrations alone. */
export type FreshDatabase = {
  readonly url: string;
  /** Ends its use; `isChanged`: something other than rows may have changed. */
  giveBack(isChanged: boolean): Promise<void>;
};

type Session = ReturnType<typeof postgres>;
type Made = { readonly url: string; drop(): Promise<void> };

let template: Promise<string> | null = null;
/** Databases that are as new again. A copy of the template costs the server some 150 ms of processor time, emptying one 10. */
const unused: Made[] = [];

export const connectTo = (url: string): Session => postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });

/** Makes a database with the schema, to be copied: no session may be open on it. */
export async function makeSchemaDatabase(): Promise<string> {
  const { url } = await testDatabase();
  await (await openPostgresStore({ url })).close();
  return url;
}

/** A database that nothing else uses. */
export async function freshDatabase(): Promise<FreshDatabase> {
  template ??= process.env.TEST_SCHEMA_DATABASE_URL
    ? Promise.resolve(process.env.TEST_SCHEMA_DATABASE_URL)
    : makeSchemaDatabase();
  const made = unused.pop() ?? (await testDatabase(await template));
  return {
    url: made.url,
    giveBack: async (isChanged) => {
      if (!isChanged && (await isEmptied(made.url))) unused.push(made);
      else await made.drop();
    },
  };
}

/** Drops the databases that are kept for the next test. */
export async function dropUnused(): Promise<void> {
  await Promise.all(unused.splice(0).map(({ drop }) => drop()));
}

const SESSIONS_MS_MAX = 1_000;

/** Makes a database as it was; false when another session still uses it. */
async function isEmptied(url: string): Promise<boolean> {
  const sql = connectTo(url);
  try {
    const began = performance.now();
    while ((await otherSessions(sql)) > 0) {
      if (performance.now() - began > SESSIONS_MS_MAX) return false;
      await pause(5);
    }
    reset ??= await resetOf(sql);
    await sql.unsafe(reset);
    return true;
  } finally {
    await sql.end();
  }
}

async function otherSessions(sql: Session): Promise<number> {
  const [row] = await sql.unsafe(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
  );
  return Number(row?.n);
}

let reset: string | null = null;

/** The statements that delete every row but those of the migrations. Triggers do not see them. */
async function resetOf(used: Session): Promise<string> {
  const tables = await used.unsafe(`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1`);
  const { url, drop } = await testDatabase((await template) ?? '');
  const untouched = connectTo(url);
  try {
    const steps = tables.map(async ({ name }) => {
      const [row] = await untouched.unsafe(`SELECT json_agg(t)::text AS rows FROM "${name}" AS t`);
      const seed =
        row?.rows === null
          ? ''
          : `INSERT INTO "${name}" OVERRIDING SYSTEM VALUE
        SELECT * FROM json_populate_recordset(NULL::"${name}", '${String(row?.rows).replaceAll("'", "''")}');`;
      return `DELETE FROM "${name}"; ${seed}`;
    });
    const sequences = `SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) FROM pg_sequences;`;
    return `SET session_replication_role = replica; ${(await Promise.all(steps)).join('\n')} ${sequences}`;
  } finally {
    await untouched.end();
    await drop();
  }
}
