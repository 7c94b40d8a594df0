import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
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

const outboxOf = (raw: Database['raw']) => async (merchantId: string) => {
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

export const openSqlite: Open = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-store-'));
  emptyFile ??= makeEmptyFile();
  writeFileSync(join(dataDir, 'turnpike.db'), await emptyFile);
  // A search finds some payments by their keys, and some behind the cursor.
  const store = await openSqliteStore({ dataDir, keysPortion: 50 });
  const hand = new DatabaseSync(join(dataDir, 'turnpike.db'), { timeout: 5_000 });
  const raw: Database['raw'] = async (statement) => hand.prepare(statement).all();
  const end = async () => {
    hand.close();
    await store.close();
    rmSync(dataDir, { recursive: true });
  };
  const place = { databaseUrl: null, dataDir };
  return { store, outbox: outboxOf(raw), database: { again: () => openSqliteStore({ dataDir }), place, raw }, end };
};

export const openPostgres: Open = async () => {
  const { url, giveBack } = await freshDatabase();
  const store = await openPostgresStore({ url });
  const hand = connectTo(url);
  let isChanged = false;
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
