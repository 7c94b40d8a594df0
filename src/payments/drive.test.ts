import assert from 'node:assert/strict';
import { test } from 'node:test';
import { believed } from './drive.ts';
import { examplePayment } from './examples.ts';
import type { PaymentEvent } from './lifecycle.ts';
import type { Payment, Phase } from './payment.ts';
import type { Uncertainty } from './ports.ts';

const SENT = 1_000_000;
const LATE_MS = 60_000;
const doubt: Phase = { at: 'doubt', tries: 3, dueAt: SENT, since: SENT };
const cancelling: Phase = { at: 'cancelling', tries: 0, dueAt: SENT, since: SENT };

const declares = (given: Partial<Uncertainty>): Uncertainty => ({
  learnedBy: 'search',
  lateMs: LATE_MS,
  cancelBindsLate: false,
  absenceIsProof: false,
  ...given,
});

const unsure = declares({});
const proving = declares({ absenceIsProof: true });
const binding = declares({ cancelBindsLate: true });
const absent: PaymentEvent = { is: 'absent' };
const cancelled: PaymentEvent = { is: 'cancelled' };
const found: PaymentEvent = { is: 'cancelled', reference: 'theirs' };

type Case = readonly [what: string, PaymentEvent, Partial<Payment>, Uncertainty, passedMs: number, is: PaymentEvent['is']];

const cases: readonly Case[] = [
  ['not found while the request may still arrive', absent, { phase: doubt }, proving, LATE_MS - 1, 'waiting'],
  ['not found after its lifetime', absent, { phase: doubt }, proving, LATE_MS, 'absent'],
  ['not found is no proof, but a reason to cancel', absent, { phase: doubt }, unsure, LATE_MS, 'absent'],
  ['not found where a cancellation binds late arrivals', absent, { phase: doubt }, binding, 0, 'absent'],
  ['nothing was there to cancel, too early', cancelled, { phase: cancelling }, proving, LATE_MS - 1, 'waiting'],
  ['nothing was there to cancel, after its lifetime', cancelled, { phase: cancelling }, proving, LATE_MS, 'cancelled'],
  ['nothing was there to cancel, and that proves nothing', cancelled, { phase: cancelling }, unsure, 100 * LATE_MS, 'waiting'],
  ['a cancellation that binds late arrivals', cancelled, { phase: cancelling }, binding, 0, 'cancelled'],
  ['a cancellation that names what it cancelled', found, { phase: cancelling }, unsure, 0, 'cancelled'],
  [
    'a cancellation of a payment whose reference is known',
    cancelled,
    { phase: cancelling, reference: 'x' },
    unsure,
    0,
    'cancelled',
  ],
  ['an approval', { is: 'approved', details: {} }, { phase: cancelling }, unsure, 0, 'approved'],
  ['a decline', { is: 'declined', code: '800.100.152', details: {} }, { phase: doubt }, unsure, 0, 'declined'],
];

for (const [what, event, payment, uncertainty, passedMs, is] of cases) {
  test(`${what}: ${is}`, () => {
    assert.equal(believed(event, examplePayment({ createdAt: 0, ...payment }), uncertainty, SENT + passedMs).is, is);
  });
}
