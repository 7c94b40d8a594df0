import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/store/store.ts';
import { connectTo, freshDatabase } from './freshDatabases.ts';
import type { Database, Open, Posted } from './storeFixtures.ts';

export const openMemory: Open = async () => {
  const store = createMemoryStore();
  return {
    store,
    outbox: async (merchantId) =>
      store.outbox
        .filter((message) => message.merchantId === merchantId)
        .map(({ id, subjectId: paymentId, revision, code, action, about }) => ({
          id,
          paymentId,
          revision,
          code,
          action,
          about: about === 'registration' ? about : 'payment',
        })),
    end: () => store.close(),
  };
};

export const outboxOf = (raw: Database['raw']) => async (merchantId: string) => {
  const rows = await raw(
    `SELECT id, subject_id, revision, code, action, of_registration
     FROM outbox WHERE merchant_id = '${merchantId}' AND state = 'new'`,
  );
  return rows.map(
    ({ id, subject_id, revision, code, action, of_registration }) =>
      ({
        id,
        paymentId: subject_id,
        revision: Number(revision),
        code,
        action,
        about: Number(of_registration) === 1 ? 'registration' : 'payment',
      }) as Posted,
  );
};

/** The bytes of a file with the schema alone: most of what a fresh database costs is its schema. */
let emptyFile: Promise<Buffer> | null = null;

async function makeEmptyFile(): Promise<Buffer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-empty-'));
  await (await openSqliteStore({ dataDir })).close();
  const bytes = readFileSync(join(dataDir, 'turnpike.db'));
  rmSync(dataDir, { recursive: true });
  return bytes;
}

type SqliteFile = { readonly store: Store; readonly dataDir: string; readonly hand: DatabaseSync };

async function openFile(): Promise<SqliteFile> {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-store-'));
  emptyFile ??= makeEmptyFile();
  writeFileSync(join(dataDir, 'turnpike.db'), await emptyFile);
  // A search finds some payments by their keys, and some behind the cursor.
  const store = await openSqliteStore({ dataDir, keysBatch: 50 });
  return { store, dataDir, hand: new DatabaseSync(join(dataDir, 'turnpike.db'), { timeout: 5_000 }) };
}

async function endFile({ store, dataDir, hand }: SqliteFile): Promise<void> {
  hand.close();
  await store.close();
  rmSync(dataDir, { recursive: true });
}

export const openSqlite: Open = async () => {
  const file = await openFile();
  const { store, dataDir, hand } = file;
  const raw: Database['raw'] = async (statement) => hand.prepare(statement).all();
  const place = { databaseUrl: null, dataDir };
  const database = { again: () => openSqliteStore({ dataDir }), place, raw };
  return { store, outbox: outboxOf(raw), database, end: () => endFile(file) };
};

/** Stores whose files are as new again. To open one costs some 100 ms of processor time, to restore its file a tenth. */
const unusedFiles: SqliteFile[] = [];

/** The same for a test that does not mind a store that was open before: its file has the rows of the migrations alone. */
export const reuseSqlite: Open = async () => {
  const file = unusedFiles.pop() ?? (await openFile());
  const { dataDir, hand } = file;
  let isChanged = false;
  /** What can leave more behind than rows: the store is not used again. */
  const changing = <Given extends readonly unknown[], T>(act: (...given: Given) => T) => {
    return (...given: Given): T => {
      isChanged = true;
      return act(...given);
    };
  };
  const raw: Database['raw'] = async (statement) => {
    isChanged ||= !/^\s*(?:SELECT|INSERT|UPDATE|DELETE|EXPLAIN)\b/i.test(statement);
    return hand.prepare(statement).all();
  };
  const placeOf = changing(() => ({ databaseUrl: null, dataDir }));
  return {
    // The store holds its claims in memory.
    store: { ...file.store, claimDue: changing(file.store.claimDue), close: changing(file.store.close) },
    outbox: outboxOf(raw),
    database: {
      again: changing(() => openSqliteStore({ dataDir })),
      get place() {
        return placeOf();
      },
      raw,
    },
    end: async () => {
      if (isChanged) return endFile(file);
      await restore(file);
      unusedFiles.push(file);
    },
  };
};

let emptyDatabase: DatabaseSync | null = null;

/** Makes the content of a file that of an empty one, for all its connections. */
async function restore({ store, dataDir }: SqliteFile): Promise<void> {
  // Behind everything that a test has sent to the writer.
  await store.tryWrite(false);
  if (emptyDatabase === null) {
    const path = join(dataDir, 'empty.db');
    writeFileSync(path, (await emptyFile) ?? '');
    emptyDatabase = new DatabaseSync(path);
    // The page size and the journal of the copy are those of the file that it replaces.
    emptyDatabase.exec('PRAGMA journal_mode = DELETE');
    rmSync(path);
  }
  await backup(emptyDatabase, join(dataDir, 'turnpike.db'), { rate: 100_000 });
}

/** Ends the stores that are kept for the next test. */
export async function endUnusedFiles(): Promise<void> {
  await Promise.all(unusedFiles.splice(0).map(endFile));
}

/** The same database by the pooler that TEST_POOLER names with `DATABASE` in place of the name; directly when there is none. */
const pooled = (direct: string): string =>
  process.env.TEST_POOLER?.replace('DATABASE', new URL(direct).pathname.slice(1)) ?? direct;

export const openPostgres: Open = async () => {
  const { url: direct, giveBack } = await freshDatabase();
  const url = pooled(direct);
  const store = await openPostgresStore({ url });
  const hand = connectTo(direct);
  // A pooler keeps its sessions: the database is dropped with them.
  let isChanged = url !== direct;
  const raw: Database['raw'] = (statement) => {
    isChanged ||= !/^\s*(?:SELECT|INSERT|UPDATE|DELETE|EXPLAIN)\b/i.test(statement);
    return hand.unsafe(statement);
  };
  const end = async () => {
    await hand.end();
    await store.close();
    await giveBack(isChanged);
  };
  const place = { databaseUrl: url, dataDir: '' };
  return { store, outbox: outboxOf(raw), database: { again: () => openPostgresStore({ url }), place, raw }, end };
};
