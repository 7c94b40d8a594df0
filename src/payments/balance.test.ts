import assert from 'node:assert/strict';
import { test } from 'node:test';
import { balanceOf } from './balance.ts';
import { examplePayment } from './examples.ts';
import type { Payment, Phase } from './payment.ts';

const APPROVED: Phase = { at: 'final', code: '000.100.110' };
const DECLINED: Phase = { at: 'final', code: '800.100.151' };
const OPEN: Phase = { at: 'acquirer', dueAt: 0 };

const root = examplePayment({ id: 'a'.repeat(32), paymentType: 'PA', amount: 10_000n });
const child = (paymentType: Payment['paymentType'], amount: bigint, phase: Phase, more: Partial<Payment> = {}) =>
  examplePayment({
    id: `${paymentType}${amount}`,
    familyId: root.id,
    referencedId: root.id,
    paymentType,
    amount,
    phase,
    ...more,
  });
const INCREMENT = { industryPractice: 'INCREMENTAL_AUTH' };

const cases: [
  what: string,
  children: Payment[],
  available: [bigint, bigint],
  captured: [bigint, bigint],
  reversed: [bigint, bigint],
][] = [
  ['nothing happened yet', [], [10_000n, 10_000n], [0n, 0n], [0n, 0n]],
  ['an approved capture counts both ways', [child('CP', 4_000n, APPROVED)], [10_000n, 10_000n], [4_000n, 4_000n], [0n, 0n]],
  ['an open capture counts at most', [child('CP', 4_000n, OPEN)], [10_000n, 10_000n], [0n, 4_000n], [0n, 0n]],
  ['a declined capture counts nothing', [child('CP', 4_000n, DECLINED)], [10_000n, 10_000n], [0n, 0n], [0n, 0n]],
  ['an increment raises the total', [child('PA', 500n, APPROVED, INCREMENT)], [10_500n, 10_500n], [0n, 0n], [0n, 0n]],
  ['an open increment may raise it', [child('PA', 500n, OPEN, INCREMENT)], [10_000n, 10_500n], [0n, 0n], [0n, 0n]],
  ['a new authorisation is not an increment', [child('PA', 500n, APPROVED)], [10_000n, 10_000n], [0n, 0n], [0n, 0n]],
  ['a reversal gives back', [child('RV', 900n, APPROVED), child('CP', 100n, OPEN)], [10_000n, 10_000n], [0n, 100n], [900n, 900n]],
];

for (const [what, children, available, captured, reversed] of cases) {
  test(what, () => {
    const balance = balanceOf([root, ...children], root);
    const range = ([least, most]: [bigint, bigint]) => ({ least, most });
    assert.deepEqual(balance.available, range(available));
    assert.deepEqual(balance.captured, range(captured));
    assert.deepEqual(balance.reversed, range(reversed));
  });
}

test('what references another payment of the family does not count here', () => {
  const other = examplePayment({ id: 'b'.repeat(32), familyId: root.id, referencedId: 'c'.repeat(32), paymentType: 'CP' });
  assert.equal(balanceOf([root, other], root).captured.most, 0n);
});
