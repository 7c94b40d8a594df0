import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examplePayment } from '../../src/payments/examples.ts';
import { matchLine } from '../../src/settlement/match/match.ts';
import { settlementFile, settlementRecord } from '../contract/storeSettlementFixtures.ts';
import { faults, tell } from './acquirer.ts';
import { judge, surroundingsOf } from './matching.ts';

test('every planted fault is found and nothing is matched falsely, in 5,000 lines', () => {
  for (const seed of [1, 2]) {
    const story = tell(2_500, seed);
    const counts = judge(story);
    for (const fault of faults) assert.ok((counts.get(fault) ?? 0) >= 5, `${fault} was planted`);
    assert.ok(story.missing.length >= 5);
    assert.ok((counts.get('none') ?? 0) >= 1_500);
  }
});

test('a line of another platform is matched by its id and ours, and by nothing else of it', () => {
  const [ours, theirs, other, unknown] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(32)) as [
    string,
    string,
    string,
    string,
  ];
  const createdAt = Date.parse('2031-10-01T12:00:00Z');
  const payment = (id: string, platformId: string) => ({
    ...examplePayment(),
    id,
    familyId: id,
    merchantId: 'm1',
    paymentType: 'DB' as const,
    amount: 9200n,
    currency: 'EUR',
    createdAt,
    phase: { at: 'final' as const, code: '000.100.110' as const },
    details: { resultDetails: { ConnectorTxID1: platformId } },
  });
  const around = surroundingsOf([payment(ours, theirs), payment(other, unknown.replace('d', 'e'))]);
  // The platform's short id and references of its own acquirer are none of ours.
  const institute = { name: 'Platform', merchantId: 'ACQ-1', txId1: 'f'.repeat(32), txId2: null, txId3: null };
  const match = (paymentId: string, merchantTransactionId: string | null) => {
    const line = { paymentId, merchantTransactionId, shortId: '1111.2222.3333', clearingInstitute: institute };
    return matchLine(settlementRecord(settlementFile(), line), around);
  };
  for (const reference of [ours, null]) assert.equal(match(theirs, reference).payment?.id, ours);
  for (const [paymentId, reference] of [
    [theirs, other],
    [unknown, ours],
    [unknown, null],
    [theirs, unknown],
  ] as const)
    assert.equal(match(paymentId, reference).payment, null, `${paymentId} ${reference}`);
});
