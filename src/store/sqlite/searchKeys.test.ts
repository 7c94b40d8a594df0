import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { commit, payment } from '../../../test/contract/storeFixtures.ts';
import { openForWriting } from './file.ts';
import { createSearchKeys } from './searchKeys.ts';
import { openSqliteStore } from './sqliteStore.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-keys-'));
after(() => rmSync(folder, { recursive: true }));

async function withPayments(name: string, { count, keysPortion }: { readonly count: number; readonly keysPortion: number }) {
  const path = join(folder, name);
  const store = await openSqliteStore({ path, keysPortion });
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

const expected = `
  SELECT merchant_id, 'amount' AS kind, amount AS value, created_at, id FROM payment WHERE rowid <= ?1
  UNION ALL SELECT merchant_id, 'email', email_hash, created_at, id FROM payment WHERE rowid <= ?1 AND email_hash IS NOT NULL
  UNION ALL SELECT merchant_id, 'last4', last4, created_at, id FROM payment WHERE rowid <= ?1 AND last4 IS NOT NULL
  UNION ALL SELECT merchant_id, 'shortId', short_id, created_at, id FROM payment WHERE rowid <= ?1
  ORDER BY 1, 2, 3, 4, 5`;

/** How far the keys have come; fails when they are not those of the payments up to there. */
function checkedCursor(path: string): number {
  const db = new DatabaseSync(path);
  // One view of the file: the writer may write the next portion between two reads.
  db.exec('BEGIN');
  const last = Number(db.prepare('SELECT last FROM search_cursor').get()?.last);
  const keys = db.prepare('SELECT merchant_id, kind, value, created_at, id FROM search_key ORDER BY 1, 2, 3, 4, 5').all();
  assert.deepEqual(keys, db.prepare(expected).all(last));
  db.close();
  return last;
}

test('the keys of each payment are written once, when a portion of payments waits', async () => {
  assert.equal(checkedCursor(await withPayments('few', { count: 9, keysPortion: 10 })), 0);
  assert.equal(checkedCursor(await withPayments('portion', { count: 25, keysPortion: 10 })), 20);
});

test('keys that were left out are written portion by portion, also when no commit arrives', async () => {
  const path = await withPayments('late', { count: 25, keysPortion: 1_000 });
  const store = await openSqliteStore({ path, keysPortion: 2 });
  for (let tries = 0; checkedCursor(path) < 24; tries += 1) {
    assert.ok(tries < 1_000, 'the keys do not catch up');
    await store.tryWrite(false);
  }
  await store.close();
});

test('keys and cursor are one change', async () => {
  const path = await withPayments('undone', { count: 25, keysPortion: 1_000 });
  const db = openForWriting(path);
  const keys = createSearchKeys(db, 4);
  db.exec('BEGIN');
  keys.writePortion();
  db.exec('ROLLBACK');
  assert.equal(checkedCursor(path), 0);
  for (const end of [8, 16, 24, 25]) {
    db.exec('BEGIN');
    keys.writePortion();
    db.exec('COMMIT');
    assert.equal(checkedCursor(path), end);
  }
  assert.equal(keys.isDue(), false);
  assert.throws(() => db.exec('UPDATE search_cursor SET last = last - 1'), /search_cursor_advances/);
  assert.throws(() => db.exec('DELETE FROM search_cursor'), /search_cursor_no_delete/);
  db.close();
});

/** A process that commits without end and writes a dot for each commit, until it is killed. */
const committer = `
  import { openSqliteStore } from '${new URL('./sqliteStore.ts', import.meta.url)}';
  import { commit, payment } from '${new URL('../../../test/contract/storeFixtures.ts', import.meta.url)}';
  const store = await openSqliteStore({ path: process.argv[1], keysPortion: 50 });
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
