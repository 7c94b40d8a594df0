import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { proof } from '../../../src/cli/commands/verify.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import { encryptPayload } from '../../../src/webhooks/wireFormat.ts';
import { createAdministrator } from '../../http/administrator.ts';
import { createShop } from '../../http/checkoutShopper.ts';
import { DEMO, type Fields, type Reply } from '../../http/client.ts';
import { DAY_MS } from '../../http/clockFixture.ts';
import { dayOf } from '../../http/settlementFixture.ts';
import { until } from '../../webhooks/r42.ts';
import { ACCOUNT, type Chain, NEAR, sealSecrets, startChain, WEBHOOK_KEY } from './chain.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-upstream-'));
const dataDirs = { near: join(folder, 'near'), far: join(folder, 'far') };
let chain: Chain;

before(async () => {
  const [near, far] = await Promise.all([
    openSqliteStore({ dataDir: dataDirs.near }),
    openSqliteStore({ dataDir: dataDirs.far }),
  ]);
  chain = await startChain({ settings: { honoursIdempotencyKey: true }, near: { store: near }, far: { store: far } });
});
after(async () => {
  await chain.close();
  rmSync(folder, { recursive: true });
});

const EXTERNAL = { testMode: 'EXTERNAL' } as const;
const APPROVED = '000.100.112';
const pay = (fields: Fields = {}) => chain.client.pay({ ...EXTERNAL, ...fields });
const theirs = ({ body }: Reply): string => body.resultDetails.ConnectorTxID1;
const force = (code: string): Fields => ({ 'customParameters[forceResultCode]': code });

test('an authorisation, its captures, refunds and reversal are booked on both sides', async () => {
  const { client, farClient } = chain;
  const authorised = await pay({ paymentType: 'PA' });
  assert.equal(authorised.code, APPROVED, JSON.stringify(authorised.body));
  const far = await farClient.read(theirs(authorised));
  assert.deepEqual([far.code, far.body.amount, far.body.paymentType], ['000.100.110', '92.00', 'PA']);
  assert.equal(far.body.merchantTransactionId, authorised.id);
  assert.equal(far.body.customParameters.SHOPPER_turnpike, NEAR.merchantId);
  const captured = await client.capture(authorised.id, '50.00', EXTERNAL);
  const refunded = await client.refund(captured.id, '20.00', EXTERNAL);
  const reversed = await client.reverse(authorised.id, EXTERNAL);
  for (const [reply, type, amount] of [
    [captured, 'CP', '50.00'],
    [refunded, 'RF', '20.00'],
    [reversed, 'RV', '42.00'],
  ] as const) {
    assert.equal(reply.code, APPROVED, JSON.stringify(reply.body));
    const { body } = await farClient.read(theirs(reply));
    assert.deepEqual([body.paymentType, body.amount, body.merchantTransactionId], [type, amount, reply.id]);
  }
  const debit = await pay();
  assert.equal((await client.reverse(debit.id, EXTERNAL)).code, APPROVED);
  assert.equal((await client.reverse(debit.id, EXTERNAL)).code, '700.400.300');
});

test('declines come with their code, and what only the operator can mend is alarmed', async () => {
  for (const [theirCode, ours, response] of [
    ['800.100.155', '800.100.155', '51'],
    ['800.100.171', '800.100.171', '04'],
    ['100.400.147', '100.400.147', undefined],
    ['600.200.500', '800.100.190', '600.200.500'],
  ] as const) {
    const { code, body } = await pay(force(theirCode));
    assert.deepEqual([code, body.resultDetails.AcquirerResponse], [ours, response]);
    assert.equal((await chain.farClient.read(body.resultDetails.ConnectorTxID1)).code, theirCode);
  }
  assert.ok(chain.near.lines.some((line) => line.includes('the platform refuses the account')));
  assert.equal((await pay(force('000.400.010'))).code, '000.400.010', 'a review stays one');
});

test('whole yen and any hundredth of a dinar are paid exactly', async () => {
  for (const [currency, amount] of [
    ['JPY', '92.00'],
    ['KWD', '92.51'],
    ['ISK', '1.00'],
    ['HUF', '92.99'],
  ] as const) {
    const reply = await pay({ currency, amount });
    assert.equal(reply.code, APPROVED, currency);
    const { body } = await chain.farClient.read(theirs(reply));
    assert.deepEqual([body.amount, body.currency], [amount, currency]);
  }
  assert.equal((await pay({ currency: 'JPY', amount: '92.50' })).status, 400);
});

test('a stored card is charged by its number, and the platform stores nothing', async () => {
  const { client, farClient } = chain;
  const stored = await client.send('POST', '/v1/registrations', { ...EXTERNAL, ...CARD_TO_STORE });
  assert.equal(stored.status, 200, JSON.stringify(stored.body));
  const charged = await client.send('POST', `/v1/registrations/${stored.id}/payments`, {
    ...EXTERNAL,
    paymentType: 'DB',
    amount: '5.00',
    currency: 'EUR',
  });
  assert.equal(charged.code, APPROVED, JSON.stringify(charged.body));
  const { body } = await farClient.read(theirs(charged));
  assert.deepEqual([body.registrationId, body.card.last4Digits], [undefined, '0000']);
});

const CARD_TO_STORE = {
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.holder': 'Ann Example',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
} as const;

test('a direct debit, and the fields of the customer, arrive as they were sent', async () => {
  const reply = await chain.client.send('POST', '/v1/payments', {
    ...EXTERNAL,
    paymentType: 'DB',
    amount: '12.00',
    currency: 'EUR',
    paymentBrand: 'DIRECTDEBIT_SEPA',
    'bankAccount.holder': 'Ann Example',
    'bankAccount.iban': 'DE23100000001234567890',
    'bankAccount.country': 'DE',
    'bankAccount.mandate.id': 'Mandate-A',
    'bankAccount.mandate.dateOfSignature': '2026-01-02',
    'bankAccount.bic': 'MARKDEF1100',
    'customer.givenName': 'Ann',
    'customer.surname': 'Example',
    'customer.email': 'ann@example.org',
    'cart.items[0].name': 'Pen',
    'customParameters[SHOPPER_order]': 'A-17',
    merchantTransactionId: 'order-10017',
    descriptor: 'Pens and Paper',
  });
  assert.equal(reply.code, APPROVED, JSON.stringify(reply.body));
  const { body } = await chain.farClient.read(theirs(reply));
  assert.equal(body.bankAccount.mandate.id, 'Mandate-A');
  assert.equal(body.customer.email, 'ann@example.org');
  assert.equal(body.cart.items[0].name, 'Pen');
  assert.equal(body.customParameters.SHOPPER_order, 'A-17');
  assert.equal(body.descriptor, 'Pens and Paper');
  assert.equal(body.merchantTransactionId, reply.id);
  assert.equal(reply.body.merchantTransactionId, 'order-10017');
});

test('an authentication from elsewhere is passed on, and the platform asks no more', async () => {
  const reply = await pay({
    'card.number': '4012888888881881',
    'threeDSecure.eci': '05',
    'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=',
    'threeDSecure.dsTransactionId': '1f3e5b7d-0000-4000-8000-0123456789ab',
    'threeDSecure.version': '2.2.0',
  });
  assert.equal(reply.code, APPROVED, JSON.stringify(reply.body));
  const { body } = await chain.farClient.read(theirs(reply));
  assert.equal(body.threeDSecure.eci, '05');
  assert.equal(body.threeDSecure.dsTransactionId, '1f3e5b7d-0000-4000-8000-0123456789ab');
});

test('outcomes and chargebacks arrive by webhook', async () => {
  const { near, far, farClient, client, store, notificationsUrl } = chain;
  const admin = createAdministrator(far.url);
  // The first message of a webhook comes before its key is known to the account.
  const made = await admin.create({ url: notificationsUrl });
  await sealSecrets(near, store, { ownerId: NEAR.entityId, name: ACCOUNT, secrets: { webhookKey: made.body.key } });
  assert.equal((await admin.test(made.id)).body.state, 'active');
  const deliver = async () => {
    for (const job of ['sweep', 'fan out events', 'dispatch deliveries']) await far.work(job);
  };
  const pending = await pay({ ...force('000.200.000'), amount: '31.00' });
  assert.equal(pending.code, '000.200.000');
  far.pass(120_000);
  await until(async () => {
    await deliver();
    return (await client.read(pending.id)).code === APPROVED;
  }, 20_000);
  const { id, ...payment } = await client.read(pending.id);
  const charged = await farClient.refer(theirs({ id, ...payment }), {
    paymentType: 'CB',
    amount: '31.00',
    currency: 'EUR',
    chargebackResultCode: '000.100.203',
  });
  assert.equal(charged.code, '000.100.203', JSON.stringify(charged.body));
  const family = async () => (await store.family(NEAR.merchantId, id))?.payments ?? [];
  await until(async () => {
    await deliver();
    return (await family()).some(({ paymentType }) => paymentType === 'CB');
  }, 20_000);
  const chargebacks = (await family()).filter(({ paymentType }) => paymentType === 'CB');
  assert.deepEqual(
    chargebacks.map(({ amount, phase }) => [amount, phase.at === 'final' ? phase.code : null]),
    [[3_100n, '000.100.203']],
  );
});

test('a webhook that approves another amount is not believed', async () => {
  const { client, near, notificationsUrl, store } = chain;
  const pending = await pay({ ...force('000.200.000'), amount: '41.00' });
  await sealSecrets(near, store, { ownerId: NEAR.entityId, name: ACCOUNT, secrets: { webhookKey: WEBHOOK_KEY } });
  const { reference = '' } = (await store.payment(NEAR.merchantId, pending.id)) ?? {};
  const message = (amount: string) => ({
    type: 'PAYMENT',
    payload: {
      id: reference,
      paymentType: 'DB',
      amount,
      currency: 'EUR',
      merchantTransactionId: pending.id,
      customParameters: { SHOPPER_turnpike: NEAR.merchantId },
      result: { code: '000.100.110' },
    },
  });
  for (const [amount, code] of [
    ['4.10', '000.200.000'],
    ['41.00', APPROVED],
  ] as const) {
    const { body, headers } = encryptPayload(JSON.stringify(message(amount)), Buffer.from(WEBHOOK_KEY, 'hex'), {
      iv: Buffer.alloc(12, amount.length),
      wrapper: 'NONE',
    });
    assert.equal((await fetch(notificationsUrl, { method: 'POST', headers, body })).status, 200);
    assert.equal((await client.read(pending.id)).code, code);
  }
  assert.ok(near.lines.some((line) => line.includes('approves something else')));
});

for (const [wallet, parameter, brand] of [
  ['walletA', 'applePay', 'APPLEPAY'],
  ['walletB', 'googlePay', 'GOOGLEPAY'],
] as const)
  test(`a token of ${brand} is opened here and paid upstream`, async () => {
    const { near, farClient, client } = chain;
    const order = { entityId: NEAR.entityId, wallet, amount: '92.00', currency: 'EUR', number: '4200000000000000' };
    const made = await fetch(`${near.url}/sandbox/wallets?format=json`, { method: 'POST', body: new URLSearchParams(order) });
    const { token } = (await made.json()) as { readonly token: string };
    const paid = await client.send('POST', '/v1/payments', {
      ...EXTERNAL,
      paymentType: 'DB',
      amount: '92.00',
      currency: 'EUR',
      paymentBrand: brand,
      [`${parameter}.paymentToken`]: token,
    });
    assert.equal(paid.code, APPROVED, JSON.stringify(paid.body));
    const { body, code } = await farClient.read(theirs(paid));
    assert.deepEqual([code, body.amount, body.paymentBrand], ['000.100.110', '92.00', brand], JSON.stringify(body));
    assert.equal(body.merchantTransactionId, paid.id);
  });

test('a virtual account is paid upstream', async () => {
  const paid = await chain.client.send('POST', '/v1/payments', {
    ...EXTERNAL,
    paymentType: 'DB',
    amount: '7.00',
    currency: 'EUR',
    paymentBrand: 'VIRTUAL_ACCOUNT',
    'virtualAccount.accountId': 'ann@example.org',
  });
  assert.equal(paid.code, APPROVED, JSON.stringify(paid.body));
  const { body } = await chain.farClient.read(theirs(paid));
  assert.deepEqual([body.virtualAccount.accountId, body.amount], ['ann@example.org', '7.00']);
});

test('a checkout of ours is paid upstream, and its status is the result of the platform', async () => {
  const { near, farClient } = chain;
  const shop = createShop(near.url, NEAR);
  for (const [fields, code, theirCode] of [
    [{}, APPROVED, '000.100.110'],
    [force('800.100.155'), '800.100.155', '800.100.155'],
  ] as const) {
    const { id } = await shop.create({ ...EXTERNAL, ...fields, amount: '19.00' });
    assert.match((await shop.status(id)).code, /^000\.200/, 'nothing is paid yet');
    const status = await shop.paid(id, await shop.cardForm(id));
    assert.equal(status.code, code, JSON.stringify(status.body));
    const far = await farClient.read(theirs(status));
    assert.deepEqual([far.code, far.body.merchantTransactionId], [theirCode, status.id]);
  }
});

test('a notification that the platform did not encrypt is refused', async () => {
  const headers = { 'x-initialization-vector': '0'.repeat(24), 'x-authentication-tag': '0'.repeat(32) };
  for (const body of ['', '00', '{"encryptedBody":"00"}', '{}', '{"type":"PAYMENT"}']) {
    assert.equal((await fetch(chain.notificationsUrl, { method: 'POST', headers, body })).status, 401, body);
  }
});

test('a wrong token is an error of the operator, not of the shopper', async () => {
  const { near, store } = chain;
  await sealSecrets(near, store, { ownerId: NEAR.entityId, name: ACCOUNT, secrets: { accessToken: 'not-the-token' } });
  const { code } = await pay();
  await sealSecrets(near, store, { ownerId: NEAR.entityId, name: ACCOUNT, secrets: { accessToken: DEMO.token } });
  assert.equal(code, '800.100.190');
  assert.equal((await pay()).code, APPROVED, 'the exchanged token counts at once');
});

test('the report of the platform is matched with our payments as it is', async () => {
  const { near, far, farClient, client, store } = chain;
  // The simulated acquirer settles days from its first run on.
  await far.work('settle simulator days');
  const authorised = await pay({ paymentType: 'PA', amount: '64.00' });
  const captured = await client.capture(authorised.id, '60.00', EXTERNAL);
  const debit = await pay({ amount: '65.00' });
  const refunded = await client.refund(debit.id, '15.00', EXTERNAL);
  const began = far.world.clock.now();
  for (let day = 0; day < 4; day += 1) {
    for (const gateway of [far, near]) gateway.pass(DAY_MS);
    await far.work('settle simulator days');
  }
  const range = { 'date.from': dayOf(began - DAY_MS), 'date.to': dayOf(began + 5 * DAY_MS) };
  const query = new URLSearchParams({ entityId: DEMO.merchantId, ...range });
  const report = await fetch(`${far.url}/reports/v1/reconciliations/csv?${query}`, {
    headers: { authorization: `Bearer ${DEMO.token}` },
  });
  const csv = await report.text();
  assert.ok(csv.includes(theirs(captured)), csv.slice(0, 2_000));
  const upload = () =>
    fetch(`${near.url}/admin/v1/settlements?entityId=${NEAR.merchantId}&name=platform.csv`, {
      method: 'POST',
      headers: { authorization: `Bearer ${DEMO.token}` },
      body: csv,
    });
  const reply = await upload();
  assert.equal(reply.status, 200, await reply.clone().text());
  const records = await store.records({ merchantId: NEAR.merchantId, limit: 1_000 });
  const matched = records.flatMap(({ match }) => match.paymentIds);
  for (const { id } of [captured, debit, refunded]) assert.ok(matched.includes(id), `${id} is not matched`);
  assert.deepEqual(
    records.filter(({ match }) => match.isOpen).map(({ match, recordType }) => [recordType, match.why]),
    [],
  );
  assert.ok((await farClient.read(theirs(debit))).id);
});

test('verify finds nothing wrong on either side', async () => {
  await chain.near.work('seal ledger blocks');
  await chain.far.work('seal ledger blocks');
  for (const dataDir of Object.values(dataDirs)) {
    const output: string[] = [];
    const code = await proof([], {
      config: () => ({ databaseUrl: null, dataDir }) as never,
      signal: () => new AbortController().signal,
      clock: { now: Date.now },
      print: (text) => output.push(text),
      printError: (text) => output.push(text),
      progress: () => {},
    });
    assert.equal(code, 0, output.join('\n'));
  }
});
