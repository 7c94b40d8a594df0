import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examplePayment } from '../../payments/examples.ts';
import { type AcquirerRecord, answerAt, createAcquirerRecords } from './acquirerRecords.ts';

const NOW = 1_000;
const yes = { is: 'approved', details: {} } as const;
const no = { is: 'declined', code: '800.100.152', details: {} } as const;
const entry = (changes: Partial<AcquirerRecord> = {}): AcquirerRecord => ({
  familyId: 'f',
  paymentType: 'DB',
  amount: 100n,
  answer: yes,
  decidedAt: NOW,
  ...changes,
});

test('totals count what is booked by now, by type, of one family', () => {
  const records = createAcquirerRecords({ keep: null });
  records.add('a', entry({ paymentType: 'PA', amount: 500n }), 'final');
  records.add('b', entry({ paymentType: 'CP', amount: 200n }), 'final');
  records.add('c', entry({ paymentType: 'CP', amount: 300n }), 'open');
  records.add('d', entry({ paymentType: 'CP', amount: 999n, answer: no }), 'final');
  records.add('e', entry({ paymentType: 'RF', amount: 999n, decidedAt: NOW + 1 }), 'open');
  records.add('h', entry({ paymentType: 'RG', amount: 0n }), 'final');
  records.add('g', entry({ paymentType: 'PA', familyId: 'other' }), 'final');
  assert.deepEqual(records.totals('f', NOW), { PA: 500n, DB: 0n, CD: 0n, CP: 500n, RV: 0n, RF: 0n });
  assert.equal(records.totals('f', NOW + 1).RF, 999n);
});

test('the first entry of an id stands, in either partition', () => {
  const records = createAcquirerRecords({ keep: null });
  records.add('a', entry(), 'open');
  assert.deepEqual(records.add('a', entry({ answer: no }), 'final'), entry());
  assert.deepEqual(records.find('a'), entry());
  assert.equal(records.totals('f', NOW).DB, 100n);
});

test('a cancelled id is never booked; a declined one stays declined', () => {
  const records = createAcquirerRecords({ keep: null });
  const payment = examplePayment({ id: 'a', familyId: 'f' });
  records.cancel(payment);
  assert.deepEqual(records.add('a', entry(), 'final').answer, { is: 'cancelled' });
  records.add('b', entry(), 'final');
  assert.equal(records.totals('f', NOW).DB, 100n);
  records.cancel({ ...payment, id: 'b' });
  assert.equal(records.totals('f', NOW).DB, 0n);
  records.add('c', entry({ answer: no }), 'open');
  assert.deepEqual(records.cancel({ ...payment, id: 'c' }).answer, no);
});

test('bounded records keep the newest of each partition, and a busy partition does not evict the other', () => {
  const records = createAcquirerRecords({ keep: 3 });
  records.add('question', entry(), 'open');
  for (const id of ['a', 'b', 'c', 'd', 'd', 'e']) records.add(id, entry(), 'final');
  const kept = ['question', 'a', 'b', 'c', 'd', 'e'].filter((id) => records.find(id) !== null);
  assert.deepEqual(kept, ['question', 'c', 'd', 'e']);
});

test('before its time an entry is waiting', () => {
  assert.deepEqual(answerAt(entry(), NOW - 1), { is: 'waiting' });
  assert.deepEqual(answerAt(entry(), NOW), yes);
});
