import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examplePayment } from '../payments/examples.ts';
import type { Payment, Phase } from '../payments/payment.ts';
import { findUndone, postingOf, postingOfSettlement, postingsOf, type Undone, undoneIn } from './book.ts';
import { accounts, type Entries } from './entry.ts';

const APPROVED: Phase = { at: 'final', code: '000.100.110' };
const DECLINED: Phase = { at: 'final', code: '800.100.151' };
const OPEN: Phase = { at: 'doubt', tries: 0, dueAt: 9 };

const entriesOf = (changes: Partial<Payment>, undone: Undone = null): Entries | null =>
  postingOf(examplePayment({ amount: 100n, revision: 1, phase: APPROVED, ...changes }), undone)?.entries ?? null;

/** What each type books when it takes place at once. */
const booked: readonly (readonly [type: Payment['paymentType'], undone: Undone, entries: Entries | null])[] = [
  ['PA', null, { reserve: 100n, contra: -100n }],
  ['DB', null, { merchant: 100n, acquirer: -100n }],
  ['RB', null, { merchant: 100n, acquirer: -100n }],
  ['CD', null, { merchant: -100n, acquirer: 100n }],
  ['CP', null, { reserve: -100n, contra: 100n, merchant: 100n, acquirer: -100n }],
  ['RC', null, { reserve: -100n, contra: 100n, merchant: 100n, acquirer: -100n }],
  ['RF', 'DB', { merchant: -100n, acquirer: 100n }],
  ['RF', 'CP', { merchant: -100n, acquirer: 100n }],
  ['RF', 'CD', { merchant: -100n, acquirer: 100n }],
  ['RV', 'PA', { reserve: -100n, contra: 100n }],
  ['RV', 'DB', { merchant: -100n, acquirer: 100n }],
  ['RV', 'CP', { merchant: -100n, acquirer: 100n }],
  ['RV', 'CD', { merchant: 100n, acquirer: -100n }],
  ['CB', null, { merchant: -100n, chargebacks: 100n }],
  ['CB', 'DB', { merchant: -100n, chargebacks: 100n }],
  ['CB', 'RF', { merchant: 100n, chargebacks: -100n }],
  ['CR', null, { merchant: 100n, chargebacks: -100n }],
  ['CR', 'DB', { merchant: 100n, chargebacks: -100n }],
  ['CR', 'RF', { merchant: -100n, chargebacks: 100n }],
  ['RG', null, null],
  ['TK', null, null],
  ['SD', null, null],
  ['3D', null, null],
];

for (const [paymentType, undone, entries] of booked) {
  test(`${paymentType}${undone ? ` of ${undone}` : ''} books ${entries ? Object.keys(entries).join(', ') : 'nothing'}`, () => {
    assert.deepEqual(entriesOf({ paymentType }, undone), entries);
    assert.equal(entriesOf({ paymentType, phase: DECLINED }, undone), null);
    assert.equal(entriesOf({ paymentType, amount: 0n }, undone), null);
  });
}

test('a chargeback undoes the payment at which the chargebacks began, whoever records it', async () => {
  const chain = (first: Payment['paymentType']) =>
    [first, 'CB', 'CR', 'CB'].map((type, at) =>
      examplePayment({ id: `p${at}`, paymentType: type as Payment['paymentType'], referencedId: at === 0 ? null : `p${at - 1}` }),
    );
  for (const first of ['DB', 'CP', 'RB', 'RF'] as const) {
    const family = chain(first);
    const find = (id: string) => family.find((one) => one.id === id);
    for (const payment of family.slice(1)) {
      assert.equal(undoneIn(payment, find), first);
      assert.equal(await findUndone(payment, async (id) => find(id) ?? null), first);
    }
    assert.equal(undoneIn(family[0] as Payment, find), null);
  }
  const lonely = examplePayment({ paymentType: 'CB', referencedId: 'gone' });
  assert.equal(
    undoneIn(lonely, () => undefined),
    null,
  );
  assert.equal(await findUndone(lonely, async () => null), null);
});

test('what is open is in flight from its first revision on, and taken back with its last', () => {
  assert.deepEqual(entriesOf({ phase: OPEN }), { shopper: 100n, contra: -100n });
  assert.equal(entriesOf({ phase: OPEN, revision: 2 }), null);
  assert.deepEqual(entriesOf({ phase: DECLINED, revision: 3 }), { shopper: -100n, contra: 100n });
  assert.deepEqual(entriesOf({ revision: 2 }), { shopper: -100n, contra: 100n, merchant: 100n, acquirer: -100n });
  assert.deepEqual(entriesOf({ paymentType: 'RV', phase: OPEN }, 'CD'), { shopper: 100n, contra: -100n });
});

const towardsMerchant = ['PA', 'DB', 'CP', 'RB', 'RC', 'CR'] as const;
const fromMerchant = ['CD', 'RF', 'RV', 'CB'] as const;
for (const paymentType of [...towardsMerchant, ...fromMerchant]) {
  test(`an open ${paymentType} is in flight with its amount and direction`, () => {
    const amount = (towardsMerchant as readonly string[]).includes(paymentType) ? 100n : -100n;
    assert.deepEqual(entriesOf({ paymentType, phase: OPEN }), { shopper: amount, contra: -amount });
  });
}

test('a posting has the time, the currency, the mode and the names of its payment or record', () => {
  const about = { merchantId: 'm', id: 'p', currency: 'USD', mode: 'LIVE', createdAt: 3, movedAt: 4 } as const;
  const head = { merchantId: 'm', subjectId: 'p', kind: 'payment', currency: 'USD', mode: 'LIVE' };
  const headOf = (changes: Partial<Payment>) => {
    const { entries: _, ...rest } = postingOf(examplePayment({ ...about, ...changes }), null) ?? assert.fail();
    return rest;
  };
  assert.deepEqual(headOf({ phase: OPEN, revision: 1 }), { ...head, revision: 1, at: 3 });
  assert.deepEqual(headOf({ phase: APPROVED, revision: 2 }), { ...head, revision: 2, at: 4 });
  const settled = {
    recordId: 'r',
    merchantId: 'm',
    payment: { currency: 'USD', mode: 'LIVE' } as const,
    settled: 1n,
    fee: 0n,
    at: 5,
  };
  const { entries: _, ...rest } = postingOfSettlement(settled) ?? assert.fail();
  assert.deepEqual(rest, { ...head, subjectId: 'r', kind: 'settlement', revision: 1, at: 5 });
  assert.equal(postingOfSettlement({ ...settled, revision: 3 })?.revision, 3);
  assert.deepEqual(
    postingsOf(examplePayment({ ...about, phase: APPROVED, revision: 3 }), null).map(({ revision, at }) => [revision, at]),
    [
      [1, 3],
      [3, 4],
    ],
  );
});

test('whatever a payment goes through, in the end nothing is in flight and everything adds up to nothing', () => {
  const phases: readonly Phase[] = [APPROVED, DECLINED, OPEN];
  for (const [paymentType, undone] of booked) {
    for (const phase of phases) {
      for (const revision of [1, 2, 5]) {
        const postings = postingsOf(examplePayment({ paymentType, phase, revision, amount: 7n }), undone);
        const sum = (account: (typeof accounts)[number]) =>
          postings.reduce((total, { entries }) => total + (entries[account] ?? 0n), 0n);
        assert.equal(
          accounts.reduce((total, account) => total + sum(account), 0n),
          0n,
        );
        if (phase !== OPEN) assert.equal(sum('shopper'), 0n);
      }
    }
  }
});

test('a settlement pays what is owed; what was kept back are fees', () => {
  const about = { recordId: 'r', merchantId: 'm', payment: examplePayment(), at: 5 };
  assert.deepEqual(postingOfSettlement({ ...about, settled: 95n, fee: 5n })?.entries, {
    merchant: -100n,
    acquirer: 95n,
    fees: 5n,
  });
  assert.deepEqual(postingOfSettlement({ ...about, settled: -100n, fee: 0n })?.entries, { merchant: 100n, acquirer: -100n });
  assert.equal(postingOfSettlement({ ...about, settled: 0n, fee: 0n }), null);
});
