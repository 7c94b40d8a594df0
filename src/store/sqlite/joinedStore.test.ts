import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { child, commit, payment } from '../../../test/contract/storeFixtures.ts';
import { StoreOutOfOrder, UnknownOutcome } from '../../payments/storeErrors.ts';
import { joinSqliteStore, openSqliteStore } from './sqliteStore.ts';

/** Several threads on one writer. Each has a port and a connection of its own, which is all that tells them apart. */

const folder = mkdtempSync(join(tmpdir(), 'turnpike-joined-'));
after(() => rmSync(folder, { recursive: true }));

const dataDir = join(folder, 'data');
const first = await openSqliteStore({ dataDir });
after(() => first.close());

const joinThreads = (count: number) =>
  Promise.all(Array.from({ length: count }, () => joinSqliteStore({ dataDir }, first.shareWriter)));

test('of commits on one version of a family, sent by four threads at once, exactly one is kept', async () => {
  const joined = await joinThreads(3);
  const all = [first, ...joined];
  const root = payment({ paymentType: 'PA' });
  await first.commit(commit(root, 0));
  const sent = Array.from({ length: 64 }, (_, at) =>
    all[at % 4]?.commit(commit(child(root, { paymentType: 'CP', amount: 1n }), 1)),
  );
  const outcomes = (await Promise.all(sent)).map((outcome) => outcome?.is);
  assert.deepEqual(outcomes.filter((is) => is === 'kept').length, 1);
  assert.deepEqual(outcomes.filter((is) => is === 'moved').length, 63);
  await Promise.all(joined.map((store) => store.close()));
});

test('a commit that one thread has acknowledged is read by all others at once', async () => {
  const joined = await joinThreads(2);
  const all = [first, ...joined];
  for (let round = 0; round < 30; round += 1) {
    const made = payment();
    await all[round % 3]?.commit(commit(made, 0));
    const read = await Promise.all(all.map((store) => store.payment(made.merchantId, made.id)));
    assert.deepEqual(read, [made, made, made]);
  }
  await Promise.all(joined.map((store) => store.close()));
});

test('a thread that leaves has its last answers, and the others go on', async () => {
  const joined = await joinThreads(2);
  const [one, two] = joined as [(typeof joined)[0], (typeof joined)[0]];
  const last = Array.from({ length: 20 }, () => one.commit(commit(payment(), 0)));
  const closing = one.close();
  assert.deepEqual(new Set((await Promise.all(last)).map(({ is }) => is)), new Set(['kept']));
  await closing;
  await assert.rejects(one.commit(commit(payment(), 0)), StoreOutOfOrder);
  assert.deepEqual(await two.commit(commit(payment(), 0)), { is: 'kept' });
  await two.close();
});

test('when the writer has ended, other threads are refused', async () => {
  const place = { dataDir: join(folder, 'ended') };
  const opened = await openSqliteStore(place);
  const joined = await joinSqliteStore(place, opened.shareWriter);
  await opened.close();
  const [one, two] = [payment(), payment()];
  // A commit may leave before the end of the writer is known here. It is not kept, and this thread cannot know that.
  await assert.rejects(
    joined.commit(commit(one, 0)),
    (error) => error instanceof StoreOutOfOrder || error instanceof UnknownOutcome,
  );
  await assert.rejects(joined.commit(commit(two, 0)), StoreOutOfOrder);
  await joined.close();
  const again = await openSqliteStore(place);
  for (const { merchantId, id } of [one, two]) assert.equal(await again.payment(merchantId, id), null);
  await again.close();
});

test('a thread that finds no writer reads, and writes when there is one', async () => {
  let isThere = false;
  const late = await joinSqliteStore({ dataDir }, async () => {
    if (!isThere) throw new StoreOutOfOrder('the disk is full', 'SQLITE_FULL');
    return first.shareWriter();
  });
  isThere = true;
  assert.deepEqual(await late.commit(commit(payment(), 0)), { is: 'kept' });
  await late.close();
});
