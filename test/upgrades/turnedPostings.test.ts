import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import postgres from 'postgres';
import { balancesAt } from '../../src/ledger/chain.ts';
import { verify } from '../../src/ledger/verify.ts';
import { type Dialect, migrationsOf } from '../../src/store/migrate.ts';
import { withAudit } from '../../src/store/open.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { pathOf } from '../../src/store/sqlite/file.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { createClient, DEMO } from '../http/client.ts';
import { startGateway } from '../http/gateway.ts';
import { testDatabase } from '../postgres.ts';

/** Postings that earlier versions made in the wrong direction are turned round once, by postings of their own (decisions/0106). */

const folder = mkdtempSync(join(tmpdir(), 'turnpike-turned-'));
after(() => rmSync(folder, { recursive: true, force: true }));

type Database = { readonly databaseUrl: string | null; readonly dataDir: string };
const AFTER_ALL = Number.MAX_SAFE_INTEGER;
const accounts = ['shopper', 'reserve', 'contra', 'merchant', 'acquirer', 'fees', 'chargebacks'];
const LATER = { 'customParameters[forceResultCode]': '000.200.000', 'customParameters[SIMULATOR_for]': '400d' };

const locationOf = ({ databaseUrl, dataDir }: Database) => (databaseUrl === null ? { dataDir } : { databaseUrl });

const openStore = ({ databaseUrl, dataDir }: Database) =>
  databaseUrl === null ? openSqliteStore({ dataDir }) : openPostgresStore({ url: databaseUrl });

async function execute({ databaseUrl, dataDir }: Database, text: string): Promise<void> {
  if (databaseUrl === null) {
    const database = new DatabaseSync(pathOf({ dataDir }));
    database.exec(text);
    database.close();
    return;
  }
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await sql.unsafe(text);
  await sql.end();
}

/** What is booked cannot be changed: a test that plants a mistake does without the triggers. */
const plant = (database: Database, text: string): Promise<void> =>
  execute(
    database,
    `${database.databaseUrl === null ? 'DROP TRIGGER IF EXISTS posting_fixed' : 'SET session_replication_role = replica'}; ${text}`,
  );

/** Transactions of both kinds, and some that were always right; returns the ids of those that an earlier version booked wrongly. */
async function play(database: Database): Promise<readonly string[]> {
  const gateway = await startGateway({ store: await openStore(database), isQuiet: true });
  const shop = createClient(gateway.url);
  const done = async (reply: ReturnType<typeof shop.pay>): Promise<string> => {
    const { id, status, body } = await reply;
    assert.equal(status, 200, JSON.stringify(body));
    return id;
  };
  const record = (id: string, paymentType: string, amount: string) =>
    done(shop.refer(id, { paymentType, amount, currency: 'EUR' }));
  const [credit, debit] = [await done(shop.pay({ paymentType: 'CD' })), await done(shop.pay())];
  const refund = await done(shop.refund(debit, '20.00'));
  const charged = await record(debit, 'CB', '10.00');
  await record(charged, 'CR', '4.00');
  const wrong = [
    await done(shop.refund(credit, '30.00')),
    await done(shop.refund(credit, '7.00', LATER)),
    await record(refund, 'CB', '5.00'),
    await record(refund, 'CB', '6.00'),
  ];
  await gateway.close();
  return wrong;
}

async function proven(database: Database) {
  const needs = { merchantId: null, onStep: () => {}, signal: new AbortController().signal };
  const { findings, postings } = await withAudit(locationOf(database), (audit) => verify(audit, needs));
  return { postings, findings: findings.map(({ subjectId, says }) => `${subjectId}: ${says}`) };
}

async function balances(database: Database) {
  const store = await openStore(database);
  const held = await balancesAt(store, DEMO.merchantId, AFTER_ALL);
  await store.close();
  return held;
}

const migration = (dialect: Dialect): string =>
  migrationsOf(dialect).find(({ name }) => name === 'turned-postings')?.text ?? assert.fail('there is no such migration');

for (const dialect of ['sqlite', 'postgres'] as const) {
  test(`${dialect}: what was booked in the wrong direction is turned round, and nothing else`, async (t) => {
    const created = dialect === 'postgres' ? await testDatabase() : null;
    if (created) t.after(() => created.drop());
    const database = { databaseUrl: created?.url ?? null, dataDir: mkdtempSync(join(folder, 'data-')) };
    const wrong = await play(database);
    const right = await balances(database);
    const before = await proven(database);
    assert.deepEqual(before.findings, []);

    await execute(database, migration(dialect));
    assert.equal((await proven(database)).postings, before.postings, 'books that are right are left alone');

    const turned = accounts.map((name) => `${name} = -${name}`).join(', ');
    await plant(database, `UPDATE posting SET ${turned} WHERE subject_id IN (${wrong.map((id) => `'${id}'`).join(', ')})`);
    assert.equal((await proven(database)).findings.length, wrong.length, 'control: the mistakes are found');
    assert.notDeepEqual(await balances(database), right);

    await execute(database, migration(dialect));
    const corrected = await proven(database);
    assert.deepEqual(corrected.findings, []);
    assert.equal(corrected.postings, before.postings + wrong.length);
    assert.deepEqual(await balances(database), right);

    const [id] = wrong;
    await plant(database, `UPDATE posting SET ${turned} WHERE subject_id = '${id}' AND revision < 0`);
    assert.match(
      (await proven(database)).findings.join('\n'),
      /it corrects nothing/,
      'control: a correction of nothing is found',
    );
  });
}
