import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { appOf, arrive, challenge, codeOn, DEVICE_INFO, goBack, isShifted, listenAt, press, visit } from './cardholder.ts';
import { createClient, type Fields, type Reply, SHOPPER } from './client.ts';
import { startGateway } from './gateway.ts';

/** Cardholders who authenticate without a redirect: decoupled, and in the merchant's app. */

const store = createMemoryStore();
const gateway = await startGateway({ store, patienceMs: 500 });
after(() => gateway.close());
const shop = createClient(gateway.url);
const acquirerAsked = listenAt(gateway);

const MINUTE_MS = 60_000;
const PENDING = '000.200.000';
const PAID = '000.100.110';
const CHALLENGE = '4200000000000018';
const BROWSER = { ...SHOPPER, shopperResultUrl: 'https://shop.example/result' };
const decides = (seconds: number): Fields => ({ 'customParameters[SIMULATOR_3dsDecides]': String(seconds) });
const NEVER = decides(604_800);

const pay = (fields: Fields = {}) =>
  shop.pay({ 'card.number': CHALLENGE, ...BROWSER, 'threeDSecure.decoupled': 'true', ...fields });
const telephone = (pending: Reply) => visit(pending.body.threeDSecure.challenge.acsURL);
const turn = () => gateway.work('resume authenticated payments');
const codeNow = async (pending: Reply) => (await shop.read(pending.id)).code;

test('the cardholder approves on a telephone, and is charged without coming back', async () => {
  const pending = await pay(NEVER);
  assert.deepEqual([pending.code, pending.body.redirect], [PENDING, undefined]);
  gateway.pass(45 * MINUTE_MS);
  await turn();
  await gateway.work('sweep');
  assert.equal(await codeNow(pending), PENDING, 'nobody has answered yet');
  await press(await telephone(pending), 'confirm');
  const paid = await shop.read(pending.id);
  assert.deepEqual([paid.code, paid.body.threeDSecure.flow, paid.body.threeDSecure.authType], [PAID, 'decoupled', '04']);
  const asked = acquirerAsked(pending.id);
  assert.ok(asked && isShifted(asked));
  assert.equal(asked.secrets.cvv, '123', 'the security code was held as long as he had time');
});

test('the cardholder is charged although no result arrives: it is fetched', async () => {
  const pending = await pay(decides(40 * 60));
  for (const minutes of [20, 15]) {
    gateway.pass(minutes * MINUTE_MS);
    await turn();
    assert.equal(await codeNow(pending), PENDING);
  }
  gateway.pass(6 * MINUTE_MS);
  await turn();
  assert.equal(await codeNow(pending), PAID);
});

test('reading writes nothing and sends no event', async () => {
  const pending = await pay(NEVER);
  const before = store.outbox.length;
  for (let looks = 0; looks < 50; looks += 1) {
    gateway.pass(MINUTE_MS);
    await turn();
    await gateway.work('sweep');
  }
  assert.equal(store.outbox.length, before);
  assert.equal(await codeNow(pending), PENDING);
});

test('the cardholder refuses, on the telephone or without it', async () => {
  const denied = await pay(NEVER);
  await press(await telephone(denied), 'deny');
  assert.equal(await codeNow(denied), '100.380.401');
  const refused = await pay({ ...decides(60), 'customParameters[SIMULATOR_3dsStatus]': 'N' });
  gateway.pass(2 * MINUTE_MS);
  await turn();
  assert.equal(await codeNow(refused), '100.380.401');
  assert.deepEqual([acquirerAsked(denied.id), acquirerAsked(refused.id)], [null, null]);
});

test('the cardholder never answers', async () => {
  const pending = await pay(NEVER);
  gateway.pass(61 * MINUTE_MS);
  await gateway.work('sweep');
  assert.equal(await codeNow(pending), '100.396.103');
});

test('the cardholder answers too late: the payment stays as it ended, and the issuer is informed', async () => {
  const pending = await pay(decides(62 * 60));
  const page = await telephone(pending);
  gateway.pass(63 * MINUTE_MS);
  await gateway.work('sweep');
  assert.equal(await codeNow(pending), '100.396.103', 'what was decided after the time does not count');
  await press(page, 'confirm');
  assert.deepEqual([await codeNow(pending), acquirerAsked(pending.id)], ['100.396.103', null]);
});

test('approving twice, and refusing after that: it stays one payment', async () => {
  const pending = await pay(NEVER);
  const page = await telephone(pending);
  await Promise.all([press(page, 'confirm'), press(page, 'confirm')]);
  assert.equal(await codeNow(pending), PAID);
  await press(page, 'deny');
  assert.equal(await codeNow(pending), PAID);
});

test('the process that held the security code is gone: a no is a no, and a yes charges nothing', async () => {
  const [yes, no] = [await pay(NEVER), await pay(NEVER)];
  gateway.world.pendingSecrets.drop(yes.id);
  gateway.world.pendingSecrets.drop(no.id);
  await press(await telephone(no), 'deny');
  assert.equal(await codeNow(no), '100.380.401');
  await press(await telephone(yes), 'confirm');
  gateway.pass(MINUTE_MS);
  await gateway.work('sweep');
  assert.deepEqual([await codeNow(yes), acquirerAsked(yes.id)], ['800.400.200', null]);
});

test('an authentication alone needs no memory of the process', async () => {
  const pending = await shop.send('POST', '/v1/threeDSecure', {
    paymentBrand: 'VISA',
    'card.number': CHALLENGE,
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    amount: '92.00',
    currency: 'EUR',
    ...BROWSER,
    ...NEVER,
    'threeDSecure.decoupled': 'true',
  });
  gateway.world.pendingSecrets.drop(pending.id);
  await press(await telephone(pending), 'confirm');
  const read = await shop.send('GET', `/v1/threeDSecure/${pending.id}`, {});
  assert.equal(read.code, '000.400.120', JSON.stringify(read.body));
  assert.match(read.body.threeDSecure.verificationId, /^[A-Za-z0-9+/=]{28}$/);
});

test('with a hidden frame first, the shopper goes back to the shop during the authentication', async () => {
  const pending = await pay({ 'card.number': '4200000000000042', ...NEVER });
  assert.ok(pending.body.redirect.preconditions);
  const back = await arrive(pending);
  assert.match(back.refresh ?? '', /^0; url=https:\/\/shop\.example\/result\?id=/);
  const read = await shop.read(pending.id);
  assert.equal(read.code, PENDING);
  await press(await telephone(read), 'confirm');
  assert.equal(await codeNow(pending), PAID);
});

const APP = {
  'card.number': CHALLENGE,
  'threeDSecure.deviceInfo': DEVICE_INFO,
  'billing.street1': '17 Market Street',
  'billing.city': 'Springfield',
  'billing.postcode': '12345',
  'billing.country': 'DE',
};

test('an app gets what its SDK needs, and nothing of the device is kept', async () => {
  const pending = await shop.pay(APP);
  assert.deepEqual(
    [pending.code, pending.body.redirect, pending.body.threeDSecure.deviceInfo],
    [PENDING, undefined, undefined],
    JSON.stringify(pending.body),
  );
  assert.deepEqual(Object.keys(pending.body.threeDSecure.challenge), [
    'messageVersion',
    'threeDSServerTransID',
    'acsTransID',
    'acsReferenceNumber',
    'acsSignedContent',
    'dsReferenceNumber',
  ]);
  assert.deepEqual((await shop.read(pending.id)).body.threeDSecure, pending.body.threeDSecure);
  const held = gateway.world.pendingSecrets.get(pending.id);
  assert.deepEqual([held?.secrets.cvv, held?.secrets.deviceInfo], ['123', undefined]);
  const end = await appOf(pending).answer();
  assert.deepEqual([end.challengeCompletionInd, end.transStatus], ['Y', 'Y']);
  const paid = await shop.read(pending.id);
  assert.deepEqual([paid.code, paid.body.threeDSecure.challenge], [PAID, undefined]);
});

test('an app: three wrong codes, cancelled, another cardholder, too late', async () => {
  const wrong = await shop.pay(APP);
  const app = appOf(wrong);
  for (const sdkCounterStoA of ['000', '001', '002', '003']) await app.ask({ sdkCounterStoA, challengeDataEntry: '000000' });
  assert.equal(await codeNow(wrong), '100.380.401');

  const cancelled = await shop.pay(APP);
  await appOf(cancelled).ask({ sdkCounterStoA: '001', challengeCancel: '01' });
  assert.equal(await codeNow(cancelled), '100.396.101');

  const [one, two] = [await shop.pay(APP), await shop.pay(APP)];
  const foreign = await appOf(one).ask({ acsTransID: two.body.threeDSecure.challenge.acsTransID, sdkCounterStoA: '000' });
  assert.deepEqual([foreign.messageType, foreign.errorCode], ['Erro', '301']);
  assert.equal((await appOf(one).ask({ messageType: 'CRes' })).errorCode, '101');
  assert.deepEqual([await codeNow(one), await codeNow(two)], [PENDING, PENDING]);

  gateway.pass(16 * MINUTE_MS);
  await gateway.work('sweep');
  assert.equal(await codeNow(one), '100.396.103');
  const late = await appOf(one).ask({ sdkCounterStoA: '000' });
  assert.equal(late.transStatus, 'N');
  assert.equal(await codeNow(one), '100.396.103');
});

test('an app with unreadable device data is refused', async () => {
  const faulty = await shop.pay({ ...APP, 'threeDSecure.deviceInfo': 'nonsense' });
  const [fault] = faulty.body.result.parameterErrors;
  assert.deepEqual([fault.name, fault.value], ['threeDSecure.deviceInfo', '***']);
});

test('storing with npa: nothing is stored for good before the cardholder is authenticated', async () => {
  const store = () =>
    shop.send('POST', '/v1/registrations', {
      paymentBrand: 'VISA',
      'card.number': CHALLENGE,
      'card.holder': 'Ann Example',
      'card.expiryMonth': '05',
      'card.expiryYear': '2034',
      'threeDSecure.npa': 'true',
      ...BROWSER,
      // The frame of a series is told only with money, and storing names none.
      'standingInstruction.mode': 'INITIAL',
      'standingInstruction.source': 'CIT',
      'standingInstruction.type': 'RECURRING',
      'standingInstruction.expiry': '2035-01-31',
      'standingInstruction.frequency': '0030',
    });
  const charge = (id: string) =>
    shop.send('POST', `/v1/registrations/${id}/payments`, {
      paymentType: 'DB',
      amount: '5.00',
      currency: 'EUR',
      'threeDSecure.disable': 'true',
    });
  const [good, bad] = [await store(), await store()];
  assert.equal(good.code, PENDING, JSON.stringify(good.body));
  assert.equal((await charge(good.id)).code, '100.150.201');
  const back = await goBack(await challenge(good, 'submit', codeOn), good);
  assert.match(back.refresh ?? '', new RegExp(`resourcePath=%2Fv1%2Fregistrations%2F${good.id}$`));
  assert.equal((await shop.send('GET', `/v1/registrations/${good.id}`, {})).code, PAID);
  assert.equal((await charge(good.id)).code, PAID);
  await goBack(await challenge(bad, 'cancel'), bad);
  assert.equal((await shop.send('GET', `/v1/registrations/${bad.id}`, {})).code, '100.396.101');
  assert.equal((await charge(bad.id)).code, '100.150.203');
});
