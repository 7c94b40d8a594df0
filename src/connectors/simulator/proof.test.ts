import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleAttempt, START } from '../../../test/contract/connectorFixtures.ts';
import type { Payment } from '../../payments/payment.ts';
import type { Attempt } from '../../payments/ports.ts';
import { createAcquirerRecords } from './acquirerRecords.ts';
import { simulator } from './simulator.ts';
import type { IsProof } from './verdict.ts';

const GIVEN = 'AQXm1vZ0c3Rhbm5lcndhcmVnYXA=';
const OTHER = 'AQXm1vZ0c3Rhbm5lcndhcmVnYXB=';
const OURS = '018f2b7c-9a3d-8e5f-8071-8293a4b5c6d7';
const THEIRS = '018f2b7c-9a3d-4e5f-8071-8293a4b5c6d7';

/** The judgement of the issuers of the test environment. */
const isProof: IsProof = ({ payment, secrets }) =>
  payment.fields['threeDSecure.dsTransactionId'] === OURS ? secrets.verificationId === GIVEN : null;

type ProofClaims = { readonly verificationId?: string; readonly dsTransactionId?: string; readonly eci?: string };

function attempt({ verificationId, ...proof }: ProofClaims, changes: Partial<Payment> = {}): Attempt {
  const fields = Object.fromEntries(Object.entries(proof).map(([name, text]) => [`threeDSecure.${name}`, text]));
  const secrets = { number: '4200000000000026', cvv: '123', ...(verificationId !== undefined && { verificationId }) };
  return exampleAttempt({ ...changes, fields: { ...changes.fields, ...fields } }, { secrets });
}

function open(knows: IsProof | null) {
  const records = createAcquirerRecords({ keep: null });
  const connector = simulator.create({
    clockOf: () => ({ now: () => START }),
    sleep: async () => {},
    notify: async () => {},
    random: (bytes) => new Uint8Array(bytes),
    records,
    ...(knows && { isProof: knows }),
  });
  return { records, connector };
}

const WRONG = '100.390.103';
const full = { eci: '05', dsTransactionId: OURS } as const;

const cases: readonly (readonly [says: string, asked: Attempt, expected: string])[] = [
  ['the proof that was given', attempt({ ...full, verificationId: GIVEN }), 'approved'],
  ['another proof', attempt({ ...full, verificationId: OTHER }), WRONG],
  ['no proof at all', attempt(full), WRONG],
  ['a proof without its indicator', attempt({ dsTransactionId: OURS, verificationId: OTHER }), WRONG],
  ['a proof of somebody else', attempt({ ...full, dsTransactionId: THEIRS, verificationId: OTHER }), 'approved'],
  ['a proof of nobody in particular', attempt({ eci: '05', verificationId: OTHER }), 'approved'],
  ['nothing was authenticated', attempt({}), 'approved'],
  ['a preauthorization', attempt({ ...full, verificationId: OTHER }, { paymentType: 'PA' }), WRONG],
  ['a card that is stored', attempt({ ...full, verificationId: OTHER }, { paymentType: 'RG', amount: 0n }), WRONG],
  ['a refund, which proves nothing', attempt({ ...full, verificationId: OTHER }, { paymentType: 'RF' }), 'approved'],
  ['no card', attempt({ ...full, verificationId: OTHER }, { method: 'DD' }), 'approved'],
];

for (const [says, asked, expected] of cases) {
  test(`${says} → ${expected}, decided or sent alike`, async () => {
    const { connector } = open(isProof);
    for (const answer of [connector.decide?.(asked), await connector.send(asked)]) {
      assert.equal(answer?.is === 'declined' ? answer.code : answer?.is, expected);
    }
  });
}

test('a simulator without issuers accepts every proof', () => {
  const answer = open(null).connector.decide?.(attempt({ ...full, verificationId: OTHER }));
  assert.equal(answer?.is, 'approved');
});

test('what is declined for its proof is not booked, and is declined again when it is asked about', async () => {
  const { connector, records } = open(isProof);
  const asked = attempt({ ...full, verificationId: OTHER });
  await connector.send(asked);
  assert.equal(records.totals(asked.payment.familyId, START).DB, 0n);
  assert.equal((await connector.inquire(asked)).is, 'declined');
});

test('the proof of a payment without its request is accepted', async () => {
  const { connector } = open(isProof);
  const lost = { 'customParameters[SIMULATOR_answer]': 'lost' };
  const { payment } = attempt(full, { fields: lost });
  assert.equal((await connector.inquire({ payment, referenced: null })).is, 'approved');
});

test('a requested code has priority over the proof', () => {
  const fields = { 'customParameters[forceResultCode]': '800.100.152' };
  const answer = open(isProof).connector.decide?.(attempt({ ...full, verificationId: OTHER }, { fields }));
  assert.equal(answer?.is === 'declined' ? answer.code : null, '800.100.152');
});
