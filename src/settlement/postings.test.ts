import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NOW } from '../../test/contract/storeFixtures.ts';
import { lines, matchedWith, settlementFile, settlementRecord, unmatched } from '../../test/contract/storeSettlementFixtures.ts';
import { bookedAmount, incomingPosting, isBookedAlike, outgoingPosting } from './postings.ts';
import type { SettlementRecord } from './record.ts';

const line = (changes: Partial<SettlementRecord>): SettlementRecord =>
  settlementRecord(settlementFile(), { match: matchedWith('p'), amount: 9200n, settledAmount: 9200n, fee: null, ...changes });
const taken = { cashflow: 'NEG' } as const;
const abroad = { settledCurrency: 'USD', fxRate: '1.25', settledAmount: 11_375n, fee: 125n } as const;

const stories: readonly (readonly [what: string, changes: Partial<SettlementRecord>, does: string | null])[] = [
  ['money arrives as a whole', {}, 'EUR 9200 0'],
  ['a fee is kept of it', { settledAmount: 9100n, fee: 100n }, 'EUR 9100 100'],
  ['a fee is stated and charged elsewhere', { fee: 100n }, 'EUR 9200 0'],
  ['a fee is kept and not stated', { settledAmount: 9100n }, 'EUR 9100 100'],
  ['a refund', { ...taken, transactionType: 'REFUND' }, 'EUR -9200 0'],
  ['a refund with a fee', { ...taken, transactionType: 'REFUND', settledAmount: 9230n, fee: 30n }, 'EUR -9230 30'],
  ['a chargeback', { ...taken, recordType: 'CHARGEBACK' }, 'EUR -9200 0'],
  ['a chargeback that is given back', { recordType: 'CHARGEBACK REVERSAL' }, 'EUR 9200 0'],
  ['a fee alone', { ...taken, recordType: 'FEE', transactionType: 'AUTH_FEE', settledAmount: 30n }, 'EUR -30 30'],
  ['a fee that is given back', { recordType: 'FEE', transactionType: 'AUTH_FEE', settledAmount: 30n }, 'EUR 30 -30'],
  ['a fee by its second column only', { ...taken, transactionType: 'REFUND_FEE', settledAmount: 5n }, 'EUR -5 5'],
  ['another currency arrives', abroad, 'EUR 9100 100'],
  ['another currency, and no fee is stated', { ...abroad, fee: null }, 'EUR 9200 0'],
  ['another currency without a rate', { ...abroad, fxRate: '0.00' }, 'EUR 9200 0'],
  ['a rate without decimals', { ...abroad, fxRate: '2', fee: 5n }, 'EUR 9198 2'],
  ['a fee in another currency', { ...taken, ...abroad, recordType: 'FEE', transactionType: 'AUTH_FEE', amount: 8n }, 'EUR -8 8'],
  ['it failed', { status: 'FAILED' }, null],
  ['it is nobody knows what', { match: unmatched }, null],
  ['nothing moved', { amount: 0n, settledAmount: 0n }, null],
];

for (const [what, changes, does] of stories) {
  test(`what a line does to the books: ${what}`, () => {
    const booked = bookedAmount(line(changes));
    assert.equal(booked && `${booked.currency} ${booked.settled} ${booked.fee}`, does);
  });
}

test('whatever a line says, its posting adds up to nothing, and so does it with its contrary', () => {
  const sumOf = (entries: object): bigint => Object.values(entries).reduce((sum: bigint, amount: bigint) => sum + amount, 0n);
  const holds = (changes: Partial<SettlementRecord>) => {
    const bookable = { record: line(changes), payment: { mode: 'LIVE' as const }, at: NOW };
    const [came, left] = [incomingPosting(bookable), outgoingPosting(bookable)];
    assert.equal(came === null, left === null);
    if (!came || !left) return;
    assert.equal(sumOf(came.entries), 0n);
    for (const [account, amount] of Object.entries(came.entries)) assert.equal(Reflect.get(left.entries, account), -amount);
    assert.deepEqual([came.revision, left.revision], [1, 2]);
  };
  fc.assert(fc.property(lines, holds));
});

test('a line does the same as long as it is about the same payment of the same merchant', () => {
  const one = line({});
  assert.ok(isBookedAlike(one, { ...one, chargebackId: 'c', revision: 2 }));
  const others = [{ match: unmatched }, { match: matchedWith('q') }, { merchantId: 'another' }];
  for (const other of others) assert.ok(!isBookedAlike(one, { ...one, ...other }), JSON.stringify(other));
  assert.ok(isBookedAlike({ ...one, match: unmatched }, { ...one, match: { ...unmatched, isOpen: false } }));
});
