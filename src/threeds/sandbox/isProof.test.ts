import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardOf, isProof, proofFor } from './proof.ts';
import { SANDBOX_KEY, uuidFrom } from './seal.ts';

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
