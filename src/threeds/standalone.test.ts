import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Authentication, METHOD_MS_MAX, withoutProof } from './authentication.ts';
import {
  authenticateUpToAnswer,
  directory,
  exampleAddresses,
  exampleDeviceInfo,
  exampleRequest,
  NOW,
  parametersFor,
  TRANS_ID,
} from './examples.ts';
import { decodeMessage, decodeMethodData, encodeMessage } from './messages/message.ts';
import { idOf, prepare, transIdOf } from './prepare.ts';
import { challengeForm, challengeWithoutRedirect, methodEvent, methodForm, redirectOf, returnEvent } from './shopper.ts';
import { projectStandalone, proofFields, standaloneCode, standaloneCodeWithout, threeDSecureOf } from './standalone.ts';

const url = 'https://pay.example/v1/threeDSecure/execute';
const alone = (fields: Readonly<Record<string, string>> = {}) => exampleRequest({ paymentType: '3D', fields });

async function begun(number: string): Promise<Authentication> {
  const request = alone();
  const enrolment = await directory.versions({ number, read: request.read });
  const prepared = prepare(request, {
    parameters: parametersFor(request),
    enrolment,
    threeDSServerTransID: TRANS_ID,
    decoupledMinutes: 60,
    now: NOW,
  });
  assert.ok(prepared.is === 'begun');
  return prepared.authentication;
}

test('the first answer sends the shopper away, with the hidden frame before', async () => {
  const authentication = await begun('4200000000000042');
  assert.equal(authentication.phase.at === 'method' && authentication.phase.dueAt, NOW + METHOD_MS_MAX);
  const redirect = redirectOf(authentication, { url, addresses: exampleAddresses });
  assert.ok(redirect);
  const [precondition] = redirect.preconditions ?? [];
  assert.deepEqual([redirect.url, redirect.method, redirect.parameters], [url, 'GET', []]);
  assert.deepEqual([precondition?.origin, precondition?.method], ['iframe#hidden', 'POST']);
  const data = decodeMethodData(precondition?.parameters[0]?.value ?? '');
  assert.deepEqual(data, { threeDSServerTransID: TRANS_ID, threeDSMethodNotificationURL: exampleAddresses.methodNotification });
  const card = { bin: '420000', last4Digits: '0042' };
  const { status, body } = projectStandalone({
    id: 'a',
    paymentBrand: 'VISA',
    amount: 9200n,
    currency: 'EUR',
    card,
    merchantTransactionId: null,
    code: standaloneCode(authentication),
    authentication,
    redirect,
    base: { ndc: 'n' },
  });
  assert.equal(status, 200);
  assert.deepEqual(body.result, { code: '000.200.000', description: 'transaction pending' });
  assert.deepEqual([body.amount, body.redirect, body.card, body.ndc], ['92.00', redirect, card, 'n']);
});

test('without a hidden frame there is no precondition, and without a shopper nowhere to go', async () => {
  const plain = await begun('4200000000000018');
  assert.deepEqual(redirectOf(plain, { url, addresses: exampleAddresses }), { url, parameters: [], method: 'GET' });
  assert.equal(methodForm(plain, exampleAddresses), null);
  const { authentication } = await authenticateUpToAnswer(
    exampleRequest({ fields: { 'threeDSecure.deviceInfo': exampleDeviceInfo } }),
    '4200000000000018',
  );
  assert.equal(redirectOf(authentication, { url, addresses: exampleAddresses }), null);
  assert.equal(challengeForm(authentication, ''), null);
  const { threeDSServerTransID, acsTransID, acsReferenceNumber, acsSignedContent, dsReferenceNumber, version } = authentication;
  assert.ok(acsSignedContent !== null && dsReferenceNumber !== null);
  assert.deepEqual(challengeWithoutRedirect(authentication), {
    messageVersion: version,
    threeDSServerTransID,
    acsTransID,
    acsReferenceNumber,
    acsSignedContent,
    dsReferenceNumber,
  });
  assert.equal(challengeWithoutRedirect(plain), null);
  const apart = { 'threeDSecure.decoupled': 'true' };
  const decoupled = (await authenticateUpToAnswer(alone(apart), '4200000000000018')).authentication;
  assert.equal(decoupled.phase.at, 'decoupled');
  assert.equal(redirectOf(decoupled, { url, addresses: exampleAddresses }), null);
  assert.deepEqual(Object.keys(challengeWithoutRedirect(decoupled) ?? {}), ['acsURL']);
});

const results: readonly (readonly [number: string, fields: Readonly<Record<string, string>>, code: string])[] = [
  ['4200000000000026', {}, '000.400.110'],
  ['4200000000000059', {}, '000.400.110'],
  ['4012001037461114', {}, '000.400.101'],
  ['4012001037141112', {}, '000.400.102'],
  ['4200000000000018', {}, '000.200.000'],
  ['4200000000000026', { 'customParameters[SIMULATOR_3dsDirectory]': 'down' }, '000.400.107'],
  ['4200000000000026', { 'customParameters[SIMULATOR_3dsStatus]': 'N' }, '100.390.109'],
];
for (const [number, fields, code] of results) {
  test(`alone: ${number} ${JSON.stringify(fields)} → ${code}`, async () => {
    assert.equal(standaloneCode((await authenticateUpToAnswer(alone(fields), number)).authentication), code);
  });
}

test('the answer has the proof and the keys of the facts; a stored authentication has no proof', async () => {
  const { authentication } = await authenticateUpToAnswer(alone(), '4200000000000026');
  const shown = threeDSecureOf(authentication);
  assert.ok('verificationId' in shown && shown.verificationId?.length === 28);
  assert.deepEqual(
    [shown.eci, shown.version, shown.flow, shown.authenticationStatus, shown.cardHolderInfo],
    ['05', '2.2.0', 'frictionless', 'Y', ''],
  );
  const hidden = JSON.stringify(threeDSecureOf(withoutProof(authentication).open));
  assert.ok(!hidden.includes(String(shown.verificationId)));
  const fields = proofFields(authentication, '05');
  assert.deepEqual(
    Object.keys(fields),
    ['eci', 'version', 'dsTransactionId', 'acsTransactionId', 'authenticationStatus'].map((name) => `threeDSecure.${name}`),
  );
  assert.ok(!Object.values(fields).includes(String(shown.verificationId)));
});

test('codes without an authentication', () => {
  assert.deepEqual((['notSetUp', 'notParticipating', 'oldVersion'] as const).map(standaloneCodeWithout), [
    '100.390.108',
    '000.400.108',
    '000.400.109',
  ]);
});

test('what the browser brings', () => {
  assert.deepEqual(methodEvent(encodeMessage({ threeDSServerTransID: TRANS_ID })), {
    is: 'methodDone',
    threeDSServerTransID: TRANS_ID,
  });
  assert.equal(methodEvent('x'), null);
  for (const text of [undefined, '', 'x', encodeMessage({ messageType: 'CReq' })]) {
    assert.deepEqual(returnEvent(text), { is: 'returned', cres: null });
  }
  assert.equal(decodeMessage(''), null);
});

test('ids of ours and of the protocol', () => {
  assert.equal(transIdOf('018f2b7c9a3d4e5f60718293a4b5c6d7'), TRANS_ID);
  assert.equal(idOf(TRANS_ID.toUpperCase()), '018f2b7c9a3d4e5f60718293a4b5c6d7');
});
