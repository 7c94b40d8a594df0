import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createParameterReader } from '../authenticationNeed.ts';
import { directiveExtensions, directives, directivesFor, directivesIn } from './directives.ts';
import { sandboxEnrolment } from './issuerBehaviour.ts';
import { cardOf, isProof, isProofOf, proofFor } from './proof.ts';
import { SANDBOX_KEY, uuidFrom } from './seal.ts';

const dsTransactionId = '0c0c0c0c-1111-4222-8333-444444444444';
const proven = { dsTransactionId, card: cardOf('4200000000000026'), eci: '05', money: { minor: 9200n, currency: 'EUR' } };
const claimed = { dsTransactionId, number: '4200000000000026', eci: '05', amount: 9200n, currency: 'EUR' };

test('a proof is of one card, one authentication, one indicator, one currency and one key', () => {
  const proof = proofFor(proven);
  assert.equal(Buffer.from(proof, 'base64').length, 20);
  assert.equal(proof.length, 28);
  assert.ok(isProofOf(proof, claimed));
  const others = [
    { dsTransactionId: '0c0c0c0c-1111-4222-8333-444444444445' },
    { number: '4200000000000042' },
    { number: '5200000000000026' },
    { eci: '06' },
    { currency: 'USD' },
    { key: 'another' },
  ];
  for (const other of others) assert.ok(!isProofOf(proof, { ...claimed, ...other }), JSON.stringify(other));
  for (const text of ['', 'AAAA', 'A'.repeat(28), `${proof}AAAA`]) assert.ok(!isProofOf(text, claimed));
});

const amounts: readonly (readonly [says: string, money: typeof proven.money | null, claim: object, isProof: boolean])[] = [
  ['less than was authenticated', proven.money, { amount: 100n }, true],
  ['a cent more', proven.money, { amount: 9201n }, false],
  ['yen have no decimals', { minor: 92n, currency: 'JPY' }, { amount: 9200n, currency: 'JPY' }, true],
  ['a yen more', { minor: 92n, currency: 'JPY' }, { amount: 9300n, currency: 'JPY' }, false],
  ['half a yen', { minor: 92n, currency: 'JPY' }, { amount: 9150n, currency: 'JPY' }, false],
  ['dinars have three', { minor: 92_000n, currency: 'KWD' }, { amount: 9200n, currency: 'KWD' }, true],
  ['without a payment it is bound to none', null, { amount: 1_000_000n, currency: 'USD' }, true],
];
for (const [says, money, claim, isProof] of amounts) {
  test(`the money of a proof: ${says}`, () => {
    assert.equal(isProofOf(proofFor({ ...proven, money }), { ...claimed, ...claim }), isProof);
  });
}

test('neither indicator nor amount can be written into a proof', () => {
  const attempt = Buffer.from(proofFor({ ...proven, eci: '06' }), 'base64');
  attempt[1] = 5;
  assert.ok(!isProofOf(attempt.toString('base64'), claimed));
  const more = Buffer.from(proofFor(proven), 'base64');
  more.writeBigUInt64BE(99_999n, 2);
  assert.ok(!isProofOf(more.toString('base64'), { ...claimed, amount: 9300n }));
});

test('a proof says no more of the number than may be shown', () => {
  assert.ok(isProofOf(proofFor(proven), { ...claimed, number: '4200009999990026' }));
});

const good: Readonly<Record<keyof typeof directives, readonly string[]>> = {
  enrolled: ['true', 'false'],
  flow: ['challenge', 'frictionless'],
  status: ['Y', 'A', 'N', 'U', 'R', 'I'],
  reason: ['01', '26'],
  page: ['code', 'app'],
  version: ['2.1.0', '2.2.0'],
  method: ['none', 'done', 'silent'],
  directory: ['down', 'garbled', 'foreign', '101', '405'],
  results: ['lost', 'after', 'twice', 'foreign'],
  return: ['lost', 'foreign', 'forged', 'garbled'],
  decides: ['0', '604800'],
};
const bad: Readonly<Record<string, readonly string[]>> = {
  status: ['C', 'D', 'y'],
  reason: ['00', '27'],
  version: ['2.3.1'],
  directory: ['401', '500'],
  decides: ['-1', '604801'],
};

for (const [name, { parameter }] of Object.entries(directives)) {
  test(`directive ${name} is part of the request, and an invalid value is refused`, () => {
    for (const value of good[name as keyof typeof directives]) {
      const read = createParameterReader({ [parameter]: value });
      assert.equal(directivesFor(read).wrong, null, value);
      assert.deepEqual(directivesIn({ messageExtension: directiveExtensions(read) }), { [name]: value });
    }
    for (const value of [...(bad[name] ?? []), 'x y']) {
      const read = createParameterReader({ [parameter]: value });
      assert.equal(directivesFor(read).wrong, parameter, value);
      assert.deepEqual(directiveExtensions(read), []);
      assert.deepEqual(sandboxEnrolment({ number: '4200000000000000', read }, 'x'), { is: 'wrong', parameter });
    }
  });
}

const enrolments: readonly (readonly [
  number: string,
  fields: Readonly<Record<string, string>>,
  is: string,
  method: string | null,
])[] = [
  ['4200000000000000', {}, 'exempt', null],
  ['4000000000000002', {}, 'exempt', null],
  ['4200000000000000', { 'customParameters[3DS2_enrolled]': 'true' }, 'enrolled', null],
  ['4200000000000042', {}, 'enrolled', 'https://acs/method'],
  ['4200000000000018', {}, 'enrolled', null],
  ['4200000000000018', { 'customParameters[SIMULATOR_3dsMethod]': 'silent' }, 'enrolled', 'https://acs/method?silent=true'],
  ['4200000000000042', { 'customParameters[SIMULATOR_3dsMethod]': 'none' }, 'enrolled', null],
  ['4200000000000042', { 'customParameters[3DS2_enrolled]': 'false' }, 'outside', null],
  ['4532497088771651', {}, 'outside', null],
];
for (const [number, fields, is, method] of enrolments) {
  test(`${number} ${JSON.stringify(fields)} is ${is}`, () => {
    const enrolment = sandboxEnrolment({ number, read: createParameterReader(fields) }, 'https://acs');
    assert.equal(enrolment.is, is);
    if (enrolment.is === 'enrolled') assert.equal(enrolment.range.methodUrl, method);
  });
}

const number = '4200000000000026';
const ours = uuidFrom(SANDBOX_KEY, 'ds', 'an authentication');
const theirs = '018f2b7c-9a3d-4e5f-8071-8293a4b5c6d7';
const proof = proofFor({ dsTransactionId: ours, card: cardOf(number), eci: '05', money: { minor: 9200n, currency: 'EUR' } });

type ProofClaims = { readonly ds?: string; readonly eci?: string; readonly verificationId?: string };
const full: ProofClaims = { ds: ours, eci: '05', verificationId: proof };

function brought({ ds, eci, verificationId }: ProofClaims, changes: object = {}, held: object = { number }) {
  const fields = { ...(ds && { 'threeDSecure.dsTransactionId': ds }), ...(eci && { 'threeDSecure.eci': eci }) };
  const { fields: others, ...payment } = { paymentBrand: 'VISA', amount: 9200n, currency: 'EUR', fields: {}, ...changes };
  return {
    payment: { ...payment, fields: { ...fields, ...others } },
    secrets: { ...held, ...(verificationId && { verificationId }) },
  };
}

const authenticated = { 'threeDSecure.amount': '92.00' };
const inEuro = { 'threeDSecure.currency': 'EUR' };
const inDollars = { 'threeDSecure.currency': 'USD' };
/** A payment of more than was authenticated, with these fields. */
const of = (fields: object, changes: object = {}) => brought(full, { amount: 99_900n, fields, ...changes });

const cases: readonly (readonly [says: string, attempt: ReturnType<typeof brought>, expected: boolean | null])[] = [
  ['the proof that was given', brought(full), true],
  ['for less money', brought(full, { amount: 100n }), true],
  ['for more money', brought(full, { amount: 9201n }), false],
  ['in another currency', brought(full, { currency: 'USD' }), false],
  ['for more money than risk.amount, which was authenticated', of({ 'risk.amount': '92.00' }), true],
  ['for more money than threeDSecure.amount, which was authenticated', of({ ...authenticated, ...inEuro }), true],
  ['in another currency than the authenticated one', of({ ...authenticated, ...inEuro }, { currency: 'USD' }), true],
  ['with risk.amount before threeDSecure.amount', of({ 'risk.amount': '92.00', ...authenticated, ...inDollars }), true],
  ['with a threeDSecure.amount in another currency', of({ ...authenticated, ...inDollars }), false],
  ['with a risk.amount above the authenticated one', of({ 'risk.amount': '92.01' }), false],
  ['of another card', brought(full, {}, { number: '4200000000000042' }), false],
  ['with a better indicator', brought({ ...full, eci: '06' }), false],
  ['without its indicator', brought({ ds: ours, verificationId: proof }), false],
  ['of another authentication', brought({ ...full, ds: uuidFrom(SANDBOX_KEY, 'ds', 'another') }), false],
  ['made up', brought({ ...full, verificationId: 'A'.repeat(27).concat('=') }), false],
  ['an indicator without a proof', brought({ ds: ours, eci: '05' }), false],
  ['an attempt without a proof', brought({ ds: ours, eci: '06' }), false],
  ['no authentication', brought({ ds: ours, eci: '07' }), null],
  ['the transaction of another server', brought({ ...full, ds: theirs }), null],
  ['no transaction id', brought({ eci: '05', verificationId: proof }), null],
  ['nothing at all', brought({}), null],
  ["a token in the number's place", brought(full, {}, {}), null],
  ['a brand without a network', brought(full, { paymentBrand: 'DANKORT' }), null],
];
for (const [says, attempt, expected] of cases) {
  test(`${says} → ${expected}`, () => assert.equal(isProof(attempt), expected));
}
