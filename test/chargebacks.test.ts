import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { balanceOf } from '../src/payments/balance.ts';
import { isRecordedOrder, refusalOfRecord } from '../src/payments/chargebacks/bankRecord.ts';
import { examplePayment } from '../src/payments/examples.ts';
import type { Order } from '../src/payments/order.ts';
import type { Payment } from '../src/payments/payment.ts';
import type { Capability } from '../src/payments/ports.ts';
import { refusalOfReference } from '../src/payments/refusal.ts';
import { isOverrun, sumsOf } from '../src/store/memory/commit.ts';

/** Whatever follow-ups are tried on a payment and its family, the accepted amounts add up, and the fold and the table agree. */

const capability: Capability = {
  redirects: false,
  types: ['PA', 'DB', 'CD', 'CP', 'RV', 'RF'],
  partialCapture: true,
  multipleCaptures: true,
  reversal: { until: '23:59', daysLater: { DB: 7, CP: 7 } },
};
const types = ['CP', 'RV', 'RF', 'CB', 'CB', 'CB', 'CR', 'CR', 'RB', 'RC'] as const;
type Try = { readonly type: (typeof types)[number]; readonly at: number; readonly amount: number };

const id = (number: number): string => number.toString(16).padStart(32, '0');

function refusalOf(family: readonly Payment[], payment: Payment, order: Order): string | null {
  return isRecordedOrder(order)
    ? refusalOfRecord(order, { family, payment })
    : refusalOfReference(order, { family, payment, capability, now: payment.createdAt });
}

function play(root: Payment, tries: readonly Try[]): Payment[] {
  const family = [root];
  for (const { type, at, amount } of tries) {
    const payment = family[at % family.length] as Payment;
    const { entityId, mode, currency } = root;
    const order = { paymentType: type, amount: BigInt(amount), currency, entityId, mode, practice: null, fields: {} };
    if (refusalOf(family, payment, order as unknown as Order) !== null) continue;
    const made = examplePayment({
      id: id(family.length + 1),
      familyId: root.id,
      referencedId: payment.id,
      paymentType: type,
      amount: BigInt(amount),
      phase: { at: 'final', code: type === 'CB' ? '000.100.203' : '000.100.110' },
    });
    family.push(made);
    assert.equal(isOverrun(family, made), false, `${type} ${amount} was let in and the table refuses it`);
  }
  return family;
}

const tries = fc.array(fc.record({ type: fc.constantFrom(...types), at: fc.nat(30), amount: fc.integer({ min: 1, max: 120 }) }), {
  maxLength: 40,
});

for (const paymentType of ['DB', 'PA'] as const) {
  test(`whatever follows a ${paymentType} adds up`, () => {
    const root = examplePayment({ id: id(1), paymentType, amount: 100n });
    const holds = (tried: readonly Try[]) => {
      const family = play(root, tried);
      for (const payment of family) {
        const { available, captured, refunded, reversed, chargedBack } = balanceOf(family, payment);
        const used = captured.most + refunded.most + reversed.most + chargedBack.most;
        assert.ok(used >= 0n && chargedBack.least >= 0n && used <= available.least, `${payment.paymentType} ${payment.amount}`);
        const sums = sumsOf(family, payment);
        assert.deepEqual(
          [sums.captured, sums.refunded, sums.reversed, sums.chargedBack],
          [captured.most, refunded.most, reversed.most, chargedBack.most],
        );
      }
    };
    fc.assert(fc.property(tries, holds), { numRuns: 400 });
  });
}

test('the largest amount that the fold allows is accepted: the limit equals the remaining amount', () => {
  const root = examplePayment({ id: id(1), amount: 100n });
  const story: Try[] = [
    { type: 'CB', at: 0, amount: 100 },
    { type: 'CR', at: 1, amount: 100 },
    { type: 'RF', at: 0, amount: 40 },
    { type: 'CB', at: 2, amount: 60 },
  ];
  assert.equal(play(root, story).length, 5);
  const chargedBack = balanceOf(play(root, story), root).chargedBack;
  assert.deepEqual(chargedBack, { least: 60n, most: 60n });
});

test('an open reversal of a chargeback gives nothing back yet, and an open chargeback counts', () => {
  const root = examplePayment({ id: id(1), amount: 100n });
  const under = (number: number, of: Payment, changes: Partial<Payment>): Payment =>
    examplePayment({ id: id(number), familyId: root.id, referencedId: of.id, ...changes });
  const open = { at: 'acquirer', dueAt: 0 } as const;
  const charged = under(2, root, { paymentType: 'CB', amount: 70n, phase: { at: 'final', code: '000.100.220' } });
  const back = under(3, charged, { paymentType: 'CR', amount: 50n, phase: open });
  const other = under(4, root, { paymentType: 'CB', amount: 10n, phase: open });
  assert.deepEqual(balanceOf([root, charged, back, other], root).chargedBack, { least: 20n, most: 80n });
});
