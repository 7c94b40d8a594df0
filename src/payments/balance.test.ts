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

test('a payment alone has all of its amount and nothing else, and an open one may have it', () => {
  const nothing = { least: 0n, most: 0n };
  const others = { captured: nothing, refunded: nothing, reversed: nothing, chargedBack: nothing, captures: 0 };
  assert.deepEqual(balanceOf([root], root), { ...others, available: { least: 10_000n, most: 10_000n } });
  const open = { ...root, phase: OPEN };
  assert.deepEqual(balanceOf([open], open), { ...others, available: { least: 0n, most: 10_000n } });
  const unrelated = examplePayment({ id: 'b'.repeat(32), amount: 1n });
  assert.deepEqual(balanceOf([unrelated], root), { ...others, available: { least: 10_000n, most: 10_000n } });
});

test('captures are counted while they may still count, and receipts are money without a capture', () => {
  const receipt = child('RC', 50n, APPROVED);
  const family = [
    root,
    child('CP', 1n, APPROVED),
    child('CP', 2n, OPEN),
    child('CP', 4n, DECLINED),
    child('RF', 8n, OPEN),
    receipt,
  ];
  const { captures, captured, refunded } = balanceOf(family, root);
  assert.equal(captures, 2);
  assert.deepEqual(captured, { least: 51n, most: 53n });
  assert.deepEqual(refunded, { least: 0n, most: 8n });
});

test('what is done to an increment counts for the authorisation that it raised', () => {
  const increment = child('PA', 500n, APPROVED, INCREMENT);
  const capture = child('CP', 70n, APPROVED, { referencedId: increment.id });
  assert.deepEqual(balanceOf([root, increment, capture], root).captured, { least: 70n, most: 70n });
});

/** A debit of 100 and what banks did to it: taken, given back, taken again. The last two columns are of the debit. */
const disputes: readonly (readonly [
  what: string,
  taken: Phase,
  given: Phase | null,
  again: Phase | null,
  least: bigint,
  most: bigint,
])[] = [
  ['taken', APPROVED, null, null, 60n, 60n],
  ['perhaps taken', OPEN, null, null, 0n, 60n],
  ['taken and given back', APPROVED, APPROVED, null, 20n, 20n],
  ['taken and perhaps given back', APPROVED, OPEN, null, 20n, 60n],
  ['taken, given back and taken again', APPROVED, APPROVED, APPROVED, 27n, 27n],
  ['taken, given back and perhaps taken again', APPROVED, APPROVED, OPEN, 20n, 27n],
];
const debit = examplePayment({ id: 'd'.repeat(32), amount: 100n });
for (const [what, taken, given, again, least, most] of disputes) {
  test(`of a debit that was ${what} ${least} to ${most} are charged back`, () => {
    const below = (parent: Payment, paymentType: Payment['paymentType'], amount: bigint, phase: Phase) =>
      examplePayment({ id: `${paymentType}${amount}`, familyId: debit.id, referencedId: parent.id, paymentType, amount, phase });
    const first = below(debit, 'CB', 60n, taken);
    const back = given && below(first, 'CR', 40n, given);
    const second = back && again && below(back, 'CB', 7n, again);
    const family = [debit, first, ...(back ? [back] : []), ...(second ? [second] : [])];
    assert.deepEqual(balanceOf(family, debit).chargedBack, { least, most });
    if (given === APPROVED) assert.deepEqual(balanceOf(family, first).chargedBack, { least: 40n, most: 40n });
    if (back && again === APPROVED) assert.deepEqual(balanceOf(family, back).chargedBack, { least: 7n, most: 7n });
    if (second) assert.deepEqual(balanceOf(family, second).chargedBack, { least: 0n, most: 0n });
  });
}

test('a reversal of a chargeback is charged back by what a bank took of it, and by no more', () => {
  const given = examplePayment({ id: 'e'.repeat(32), familyId: debit.id, referencedId: 'x', paymentType: 'CR', amount: 40n });
  const again = examplePayment({ id: 'f'.repeat(32), familyId: debit.id, referencedId: given.id, paymentType: 'CB', amount: 7n });
  const deeper = examplePayment({
    id: 'c'.repeat(32),
    familyId: debit.id,
    referencedId: again.id,
    paymentType: 'CR',
    amount: 3n,
  });
  assert.deepEqual(balanceOf([debit, given, again, deeper], given).chargedBack, { least: 7n, most: 7n });
});
