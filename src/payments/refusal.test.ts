import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../spec/time.ts';
import { examplePayment } from './examples.ts';
import type { Order, Refusal } from './order.ts';
import type { Payment, Phase } from './payment.ts';
import type { Capability } from './ports.ts';
import {
  capturesOf,
  referencedIn,
  refundedOf,
  refusalOfReference,
  refusalOfWithdrawal,
  reversible,
  reversibleUntil,
  UNKNOWN_REFERENCE,
} from './refusal.ts';

const DECLINED: Phase = { at: 'final', code: '800.100.151' };
const OPEN: Phase = { at: 'doubt', tries: 0, dueAt: 0 };
const POOR: Phase = { at: 'final', code: '800.100.155' };

const MIDNIGHT = 1_790_035_200_000;
const NOON = MIDNIGHT + 12 * HOUR_MS;
const capability: Capability = {
  redirects: false,
  types: ['PA', 'DB', 'CP', 'RV', 'RF'],
  partialCapture: true,
  multipleCaptures: true,
  reversal: { until: '18:30', daysLater: { DB: 0, CP: 0 } },
};

const authorisation = examplePayment({ id: 'pa', paymentType: 'PA', amount: 100n, createdAt: NOON });
const debit = examplePayment({ id: 'db', paymentType: 'DB', amount: 100n, createdAt: NOON });
const after = (of: Payment, paymentType: Payment['paymentType'], amount: bigint, changes: Partial<Payment> = {}): Payment =>
  examplePayment({
    id: `${of.id}-${paymentType}${amount}`,
    familyId: of.familyId,
    referencedId: of.id,
    paymentType,
    amount,
    ...changes,
  });
const INCREMENT = { industryPractice: 'INCREMENTAL_AUTH' };

const order = (paymentType: Order['paymentType'], amount: bigint | null, changes: Partial<Order> = {}): Order =>
  ({
    entityId: debit.entityId,
    mode: 'INTERNAL',
    practice: null,
    paymentType,
    amount,
    currency: amount === null ? null : 'EUR',
    ...changes,
  }) as Order;

type Case = readonly [
  what: string,
  order: Order,
  payment: Payment,
  others: readonly Payment[],
  refusal: Refusal | null,
  capability?: Partial<Capability>,
];

/** In the order of the refusals: each case is right in all that was checked before. */
const cases: readonly Case[] = [
  ['another entity', order('RF', 0n, { entityId: 'other', mode: 'LIVE' }), debit, [], '700.400.700'],
  ['another mode', order('RF', 0n, { mode: 'LIVE' }), debit, [], '700.100.600'],
  ['an instrument to be stored', order('RG', null), debit, [], '700.100.700'],
  ['a capture of a debit', order('CP', 1n), debit, [], '700.400.510'],
  ['a reversal of a refund', order('RV', 1n), { ...debit, paymentType: 'RF' }, [], '700.400.530'],
  ['a refund of an authorisation', order('RF', 1n), authorisation, [], '700.400.520'],
  ['a type that refers to nothing', order('DB', 1n), debit, [], '700.100.700'],
  ['an open payment', order('RF', 1n), { ...debit, phase: OPEN }, [], '700.400.570'],
  ['a capture of a declined one', order('CP', 1n), { ...authorisation, phase: DECLINED }, [], '700.400.510'],
  ['a refund of a declined one', order('RF', 1n), { ...debit, phase: DECLINED }, [], '700.300.200'],
  ['another currency', order('RF', 1n, { currency: 'USD' }), debit, [], '700.100.500'],
  ['nothing', order('RF', 0n), debit, [], '100.550.300'],
  ['less than nothing', order('RF', -1n), debit, [], '100.550.300'],
  ['the smallest amount', order('RF', 1n), debit, [], null],
  ['after the last refund', order('RF', 1n), debit, [after(debit, 'RF', 1n, { isLast: true })], '700.300.300'],
  [
    'after the last refund, which is open',
    order('RF', 1n),
    debit,
    [after(debit, 'RF', 1n, { isLast: true, phase: OPEN })],
    '700.300.300',
  ],
  [
    'after a last refund that was declined',
    order('RF', 1n),
    debit,
    [after(debit, 'RF', 1n, { isLast: true, phase: DECLINED })],
    null,
  ],
  ['after a refund that was not the last', order('RF', 1n), debit, [after(debit, 'RF', 1n)], null],
  [
    'after the last one of another type',
    order('CP', 1n),
    authorisation,
    [after(authorisation, 'RV', 1n, { isLast: true })],
    null,
  ],
  ['after the last one of another payment', order('RF', 1n), debit, [after(authorisation, 'RF', 1n, { isLast: true })], null],

  ['a capture of all', order('CP', 100n), authorisation, [], null],
  ['a capture of too much', order('CP', 101n), authorisation, [], '700.400.100'],
  ['a capture of the rest', order('CP', 60n), authorisation, [after(authorisation, 'CP', 40n)], null],
  ['a capture of more than the rest', order('CP', 61n), authorisation, [after(authorisation, 'CP', 40n)], '700.400.100'],
  ['a capture beside a reversal', order('CP', 61n), authorisation, [after(authorisation, 'RV', 40n)], '700.400.100'],
  ['a capture of what a reversal left', order('CP', 60n), authorisation, [after(authorisation, 'RV', 40n)], null],
  [
    'a third capture of two',
    order('CP', 1n),
    { ...authorisation, numberOfCaptures: 2 },
    [after(authorisation, 'CP', 1n), after(authorisation, 'CP', 2n)],
    '700.400.102',
  ],
  ['a second capture of two', order('CP', 1n), { ...authorisation, numberOfCaptures: 2 }, [after(authorisation, 'CP', 1n)], null],
  [
    'a second capture where there is one',
    order('CP', 1n),
    authorisation,
    [after(authorisation, 'CP', 1n)],
    '700.400.100',
    { multipleCaptures: false },
  ],
  ['the only capture', order('CP', 1n), authorisation, [], null, { multipleCaptures: false }],
  ['a part where only all is captured', order('CP', 99n), authorisation, [], '700.400.101', { partialCapture: false }],
  ['all where only all is captured', order('CP', 100n), authorisation, [], null, { partialCapture: false }],

  ['a refund of all', order('RF', 100n), debit, [], null],
  ['a refund of too much', order('RF', 101n), debit, [], '700.400.200'],
  ['a refund of the rest', order('RF', 60n), debit, [after(debit, 'RF', 40n, { phase: OPEN })], null],
  ['a refund of more than the rest', order('RF', 61n), debit, [after(debit, 'RF', 40n, { phase: OPEN })], '700.400.200'],
  ['a refund after a reversal', order('RF', 1n), debit, [after(debit, 'RV', 1n)], '700.400.200'],
  ['a refund of what a bank left', order('RF', 60n), debit, [after(debit, 'CB', 40n)], null],
  ['a refund of what a bank took', order('RF', 61n), debit, [after(debit, 'CB', 40n)], '700.300.600'],

  ['a reversal of what a bank took', order('RV', null), debit, [after(debit, 'CB', 1n)], '700.300.600'],
  ['a reversal of all', order('RV', null), debit, [], null],
  ['a reversal of all, by its amount', order('RV', 100n), debit, [], null],
  ['a reversal of a part of a debit', order('RV', 99n), debit, [], '700.400.300'],
  ['a reversal of a part of an authorisation', order('RV', 99n), authorisation, [], null],
  ['a reversal of too much', order('RV', 101n), authorisation, [], '700.400.300'],
  ['a reversal of what was captured', order('RV', 61n), authorisation, [after(authorisation, 'CP', 40n)], '700.400.300'],
  ['a reversal of what was not captured', order('RV', 60n), authorisation, [after(authorisation, 'CP', 40n)], null],
  ['a reversal of nothing', order('RV', null), authorisation, [after(authorisation, 'CP', 100n)], '700.400.300'],
  ['a reversal after a refund', order('RV', null), debit, [after(debit, 'RF', 1n)], '700.400.300'],
  ['a reversal after a reversal', order('RV', null), debit, [after(debit, 'RV', 100n)], '700.400.300'],
  ['a reversal that the connector cannot make', order('RV', null), debit, [], '700.300.700', { reversal: null }],
  ['a reversal after the cut-off', order('RV', null), { ...debit, createdAt: NOON - DAY_MS }, [], '700.300.700'],
];

const refusalIn = ([, asked, payment, others, , own]: Case): Refusal | null =>
  refusalOfReference(asked, {
    family: [payment, ...others],
    payment,
    capability: { ...capability, ...own },
    now: NOON + HOUR_MS,
  });

for (const one of cases) test(`${one[0]}: ${one[4] ?? 'goes ahead'}`, () => assert.equal(refusalIn(one), one[4]));

const practised = (practice: string, type: 'PA' | 'DB', changes: Partial<Order> = {}) =>
  order(type, 1n, { practice, ...changes });
const increment = after(authorisation, 'PA', 20n, INCREMENT);
const practices: readonly Case[] = [
  ['an increment', practised('INCREMENTAL_AUTH', 'PA'), authorisation, [], null],
  ['an increment as a debit', practised('INCREMENTAL_AUTH', 'DB'), authorisation, [], '700.100.700'],
  ['an increment of a debit', practised('INCREMENTAL_AUTH', 'PA'), debit, [], '700.100.700'],
  ['an increment of an increment', practised('INCREMENTAL_AUTH', 'PA'), increment, [], '700.100.700'],
  [
    'an increment after the last capture',
    practised('INCREMENTAL_AUTH', 'PA'),
    authorisation,
    [after(authorisation, 'CP', 1n, { isLast: true })],
    '700.300.300',
  ],
  ['an increment after a capture', practised('INCREMENTAL_AUTH', 'PA'), authorisation, [after(authorisation, 'CP', 1n)], null],
  [
    'an increment after a reversal',
    practised('INCREMENTAL_AUTH', 'PA'),
    authorisation,
    [after(authorisation, 'RV', 1n)],
    '700.300.300',
  ],
  [
    'a reauthorisation after a reversal',
    practised('REAUTHORIZATION', 'PA'),
    authorisation,
    [after(authorisation, 'RV', 1n)],
    null,
  ],
  ['a reauthorisation of an increment', practised('REAUTHORIZATION', 'PA'), increment, [], null],
  [
    'a reauthorisation of a declined one',
    practised('REAUTHORIZATION', 'PA'),
    { ...authorisation, phase: DECLINED },
    [],
    '700.100.700',
  ],
  ['a reauthorisation as a debit', practised('REAUTHORIZATION', 'DB'), authorisation, [], '700.100.700'],
  ['delayed charges of an authorisation', practised('DELAYED_CHARGES', 'PA'), authorisation, [], null],
  ['delayed charges of a debit', practised('DELAYED_CHARGES', 'DB'), debit, [], null],
  ['delayed charges of a capture', practised('DELAYED_CHARGES', 'DB'), after(authorisation, 'CP', 5n), [], null],
  ['delayed charges of a refund', practised('DELAYED_CHARGES', 'DB'), after(debit, 'RF', 5n), [], '700.100.700'],
  ['delayed charges of a declined one', practised('DELAYED_CHARGES', 'DB'), { ...debit, phase: DECLINED }, [], '700.100.700'],
  ['no show of a debit', practised('NO_SHOW', 'DB'), debit, [], null],
  ['no show as an authorisation', practised('NO_SHOW', 'PA'), debit, [], null],
  ['a resubmission of an approved one', practised('RESUBMISSION', 'DB'), debit, [], '700.100.700'],
  ['a resubmission of one declined otherwise', practised('RESUBMISSION', 'DB'), { ...debit, phase: DECLINED }, [], '700.100.700'],
  ['a resubmission as an authorisation', practised('RESUBMISSION', 'PA'), { ...debit, phase: POOR }, [], null],
  ...(['800.100.155', '800.100.162', '800.100.203', '000.100.203'] as const).map(
    (code): Case => [
      `a resubmission after ${code}`,
      practised('RESUBMISSION', 'DB'),
      { ...debit, phase: { at: 'final', code } },
      [],
      null,
    ],
  ),
  ['an unknown practice', practised('TIPS', 'DB'), debit, [], '700.100.700'],
  ['a practice of an open payment', practised('NO_SHOW', 'DB'), { ...debit, phase: OPEN }, [], '700.400.570'],
  ['a practice in another currency', practised('NO_SHOW', 'DB', { currency: 'USD' }), debit, [], '700.100.500'],
];
for (const one of practices) test(`${one[0]}: ${one[4] ?? 'goes ahead'}`, () => assert.equal(refusalIn(one), one[4]));

const withdrawals: readonly (readonly [what: string, order: Order, others: readonly Payment[], refusal: Refusal | null])[] = [
  ['another entity', order('RV', null, { entityId: 'other', mode: 'LIVE' }), [], '700.400.700'],
  ['another mode', order('RV', 1n, { mode: 'LIVE' }), [], '700.100.600'],
  ['another currency', order('RV', 1n, { currency: 'USD' }), [], '700.100.500'],
  ['a part', order('RV', 1n), [], '700.400.300'],
  ['all', order('RV', 100n), [], null],
  ['all, without an amount', order('RV', null), [], null],
  ['once more', order('RV', null), [after(debit, 'RV', 100n)], '700.400.300'],
  ['while it is being reversed', order('RV', 100n), [after(debit, 'RV', 100n, { phase: OPEN })], '700.400.300'],
  ['after a reversal that was declined', order('RV', null), [after(debit, 'RV', 100n, { phase: DECLINED })], null],
  ['beside a refund', order('RV', null), [after(debit, 'RF', 100n)], null],
  ['beside the reversal of another', order('RV', null), [after(authorisation, 'RV', 100n)], null],
];
for (const [what, asked, others, refusal] of withdrawals)
  test(`a payment that never left is reversed: ${what}: ${refusal ?? 'goes ahead'}`, () =>
    assert.equal(refusalOfWithdrawal(asked, [debit, ...others], debit), refusal));

const reversibles: readonly (readonly [what: string, payment: Payment, others: readonly Payment[], amount: bigint])[] = [
  ['an authorisation', authorisation, [], 100n],
  [
    'a part that is captured or may be',
    authorisation,
    [after(authorisation, 'CP', 30n, { phase: OPEN }), after(authorisation, 'RV', 5n)],
    65n,
  ],
  ['an authorisation with an increment', authorisation, [increment], 120n],
  ['an increment', increment, [authorisation], 20n],
  ['an increment of which the total has less left', increment, [authorisation, after(authorisation, 'CP', 110n)], 10n],
  ['an increment without the authorisation', increment, [], 20n],
  ['a debit', debit, [], 100n],
  ['a debit with a refund', debit, [after(debit, 'RF', 1n)], 0n],
  ['a debit with a reversal', debit, [after(debit, 'RV', 1n)], 0n],
  ['a debit with a chargeback', debit, [after(debit, 'CB', 1n)], 0n],
];
for (const [what, payment, others, amount] of reversibles)
  test(`${amount} can be reversed of ${what}`, () => assert.equal(reversible({ family: [payment, ...others], payment }), amount));

const cutOffs: readonly (readonly [what: string, createdAt: number, type: Payment['paymentType'], until: number])[] = [
  ['on the same day', NOON, 'DB', MIDNIGHT + 18 * HOUR_MS + 30 * MINUTE_MS],
  ['on the next day after the cut-off', MIDNIGHT + 19 * HOUR_MS, 'DB', MIDNIGHT + DAY_MS + 18 * HOUR_MS + 30 * MINUTE_MS],
  [
    'on the next day at the cut-off',
    MIDNIGHT + 18 * HOUR_MS + 30 * MINUTE_MS,
    'DB',
    MIDNIGHT + DAY_MS + 18 * HOUR_MS + 30 * MINUTE_MS,
  ],
  ['never, where the connector grants nothing', NOON, 'CD', 0],
];
for (const [what, createdAt, paymentType, until] of cutOffs)
  test(`a ${paymentType} is reversible until the cut-off ${what}`, () => {
    const payment = examplePayment({ paymentType, createdAt });
    assert.equal(reversibleUntil(payment, capability.reversal ?? assert.fail()), until);
  });

test('a cut-off is the first instant that is too late', () => {
  const until = reversibleUntil(debit, capability.reversal ?? assert.fail());
  const at = (now: number) => refusalOfReference(order('RV', null), { family: [debit], payment: debit, capability, now });
  assert.deepEqual([at(until - 1), at(until)], [null, '700.300.700']);
});

const capture = after(authorisation, 'CP', 5n);
const receipt = after(authorisation, 'RC', 6n);

test('the captures of a payment are its own captures and receipts that may count', () => {
  const others = [after(authorisation, 'CP', 7n, { phase: DECLINED }), after(authorisation, 'RV', 8n), after(debit, 'CP', 9n)];
  assert.deepEqual(capturesOf([authorisation, capture, receipt, ...others], authorisation), [capture, receipt]);
});

test('a refund of an authorisation is one of its only capture', () => {
  assert.equal(refundedOf([authorisation, capture], authorisation), capture);
  assert.equal(refundedOf([authorisation, capture, receipt], authorisation), authorisation);
  assert.equal(refundedOf([authorisation], authorisation), authorisation);
  assert.equal(refundedOf([debit, after(debit, 'CP', 5n)], debit), debit);
});

const named: readonly (readonly [what: string, order: Order, found: Payment | null])[] = [
  ['a capture of an increment is about the total', order('CP', 1n, { referencedId: increment.id }), authorisation],
  ['a receipt of an increment too', order('RC', 1n, { referencedId: increment.id }), authorisation],
  [
    'an increment of an increment too',
    order('PA', 1n, { referencedId: increment.id, practice: 'INCREMENTAL_AUTH' }),
    authorisation,
  ],
  ['a reversal of an increment is about itself', order('RV', 1n, { referencedId: increment.id }), increment],
  ['a capture of the authorisation', order('CP', 1n, { referencedId: authorisation.id }), authorisation],
  ['a refund of the authorisation is one of its capture', order('RF', 1n, { referencedId: authorisation.id }), capture],
  ['a refund of the capture', order('RF', 1n, { referencedId: capture.id }), capture],
  ['a capture of the capture is about itself', order('CP', 1n, { referencedId: capture.id }), capture],
  ['an unknown one', order('RF', 1n, { referencedId: 'unknown' }), null],
];
for (const [what, asked, found] of named)
  test(what, () => assert.equal(referencedIn({ version: 1, payments: [authorisation, increment, capture] }, asked), found));

test('a capture of an increment whose authorisation is not there is about the increment', () => {
  const asked = order('CP', 1n, { referencedId: increment.id });
  assert.equal(referencedIn({ version: 1, payments: [increment] }, asked), increment);
});

test('the codes of a reference that no payment answers to', () => {
  assert.deepEqual(UNKNOWN_REFERENCE, {
    CP: '700.400.510',
    RV: '700.400.530',
    RF: '600.200.500',
    CB: '700.400.550',
    CR: '700.400.420',
    RC: '700.400.560',
  });
});
