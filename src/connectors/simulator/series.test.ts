import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleAttempt, INITIAL, instructed, LATER, openSimulator, START } from '../../../test/contract/connectorFixtures.ts';
import { examplePayment } from '../../payments/examples.ts';
import type { AnswerDetails, Payment } from '../../payments/payment.ts';
import type { Attempt, StandingInstruction } from '../../payments/ports.ts';
import { isAgreementOf, isReferenceOf, schemeDataOf } from './series.ts';

const decide = (asked: Attempt) => openSimulator().connector.decide?.(asked) ?? null;

function detailsOf(asked: Attempt): AnswerDetails {
  const answer = decide(asked);
  return answer && 'details' in answer ? answer.details : {};
}

const MASTER: Partial<Payment> = { paymentBrand: 'MASTER' };
const ACCOUNT: Partial<Payment> = { method: 'DD', paymentBrand: 'DIRECTDEBIT_SEPA' };
const STORING: Partial<Payment> = { paymentType: 'RG', amount: 0n };
const declining = (code: string): Partial<Payment> => ({ fields: { 'customParameters[forceResultCode]': code } });

/** Which of reference, initialTransactionId and agreementId an answer carries. */
const given: readonly (readonly [what: string, asked: Attempt, carries: string])[] = [
  ['a debit of the shopper', exampleAttempt(), 'r'],
  ['a preauthorization of the shopper', exampleAttempt({ paymentType: 'PA' }), 'r'],
  ['a debit by a debit card', exampleAttempt({ method: 'DC', paymentBrand: 'MAESTRO' }), 'r'],
  ['a credit', exampleAttempt({ paymentType: 'CD' }), ''],
  ['a capture', exampleAttempt({ paymentType: 'CP' }), ''],
  ['a direct debit', exampleAttempt(ACCOUNT), ''],
  ['the first direct debit of a series', exampleAttempt(ACCOUNT, { series: INITIAL }), ''],
  ['a virtual account', exampleAttempt({ method: 'VA' }), ''],
  ['the first debit of a series', exampleAttempt({}, { series: INITIAL }), 'ri'],
  ['the first credit of a series', exampleAttempt({ paymentType: 'CD' }, { series: INITIAL }), ''],
  ['the first debit of a series with MASTER', exampleAttempt(MASTER, { series: INITIAL }), 'ria'],
  ['a single debit with MASTER', exampleAttempt(MASTER), 'r'],
  ['a declined first debit', exampleAttempt(declining('800.100.152'), { series: INITIAL }), ''],
  ['a later debit with the shopper', exampleAttempt({}, { series: instructed({ mode: 'REPEATED', source: 'CIT' }) }), 'r'],
  ['storing a card', exampleAttempt(STORING), ''],
  ['storing a card for a series', exampleAttempt(STORING, { series: INITIAL }), 'ri'],
  ['storing a card of MASTER for a series', exampleAttempt({ ...MASTER, ...STORING }, { series: INITIAL }), 'ria'],
];
for (const [what, asked, carries] of given) {
  test(`${what} gets ${carries || 'no reference'}`, () => {
    const { schemeReference, initialTransactionId, agreementId, resultDetails } = detailsOf(asked);
    const instruction = [schemeReference && 'r', initialTransactionId && 'i', agreementId && 'a'].filter(Boolean).join('');
    assert.equal(instruction, carries);
    if (schemeReference) assert.match(schemeReference, /^[A-Z0-9]{15}$/);
    if (agreementId) assert.match(agreementId, /^[A-Z0-9]{16,35}$/);
    if (initialTransactionId) assert.equal(initialTransactionId, schemeReference);
    assert.equal(resultDetails?.CardholderInitiatedTransactionID, initialTransactionId);
  });
}

const OTHER_CARD: Partial<Payment> = { fingerprint: 'another card' };
const known = schemeDataOf(exampleAttempt().payment);
const foreign = schemeDataOf(exampleAttempt(OTHER_CARD).payment);
const later = (
  instruction: Partial<StandingInstruction>,
  payment: Partial<Payment> = {},
  others: Partial<Attempt> = {},
): Attempt => exampleAttempt({ id: 'f'.repeat(32), ...payment }, { ...others, series: { ...LATER, ...instruction } });
const practice = (name: string, original: Partial<Payment>, instruction: Partial<StandingInstruction> = {}): Attempt =>
  exampleAttempt(
    { id: 'f'.repeat(32), industryPractice: name },
    { referenced: examplePayment(original), series: instructed({ practice: name, source: 'MIT', ...instruction }) },
  );
const OF_OTHER: Partial<Payment> = { details: { schemeReference: foreign.reference } };
const migrated = (requestTimestamp: string | null, connectorTxIds: readonly string[]): Partial<StandingInstruction> => ({
  migration: { paymentType: 'DB', amount: null, requestTimestamp, connectorTxIds },
});
const directive = (text: string): Partial<Payment> => ({ fields: { 'customParameters[SIMULATOR_mandate]': text } });
const REPEATED = { 'standingInstruction.mode': 'REPEATED', 'standingInstruction.source': 'MIT' };
const { fingerprint } = exampleAttempt().payment;
const STORED: Partial<Payment> = { fields: REPEATED, registrationId: 'e'.repeat(32), fingerprint };
const NAMED = { initialTransactionId: known.reference };
const LATE_DAY = new Date(START - 86_400_000).toISOString().slice(0, 10);
const THIS_DAY = new Date(START).toISOString().slice(0, 10);
const YES = 'approved';

const judged: readonly (readonly [what: string, asked: Attempt, verdict: string])[] = [
  ['a later debit that names the first', later(NAMED), YES],
  ['a later preauthorization that names the first', later(NAMED, { paymentType: 'PA' }), YES],
  ['one that names nothing', later({}), '100.150.300'],
  ['one that names the first of another card', later({ initialTransactionId: foreign.reference }), '800.100.167'],
  ['one that names something made up', later({ initialTransactionId: 'ABCDEFGHIJKLMNO' }), '800.100.167'],
  ['one that names too little', later({ initialTransactionId: 'A' }), '800.100.167'],
  ['one that names an agreement as a payment', later({ initialTransactionId: known.agreement }), '800.100.167'],
  ['one of MASTER that names the agreement', later({ agreementId: known.agreement }, MASTER), YES],
  ['one of MASTER that names another agreement', later({ agreementId: foreign.agreement }, MASTER), '800.100.167'],
  ['one of MASTER that names the payment as an agreement', later({ agreementId: known.reference }, MASTER), '800.100.167'],
  ['one of MASTER with one of both right', later({ ...NAMED, agreementId: 'X' }, MASTER), YES],
  ['one of VISA that names an agreement', later({ agreementId: known.agreement }), '100.150.300'],
  ['one whose series began elsewhere, with ids', later(migrated(null, ['4711'])), YES],
  ['one whose series began elsewhere, with its time', later(migrated('2019-05-06 07:08:09', [])), YES],
  ['one whose series began elsewhere, nobody knows how', later(migrated(null, [])), '100.150.300'],
  ['one that began elsewhere and names its id there', later({ ...migrated(null, ['4711']), initialTransactionId: '4711' }), YES],
  ['a later debit with the shopper', later({ source: 'CIT' }), YES],
  ['a later direct debit', later({}, ACCOUNT), YES],
  ['a credit', later({}, { paymentType: 'CD' }), YES],
  ['storing a card', later({}, STORING), YES],
  ['a series that ended yesterday', later({ ...NAMED, expiry: LATE_DAY }), '800.100.500'],
  ['a series that ends today', later({ ...NAMED, expiry: THIS_DAY }), YES],
  ['a series that has ended, with the shopper', later({ source: 'CIT', expiry: LATE_DAY }), YES],
  ['a series that was stopped', later(NAMED, directive('revoked')), '800.100.500'],
  ['all series stopped', later(NAMED, directive('revoked-all')), '800.100.501'],
  ['a series stopped, with the shopper', later({ source: 'CIT' }, directive('revoked')), YES],
  ['a mandate nobody understands', later(NAMED, directive('gone')), '600.200.810'],
  ['a forced approval without a reference', later({}, declining('000.000.000')), YES],
  ['a practice after a payment of this card', practice('NO_SHOW', { details: { schemeReference: known.reference } }), YES],
  ['a practice after another card', practice('NO_SHOW', OF_OTHER), '800.100.167'],
  ['a practice after a payment of earlier days', practice('DELAYED_CHARGES', {}), YES],
  ['an increment that is said to be the shopper’s', practice('INCREMENTAL_AUTH', OF_OTHER, { source: 'CIT' }), YES],
  ['a practice that nobody is said to start', practice('REAUTHORIZATION', {}, { source: null }), YES],
  ['a resubmission', practice('RESUBMISSION', { phase: { at: 'final', code: '800.100.155' } }), YES],
  ['a resubmission of a first payment, as a later one', practice('RESUBMISSION', {}, { mode: 'REPEATED' }), YES],
  [
    'a resubmission of a series without a reference',
    practice('RESUBMISSION', { fields: REPEATED }, { mode: 'REPEATED' }),
    '100.150.300',
  ],
  ['a resubmission of a stored card', practice('RESUBMISSION', STORED, { mode: 'REPEATED' }), YES],
  [
    'a resubmission of another stored card',
    practice('RESUBMISSION', { ...STORED, ...OTHER_CARD }, { mode: 'REPEATED' }),
    '100.150.300',
  ],
  [
    'a resubmission of a series that names it',
    practice('RESUBMISSION', { fields: REPEATED }, { mode: 'REPEATED', ...NAMED }),
    YES,
  ],
  [
    'a resubmission of a series whose declined payment named it',
    practice(
      'RESUBMISSION',
      { fields: { ...REPEATED, 'standingInstruction.initialTransactionId': known.reference } },
      { mode: 'REPEATED' },
    ),
    YES,
  ],
  [
    'a practice that leaves the card to its original',
    later({ practice: 'NO_SHOW', mode: null }, { fingerprint: null }, { referenced: examplePayment(OF_OTHER) }),
    YES,
  ],
  [
    'a practice without an original that names the first payment',
    exampleAttempt({}, { series: instructed({ practice: 'NO_SHOW', ...NAMED }) }),
    YES,
  ],
  [
    'a practice without an original that names nothing',
    exampleAttempt({}, { series: instructed({ practice: 'NO_SHOW' }) }),
    '100.150.300',
  ],
];
for (const [what, asked, verdict] of judged) {
  test(`${what} → ${verdict}`, () => {
    const answer = decide(asked);
    assert.equal(answer?.is === 'declined' ? answer.code : answer?.is, verdict);
  });
}

test('what the merchant starts gets no reference of its own', () => {
  assert.equal(detailsOf(later(NAMED)).schemeReference, undefined);
});

test('a reference is of one card at one merchant, and different for every payment', () => {
  const [one, other] = [exampleAttempt().payment, exampleAttempt({ id: `${'0'.repeat(31)}1` }).payment];
  assert.notEqual(schemeDataOf(one).reference, schemeDataOf(other).reference);
  for (const { reference, agreement } of [schemeDataOf(one), schemeDataOf(other)]) {
    assert.ok(isReferenceOf(reference, one) && isAgreementOf(agreement, one));
    assert.ok(!isReferenceOf(reference, examplePayment(OTHER_CARD)) && !isAgreementOf(agreement, examplePayment(OTHER_CARD)));
    assert.ok(!isReferenceOf(agreement, one) && !isAgreementOf(reference, one));
  }
});

/** An inquiry knows the payment alone, and what stood beside it in the attempt is gone with the process. */
const recalled: readonly (readonly [what: string, fields: Payment['fields'], is: string])[] = [
  ['the first payment of a series', { 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT' }, 'initial'],
  ['the first payment in the older words', { recurringType: 'INITIAL' }, 'initial'],
  ['a single payment', {}, 'approved'],
  ['a later payment of a stored card', { 'standingInstruction.mode': 'REPEATED', 'standingInstruction.source': 'MIT' }, 'later'],
  [
    'a later payment whose series was stopped',
    { recurringType: 'REPEATED', 'customParameters[SIMULATOR_mandate]': 'revoked' },
    '800.100.500',
  ],
];
for (const [what, instruction, is] of recalled) {
  test(`after a restart the lost answer to ${what} is: ${is}`, async () => {
    const fields = { ...instruction, 'customParameters[SIMULATOR_answer]': 'lost' };
    const answer = await openSimulator().connector.inquire({ payment: exampleAttempt({ fields }).payment, referenced: null });
    assert.ok(answer.is === 'approved' || answer.is === 'declined');
    const { initialTransactionId, schemeReference } = answer.details;
    const approval = initialTransactionId ? 'initial' : schemeReference ? 'approved' : 'later';
    assert.equal(answer.is === 'declined' ? answer.code : approval, is);
  });
}
