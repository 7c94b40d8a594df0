import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  APPROVED,
  commit,
  commitWithEffects,
  idempotencyKeyOf,
  nextId,
  OPEN,
  payment,
} from '../../../test/contract/storeFixtures.ts';
import type { Commit } from '../../payments/ports.ts';
import { cellsOf } from '../commit/cells.ts';
import { createApply } from './apply.ts';
import { migrateFile, openForWriting } from './file.ts';
import type { CommitRow } from './jobs.ts';
import { openSqliteStore } from './sqliteStore.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-apply-'));
const path = join(folder, 'apply.db');
migrateFile(path);
const db = openForWriting(path);
const apply = createApply(db);
after(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

const rowOf = (change: Commit): CommitRow => cellsOf(change);
const one = (): Commit => commit(payment({ phase: APPROVED }), 0);
const some = (count: number, make = one): Commit[] => Array.from({ length: count }, make);

function applied(changes: readonly Commit[]): readonly string[] {
  db.exec('BEGIN IMMEDIATE');
  const outcomes = apply(changes.map(rowOf)).map(({ is }) => is);
  db.exec('COMMIT');
  return outcomes;
}

const find = db.prepare(`SELECT
  (SELECT count(*) FROM payment WHERE id = ?1) AS payments,
  (SELECT count(*) FROM outbox WHERE subject_id = ?1) AS events`);
const storedOf = ({ payment: { id } }: Commit) => ({ ...find.get(id) });

const countOf = (table: string): number => Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);

// On both sides of what one statement takes.
for (const count of [1, 3, 4, 5, 15, 16, 17, 20, 37, 64]) {
  test(`${count} payments that begin together are all written once`, () => {
    const changes = some(count);
    assert.deepEqual(applied(changes), Array(count).fill('kept'));
    assert.deepEqual(changes.map(storedOf), Array(count).fill({ payments: 1, events: 1 }));
  });
}

test('a payment that is there already is refused alone, whatever place it has among others', () => {
  const first = one();
  applied([first]);
  for (const place of [0, 7, 16, 20]) {
    const others = some(20);
    const outcomes = applied(others.toSpliced(place, 0, commit(first.payment, 0)));
    assert.deepEqual(outcomes, Array(20).fill('kept').toSpliced(place, 0, 'moved'));
    assert.deepEqual(others.map(storedOf), Array(20).fill({ payments: 1, events: 1 }));
    assert.deepEqual(storedOf(first), { payments: 1, events: 1 });
  }
});

test('the same payment twice together is written once', () => {
  const twice = one();
  const outcomes = applied([...some(3), twice, commit(twice.payment, 0), ...some(3)]);
  assert.deepEqual(outcomes, ['kept', 'kept', 'kept', 'kept', 'moved', 'kept', 'kept', 'kept']);
  assert.deepEqual(storedOf(twice), { payments: 1, events: 1 });
});

test('a row that no table takes is refused alone, and leaves nothing', () => {
  const eventId = nextId();
  const [taken, repeated] = [commit(payment(), 0, { eventId }), commit(payment(), 0, { eventId })];
  const before = countOf('payment');
  assert.deepEqual(applied([...some(4), taken, ...some(4), repeated]), [...Array(9).fill('kept'), 'broken']);
  assert.deepEqual([storedOf(repeated), countOf('payment') - before], [{ payments: 0, events: 0 }, 9]);
});

test('among payments that begin, one with a used key and one that goes on have their own outcomes', () => {
  const open = commit(payment({ phase: OPEN }), 0);
  const keyed = commit(payment(), 0, { idempotencyKey: idempotencyKeyOf('k') });
  applied([open, keyed]);
  const again = commit(payment(), 0, { idempotencyKey: idempotencyKeyOf('k') });
  const goesOn = commit({ ...open.payment, phase: APPROVED, revision: 2 }, 1);
  assert.deepEqual(applied([...some(5), again, goesOn, ...some(5)]), [
    ...Array(5).fill('kept'),
    'keyUsed',
    'kept',
    ...Array(5).fill('kept'),
  ]);
});

test('what is written together can be read', async () => {
  const store = await openSqliteStore({ path: join(folder, 'whole.db') });
  const changes = some(21);
  await Promise.all(changes.map((change) => commitWithEffects(store, change)));
  for (const { payment: made } of changes) assert.deepEqual(await store.payment(made.merchantId, made.id), made);
  await store.close();
});
