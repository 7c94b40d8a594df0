import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import postgres from 'postgres';
import { verify } from '../../src/ledger/verify.ts';
import type { SettlementRecord } from '../../src/settlement/record.ts';
import { migrationsOf } from '../../src/store/migrate.ts';
import { withAudit } from '../../src/store/openAudit.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/store/store.ts';
import { commit, commitWithEffects, payment } from '../contract/storeFixtures.ts';
import { bring, lines, matchedWith, settlementFile, settlementRecord } from '../contract/storeReportFixtures.ts';
import { testDatabase } from '../postgres.ts';

const textOf = (dialect: 'sqlite' | 'postgres', step: number): string =>
  migrationsOf(dialect).find(({ number }) => number === step)?.text ?? assert.fail('no migration');

const COLUMNS = ['booked_currency', 'booked_settled', 'booked_fee'];

/** What the migration is to find: settlements that no books know of. */
const UNDO = `DROP TABLE posting; DROP TABLE ledger_block;
  ${COLUMNS.map((name) => `ALTER TABLE settlement_record DROP COLUMN ${name};`).join(' ')}`;

/** A record as it was written then. */
function writtenThen({ id: _, fileId, merchantId, entityId, line, createdAt, revision, ...rest }: SettlementRecord): string {
  const texts = { amount: String(rest.amount), settledAmount: String(rest.settledAmount), fee: rest.fee?.toString() ?? null };
  return JSON.stringify({ ...rest, ...texts });
}

async function fill(store: Store): Promise<readonly SettlementRecord[]> {
  const one = payment();
  assert.deepEqual(await commitWithEffects(store, commit(one, 0)), { is: 'kept' });
  const said = fc.sample(lines, { numRuns: 30, seed: 3 });
  const rates = ['1.25', '0.0031', '120', '0'];
  const abroad = rates.map((fxRate) => ({ settledCurrency: 'USD', fxRate, fee: 77n, match: matchedWith('p1') }));
  const matched = [...said, ...abroad, {}].map((each) => ({
    ...each,
    ...(each.match?.status === 'MATCHED' && { match: matchedWith(one.id) }),
  }));
  const file = settlementFile();
  await store.beginFile(file);
  await store.addRecords(file.id, [settlementRecord(file, { match: matchedWith(one.id) })], file.readUntil);
  return (await bring(store, matched)).records;
}

async function isProven(place: Parameters<typeof withAudit>[0]): Promise<void> {
  const needs = { merchantId: null, onStep: () => {}, signal: new AbortController().signal };
  const { findings, settlements } = await withAudit(place, (audit) => verify(audit, needs));
  assert.deepEqual(
    findings.filter(({ says }) => !says.includes('a payment that is not there')),
    [],
  );
  assert.ok(settlements > 8, String(settlements));
}

test('sqlite: what was settled before the books knew of it is in them afterwards', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-migrated-'));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const store = await openSqliteStore({ dataDir });
  const records = await fill(store);
  await store.close();
  const db = new DatabaseSync(join(dataDir, 'turnpike.db'));
  db.exec(UNDO);
  const write = db.prepare('UPDATE settlement_record SET data = ? WHERE id = ?');
  for (const record of records) write.run(writtenThen(record), record.id);
  for (const step of [17, 21]) db.exec(textOf('sqlite', step));
  db.close();
  await isProven({ dataDir });
});

test('postgres: what was settled before the books knew of it is in them afterwards', async (t) => {
  const { url, drop } = await testDatabase();
  t.after(drop);
  const store = await openPostgresStore({ url });
  const records = await fill(store);
  await store.close();
  const hand = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  await hand.unsafe(`${UNDO} DROP FUNCTION check_block;`);
  for (const record of records) {
    await hand.unsafe('UPDATE settlement_record SET data = $1 WHERE id = $2', [writtenThen(record), record.id]);
  }
  for (const step of [17, 21]) await hand.unsafe(textOf('postgres', step));
  await hand.end();
  await isProven({ databaseUrl: url });
});
