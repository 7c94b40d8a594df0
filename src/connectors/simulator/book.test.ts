import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examplePayment } from '../../payments/examples.ts';
import { answerAt, createBook, type Entry } from './book.ts';

const NOW = 1_000;
const yes = { is: 'approved', details: {} } as const;
const no = { is: 'declined', code: '800.100.152', details: {} } as const;
const entry = (changes: Partial<Entry> = {}): Entry => ({
  familyId: 'f',
  paymentType: 'DB',
  amount: 100n,
  answer: yes,
  decidedAt: NOW,
  ...changes,
});

test('totals count what is booked by now, by type, of one family', () => {
  const book = createBook({ keep: null });
  book.enter('a', entry({ paymentType: 'PA', amount: 500n }), 'settled');
  book.enter('b', entry({ paymentType: 'CP', amount: 200n }), 'settled');
  book.enter('c', entry({ paymentType: 'CP', amount: 300n }), 'asked');
  book.enter('d', entry({ paymentType: 'CP', amount: 999n, answer: no }), 'settled');
  book.enter('e', entry({ paymentType: 'RF', amount: 999n, decidedAt: NOW + 1 }), 'asked');
  book.enter('h', entry({ paymentType: 'RG', amount: 0n }), 'settled');
  book.enter('g', entry({ paymentType: 'PA', familyId: 'other' }), 'settled');
  assert.deepEqual(book.totals('f', NOW), { PA: 500n, DB: 0n, CD: 0n, CP: 500n, RV: 0n, RF: 0n });
  assert.equal(book.totals('f', NOW + 1).RF, 999n);
});

test('the first entry of an id stands, on whichever shelf', () => {
  const book = createBook({ keep: null });
  book.enter('a', entry(), 'asked');
  assert.deepEqual(book.enter('a', entry({ answer: no }), 'settled'), entry());
  assert.deepEqual(book.find('a'), entry());
  assert.equal(book.totals('f', NOW).DB, 100n);
});

test('a cancelled id is never booked; a declined one stays declined', () => {
  const book = createBook({ keep: null });
  const payment = examplePayment({ id: 'a', familyId: 'f' });
  book.cancel(payment);
  assert.deepEqual(book.enter('a', entry(), 'settled').answer, { is: 'cancelled' });
  book.enter('b', entry(), 'settled');
  assert.equal(book.totals('f', NOW).DB, 100n);
  book.cancel({ ...payment, id: 'b' });
  assert.equal(book.totals('f', NOW).DB, 0n);
  book.enter('c', entry({ answer: no }), 'asked');
  assert.deepEqual(book.cancel({ ...payment, id: 'c' }).answer, no);
});

test('a bounded book keeps the newest of each shelf, and the busy shelf does not push out the other', () => {
  const book = createBook({ keep: 3 });
  book.enter('question', entry(), 'asked');
  for (const id of ['a', 'b', 'c', 'd', 'd', 'e']) book.enter(id, entry(), 'settled');
  const kept = ['question', 'a', 'b', 'c', 'd', 'e'].filter((id) => book.find(id) !== null);
  assert.deepEqual(kept, ['question', 'c', 'd', 'e']);
});

test('before its time an entry is waiting', () => {
  assert.deepEqual(answerAt(entry(), NOW - 1), { is: 'waiting' });
  assert.deepEqual(answerAt(entry(), NOW), yes);
});
