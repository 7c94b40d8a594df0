import assert from 'node:assert/strict';
import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { type Verdict, verify } from '../../src/ledger/verify.ts';
import type { PaymentCursor } from '../../src/payments/ports.ts';
import { withAudit } from '../../src/store/open.ts';
import { openSqliteHistory } from '../../src/store/sqlite/audit.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/store/store.ts';
import { localMaster } from '../../src/vault/masterKey.ts';
import { openReadOnlyVault } from '../../src/vault/vault.ts';
import type { Database } from '../contract/storeFixtures.ts';
import { openPostgres } from '../contract/storeOpen.ts';
import { createClient, DEMO } from '../http/client.ts';
import { MASTER_KEY, startGateway } from '../http/gateway.ts';
import { sized } from '../long.ts';

/** Records that a disk, a hand or a bug has damaged: each is named by `verify`, and hides nothing else. */

type Location = Parameters<typeof withAudit>[0];
const proven = (place: Location, isKeyed = false): Promise<Verdict> =>
  withAudit(place, async (audit) => {
    const open = isKeyed
      ? (await openReadOnlyVault({ keys: audit.keys, masters: [localMaster(MASTER_KEY)], now: Date.now })).open
      : null;
    return verify(audit, { merchantId: null, onStep: () => {}, signal: new AbortController().signal, open });
  });

const wordsOf = ({ findings }: Verdict): readonly string[] =>
  findings.map(({ merchantId, subjectId, says }) => `${merchantId} ${subjectId}: ${says}`);

/** Payments with follow-ups, a stored card, a schedule and a checkout. */
async function fill(store: Store): Promise<void> {
  const gateway = await startGateway({ store });
  const shop = createClient(gateway.url);
  for (let count = 0; count < 3; count += 1) {
    const { id } = await shop.pay({ paymentType: 'PA', amount: '50.00' });
    const captured = await shop.refer(id, { paymentType: 'CP', amount: '30.00', currency: 'EUR' });
    await shop.refund(captured.id, '2.00');
  }
  const stored = await shop.pay({ createRegistration: 'true' });
  assert.equal(stored.code, '000.100.110', JSON.stringify(stored.body));
  await shop.send('POST', '/v1/checkouts', { entityId: DEMO.entityId, amount: '9.00', currency: 'EUR', paymentType: 'DB' });
  await gateway.work('seal ledger blocks');
  await gateway.close();
}

const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-records-'));
const whole = join(dataDir, 'whole.db');
const path = join(dataDir, 'damaged.db');
let server: { readonly url: string; readonly raw: Database['raw']; end(): Promise<void> };

before(async () => {
  const store = await openSqliteStore({ dataDir });
  await fill(store);
  await store.close();
  const hand = new DatabaseSync(join(dataDir, 'turnpike.db'));
  hand.exec(`VACUUM INTO '${whole}'`);
  hand.close();
  const db = new DatabaseSync(whole);
  for (const { name } of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all())
    db.exec(`DROP TRIGGER ${name}`);
  db.close();
  const opened = await openPostgres();
  const { place, raw } = opened.database as Database;
  server = { url: place.databaseUrl ?? '', raw, end: opened.end };
  await fill(opened.store);
  for (const { name } of await raw(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
  ))
    await raw(`ALTER TABLE ${name} DISABLE TRIGGER ALL`);
});
after(async () => {
  await server.end();
  rmSync(dataDir, { recursive: true });
});

/** The tables of the schema that hold JSON, with the columns that name a record. */
const tables = [
  ['payment', 'merchant_id', 'id', 'data'],
  ['entity', 'id', 'id', 'settings'],
  ['registration', 'merchant_id', 'id', 'data'],
  ['checkout', 'merchant_id', 'id', 'data'],
] as const;

/** Contents that are no record, whatever the table: no JSON, half of it, and JSON of another shape. */
const contents = ["''", "'{'", "'null'", "'17'", 'substr(C, 1, length(C) / 2)', "'x' || C"];

test('the database before the damage has no finding', async () => {
  copyFileSync(whole, path);
  for (const place of [{ path }, { databaseUrl: server.url }])
    for (const isKeyed of [false, true]) assert.deepEqual(wordsOf(await proven(place, isKeyed)), []);
});

for (const [table, owner, id, column] of tables) {
  for (const content of contents) {
    test(`${table}.${column} as ${content.replaceAll('C', column)}: one finding with merchant and id`, async () => {
      const damage = `UPDATE ${table} SET ${column} = ${content.replaceAll('C', column)} WHERE ${id} = `;
      const first = `SELECT ${owner} AS owner, ${id} AS id FROM ${table} ORDER BY ${id} LIMIT 1`;
      copyFileSync(whole, path);
      const db = new DatabaseSync(path);
      db.exec('PRAGMA ignore_check_constraints = ON; PRAGMA synchronous = OFF');
      const own = db.prepare(first).get() as { owner: string; id: string };
      db.exec(`${damage} '${own.id}'`);
      db.close();
      assert.deepEqual(
        wordsOf(await proven({ path })).map((words) => words.split(' cannot')[0]),
        [`${own.owner} ${own.id}: this ${table}`],
      );
      const [its = own] = (await server.raw(first)) as readonly { owner: string; id: string }[];
      const kept = (await server.raw(`SELECT ${column} AS kept FROM ${table} WHERE ${id} = '${its.id}'`))[0]?.kept;
      await server.raw(`${damage} '${its.id}'`);
      try {
        const found = wordsOf(await proven({ databaseUrl: server.url }));
        assert.deepEqual(
          found.map((words) => words.split(' cannot')[0]),
          [`${its.owner} ${its.id}: this ${table}`],
        );
      } finally {
        await server.raw(`UPDATE ${table} SET ${column} = $kept$${kept}$kept$ WHERE ${id} = '${its.id}'`);
      }
    });
  }
}

/** Columns with bytes or JSON in them that are no record of a merchant. */
const others = new Set([
  'widget_asset.bytes', // put anew by every start
  'data_key.wrapped', // doctor examines the keys, and their texts do not open
  'statistic_sheet.body', // figures, which are computed again
  'write_trial.body',
]);

test('every column with bytes or JSON is looked at: in each table damage is found', async () => {
  const db = new DatabaseSync(whole);
  const columns = db
    .prepare(`SELECT t.name AS name, c.name AS field, c.type AS type FROM pragma_table_list t, pragma_table_info(t.name) c
      WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND c.type IN ('TEXT', 'BLOB')`)
    .all() as { name: string; field: string; type: string }[];
  const named = new Set(['outbox.detail']);
  const missed: string[] = [];
  const tried: string[] = [];
  for (const { name, field, type } of columns) {
    if (others.has(`${name}.${field}`)) continue;
    const isBytes = type === 'BLOB';
    const holds = isBytes ? `${field} IS NOT NULL` : `json_valid(${field}) AND json_type(${field}) IN ('object', 'array')`;
    const row = db.prepare(`SELECT 1 FROM ${name} WHERE ${named.has(`${name}.${field}`) ? '1' : holds} LIMIT 1`).get();
    if (!row) continue;
    tried.push(`${name}.${field}`);
    copyFileSync(whole, path);
    const hand = new DatabaseSync(path);
    hand.exec('PRAGMA ignore_check_constraints = ON; PRAGMA synchronous = OFF');
    const of = named.has(`${name}.${field}`) ? '1' : holds;
    hand.exec(`UPDATE ${name} SET ${field} = ${isBytes ? "x'00'" : "'{'"} WHERE ${of}`);
    hand.close();
    if ((await proven({ path })).found === 0) missed.push(`${name}.${field}`);
  }
  db.close();
  assert.deepEqual(missed, []);
  for (const one of ['call_batch.data', 'outbox.detail', 'payment.data', 'registration.sealed'])
    assert.ok(tried.includes(one), `${one} was not tried: ${tried.join(', ')}`);
});

test('a damaged page of payments is a sentence that names the table, and hides no other finding', async () => {
  copyFileSync(whole, path);
  const db = new DatabaseSync(path);
  db.exec('PRAGMA ignore_check_constraints = ON');
  db.exec("UPDATE checkout SET data = '{'");
  const { root } = db.prepare("SELECT rootpage AS root FROM sqlite_schema WHERE name = 'payment'").get() as { root: number };
  const { size } = db.prepare('SELECT page_size AS size FROM pragma_page_size').get() as { size: number };
  db.close();
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(600, 0xa5), 0, 600, (root - 1) * size);
  closeSync(file);
  const words = wordsOf(await proven({ path })).join('\n');
  assert.match(words, /the table payment cannot be read: its pages are damaged; npx turnpike doctor --deep/);
  assert.match(words, /this checkout cannot be read/);
});

/** Sealed texts that do not open, and whether that is seen without the keys, by the form alone. */
const sealedTexts: readonly (readonly [name: string, damage: (whole: Buffer) => Buffer, isSeenByForm: boolean])[] = [
  ['two bytes', () => Buffer.from([0, 0x11]), true],
  ['no bytes', () => Buffer.alloc(0), true],
  ['its first half', (bytes) => bytes.subarray(0, 20), true],
  ['a format that there is not', (bytes) => Buffer.concat([Buffer.from([9]), bytes.subarray(1)]), true],
  ['a key that there is not', (bytes) => Buffer.concat([bytes.subarray(0, 1), Buffer.alloc(4, 7), bytes.subarray(5)]), true],
  ['another last bit', (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])]), false],
];

for (const table of ['payment', 'registration']) {
  for (const [name, damage, isSeenByForm] of sealedTexts) {
    test(`${table}.sealed with ${name}: one finding with merchant and id`, async () => {
      const first = `merchant_id AS owner, id FROM ${table} WHERE sealed IS NOT NULL ORDER BY id LIMIT 1`;
      const expected = ({ owner, id }: { owner: string; id: string }) => [`${owner} ${id}: this ${table}`];
      const found = async (place: Location, isKeyed: boolean) =>
        wordsOf(await proven(place, isKeyed)).map((words) => words.split(' cannot be opened')[0]);
      copyFileSync(whole, path);
      const db = new DatabaseSync(path);
      const own = db.prepare(`SELECT sealed, ${first}`).get() as { owner: string; id: string; sealed: Uint8Array };
      db.prepare(`UPDATE ${table} SET sealed = ? WHERE id = ?`).run(damage(Buffer.from(own.sealed)), own.id);
      db.close();
      assert.deepEqual(await found({ path }, true), expected(own));
      assert.deepEqual(await found({ path }, false), isSeenByForm ? expected(own) : []);
      const [its] = (await server.raw(`SELECT encode(sealed, 'hex') AS kept, ${first}`)) as {
        owner: string;
        id: string;
        kept: string;
      }[];
      assert.ok(its);
      const put = (bytes: Buffer) =>
        server.raw(`UPDATE ${table} SET sealed = decode('${bytes.toString('hex')}', 'hex') WHERE id = '${its.id}'`);
      const kept = Buffer.from(its.kept, 'hex');
      await put(damage(kept));
      try {
        assert.deepEqual(await found({ databaseUrl: server.url }, true), expected(its));
      } finally {
        await put(kept);
      }
    });
  }
}

test('the past is read without damaged payments, whatever the page: risk counters and back-tests go on', async () => {
  copyFileSync(whole, path);
  const db = new DatabaseSync(path);
  db.exec('PRAGMA ignore_check_constraints = ON');
  const ids = (db.prepare('SELECT id FROM payment ORDER BY created_at, merchant_id, id').all() as { id: string }[]).map(
    ({ id }) => id,
  );
  const broken = [ids[0], ids[3], ids[4], ids.at(-1)];
  for (const id of broken) db.prepare("UPDATE payment SET data = '{' WHERE id = ?").run(id ?? '');
  db.close();
  const readable = ids.filter((id) => !broken.includes(id));
  const past = await openSqliteHistory({ path });
  for (const limit of [1, 2, 3, 4, 5, ids.length, 100]) {
    for (const merchantId of [null, DEMO.merchantId]) {
      const found: string[] = [];
      for (let after: PaymentCursor | null = null; ; ) {
        const page = await past.history({ after, before: Number.MAX_SAFE_INTEGER, merchantId, limit });
        found.push(...page.map(({ id }) => id));
        after = page.at(-1) ?? null;
        if (page.length < limit) break;
      }
      assert.deepEqual(found, readable, `pages of ${limit}`);
    }
  }
  await past.close();
});

test('whatever stands in the place of a payment: verification ends, names it or accounts for it, and quotes nothing', async () => {
  copyFileSync(whole, path);
  const db = new DatabaseSync(path);
  const rows = db.prepare('SELECT id, data FROM payment ORDER BY id').all() as { id: string; data: string }[];
  db.close();
  const byte = fc.record({ at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), by: fc.string({ maxLength: 3 }) });
  const replaced = byte.map(({ at, by }) => (data: string) => {
    const place = Math.floor(at * data.length);
    return data.slice(0, place) + by + data.slice(place + 1);
  });
  const removed = fc.nat(60).map((nth) => (data: string) => {
    const names = Object.keys(JSON.parse(data));
    const gone = names[nth % names.length] ?? '';
    return JSON.stringify({ ...JSON.parse(data), [gone]: undefined });
  });
  const other = fc.json().map((json) => () => json);
  const damage = fc.tuple(fc.nat(rows.length - 1), fc.oneof(replaced, removed, other));
  await fc.assert(
    fc.asyncProperty(damage, async ([at, change]) => {
      const row = rows[at] as (typeof rows)[number];
      const data = change(row.data);
      copyFileSync(whole, path);
      const hand = new DatabaseSync(path);
      hand.exec('PRAGMA ignore_check_constraints = ON; PRAGMA synchronous = OFF');
      hand.prepare('UPDATE payment SET data = ? WHERE id = ?').run(data, row.id);
      hand.close();
      const { payments, findings } = await proven({ path });
      const isNamed = findings.some(({ subjectId }) => subjectId === row.id);
      assert.ok(payments === rows.length || (payments === rows.length - 1 && isNamed), `${payments} of ${rows.length}`);
      assert.ok(findings.every(({ says }) => !says.includes('Ann Example')));
    }),
    { numRuns: sized({ quick: 50, assure: 1_000, reliability: 5_000 }) },
  );
});
