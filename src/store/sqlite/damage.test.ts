import assert from 'node:assert/strict';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { commit, payment } from '../../../test/contract/storeFixtures.ts';
import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import { unreadableRecords } from './audit.ts';
import { walFault } from './check.ts';
import { openSqliteStore } from './sqliteStore.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-damage-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const PAYMENTS = 40;
const ids: string[] = [];

/** A database that was closed, and one whose process was killed: with a log of as many transactions as there are payments. */
const [closed, killed] = [join(folder, 'closed'), join(folder, 'killed')];
{
  const store = await openSqliteStore({ dataDir: closed });
  await store.close();
  cpSync(closed, killed, { recursive: true });
  const writer = await openSqliteStore({ dataDir: killed });
  for (let count = 0; count < PAYMENTS; count += 1) {
    const made = payment();
    ids.push(made.id);
    assert.deepEqual(await writer.commit(commit(made, 0)), { is: 'kept' });
  }
  // As a kill would leave it: both files while the process still runs.
  cpSync(killed, `${killed} copy`, { recursive: true });
  await writer.close();
  rmSync(killed, { recursive: true });
  cpSync(`${killed} copy`, killed, { recursive: true });
}

let copies = 0;
function copyOf(from: string): { readonly dataDir: string; readonly db: string; readonly wal: string } {
  copies += 1;
  const dataDir = join(folder, `copy ${copies}`);
  cpSync(from, dataDir, { recursive: true });
  return { dataDir, db: join(dataDir, 'turnpike.db'), wal: join(dataDir, 'turnpike.db-wal') };
}

function overwrite(path: string, at: number, bytes: Buffer): void {
  const content = readFileSync(path);
  bytes.copy(content, at);
  writeFileSync(path, content);
}

const noise = (length: number): Buffer => Buffer.alloc(length, 'not what stood here ');
const FRAME = 24 + 4_096;

type Copy = ReturnType<typeof copyOf>;

const damages: readonly (readonly [name: string, from: string, damage: (copy: Copy) => void, says: RegExp])[] = [
  [
    'cut off in the middle',
    closed,
    ({ db }) => truncateSync(db, Math.floor(statSync(db).size / 2 / 4_096) * 4_096),
    /rest is missing/,
  ],
  ['cut off within a page', closed, ({ db }) => truncateSync(db, statSync(db).size - 100), /rest is missing/],
  ['cut off within its header', closed, ({ db }) => truncateSync(db, 50), /does not begin as one/],
  ['garbage at its beginning', closed, ({ db }) => overwrite(db, 0, noise(100)), /does not begin as one/],
  ['a text file', closed, ({ db }) => writeFileSync(db, 'hello\n'), /does not begin as one/],
  ['garbage in its first page', closed, ({ db }) => overwrite(db, 100, noise(3_000)), /damaged/],
  ['a page of something else', closed, ({ db }) => overwrite(db, 5 * 4_096, noise(4_096)), /damaged/],
  [
    'a page that another stands in the place of',
    closed,
    ({ db }) => overwrite(db, 7 * 4_096, readFileSync(db).subarray(4_096 * 2, 4_096 * 3)),
    /damaged/,
  ],
  ['empty beside a log', killed, ({ db }) => truncateSync(db, 0), /empty, and its log is not/],
  ['garbage at the beginning of its log', killed, ({ wal }) => overwrite(wal, 0, noise(32)), /its log does not begin as one/],
  ['garbage in a frame of its log', killed, ({ wal }) => overwrite(wal, 32 + 3 * FRAME + 500, noise(8)), /broken at frame 4/],
  [
    'a frame of its log with another number',
    killed,
    ({ wal }) => overwrite(wal, 32 + 2 * FRAME + 8, noise(8)),
    /broken at frame 3/,
  ],
];

test('a row that is missing from an index refuses a start, which a quick check would not notice', async () => {
  const { dataDir, db } = copyOf(closed);
  const hand = new DatabaseSync(db, { defensive: false });
  hand.exec(`CREATE INDEX lost ON migration (name); PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = 'CREATE INDEX lost ON migration (applied_at)' WHERE name = 'lost'`);
  hand.close();
  const again = new DatabaseSync(db);
  assert.equal((again.prepare('PRAGMA quick_check(1)').get() as { quick_check: string }).quick_check, 'ok');
  again.close();
  await assert.rejects(openSqliteStore({ dataDir }), /DATA_DIR: .* is damaged: row \d+ missing from index lost/);
});

test('records that cannot be read are named, and do not refuse a start', async () => {
  const { dataDir, db } = copyOf(closed);
  const hand = new DatabaseSync(db);
  const insert = hand.prepare('INSERT INTO document (collection, id, owner_id, at, revision, body) VALUES (?, ?, ?, 1, 1, ?)');
  for (const [id, body] of Object.entries({ broken: '{"a":', text: '"a"', whole: '{"a":1}' })) insert.run('c', id, 'owner', body);
  hand.close();
  await (await openSqliteStore({ dataDir })).close();
  assert.deepEqual(
    unreadableRecords(db).map(({ merchantId, id, says }) => `${merchantId} ${id}: ${says}`),
    ['c/broken', 'c/text'].map((id) => `owner ${id}: this document cannot be read: its stored content is damaged`),
  );
});

const contentOf = ({ db, wal }: Copy): Buffer =>
  Buffer.concat([readFileSync(db), existsSync(wal) ? readFileSync(wal) : Buffer.alloc(0)]);

for (const [name, from, damage, says] of damages) {
  test(`a database that is ${name}: one line that says what to do, and nothing is changed`, async () => {
    const copy = copyOf(from);
    damage(copy);
    const before = contentOf(copy);
    await assert.rejects(openSqliteStore({ dataDir: copy.dataDir }), (error: Error) => {
      assert.ok(error instanceof StoreOutOfOrder, String(error));
      assert.match(error.message, says);
      assert.match(error.message, /^DATA_DIR: .*turnpike\.db is damaged: .*restore it from a backup.*$/);
      return true;
    });
    assert.ok(contentOf(copy).equals(before));
  });
}

test('the control: what was killed is whole, with every payment that was acknowledged', async () => {
  const { dataDir, wal } = copyOf(killed);
  assert.ok(statSync(wal).size > PAYMENTS * FRAME);
  assert.equal(walFault(wal), null);
  const store = await openSqliteStore({ dataDir });
  for (const id of ids) assert.ok(await store.payment('merchant', id), id);
  await store.close();
});

test('the control: without this look SQLite would drop what was acknowledged, without a word', () => {
  const { db, wal } = copyOf(killed);
  overwrite(wal, 32 + 3 * FRAME + 500, noise(8));
  const hand = new DatabaseSync(db);
  const { number } = hand.prepare('SELECT count(*) AS number FROM payment').get() as { readonly number: number };
  hand.close();
  assert.ok(number < PAYMENTS, `${number} of ${PAYMENTS}`);
});

const cuts: readonly (readonly [name: string, damage: (copy: Copy) => void])[] = [
  ['in the middle of the last frame', ({ wal }) => truncateSync(wal, statSync(wal).size - 1_000)],
  ['in the last transaction', ({ wal }) => overwrite(wal, statSync(wal).size - 2_000, noise(1_000))],
  ['before anything was written into it', ({ wal }) => writeFileSync(wal, Buffer.alloc(32 + FRAME))],
];
for (const [name, damage] of cuts) {
  test(`a log that a power cut ended ${name} is no damage`, async () => {
    const copy = copyOf(killed);
    damage(copy);
    const store = await openSqliteStore({ dataDir: copy.dataDir });
    await store.ping();
    await store.close();
  });
}

const others: readonly (readonly [name: string, create: string])[] = [
  ['with tables of its own', 'CREATE TABLE song (id INTEGER PRIMARY KEY, title TEXT)'],
  ['with a table of migrations', 'CREATE TABLE migration (version TEXT); CREATE TABLE payment (id TEXT)'],
  [
    'with the same table of migrations',
    'CREATE TABLE migration (number bigint, name text, applied_at text); CREATE TABLE song (id)',
  ],
];
for (const [name, create] of others) {
  test(`a database of another program ${name} is left alone`, async () => {
    const dataDir = join(folder, `other ${name}`);
    mkdirSync(dataDir);
    const path = join(dataDir, 'turnpike.db');
    const db = new DatabaseSync(path);
    db.exec(create);
    db.close();
    const before = readFileSync(path);
    await assert.rejects(openSqliteStore({ dataDir }), /^StoreOutOfOrder: DATA_DIR: .* is a database of another program/);
    assert.deepEqual(readFileSync(path), before);
  });
}

test('an unusable folder is reported in one line', async () => {
  const file = join(folder, 'a file');
  writeFileSync(file, '');
  await assert.rejects(openSqliteStore({ dataDir: file }), /DATA_DIR: .*a file is a file, or stands below one/);
  await assert.rejects(openSqliteStore({ dataDir: join(file, 'below') }), /DATA_DIR: .* is a file, or stands below one/);
  const taken = join(folder, 'taken');
  mkdirSync(join(taken, 'turnpike.db'), { recursive: true });
  await assert.rejects(openSqliteStore({ dataDir: taken }), /holds a folder in the place of the database/);
  await assert.rejects(openSqliteStore({ dataDir: '/proc/turnpike/data' }), /DATA_DIR: .* cannot be made/);
});

test('damage that is found later is reported as a store out of order', async () => {
  const { dataDir, db } = copyOf(closed);
  const store = await openSqliteStore({ dataDir });
  // Behind the back of the open store, all but the first pages of the schema.
  overwrite(db, 4_096, noise(statSync(db).size - 4_096));
  await assert.rejects(
    (async () => {
      for (const id of ids) await store.payment('merchant', id);
      await store.entities();
      await store.tokens();
    })(),
    (error: Error) => error instanceof StoreOutOfOrder && /damaged/.test(error.message),
  );
  await store.close();
  copyFileSync(db, `${db}.seen`);
});

test('checking is quick: a log of 16 MB in well under a second of work', () => {
  const path = join(folder, 'long.db');
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a)');
  const insert = db.prepare('INSERT INTO t VALUES (?)');
  for (let count = 0; count < 16; count += 1) insert.run(Buffer.alloc(1_000_000, count + 1));
  const before = process.cpuUsage();
  assert.equal(walFault(`${path}-wal`), null);
  const { user, system } = process.cpuUsage(before);
  db.close();
  assert.ok(user + system < 1_500_000, `${user + system} µs`);
});
