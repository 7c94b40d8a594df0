import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { arrive, challenge, codeOn, formIn, goBack, visit } from './cardholder.ts';
import { CARD, createClient, DEMO, type Fields, OTHER, SHOPPER } from './client.ts';
import { startGateway } from './gateway.ts';

const store = createMemoryStore();
const gateway = await startGateway({ store, patienceMs: 500 });
after(() => gateway.close());
const shop = createClient(gateway.url);
const BACK = 'https://shop.example/result?order=17';
const MINUTE_MS = 60_000;

const BROWSER = { ...SHOPPER, shopperResultUrl: BACK } as const;

const CARDS = {
  frictionless: '4200000000000026',
  frictionlessMethod: '4200000000000091',
  attempt: '4200000000000059',
  error: '4012001037461114',
  notEnrolled: '4012001037141112',
  notParticipating: '4532497088771651',
  challenge: '4200000000000018',
  challengeMethod: '4200000000000042',
} as const;

const pay = (card: keyof typeof CARDS, fields: Fields = {}) => shop.pay({ 'card.number': CARDS[card], ...BROWSER, ...fields });

test('a card that is not enrolled for anything is charged as before', async () => {
  const paid = await shop.pay({ ...BROWSER });
  assert.deepEqual([paid.code, paid.body.threeDSecure], ['000.100.110', undefined]);
});

test('frictionless: the cardholder is authenticated without a challenge', async () => {
  const paid = await pay('frictionless');
  assert.equal(paid.code, '000.100.110', JSON.stringify(paid.body));
  assert.partialDeepStrictEqual(paid.body.threeDSecure, { eci: '05', flow: 'frictionless', authenticationStatus: 'Y' });
  assert.match(paid.body.threeDSecure.verificationId, /^[A-Za-z0-9+/]{27}=$/);
});

/** Document 3: these are the amounts of the authentication alone; the payment keeps its own. */
const authenticatedAmounts: readonly Fields[] = [
  { 'risk.amount': '1.00' },
  { 'risk.amount': '9999.00' },
  { 'threeDSecure.amount': '1.00', 'threeDSecure.currency': 'EUR' },
  { 'threeDSecure.amount': '9999.00', 'threeDSecure.currency': 'USD' },
  { 'threeDSecure.amount': '5.00', 'threeDSecure.currency': 'USD', 'risk.amount': '2.00' },
];
for (const fields of authenticatedAmounts) {
  test(`authenticated for ${Object.values(fields).join(' ')}, charged for its own amount`, async () => {
    const paid = await pay('frictionless', fields);
    assert.deepEqual(
      [paid.code, paid.body.amount, paid.body.currency],
      ['000.100.110', '92.00', 'EUR'],
      JSON.stringify(paid.body),
    );
    const pending = await pay('challenge', fields);
    await goBack(await challenge(pending, 'submit', codeOn), pending);
    assert.equal((await shop.read(pending.id)).code, '000.100.110');
  });
}

test('with a hidden frame the first answer is pending and names it', async () => {
  const pending = await pay('frictionlessMethod');
  assert.deepEqual([pending.status, pending.code], [200, '000.200.000'], JSON.stringify(pending.body));
  const [frame] = pending.body.redirect.preconditions;
  assert.deepEqual([frame.origin, frame.method], ['iframe#hidden', 'POST']);
  const page = await arrive(pending);
  assert.equal(page.refresh, `0; url=${BACK}&id=${pending.id}&resourcePath=%2Fv1%2Fpayments%2F${pending.id}`);
  assert.equal((await shop.read(pending.id)).code, '000.100.110');
});

const atOnce: readonly [card: keyof typeof CARDS, code: string, eci: string | undefined][] = [
  ['attempt', '000.100.110', '06'],
  ['notEnrolled', '000.100.110', '07'],
  ['notParticipating', '000.100.110', '07'],
  ['error', '100.390.107', undefined],
];
for (const [card, code, eci] of atOnce) {
  test(`${card}: ${code}${eci ? ` with ECI ${eci}` : ''}`, async () => {
    const answer = await pay(card);
    assert.equal(answer.code, code, JSON.stringify(answer.body));
    if (eci) assert.equal(answer.body.threeDSecure.eci, eci);
  });
}

for (const card of ['challenge', 'challengeMethod'] as const) {
  test(`${card}: the right code makes it a payment`, async () => {
    const pending = await pay(card);
    assert.equal(pending.code, '000.200.000');
    const end = await challenge(pending, 'submit', codeOn);
    const back = await goBack(end, pending);
    assert.match(back.refresh ?? '', /^0; url=https:\/\/shop\.example\/result\?order=17&id=/);
    const paid = await shop.read(pending.id);
    assert.equal(paid.code, '000.100.110', JSON.stringify(paid.body));
    assert.partialDeepStrictEqual(paid.body.threeDSecure, { eci: '05', flow: 'challenge', authenticationStatus: 'Y' });
    assert.equal(paid.body.result.cvvResponse, 'M', 'the security code was still at hand');
  });
}

test('the cardholder cancels: nothing is charged', async () => {
  const pending = await pay('challenge');
  await goBack(await challenge(pending, 'cancel'), pending);
  assert.equal((await shop.read(pending.id)).code, '100.396.101');
});

test('the return alone proves nothing: without results there is no payment', async () => {
  const pending = await pay('challenge');
  const host = await arrive(pending);
  const creq = formIn(host.html).fields.creq ?? '';
  const ids = JSON.parse(Buffer.from(creq, 'base64url').toString()) as Record<string, string>;
  const cres = { ...ids, messageType: 'CRes', challengeCompletionInd: 'Y', transStatus: 'Y' };
  const forged = Buffer.from(JSON.stringify(cres)).toString('base64url');
  await visit(`${pending.body.redirect.url}/return`, { cres: forged });
  assert.equal((await shop.read(pending.id)).code, '000.200.000');
  gateway.pass(MINUTE_MS);
  await gateway.work('sweep');
  assert.equal((await shop.read(pending.id)).code, '800.400.200', 'results never came');
});

test('a challenge without an answer ends', async () => {
  const pending = await pay('challenge');
  gateway.pass(16 * MINUTE_MS);
  await gateway.work('sweep');
  const ended = await shop.read(pending.id);
  assert.equal(ended.status, 400);
  assert.notEqual(ended.code, '000.200.000');
});

test('the process that held the security code is gone: nothing is charged', async () => {
  const pending = await pay('challenge');
  gateway.world.pendingSecrets.drop(pending.id);
  await goBack(await challenge(pending, 'submit', codeOn), pending);
  assert.equal((await shop.read(pending.id)).code, '000.200.000');
  gateway.pass(MINUTE_MS);
  await gateway.work('sweep');
  assert.equal((await shop.read(pending.id)).code, '800.400.200');
});

test('what is missing is named', async () => {
  const faulty = await shop.pay({ 'card.number': CARDS.challenge, shopperResultUrl: BACK });
  assert.deepEqual([faulty.status, faulty.code], [400, '200.300.404']);
  const names = faulty.body.result.parameterErrors.map(({ name }: { name: string }) => name);
  for (const name of ['customer.browser.userAgent', 'billing.city']) assert.ok(names.includes(name), names.join());
});

test('threeDSecure.disable goes on without; external results are passed through', async () => {
  assert.equal((await pay('challenge', { 'threeDSecure.disable': 'true' })).code, '000.100.110');
  const external = { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' };
  const paid = await pay('challenge', external);
  assert.deepEqual([paid.code, paid.body.threeDSecure.eci], ['000.100.110', '05']);
});

test('a channel without 3D Secure authenticates nothing', async () => {
  const other = createClient(gateway.url, OTHER);
  assert.equal((await other.pay({ 'card.number': CARDS.challenge })).code, '000.100.110');
});

test('a card is stored with its payment once the cardholder is authenticated', async () => {
  const pending = await pay('challenge', { createRegistration: 'true' });
  const id = pending.body.registrationId;
  const charge = () =>
    shop.send('POST', `/v1/registrations/${id}/payments`, {
      paymentType: 'DB',
      amount: '5.00',
      currency: 'EUR',
      'threeDSecure.disable': 'true',
    });
  assert.equal((await charge()).code, '100.150.201');
  await goBack(await challenge(pending, 'submit', codeOn), pending);
  assert.equal((await charge()).code, '000.100.110');
});

test('nothing of the security code is in the store, and the proof is sealed', async () => {
  const pending = await pay('challenge', { 'card.cvv': '917' });
  const { threeDS, ...rest } = (await store.payment(DEMO.merchantId, pending.id)) ?? { threeDS: null };
  assert.ok(threeDS);
  assert.ok(!JSON.stringify(rest, (_, value) => (typeof value === 'bigint' ? String(value) : value)).includes('917"'));
  await goBack(await challenge(pending, 'submit', codeOn), pending);
  const paid = await store.payment(DEMO.merchantId, pending.id);
  assert.match(paid?.threeDS?.sealedProof ?? '', /^[A-Za-z0-9+/=]{60,}$/);
  assert.ok(!JSON.stringify(paid?.threeDS).includes('authenticationValue":"'));
});

test('an authentication alone gives the proof that a payment then carries', async () => {
  const alone = (card: keyof typeof CARDS, fields: Fields = {}) =>
    shop.send('POST', '/v1/threeDSecure', {
      paymentBrand: 'VISA',
      'card.number': CARDS[card],
      'card.expiryMonth': '05',
      'card.expiryYear': '2034',
      amount: '92.00',
      currency: 'EUR',
      ...BROWSER,
      ...fields,
    });
  const pending = await alone('challenge');
  assert.deepEqual([pending.status, pending.code], [200, '000.200.000'], JSON.stringify(pending.body));
  const back = await goBack(await challenge(pending, 'submit', codeOn), pending);
  assert.match(back.refresh ?? '', new RegExp(`resourcePath=%2Fv1%2FthreeDSecure%2F${pending.id}$`));
  const read = await shop.send('GET', `/v1/threeDSecure/${pending.id}`, {});
  assert.deepEqual([read.status, read.code], [200, '000.400.120'], JSON.stringify(read.body));
  const { eci, verificationId, dsTransactionId, version, authenticationStatus } = read.body.threeDSecure;
  assert.match(verificationId, /^[A-Za-z0-9+/=]{28}$/);
  const proof = { eci, verificationId, dsTransactionId, version, authenticationStatus };
  const sent = Object.fromEntries(Object.entries(proof).map(([name, value]) => [`threeDSecure.${name}`, String(value)]));
  assert.equal((await pay('challenge', sent)).code, '000.100.110');
  assert.equal((await alone('frictionless')).code, '000.400.110');
  assert.equal((await alone('notEnrolled')).code, '000.400.102');
  const other = createClient(gateway.url, OTHER);
  assert.equal((await other.send('GET', `/v1/threeDSecure/${pending.id}`, {})).status, 404);
  assert.equal((await shop.send('GET', `/v1/threeDSecure/${(await shop.pay()).id}`, {})).status, 404);
  const missing = await shop.send('POST', '/v1/threeDSecure', { amount: '1.00', currency: 'EUR', paymentBrand: 'VISA' });
  assert.deepEqual([missing.status, missing.code], [400, '200.300.404']);
});

test('a stored card is challenged before and after it has a network token', async () => {
  const stored = await shop.send('POST', '/v1/registrations', { ...CARD, 'card.number': CARDS.challenge });
  const charge = async () => {
    const path = `/v1/registrations/${stored.id}/payments`;
    const pending = await shop.send('POST', path, { paymentType: 'DB', amount: '12.50', currency: 'EUR', ...BROWSER });
    assert.equal(pending.code, '000.200.000', JSON.stringify(pending.body));
    await goBack(await challenge(pending, 'submit', codeOn), pending);
    const paid = await shop.read(pending.id);
    assert.deepEqual([paid.code, paid.body.threeDSecure.eci, paid.body.threeDSecure.flow], ['000.100.110', '05', 'challenge']);
    return paid.body.resultDetails.NetworkToken;
  };
  assert.equal(await charge(), undefined);
  await gateway.work('request network tokens');
  assert.equal(await charge(), 'used');
});
