import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PaymentStatus } from '../../spec/answers/payments.ts';
import { examplePayment } from '../examples.ts';
import type { Payment, Phase } from '../payment.ts';
import { statusOf } from './paymentView.ts';

const APPROVED: Phase = { at: 'final', code: '000.100.110' };
const DECLINED: Phase = { at: 'final', code: '800.100.151' };
const CHARGEBACK: Phase = { at: 'final', code: '000.100.203' };
const OPEN: Phase = { at: 'acquirer', dueAt: 0 };

/** A follow-up, as `type amount phase`, with its own follow-ups below it. */
type FollowUp = readonly [Payment['paymentType'], bigint, Phase, ...FollowUp[]];

function familyOf(root: Payment, followUps: readonly FollowUp[]): readonly Payment[] {
  let count = 0;
  const below = (parent: Payment, more: readonly FollowUp[]): readonly Payment[] =>
    more.flatMap(([paymentType, amount, phase, ...rest]) => {
      count += 1;
      const place = { id: `${count}`.padStart(32, '0'), familyId: root.id, referencedId: parent.id };
      const practice = paymentType === 'PA' ? { industryPractice: 'INCREMENTAL_AUTH' } : {};
      const one = examplePayment({ ...place, ...practice, paymentType, amount, phase });
      return [one, ...below(one, rest)];
    });
  return [root, ...below(root, followUps)];
}

const cases: readonly (readonly [
  what: string,
  type: Payment['paymentType'],
  phase: Phase,
  followUps: readonly FollowUp[],
  status: PaymentStatus,
])[] = [
  ['an open debit', 'DB', OPEN, [], { kind: 'pending' }],
  ['a declined debit', 'DB', DECLINED, [], { kind: 'declined' }],
  ['a debit', 'DB', APPROVED, [], { kind: 'approved' }],
  ['a debit with a partial refund', 'DB', APPROVED, [['RF', 1_800n, APPROVED]], { kind: 'partiallyRefunded', left: '82.00' }],
  ['a debit with a declined refund', 'DB', APPROVED, [['RF', 1_800n, DECLINED]], { kind: 'approved' }],
  ['a debit with an open refund', 'DB', APPROVED, [['RF', 1_800n, OPEN]], { kind: 'approved' }],
  [
    'a debit refunded in two parts',
    'DB',
    APPROVED,
    [
      ['RF', 1_800n, APPROVED],
      ['RF', 8_200n, APPROVED],
    ],
    { kind: 'refunded' },
  ],
  ['a reversed debit', 'DB', APPROVED, [['RV', 10_000n, APPROVED]], { kind: 'reversed' }],
  ['a debit that was charged back', 'DB', APPROVED, [['CB', 10_000n, CHARGEBACK]], { kind: 'disputed', amount: null }],
  ['a debit partly charged back', 'DB', APPROVED, [['CB', 2_500n, CHARGEBACK]], { kind: 'disputed', amount: '25.00' }],
  [
    'a chargeback that was reversed',
    'DB',
    APPROVED,
    [['CB', 10_000n, CHARGEBACK, ['CR', 10_000n, APPROVED]]],
    { kind: 'approved' },
  ],
  [
    'a second chargeback',
    'DB',
    APPROVED,
    [['CB', 10_000n, CHARGEBACK, ['CR', 10_000n, APPROVED, ['CB', 10_000n, CHARGEBACK]]]],
    { kind: 'disputed', amount: null },
  ],
  [
    'a debit refunded and charged back',
    'DB',
    APPROVED,
    [
      ['RF', 2_000n, APPROVED],
      ['CB', 8_000n, CHARGEBACK],
    ],
    { kind: 'disputed', amount: '80.00' },
  ],
  ['an authorisation', 'PA', APPROVED, [], { kind: 'authorised' }],
  ['an authorisation with an open capture', 'PA', APPROVED, [['CP', 4_000n, OPEN]], { kind: 'authorised' }],
  [
    'an authorisation captured in part',
    'PA',
    APPROVED,
    [['CP', 4_000n, APPROVED]],
    { kind: 'partiallyCaptured', captured: '40.00', total: '100.00' },
  ],
  [
    'an authorisation captured in part, the rest reversed',
    'PA',
    APPROVED,
    [
      ['CP', 4_000n, APPROVED],
      ['RV', 6_000n, APPROVED],
    ],
    { kind: 'partiallyCaptured', captured: '40.00', total: '100.00' },
  ],
  [
    'an authorisation that was raised',
    'PA',
    APPROVED,
    [
      ['PA', 2_000n, APPROVED],
      ['CP', 10_000n, APPROVED],
    ],
    { kind: 'partiallyCaptured', captured: '100.00', total: '120.00' },
  ],
  ['a captured authorisation', 'PA', APPROVED, [['CP', 10_000n, APPROVED]], { kind: 'captured' }],
  [
    'an authorisation whose capture was refunded in part',
    'PA',
    APPROVED,
    [['CP', 10_000n, APPROVED, ['RF', 3_000n, APPROVED]]],
    { kind: 'partiallyRefunded', left: '70.00' },
  ],
  [
    'an authorisation captured in part, whose capture was refunded in part',
    'PA',
    APPROVED,
    [['CP', 4_000n, APPROVED, ['RF', 1_000n, APPROVED]]],
    { kind: 'partiallyRefunded', left: '30.00', uncaptured: '60.00' },
  ],
  [
    'an authorisation captured in part, whose capture was refunded in part, and whose rest was reversed',
    'PA',
    APPROVED,
    [
      ['CP', 4_000n, APPROVED, ['RF', 1_000n, APPROVED]],
      ['RV', 6_000n, APPROVED],
    ],
    { kind: 'partiallyRefunded', left: '30.00' },
  ],
  [
    'an authorisation whose capture was refunded',
    'PA',
    APPROVED,
    [['CP', 4_000n, APPROVED, ['RF', 4_000n, APPROVED]]],
    { kind: 'refunded' },
  ],
  [
    'an authorisation whose capture was charged back',
    'PA',
    APPROVED,
    [['CP', 10_000n, APPROVED, ['CB', 10_000n, CHARGEBACK]]],
    { kind: 'disputed', amount: null },
  ],
  ['a reversed authorisation', 'PA', APPROVED, [['RV', 10_000n, APPROVED]], { kind: 'reversed' }],
  ['an authorisation reversed in part', 'PA', APPROVED, [['RV', 1_000n, APPROVED]], { kind: 'authorised' }],
  ['a refund', 'RF', APPROVED, [], { kind: 'approved' }],
  ['a refund that came back', 'RF', APPROVED, [['CB', 10_000n, CHARGEBACK]], { kind: 'returned', amount: null }],
  ['a refund of which a part came back', 'RF', APPROVED, [['CB', 2_500n, CHARGEBACK]], { kind: 'returned', amount: '25.00' }],
  ['a chargeback', 'CB', CHARGEBACK, [], { kind: 'recorded' }],
  ['a registration', 'RG', APPROVED, [], { kind: 'approved' }],
];

for (const [what, paymentType, phase, followUps, status] of cases) {
  test(`${what} is ${status.kind}`, () => {
    const root = examplePayment({ id: 'a'.repeat(32), paymentType, amount: 10_000n, phase });
    assert.deepEqual(statusOf(familyOf(root, followUps), root), status);
  });
}
