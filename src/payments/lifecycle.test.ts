import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examplePayment } from './examples.ts';
import { next, type PaymentEvent, waitMs } from './lifecycle.ts';
import { lifecyclePicture } from './lifecyclePicture.ts';
import type { Phase } from './payment.ts';

/** Changing the life of a payment means changing this picture in the same commit. */
const PICTURE = `
               stepped        proven   unproven    rerouted approved    declined    redirected waiting    absent     cancelled   silence
authentication authentication acquirer 100.380.401 .        .           .           .          .          .          .           .
acquirer       .              .        .           acquirer 000.100.110 800.100.151 shopper    doubt      .          .           doubt
shopper        .              .        .           .        000.100.110 800.100.151 shopper    shopper    cancelling 100.396.104 shopper
doubt          .              .        .           .        000.100.110 800.100.151 shopper    doubt      cancelling 900.100.301 doubt
cancelling     .              .        .           .        cancelling  800.100.151 .          cancelling cancelling 900.100.301 cancelling
final          .              .        .           .        .           .           .          .          .          .           .
`;

test('the life of a payment is the picture', () => {
  assert.equal(`\n${lifecyclePicture()}`, PICTURE);
});

test('an event that means nothing leaves the very same payment', () => {
  const payment = examplePayment({ phase: { at: 'final', code: '000.100.110' } });
  assert.equal(next(payment, { is: 'declined', code: '800.100.151', details: {} }, 5), payment);
});

test('a move is one revision on, and says when', () => {
  const payment = examplePayment({ phase: { at: 'acquirer', dueAt: 10 } });
  const moved = next(payment, { is: 'silence' }, 77);
  assert.equal(moved.revision, payment.revision + 1);
  assert.equal(moved.movedAt, 77);
});

test('a payment that is rerouted keeps what the first account said, and nothing of its reference', () => {
  const payment = examplePayment({ phase: { at: 'acquirer', dueAt: 10 }, connector: 'first', reference: 'theirs' });
  const declined = { connector: 'first', code: '900.100.600', declinedAt: 77, reference: 'theirs' } as const;
  const moved = next(payment, { is: 'rerouted', connector: 'second', declined, dueAt: 99 }, 77);
  assert.deepEqual([moved.connector, moved.earlier, moved.phase], ['second', [declined], { at: 'acquirer', dueAt: 99 }]);
  assert.equal('reference' in moved, false);
  assert.equal(moved.revision, payment.revision + 1);
});

for (const [mode, code] of [
  ['INTERNAL', '000.100.110'],
  ['EXTERNAL', '000.100.112'],
  ['LIVE', '000.000.000'],
] as const) {
  test(`approved in ${mode} is ${code}`, () => {
    const moved = next(examplePayment({ mode, phase: { at: 'acquirer', dueAt: 0 } }), { is: 'approved', details: {} }, 1);
    assert.deepEqual(moved.phase, { at: 'final', code });
  });
}

test('questions are asked less and less often, never later than after 375 seconds', () => {
  const id = 'f'.repeat(32);
  const waits = Array.from({ length: 30 }, (_, tries) => waitMs(id, tries));
  assert.ok(waits.every((wait, i) => i === 0 || wait >= (waits[i - 1] as number)));
  assert.ok((waits[0] as number) >= 750 && (waits[29] as number) <= 375_000);
});

const redirect = { url: 'https://bank.example/', parameters: [] };
const NOW = examplePayment().movedAt + 1_000;
const UNTIL = NOW + 1_000_000_000;
/** A payment that waits, the instant that the acquirer names, and when the gateway asks again; null: by its own schedule. */
const named: readonly (readonly [says: string, phase: Phase, nextAt: number | undefined, dueAt: number | null])[] = [
  ['shopper', { at: 'shopper', redirect, tries: 9, until: UNTIL, dueAt: NOW }, NOW + 7, NOW + 7],
  ['shopper, after the deadline', { at: 'shopper', redirect, tries: 9, until: UNTIL, dueAt: NOW }, UNTIL + 7, UNTIL],
  ['shopper, in the past', { at: 'shopper', redirect, tries: 9, until: UNTIL, dueAt: NOW }, NOW, null],
  ['shopper, no instant', { at: 'shopper', redirect, tries: 9, until: UNTIL, dueAt: NOW }, Number.NaN, null],
  ['doubt', { at: 'doubt', tries: 9, dueAt: NOW }, NOW + 7_000_000, NOW + 7_000_000],
  ['doubt, nothing named', { at: 'doubt', tries: 9, dueAt: NOW }, undefined, null],
  ['cancelling does not wait', { at: 'cancelling', tries: 9, dueAt: NOW, since: NOW }, NOW + 7_000_000, null],
];
for (const [says, phase, nextAt, dueAt] of named) {
  test(`an acquirer that names the next change: ${says}`, () => {
    const payment = examplePayment({ phase });
    const asked = (event: PaymentEvent) => {
      const { phase: after } = next(payment, event, NOW);
      return after.at === 'final' ? null : after.dueAt;
    };
    const moved = asked(nextAt === undefined ? { is: 'waiting' } : { is: 'waiting', nextAt });
    assert.equal(moved, dueAt ?? asked({ is: 'waiting' }));
  });
}
