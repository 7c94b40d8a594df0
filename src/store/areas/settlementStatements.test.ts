import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settledExample } from '../../settlement/examples.ts';
import type { SettlementRecord } from '../../settlement/record.ts';
import { readRecord, recordText } from './settlementStatements.ts';

/** Every member has a value of its own, so that none can stand in the place of another. */
const marked: SettlementRecord = {
  ...settledExample,
  match: {
    status: 'MULTIPLE_MATCHES',
    paymentIds: ['one', 'two'],
    by: 'by',
    why: 'why',
    isOpen: true,
    exception: { kind: 'severalPayments', candidateIds: ['one', 'two'] },
  },
  chargebackId: 'chargebackId',
  clearingInstitute: { name: 'name', merchantId: 'merchantId', txId1: 'txId1', txId2: 'txId2', txId3: 'txId3' },
  settlementId: 'settlementId',
  paymentId: 'paymentId',
  shortId: 'shortId',
  merchantTransactionId: 'merchantTransactionId',
  invoiceId: 'invoiceId',
  amount: 999_999_999_999_999n,
  settledAmount: 888_888_888_888_888n,
  fee: 777n,
  settledCurrency: 'USD',
  descriptor: 'descriptor',
  last4: '1234',
  bankCode: 'bankCode',
  holder: 'holder',
  reasonCode: 'reasonCode',
  reasonText: 'reasonText',
};

const cases: readonly (readonly [name: string, record: SettlementRecord])[] = [
  ['with everything', marked],
  ['with what is usual', settledExample],
  ['without a fee', { ...settledExample, fee: null }],
  ['with no fee at all', { ...settledExample, fee: 0n }],
];

for (const [name, record] of cases) {
  test(`a record ${name} is read as it was written`, () => {
    assert.deepEqual(readRecord(recordText(record), record), record);
  });

  test(`a record ${name} is read from a text with names`, () => {
    const { amount, settledAmount, fee } = record;
    const texts = { amount: String(amount), settledAmount: String(settledAmount), fee: fee === null ? null : String(fee) };
    assert.deepEqual(readRecord(JSON.stringify({ ...record, ...texts }), record), record);
  });
}

test('the order of the values never changes: a new one is put at the end', () => {
  assert.deepEqual(JSON.parse(recordText(marked)), [
    ...['turnpike-csv', 'MULTIPLE_MATCHES', ['one', 'two'], 'by', 'why', true, 'chargebackId', 'SETTLED', 'DEBIT', 'POS'],
    ...['name', 'merchantId', 'txId1', 'txId2', 'txId3', 'settlementId', 'paymentId', 'shortId', 'merchantTransactionId'],
    ...['invoiceId', '999999999999999', 'EUR', 'VISA', '2031-10-01 10:11:12', '888888888888888', 'USD', '777', '1.00'],
    ...['2031-10-02', 'SUCCESS', 'descriptor', '1234', 'bankCode', 'holder', 'reasonCode', 'reasonText'],
    { kind: 'severalPayments', candidateIds: ['one', 'two'] },
  ]);
});
