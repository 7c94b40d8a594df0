import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import postgres from 'postgres';
import { verify } from '../../src/ledger/verify.ts';
import { migrationsOf } from '../../src/store/migrate.ts';
import { withAudit } from '../../src/store/openAudit.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/store/store.ts';
import { nextId } from '../contract/storeFixtures.ts';
import { testDatabase } from '../postgres.ts';
import { steps, tell } from './families.ts';

const LEDGER = 17;
const textOf = (dialect: 'sqlite' | 'postgres'): string =>
  migrationsOf(dialect).find(({ number }) => number === LEDGER)?.text ?? assert.fail('no migration');

/** What the migration is to find: payments without books. */
const UNDO = 'DROP TABLE posting; DROP TABLE ledger_block;';

async function fill(store: Store): Promise<void> {
  for (const life of fc.sample(steps, { numRuns: 6, seed: 11 })) await tell(store, nextId(), life);
}

async function isProven(place: Parameters<typeof withAudit>[0]): Promise<void> {
  const needs = { merchantId: null, onStep: () => {}, signal: new AbortController().signal };
  const { findings, postings } = await withAudit(place, (audit) => verify(audit, needs));
  assert.deepEqual(findings, []);
  assert.ok(postings > 20, String(postings));
}

test('sqlite: what was paid before there were books is in them afterwards', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-migrated-'));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const store = await openSqliteStore({ dataDir });
  await fill(store);
  await store.close();
  const db = new DatabaseSync(join(dataDir, 'turnpike.db'));
  db.exec(UNDO);
  db.exec(textOf('sqlite'));
  db.close();
  await isProven({ dataDir });
});

test('postgres: what was paid before there were books is in them afterwards', async (t) => {
  const { url, drop } = await testDatabase();
  t.after(drop);
  const store = await openPostgresStore({ url });
  await fill(store);
  await store.close();
  const hand = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  await hand.unsafe(`${UNDO} DROP FUNCTION check_block;`);
  await hand.unsafe(textOf('postgres'));
  await hand.end();
  await isProven({ databaseUrl: url });
});
