import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import postgres, { type Sql } from 'postgres';
import { type Dialect, migrationsOf } from '../../src/store/migrate.ts';
import { inServerForm } from '../../src/store/postgres/connection.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { allStatements } from '../../test/contract/allStatements.ts';
import { testDatabase } from '../../test/postgres.ts';

/**
 * The statements of a release, for the releases after it: `node scripts/release/statements.ts` writes them down when a version is published.
 * A node of that release sends them to the schema of the next one while nodes are replaced.
 */
export type ReleasedStatements = {
  readonly version: string;
  /** The newest schema that the release knows. */
  readonly schema: number;
  readonly statements: Readonly<Record<Dialect, readonly string[]>>;
};

const root = join(import.meta.dirname, '../..');
const FILE = join(root, 'test/fixtures/releasedStatements.json');

export const readReleased = (): ReleasedStatements => JSON.parse(readFileSync(FILE, 'utf8')) as ReleasedStatements;

/** What the newest schema of a dialect says to statements: null, or its complaint. */
export type Schema = {
  refusalOf(text: string): Promise<string | null>;
  alter(text: string): Promise<void>;
  close(): Promise<void>;
};

const messageOf = (error: unknown): string => (error as Error).message;

async function sqliteSchema(): Promise<Schema> {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-statements-'));
  await (await openSqliteStore({ dataDir })).close();
  const database = new DatabaseSync(join(dataDir, 'turnpike.db'));
  return {
    refusalOf: async (text) => {
      try {
        database.prepare(text);
        return null;
      } catch (error) {
        return messageOf(error);
      }
    },
    alter: async (text) => database.exec(text),
    close: async () => {
      database.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

async function postgresSchema(): Promise<Schema> {
  const { url, drop } = await testDatabase();
  await (await openPostgresStore({ url })).close();
  const sql: Sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  return {
    refusalOf: (text) =>
      sql.unsafe(`PREPARE tried AS ${inServerForm(text)}`).then(
        async () => {
          await sql.unsafe('DEALLOCATE tried');
          return null;
        },
        (error: unknown) => messageOf(error),
      ),
    alter: async (text) => void (await sql.unsafe(text)),
    close: async () => {
      await sql.end();
      await drop();
    },
  };
}

export const schemas: Readonly<Record<Dialect, () => Promise<Schema>>> = { sqlite: sqliteSchema, postgres: postgresSchema };

const statementsOf = async (dialect: Dialect): Promise<readonly string[]> => [...(await allStatements(dialect)).values()].sort();

async function writeReleased(): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  const schema = Math.max(...(['sqlite', 'postgres'] as const).flatMap((each) => migrationsOf(each).map(({ number }) => number)));
  const statements = { sqlite: await statementsOf('sqlite'), postgres: await statementsOf('postgres') };
  const released: ReleasedStatements = { version, schema, statements };
  writeFileSync(FILE, `${JSON.stringify(released, null, 1)}\n`);
  console.log(`${version}: ${statements.sqlite.length} statements of SQLite, ${statements.postgres.length} of PostgreSQL`);
}

if (import.meta.main) await writeReleased();
