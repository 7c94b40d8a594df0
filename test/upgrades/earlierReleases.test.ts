import assert from 'node:assert/strict';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { proveBackup } from '../../src/app/backup/proveBackup.ts';
import { restoreBackup } from '../../src/app/backup/restoreBackup.ts';
import { migrationsOf } from '../../src/store/migrate.ts';
import { openReader } from '../../src/store/open.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { pathOf } from '../../src/store/sqlite/file.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { createAdministrator } from '../http/administrator.ts';
import { createClient, DEMO } from '../http/client.ts';
import { startGateway } from '../http/gateway.ts';
import { sized } from '../long.ts';
import { testDatabase } from '../postgres.ts';
import { keptDatabases, masters } from './databases.ts';
import { type History, requestedAmountOf } from './history.ts';

/**
 * A version opens the database of every earlier one (docs/upgrading.md): the backup of each earlier schema is restored, brought up to date,
 * verified and read, and its payments go on.
 */
const kept = keptDatabases();
const oldest = (['sqlite', 'postgres'] as const).map((dialect) => kept.find((one) => one.dialect === dialect)?.schema);
const chosen = sized({ quick: kept.filter(({ schema }) => oldest.includes(schema)), assure: kept, reliability: kept });

const folder = mkdtempSync(join(tmpdir(), 'turnpike-upgrades-'));
after(() => rmSync(folder, { recursive: true, force: true }));

type Database = { readonly databaseUrl: string | null; readonly dataDir: string; drop(): Promise<void> };

async function emptyDatabase(isServer: boolean): Promise<Database> {
  const dataDir = mkdtempSync(join(folder, 'data-'));
  if (!isServer) return { databaseUrl: null, dataDir, drop: async () => {} };
  const { url, drop } = await testDatabase();
  return { databaseUrl: url, dataDir, drop };
}

const restore = (file: string, database: Database) =>
  restoreBackup(createReadStream(file), masters, { database, overwrites: false, now: Date.now });

const openStore = ({ databaseUrl, dataDir }: Database) =>
  databaseUrl === null ? openSqliteStore({ dataDir }) : openPostgresStore({ url: databaseUrl });

async function migrationsIn(database: Database): Promise<readonly number[]> {
  const reader = await openReader(database);
  assert.ok(reader);
  const rows = await reader.rows<{ readonly number: number | string }>('SELECT number FROM migration ORDER BY number');
  await reader.close();
  return rows.map(({ number }) => Number(number));
}

/** What is not as the shop was told; the gateway is of this version, on the database of an earlier one. */
async function differencesIn(database: Database, { payments, registrations, schedules }: History): Promise<readonly string[]> {
  const gateway = await startGateway({ store: await openStore(database), isQuiet: true });
  const shop = createClient(gateway.url, { ...DEMO, entityId: DEMO.lenientId });
  const found: string[] = [];
  const expect = (what: string, got: unknown, expected: unknown): void => {
    if (JSON.stringify(got) !== JSON.stringify(expected))
      found.push(`${what}: ${JSON.stringify(got)}, not ${JSON.stringify(expected)}`);
  };
  try {
    for (const { name, id, paymentType, amount, code } of payments.filter((payment) => payment.name !== 'open')) {
      const { body } = await shop.read(id);
      // Releases before decisions/0101 told no amount of a declined payment; the record has it, and this one tells it.
      const expected = amount || requestedAmountOf(name);
      expect(name, [body.paymentType, body.amount, body.result?.code], [paymentType, expected, code]);
    }
    const { ask } = createAdministrator(gateway.url);
    const customer = registrations[0]?.customer ?? '';
    const searched = await ask('GET', `/payments?entityId=${DEMO.merchantId}&customer=${customer}`);
    const listed = new Set((searched.body.payments as readonly { readonly id: string }[] | undefined)?.map(({ id }) => id));
    for (const payment of payments.filter((one) => one.customer === customer))
      expect(`${payment.name} by its customer`, listed.has(payment.id), true);
    for (const id of schedules)
      expect('schedule', (await ask('GET', `/schedules/${id}?entityId=${DEMO.merchantId}`)).status, 200);

    const idOf = (wanted: string): string => payments.find(({ name }) => name === wanted)?.id ?? '';
    expect('the rest is captured', (await shop.capture(idOf('authorization'), '30.00')).code, '000.100.110');
    expect('no more than that', (await shop.capture(idOf('authorization'), '0.01')).status, 400);
    expect('refund', (await shop.refund(idOf('debit'), '92.00')).code, '000.100.110');
    for (const { id } of registrations) {
      const charge = { paymentType: 'DB', amount: '18.00', currency: 'EUR' };
      expect('stored card', (await shop.send('POST', `/v1/registrations/${id}/payments`, charge)).code, '000.100.110');
    }
    await gateway.settle();
  } finally {
    await gateway.close();
  }
  return found;
}

const proveNeeds = { keys: masters, masters, now: Date.now, signal: new AbortController().signal, onStep: () => {} };

for (const { schema, dialect, file, history } of chosen) {
  test(`${dialect}: the database of schema ${schema} is restored, brought up to date, verified and read`, async (t) => {
    const database = await emptyDatabase(dialect === 'postgres');
    t.after(() => database.drop());
    const proof = await proveBackup(createReadStream(file), { ...proveNeeds, database });
    assert.deepEqual(proof.faults, []);
    assert.ok(proof.ok && proof.drawn > 0 && proof.payments >= history.payments.length, JSON.stringify(proof));

    await restore(file, database);
    assert.equal((await migrationsIn(database)).at(-1), schema);
    assert.deepEqual(await differencesIn(database, history), []);
    assert.deepEqual(
      await migrationsIn(database),
      migrationsOf(dialect).map(({ number }) => number),
    );
  });
}

test('every schema that a program has left behind is kept', () => {
  // The other numbers came in one commit with the next one, or are of the other engine.
  const schemas = { sqlite: [2, 4, 5, 7, 8, 9, 11, 13, 15, 16], postgres: [2, 4, 5, 7, 8, 11, 12, 13, 15, 17, 18, 19, 20, 21] };
  for (const dialect of ['sqlite', 'postgres'] as const)
    assert.deepEqual(
      kept.filter((one) => one.dialect === dialect).map((one) => one.schema),
      schemas[dialect],
    );
});

test('the control: a payment that a migration loses, and an amount and a code that it changes, are found', async () => {
  const found = kept.find((one) => one.dialect === 'sqlite');
  assert.ok(found);
  const database = await emptyDatabase(false);
  await restore(found.file, database);
  const db = new DatabaseSync(pathOf(database));
  const triggers = db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  const [credit, declined] = ['credit', 'declined'].map(
    (wanted) => found.history.payments.find(({ name }) => name === wanted)?.id ?? '',
  );
  db.prepare('DELETE FROM payment WHERE id = ?').run(credit ?? '');
  db.prepare(`UPDATE payment SET amount = 401, data = replace(data, '800.100.153', '800.100.155') WHERE id = ?`).run(
    declined ?? '',
  );
  // The migrations replace some of them.
  for (const { sql } of triggers) db.exec(String(sql));
  db.close();
  const differences = await differencesIn(database, found.history);
  assert.deepEqual(differences.map((text) => text.split(':')[0]).sort(), ['credit', 'declined']);
  const [said] = differences.filter((text) => text.startsWith('declined'));
  assert.equal(said, 'declined: ["DB","4.01","800.100.155"], not ["DB","4.00","800.100.153"]');
});
