import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS } from '../spec/time.ts';
import { RELEASE_WAIT_MS, type Validity, validityOf } from '../spec/validity.ts';
import { examplePayment } from './examples.ts';
import type { Order, Refusal } from './order.ts';
import type { Payment, Phase } from './payment.ts';
import { type Capability, NEVER_AGAIN } from './ports.ts';
import { refusalOfReference } from './refusal.ts';
import {
  captureBeforeOf,
  ownEnd,
  planRelease,
  type ReleasePlan,
  releaseAtOf,
  releasedBy,
  validUntil,
  withKnownValidities,
} from './validity.ts';

/** A full hour, so that looks are on the instant itself. */
const APPROVED = 1_790_006_400_000;
const WEEK: Validity = { days: 7 };
const MONTH: Validity = { days: 30, isExtended: true };
const OPEN: Phase = { at: 'doubt', tries: 0, dueAt: 0 };
const DECLINED: Phase = { at: 'final', code: '800.100.151' };

const pa = (given: Partial<Payment> = {}): Payment =>
  examplePayment({ id: 'pa', paymentType: 'PA', amount: 100n, createdAt: APPROVED, movedAt: APPROVED, validity: WEEK, ...given });
const below = (of: Payment, paymentType: Payment['paymentType'], amount: bigint, given: Partial<Payment> = {}): Payment =>
  examplePayment({ id: `${paymentType}${amount}`, familyId: of.familyId, referencedId: of.id, paymentType, amount, ...given });
const increment = (of: Payment, amount: bigint, given: Partial<Payment> = {}): Payment =>
  below(of, 'PA', amount, {
    industryPractice: 'INCREMENTAL_AUTH',
    createdAt: APPROVED + DAY_MS,
    movedAt: APPROVED + DAY_MS,
    validity: of.validity ?? WEEK,
    ...given,
  });
const after = (days: number): number => APPROVED + days * DAY_MS;

const ends: readonly (readonly [what: string, payment: Payment, others: readonly Payment[], end: number | null])[] = [
  ['an authorisation, from its approval', pa({ createdAt: APPROVED - DAY_MS }), [], after(7)],
  ['one that is open', pa({ phase: OPEN }), [], null],
  ['one that was declined', pa({ phase: DECLINED }), [], null],
  ['a debit', pa({ paymentType: 'DB' }), [], null],
  ['one from before validities were kept', examplePayment({ paymentType: 'PA' }), [], null],
  ['an end that the acquirer names', pa({ details: { captureBefore: after(3) } }), [], after(3)],
  ['an end that is over before it began', pa({ details: { captureBefore: APPROVED } }), [], after(7)],
  ['an end in a far future', pa({ details: { captureBefore: after(401) } }), [], after(7)],
  ['an end that is no instant', pa({ details: { captureBefore: Number.NaN } }), [], after(7)],
  ['an increment of a scheme that does not extend', pa(), [increment(pa(), 5n)], after(7)],
  ['an increment that extends', pa({ validity: MONTH }), [increment(pa({ validity: MONTH }), 5n)], after(31)],
  [
    'an increment that extends and is not approved yet',
    pa({ validity: MONTH }),
    [increment(pa({ validity: MONTH }), 5n, { phase: OPEN })],
    after(30),
  ],
  [
    'an increment that was declined',
    pa({ validity: MONTH }),
    [increment(pa({ validity: MONTH }), 5n, { phase: DECLINED })],
    after(30),
  ],
  [
    'an increment whose end the acquirer names',
    pa({ details: { captureBefore: after(5) } }),
    [increment(pa(), 5n, { details: { captureBefore: after(6) } })],
    after(6),
  ],
  ['an increment of another', pa({ validity: MONTH }), [increment(pa({ id: 'other', validity: MONTH }), 5n)], after(30)],
  [
    'a reauthorisation, which is an authorisation of its own',
    pa(),
    [increment(pa(), 5n, { industryPractice: 'REAUTHORIZATION' })],
    after(7),
  ],
];
for (const [what, payment, others, end] of ends)
  test(`the end of an authorisation: ${what}`, () => assert.equal(validUntil([payment, ...others], payment), end));

test('the end of one from before validities were kept is that of its account and channel now', () => {
  const old = pa({ validity: undefined as never });
  const { validity: _, ...without } = old;
  const raising = increment(without, 5n, { validity: WEEK });
  const { validity: __, ...raisingWithout } = raising;
  const sources = (days: Readonly<Record<string, number>> | null) => ({
    connector: () => ({ supports: { CC: { ...capability, validity: validityOf('default', 'CC') } } }) as never,
    channel: () => days && ({ authorisationDays: days } as const),
  });
  const [of, by] = withKnownValidities([without, raisingWithout], sources(null));
  assert.deepEqual([of?.validity, by?.validity], [WEEK, WEEK]);
  assert.deepEqual(withKnownValidities([without], sources({ VISA: 3 }))[0]?.validity, { days: 3 });
  assert.equal(withKnownValidities([pa({ validity: MONTH })], sources({ VISA: 3 }))[0]?.validity, MONTH, 'what was kept counts');
  assert.deepEqual(withKnownValidities([without], { ...sources(null), connector: () => null })[0]?.validity, WEEK);
  assert.equal(ownEnd(without), null);
  assert.equal(releaseAtOf(without), null, 'it is looked at soon');
});

test('a reply names the end; of an increment only where it extends, and of nothing no end', () => {
  const raised = pa({ validity: MONTH });
  const raising = increment(raised, 5n);
  assert.equal(captureBeforeOf(raised, null), after(30));
  assert.equal(captureBeforeOf(raised, [raised, raising]), after(31));
  assert.equal(captureBeforeOf(raising, null), after(31));
  assert.equal(captureBeforeOf(increment(pa(), 5n), null), null);
  assert.equal(captureBeforeOf(pa({ amount: 0n }), null), null);
  assert.equal(captureBeforeOf(below(pa(), 'CP', 1n), null), null);
});

test('looks are on full hours after the waiting time, and a card that was only verified is never looked at', () => {
  assert.equal(releaseAtOf(pa()), after(7) + RELEASE_WAIT_MS);
  assert.equal(releaseAtOf(pa({ movedAt: APPROVED + 1 })), after(7) + RELEASE_WAIT_MS + HOUR_MS);
  assert.equal(releaseAtOf(pa({ amount: 0n })), NEVER_AGAIN);
  assert.equal(releaseAtOf(pa({ phase: OPEN })), null);
});

const capability: Capability = {
  redirects: false,
  types: ['PA', 'DB', 'CP', 'RV', 'RF'],
  partialCapture: true,
  multipleCaptures: true,
  reversal: { until: '18:30', daysLater: { DB: 0, CP: 90 } },
};
const order = (paymentType: Order['paymentType'], amount: bigint | null, given: Partial<Order> = {}): Order =>
  ({
    entityId: pa().entityId,
    mode: 'INTERNAL',
    practice: null,
    paymentType,
    amount,
    currency: amount === null ? null : 'EUR',
    ...given,
  }) as Order;
const RAISE = order('PA', 1n, { practice: 'INCREMENTAL_AUTH' });
const RENEW = order('PA', 1n, { practice: 'REAUTHORIZATION' });

type Case = readonly [what: string, order: Order, family: readonly [Payment, ...Payment[]], days: number, Refusal | null];
const month = pa({ validity: MONTH });
const captured = below(pa(), 'CP', 40n);
const released = below(pa(), 'RV', 60n, { details: { isRelease: true } });
/** `days`: after the approval; the payment is the first of the family. */
const cases: readonly Case[] = [
  ['a capture before the end', order('CP', 100n), [pa()], 6.999, null],
  ['a capture at the end', order('CP', 100n), [pa()], 7, '700.300.400'],
  ['too much at the end', order('CP', 101n), [pa()], 7, '700.300.400'],
  ['a capture of nothing left', order('CP', 1n), [pa(), below(pa(), 'CP', 100n)], 7, '700.300.400'],
  ['a reversal before the end', order('RV', null), [pa()], 6.999, null],
  ['a reversal at the end', order('RV', null), [pa()], 7, '700.300.700'],
  ['a reversal of nothing left', order('RV', null), [pa(), below(pa(), 'CP', 100n)], 7, '700.300.700'],
  ['an increment before the end', RAISE, [pa()], 6.999, null],
  ['an increment at the end', RAISE, [pa()], 7, '700.300.400'],
  ['a reauthorisation at the end', RENEW, [pa()], 7, null],
  ['a capture of what was extended', order('CP', 1n), [month, increment(month, 5n)], 30.5, null],
  ['a capture at the end of what was extended', order('CP', 1n), [month, increment(month, 5n)], 31, '700.300.400'],
  ['a reversal of an increment at the end', order('RV', null), [increment(pa(), 5n), pa()], 7, '700.300.700'],
  ['a reversal of an increment before', order('RV', null), [increment(pa(), 5n), pa()], 6, null],
  ['a capture after the release, by a clock that was put back', order('CP', 1n), [pa(), captured, released], 1, '700.300.400'],
  ['a reversal after the release, by such a clock', order('RV', null), [pa(), captured, released], 1, '700.300.700'],
  ['an increment after the release, by such a clock', RAISE, [pa(), captured, released], 1, '700.300.400'],
  ['a refund of the capture after the release', order('RF', 40n), [captured, pa(), released], 30, null],
  ['a reversal of the capture after the release', order('RV', null), [captured, pa(), released], 30, null],
  ['a capture while it is pending', order('CP', 1n), [pa({ phase: OPEN })], 30, '700.400.570'],
];
for (const [what, asked, family, days, refusal] of cases)
  test(`${what}: ${refusal ?? 'goes ahead'}`, () =>
    assert.equal(refusalOfReference(asked, { family, payment: family[0], capability, now: after(days) }), refusal));

const LOOK = after(8);
const release = (amount: bigint): ReleasePlan => ({ is: 'release', amount });
const wait = (until: number): ReleasePlan => ({ is: 'wait', until });
const DONE: ReleasePlan = { is: 'done' };
const own = increment(pa(), 20n);
const plans: readonly (readonly [what: string, others: readonly Payment[], now: number, ReleasePlan])[] = [
  ['before the end', [], after(6), wait(LOOK)],
  ['in the day after the end', [], LOOK - 1, wait(LOOK)],
  ['all of it', [], LOOK, release(100n)],
  ['the rest', [below(pa(), 'CP', 40n), below(pa(), 'RV', 10n)], LOOK, release(50n)],
  ['beside a capture that was declined', [below(pa(), 'CP', 40n, { phase: DECLINED })], LOOK, release(100n)],
  ['the rest after a receipt', [below(pa(), 'RC', 40n)], LOOK, release(60n)],
  ['with an increment', [own], LOOK, release(120n)],
  ['with an increment of which a part was captured', [own, below(own, 'CP', 15n)], LOOK, release(105n)],
  ['with an increment that was reversed', [own, below(own, 'RV', 20n)], LOOK, release(100n)],
  ['nothing after everything was captured', [below(pa(), 'CP', 100n)], LOOK, DONE],
  ['nothing after everything was reversed', [below(pa(), 'RV', 100n)], LOOK, DONE],
  ['nothing after the release', [below(pa(), 'CP', 40n), released], LOOK, DONE],
  ['a capture that was refunded is used', [captured, below(captured, 'RF', 40n)], LOOK, release(60n)],
  ['a capture that was reversed is used', [captured, below(captured, 'RV', 40n)], LOOK, release(60n)],
  ['a capture that was charged back is used', [captured, below(captured, 'CB', 40n)], LOOK, release(60n)],
  ['not while a capture is open', [below(pa(), 'CP', 40n, { phase: OPEN })], LOOK, wait(LOOK + HOUR_MS)],
  ['not while a reversal is open', [below(pa(), 'RV', 40n, { phase: OPEN })], LOOK, wait(LOOK + HOUR_MS)],
  ['not while an increment is open', [increment(pa(), 5n, { phase: OPEN })], LOOK, wait(LOOK + HOUR_MS)],
  ['not while a capture of an increment is open', [own, below(own, 'CP', 5n, { phase: OPEN })], LOOK, wait(LOOK + HOUR_MS)],
  ['a refund that is open keeps nothing', [captured, below(captured, 'RF', 5n, { phase: OPEN })], LOOK, release(60n)],
  [
    'a reauthorisation that is open keeps nothing',
    [increment(pa(), 5n, { industryPractice: 'REAUTHORIZATION', phase: OPEN })],
    LOOK,
    release(100n),
  ],
];
for (const [what, others, now, plan] of plans)
  test(`the rest is released: ${what}`, () => assert.deepEqual(planRelease([pa(), ...others], pa(), now), plan));

test('the rest of an increment is that of the authorisation it raised', () => {
  assert.equal(releasedBy([pa(), own], own).id, 'pa');
  const alone = pa({ industryPractice: 'INCREMENTAL_AUTH' });
  assert.equal(releasedBy([alone], alone), alone);
});
