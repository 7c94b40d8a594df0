import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../spec/time.ts';
import { examplePayment } from './examples.ts';
import { next, nextWithIntent, type PaymentEvent, waitMs } from './lifecycle.ts';
import { lifecyclePicture } from './lifecyclePicture.ts';
import type { Payment, Phase, ThreeDS } from './payment.ts';
import type { AcquirerAnswer } from './ports.ts';

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

/** The last four digits of an id are the jitter: from three quarters of the wait to five quarters. */
const waits: readonly (readonly [digits: string, tries: number, most: number | undefined, wait: number])[] = [
  ['0000', 0, undefined, 750],
  ['8000', 0, undefined, 1_000],
  ['ffff', 0, undefined, 1_250],
  ['c000', 3, undefined, 9_000],
  ['8000', 8, undefined, 256_000],
  ['8000', 9, undefined, 300_000],
  ['0001', 9, undefined, 225_002],
  ['8000', 2_000, undefined, 300_000],
  ['8000', 16, DAY_MS, 65_536_000],
  ['8000', 17, DAY_MS, DAY_MS],
];
for (const [digits, tries, most, wait] of waits)
  test(`try ${tries} of an id that ends with ${digits} waits ${wait} ms`, () =>
    assert.equal(waitMs(`00${digits}`, tries, most), wait));

/** Its waits have no jitter. */
const EVEN = `${'0'.repeat(28)}8000`;
const upTo = (grid: number, at: number): number => Math.ceil(at / grid) * grid;
const AT = NOW + 7;
const shopper = (changes: Partial<Phase & { at: 'shopper' }> = {}): Phase => ({
  at: 'shopper',
  redirect,
  tries: 0,
  until: UNTIL,
  dueAt: NOW,
  ...changes,
});
const looked = (tries: number, dueAt: number): Phase => shopper({ tries, dueAt });
const away: PaymentEvent = { is: 'redirected', redirect, until: UNTIL };

/** Every move that sets a time, a count or a code: the whole phase after it. */
const moves: readonly (readonly [says: string, before: Phase, event: PaymentEvent, after: Phase])[] = [
  [
    'no answer of the acquirer',
    { at: 'acquirer', dueAt: 1 },
    { is: 'silence' },
    { at: 'doubt', tries: 0, dueAt: AT + 1_000, since: AT },
  ],
  [
    'the third inquiry',
    { at: 'doubt', tries: 2, dueAt: 1, since: 5 },
    { is: 'silence' },
    { at: 'doubt', tries: 3, dueAt: AT + 8_000, since: 5 },
  ],
  ['a late inquiry', { at: 'doubt', tries: 30, dueAt: 1 }, { is: 'waiting' }, { at: 'doubt', tries: 31, dueAt: AT + 300_000 }],
  [
    'a late cancellation',
    { at: 'cancelling', tries: 30, dueAt: 1 },
    { is: 'silence' },
    { at: 'cancelling', tries: 31, dueAt: AT + 45_000 },
  ],
  [
    'unknown at the acquirer',
    { at: 'doubt', tries: 4, dueAt: 1, since: 5 },
    { is: 'absent' },
    { at: 'cancelling', tries: 0, dueAt: AT, since: 5 },
  ],
  [
    'unknown, and it is not known since when',
    { at: 'doubt', tries: 4, dueAt: 1 },
    { is: 'absent' },
    { at: 'cancelling', tries: 0, dueAt: AT, since: AT },
  ],
  [
    'a confirmed cancellation',
    { at: 'cancelling', tries: 1, dueAt: 1, code: '100.396.103' },
    { is: 'cancelled' },
    { at: 'final', code: '100.396.103' },
  ],
  [
    'a cancellation of a silent one',
    { at: 'cancelling', tries: 1, dueAt: 1 },
    { is: 'cancelled' },
    { at: 'final', code: '900.100.301' },
  ],
  ['a redirect', { at: 'acquirer', dueAt: 1 }, away, shopper({ dueAt: upTo(10 * SECOND_MS, AT + 60_000) })],
  [
    'a redirect that is over soon',
    { at: 'doubt', tries: 3, dueAt: 1 },
    { ...away, until: AT + 9 },
    shopper({ until: AT + 9, dueAt: AT + 9 }),
  ],
  [
    'a shopper that the acquirer has forgotten',
    shopper({ tries: 3 }),
    { is: 'absent' },
    { at: 'cancelling', tries: 0, dueAt: AT, since: AT, code: '100.396.104' },
  ],
  [
    'a shopper whose time is over',
    shopper({ until: AT }),
    { is: 'silence' },
    { at: 'cancelling', tries: 0, dueAt: AT, since: AT, code: '100.396.103' },
  ],
  [
    'a shopper just before that',
    shopper({ until: AT + 1 }),
    { is: 'silence' },
    shopper({ tries: 1, until: AT + 1, dueAt: AT + 1 }),
  ],
  ['the second look', looked(0, 1), { is: 'silence' }, looked(1, upTo(MINUTE_MS, AT + 128_000))],
  ['a look after half an hour', looked(4, 1), { is: 'waiting' }, looked(5, upTo(10 * MINUTE_MS, AT + 2_048_000))],
  ['a look after two hours', looked(6, 1), { is: 'silence' }, looked(7, upTo(HOUR_MS, AT + 8_192_000))],
  ['a look after 18 hours', looked(9, 1), { is: 'silence' }, looked(10, upTo(6 * HOUR_MS, AT + 65_536_000))],
  ['a look after a day', looked(40, 1), { is: 'silence' }, looked(41, upTo(6 * HOUR_MS, AT + DAY_MS))],
];
for (const [says, before, event, after] of moves) {
  test(`${says}: the whole phase`, () =>
    assert.deepEqual(next(examplePayment({ id: EVEN, phase: before, createdAt: NOW, movedAt: NOW }), event, AT).phase, after));
}

test('a look after exactly two minutes falls on a minute', () => {
  const payment = examplePayment({ id: `${'0'.repeat(28)}6000`, phase: looked(0, 1) });
  assert.deepEqual(next(payment, { is: 'silence' }, AT).phase, looked(1, upTo(MINUTE_MS, AT + 2 * MINUTE_MS)));
});

test('the first look is a minute after the redirect, to the millisecond where that is on the grid', () => {
  const now = upTo(10 * SECOND_MS, AT);
  const { phase } = next(examplePayment({ phase: { at: 'acquirer', dueAt: 1 } }), away, now);
  assert.equal(phase.at === 'shopper' && phase.dueAt, now + MINUTE_MS);
});

/** By how much a clock was ahead when the payment was made and moved, and what is left of the shopper's time. */
const ahead: readonly (readonly [says: string, createdAt: number, movedAt: number, left: number])[] = [
  ['a clock that was right', AT - 5, AT - 5, DAY_MS],
  ['a clock that was an hour ahead', AT + HOUR_MS, AT + HOUR_MS, DAY_MS - HOUR_MS],
  ['a clock that went wrong later', AT - HOUR_MS, AT + HOUR_MS, DAY_MS],
  ['a clock that is a little ahead', AT + 1, AT + 1, DAY_MS],
];
for (const [says, createdAt, movedAt, left] of ahead) {
  test(`${says}: the shopper's time`, () => {
    const payment = examplePayment({ id: EVEN, phase: shopper({ until: AT + DAY_MS, tries: 40 }), createdAt, movedAt });
    const { phase } = next(payment, { is: 'silence' }, AT);
    assert.equal(phase.at === 'shopper' && phase.until - AT, left);
  });
}

test('what asks for a review is approved for review, unless the acquirer names a code', () => {
  const risk = { asksReview: true } as NonNullable<Payment['risk']>;
  const codeOf = (event: PaymentEvent) => {
    const { phase } = next(examplePayment({ phase: { at: 'acquirer', dueAt: 0 }, risk }), event, 1);
    return phase.at === 'final' && phase.code;
  };
  assert.equal(codeOf({ is: 'approved', details: {} }), '000.400.000');
  assert.equal(codeOf({ is: 'approved', code: '000.100.112', details: {} }), '000.100.112');
});

test('an answer that is committed with its intent is in the same revision, with its details and reference', () => {
  const intent = examplePayment({ phase: { at: 'acquirer', dueAt: 0 }, revision: 1, details: { resultDetails: { a: 'b' } } });
  const details = { resultDetails: { c: 'd' } };
  const after = nextWithIntent(intent, { is: 'approved', details, reference: 'theirs' }, AT);
  assert.deepEqual(after, { ...intent, phase: { at: 'final', code: '000.100.110' }, movedAt: AT, details, reference: 'theirs' });
});

const answers: readonly Exclude<AcquirerAnswer, { readonly is: 'absent' }>[] = [
  { is: 'approved', details: {} },
  { is: 'declined', code: '800.100.151', details: {} },
  { is: 'redirected', redirect, until: UNTIL },
  { is: 'waiting' },
  { is: 'cancelled' },
];
for (const answer of answers) {
  test(`the reference in the answer ${answer.is} is kept, and one without leaves it`, () => {
    const before = examplePayment({ phase: { at: 'doubt', tries: 0, dueAt: 0 }, reference: 'before' });
    assert.equal(next(before, { ...answer, reference: 'after' }, AT).reference, 'after');
    assert.equal(next(before, answer, AT).reference, 'before');
    assert.equal(
      'details' in answer || next({ ...before, details: { isWithdrawn: true } }, answer, AT).details.isWithdrawn,
      true,
    );
  });
}

const secured = { origin: 'https://shop.example', sealedProof: 'p' } as ThreeDS;
const authentication: Phase = { at: 'authentication', dueAt: 1 };

test('an authentication that goes on, succeeds and fails', () => {
  const payment = examplePayment({ phase: authentication, fields: { a: '1', b: '1' } });
  const stepped = next(payment, { is: 'stepped', threeDS: secured, dueAt: 9 }, AT);
  assert.deepEqual([stepped.phase, stepped.threeDS], [{ at: 'authentication', dueAt: 9 }, secured]);
  const proven = next(payment, { is: 'proven', threeDS: secured, fields: { b: '2' }, dueAt: 9 }, AT);
  assert.deepEqual([proven.phase, proven.threeDS, proven.fields], [{ at: 'acquirer', dueAt: 9 }, secured, { a: '1', b: '2' }]);
  const unproven = next(payment, { is: 'unproven', threeDS: secured, code: '100.380.401' }, AT);
  assert.deepEqual(
    [unproven.phase, unproven.threeDS, unproven.fields],
    [{ at: 'final', code: '100.380.401' }, secured, payment.fields],
  );
});

test('whether other accounts are left is kept, and so are the accounts that declined before', () => {
  const proven: PaymentEvent = { is: 'proven', threeDS: secured, fields: {}, dueAt: 9, hasOthers: true };
  assert.deepEqual(next(examplePayment({ phase: authentication }), proven, AT).phase, {
    at: 'acquirer',
    dueAt: 9,
    hasOthers: true,
  });
  const first = { connector: 'first', code: '900.100.600', declinedAt: 1 } as const;
  const payment = examplePayment({ phase: { at: 'acquirer', dueAt: 1 }, earlier: [first], details: { isWithdrawn: true } });
  const declined = { connector: 'second', code: '900.100.600', declinedAt: 2 } as const;
  const moved = next(payment, { is: 'rerouted', connector: 'third', declined, dueAt: 9, hasOthers: true }, AT);
  assert.deepEqual(
    [moved.phase, moved.earlier, moved.details],
    [{ at: 'acquirer', dueAt: 9, hasOthers: true }, [first, declined], {}],
  );
});
