import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { commit, payment } from '../../../test/contract/storeFixtures.ts';
import type { Payment } from '../../payments/payment.ts';
import { type Needle, noFilters, type SearchCursor } from '../../payments/search/search.ts';
import type { Store } from '../store.ts';
import { openForWriting } from './file.ts';
import { openSqliteStore } from './sqliteStore.ts';
import { createSearchKeys } from './write.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-keys-'));
after(() => rmSync(folder, { recursive: true }));

async function withPayments(name: string, { count, keysBatch }: { readonly count: number; readonly keysBatch: number }) {
  const path = join(folder, name);
  const store = await openSqliteStore({ path, keysBatch });
  for (let at = 0; at < count; at += 1) {
    const one = payment({
      merchantId: at % 3 === 0 ? 'other' : 'shop',
      amount: BigInt(100 + (at % 5)),
      shortId: `short ${at % 7}`,
    });
    const emailHash = at % 2 ? `hash ${at % 4}` : null;
    assert.deepEqual(await store.commit({ ...commit(one, 0), emailHash }), { is: 'kept' });
  }
  await store.close();
  return path;
}

type Keyed = {
  readonly number: bigint;
  readonly merchant_id: string;
  readonly last4: string | null;
  readonly email_hash: string | null;
  readonly amount: bigint;
  readonly short_id: string;
  readonly created_at: bigint;
};

const hex = (value: string | bigint): string => Buffer.from(String(value)).toString('hex');

/** The words of a payment with the number of its entry, as migration 26 says. */
function entriesOf({ number, merchant_id, last4, email_hash, amount, short_id, created_at }: Keyed): readonly string[] {
  const kinds: readonly (readonly [letter: string, value: string | bigint | null])[] = [
    ['l', last4],
    ['m', email_hash],
    ['p', amount],
    ['s', short_id],
  ];
  return kinds.flatMap(([letter, value]) =>
    value === null ? [] : [`${hex(merchant_id)}${letter}${hex(value)} ${created_at * 1_024n + (number % 1_024n)}`],
  );
}

/** The words of an index and their entries. */
function wordsIn(db: DatabaseSync): readonly string[] {
  db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING fts5vocab ('main', 'search_word', 'instance')");
  const words = db.prepare('SELECT term, doc FROM temp.words');
  words.setReadBigInts(true);
  return words.all().map(({ term, doc }) => `${term} ${doc}`);
}

/** How far the keys have come; fails when they are not those of the payments up to there. */
function checkedCursor(path: string): number {
  const db = new DatabaseSync(path);
  // One view of the file: the writer may write the next portion between two reads.
  db.exec('BEGIN');
  const last = Number(db.prepare('SELECT last FROM search_word_cursor').get()?.last);
  const payments = db.prepare('SELECT rowid AS number, * FROM payment WHERE rowid <= ?');
  payments.setReadBigInts(true);
  const expected = new Set((payments.all(last) as unknown as Keyed[]).flatMap(entriesOf));
  assert.deepEqual(wordsIn(db).toSorted(), [...expected].sort());
  db.close();
  return last;
}

/** Until the keys of so many payments are written. */
async function caughtUp(store: Pick<Store, 'tryWrite'>, path: string, payments: number): Promise<void> {
  for (let tries = 0; checkedCursor(path) < payments; tries += 1) {
    assert.ok(tries < 1_000, 'the keys do not catch up');
    await store.tryWrite(false);
  }
}

test('the keys of each payment are written once, when a portion of payments waits', async () => {
  assert.equal(checkedCursor(await withPayments('few', { count: 9, keysBatch: 10 })), 0);
  assert.equal(checkedCursor(await withPayments('portion', { count: 25, keysBatch: 10 })), 20);
});

test('keys that were left out are written portion by portion, also when no commit arrives', async () => {
  const path = await withPayments('late', { count: 25, keysBatch: 1_000 });
  const store = await openSqliteStore({ path, keysBatch: 2 });
  await caughtUp(store, path, 24);
  await store.close();
});

test('keys and cursor are one change', async () => {
  const path = await withPayments('undone', { count: 25, keysBatch: 1_000 });
  const db = openForWriting(path);
  const keys = createSearchKeys(db, 4);
  db.exec('BEGIN');
  keys.writeBatch();
  db.exec('ROLLBACK');
  assert.equal(checkedCursor(path), 0);
  for (const end of [8, 16, 24, 25]) {
    db.exec('BEGIN');
    keys.writeBatch();
    db.exec('COMMIT');
    assert.equal(checkedCursor(path), end);
  }
  assert.equal(keys.isDue(), false);
  assert.throws(() => db.exec('UPDATE search_word_cursor SET last = last - 1'), /search_word_cursor_advances/);
  assert.throws(() => db.exec('DELETE FROM search_word_cursor'), /search_word_cursor_no_delete/);
  db.close();
});

/** A process that commits without end and writes a dot for each commit, until it is killed. */
const committer = `
  import { openSqliteStore } from '${new URL('./sqliteStore.ts', import.meta.url)}';
  import { commit, payment } from '${new URL('../../../test/contract/storeFixtures.ts', import.meta.url)}';
  const store = await openSqliteStore({ path: process.argv[1], keysBatch: 50 });
  const queue = async () => {
    for (;;) {
      await store.commit(commit(payment(), 0));
      process.stdout.write('.');
    }
  };
  for (let queues = 0; queues < 16; queues += 1) void queue();`;

test('after kill -9 the keys are those of the payments up to the cursor', async () => {
  const path = join(folder, 'killed');
  const child = spawn(process.execPath, ['--input-type=module', '--eval', committer, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let commits = 0;
  child.stdout.on('data', (dots: Buffer) => {
    commits += dots.length;
    if (commits > 300) child.kill('SIGKILL');
  });
  await new Promise((resolve) => child.once('close', resolve));
  assert.ok(checkedCursor(path) > 200);
});

/** More than row numbers whose last bits differ: entries are shared, also by payments of several portions. */
const AT_ONE_INSTANT = 2_300;

test('payments of a clock that stands still are all found, and in order', async (t) => {
  const path = join(folder, 'standing');
  const store = await openSqliteStore({ path, keysBatch: 300 });
  t.after(store.close);
  const made = Array.from({ length: AT_ONE_INSTANT }, (_, at) =>
    payment({ amount: BigInt(at % 3), shortId: `${at % 2 ? '1234' : '4321'}.0000.${String(at).padStart(4, '0')}` }),
  );
  await Promise.all(made.map((one) => store.commit(commit(one, 0))));
  await caughtUp(store, path, AT_ONE_INSTANT - 300);
  const asked = { ...noFilters, merchantIds: ['merchant'], entityId: null, limit: 100, effort: 200 };
  const idsOf = async (needle: Needle): Promise<readonly string[]> => {
    const ids: string[] = [];
    let after: SearchCursor | null = null;
    do {
      const { payments, next } = await store.search({ ...asked, needles: [needle], after });
      ids.push(...payments.map(({ id }) => id));
      after = next;
    } while (after !== null);
    return ids;
  };
  const newest = made.toSorted((one, other) => (one.id < other.id ? 1 : -1));
  const fitting = (fits: (one: Payment) => boolean) => newest.filter(fits).map(({ id }) => id);
  assert.deepEqual(
    await idsOf({ is: 'amount', amount: 1n, currency: null }),
    fitting(({ amount }) => amount === 1n),
  );
  assert.deepEqual(
    await idsOf({ is: 'shortId', prefix: '1234.' }),
    fitting(({ shortId }) => shortId.startsWith('1234.')),
  );
});
