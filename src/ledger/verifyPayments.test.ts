import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examplePayment } from '../payments/examples.ts';
import type { Payment, Phase } from '../payments/payment.ts';
import { createCorrections, moneyByFold, moneyByPostings } from './verifyPayments.ts';

const DECLINED: Phase = { at: 'final', code: '800.100.151' };
const OPEN: Phase = { at: 'doubt', tries: 0, dueAt: 9 };

type Step = readonly [type: Payment['paymentType'], amount: bigint, of: number | null, changes?: Partial<Payment>];
const INCREMENT = { industryPractice: 'INCREMENTAL_AUTH' };

/** Families, each payment with the place of the one that it references, and the money that both ways come to. */
const families: readonly (readonly [
  what: string,
  steps: readonly Step[],
  reserve: bigint,
  merchant: bigint,
  chargebacks: bigint,
])[] = [
  ['an authorisation', [['PA', 500n, null]], 500n, 0n, 0n],
  [
    'an increment, which counts once',
    [
      ['PA', 500n, null],
      ['PA', 20n, 0, INCREMENT],
    ],
    520n,
    0n,
    0n,
  ],
  ['an increment that raises nothing', [['PA', 500n, null, INCREMENT]], 500n, 0n, 0n],
  [
    'captures and a reversal',
    [
      ['PA', 500n, null],
      ['CP', 300n, 0],
      ['RV', 10n, 0],
    ],
    190n,
    300n,
    0n,
  ],
  [
    'a receipt',
    [
      ['PA', 500n, null],
      ['RC', 40n, 0],
    ],
    460n,
    40n,
    0n,
  ],
  [
    'a refund of a capture',
    [
      ['PA', 500n, null],
      ['CP', 300n, 0],
      ['RF', 30n, 1],
    ],
    200n,
    270n,
    0n,
  ],
  ['a debit', [['DB', 100n, null]], 0n, 100n, 0n],
  [
    'a debit that was reversed',
    [
      ['DB', 100n, null],
      ['RV', 100n, 0],
    ],
    0n,
    0n,
    0n,
  ],
  [
    'a debit that was collected once more',
    [
      ['DB', 100n, null],
      ['RB', 7n, 0],
    ],
    0n,
    107n,
    0n,
  ],
  [
    'a refund and a chargeback',
    [
      ['DB', 100n, null],
      ['RF', 30n, 0],
      ['CB', 20n, 0],
    ],
    0n,
    50n,
    20n,
  ],
  [
    'a chargeback that was given back in part',
    [
      ['DB', 100n, null],
      ['CB', 60n, 0],
      ['CR', 40n, 1],
    ],
    0n,
    80n,
    20n,
  ],
  [
    'a refund that came back',
    [
      ['DB', 100n, null],
      ['RF', 30n, 0],
      ['CB', 30n, 1],
    ],
    0n,
    100n,
    -30n,
  ],
  [
    'a refund that came back, and the record of that was taken back',
    [
      ['DB', 100n, null],
      ['RF', 30n, 0],
      ['CB', 30n, 1],
      ['CR', 20n, 2],
    ],
    0n,
    80n,
    -10n,
  ],
  ['a credit', [['CD', 100n, null]], 0n, -100n, 0n],
  [
    'a reversed credit',
    [
      ['CD', 100n, null],
      ['RV', 100n, 0],
    ],
    0n,
    0n,
    0n,
  ],
  [
    'a credit that was refunded in part: the shopper is credited once more',
    [
      ['CD', 100n, null],
      ['RF', 30n, 0],
    ],
    0n,
    -130n,
    0n,
  ],
  [
    'what was declined or is open',
    [
      ['DB', 100n, null],
      ['RF', 5n, 0, { phase: OPEN }],
      ['RF', 6n, 0, { phase: DECLINED }],
    ],
    0n,
    100n,
    0n,
  ],
  ['a declined debit', [['DB', 100n, null, { phase: DECLINED }]], 0n, 0n, 0n],
  ['a declined authorisation', [['PA', 100n, null, { phase: DECLINED }]], 0n, 0n, 0n],
];
for (const [what, steps, reserve, merchant, chargebacks] of families) {
  test(`the money of ${what}`, () => {
    const family = steps.map(([paymentType, amount, of, changes], at) =>
      examplePayment({
        id: `p${at}`,
        familyId: 'p0',
        referencedId: of === null ? null : `p${of}`,
        paymentType,
        amount,
        ...changes,
      }),
    );
    assert.deepEqual(moneyByFold(family), { reserve, merchant, chargebacks });
    assert.deepEqual(moneyByPostings(family), { reserve, merchant, chargebacks });
  });
}

const line = (subject: string, revision: number, at: number, amounts: string, currency = 'EUR', mode = 'INTERNAL'): string =>
  `${subject}|${revision}|payment|${at}|${currency}|${mode}|${amounts}`;
const DUE = line('a1', 2, 5, '0|0|0|-30|30|0|0');
const place = { merchantId: 'a', block: 3 };

function noted(...lines: readonly string[]) {
  const corrections = createCorrections();
  for (const one of lines) corrections.note(place, one);
  return {
    posted: (expected: string, merchantId = 'a') => corrections.postedFor(merchantId, expected),
    found: () => {
      const found: string[] = [];
      corrections.reportUnused({
        find: ({ merchantId, block, subjectId, says }) => found.push(`${merchantId} ${block} ${subjectId}: ${says}`),
      });
      return found;
    },
  };
}

test('a posting that was turned round is expected as it was booked', () => {
  const correction = line('a1', -2, 99, '0|0|0|-60|60|0|0');
  const { posted, found } = noted(correction);
  assert.deepEqual(found(), [`a 3 a1: it corrects nothing: ${correction}`]);
  assert.equal(posted(DUE), line('a1', 2, 5, '0|0|0|30|-30|0|0'));
  assert.deepEqual(found(), []);
  for (const other of [line('a1', 1, 5, '0|0|0|-30|30|0|0'), line('a2', 2, 5, '0|0|0|-30|30|0|0')])
    assert.equal(posted(other), other);
  assert.equal(posted(DUE, 'b'), DUE, 'of another merchant');
});

test('a correction of another amount, currency or mode corrects nothing', () => {
  for (const wrong of [
    line('a1', -2, 99, '0|0|0|60|-60|0|0'),
    line('a1', -2, 99, '0|0|0|-30|30|0|0'),
    line('a1', -2, 99, '0|0|0|-60|60|0|0', 'JPY'),
    line('a1', -2, 99, '0|0|0|-60|60|0|0', 'EUR', 'LIVE'),
    line('a1', -2, 99, '0|0|0|x|60|0|0'),
  ]) {
    const { posted, found } = noted(wrong);
    assert.equal(posted(DUE), DUE);
    assert.deepEqual(found(), [`a 3 a1: it corrects nothing: ${wrong}`]);
  }
});

test('a posting is corrected once', () => {
  const correction = line('a1', -2, 99, '0|0|0|-60|60|0|0');
  const { posted, found } = noted(correction, correction);
  posted(DUE);
  assert.deepEqual(found(), [`a 3 a1: it is corrected more than once: ${correction}`]);
  assert.equal(noted().posted(DUE), DUE);
});
