import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { EntityRow } from '../../src/merchants/ports.ts';
import { createAdministrator } from './administrator.ts';
import { CARD, createClient, DEMO, OTHER, SHOPPER } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

const DAY_MS = 86_400_000;
const GUARDED = '5eed00000000000000000000000000c7';
const guard = {
  duplicateSeconds: 0,
  velocity: 'off',
  rules: [
    {
      id: 'large',
      says: 'Nothing large.',
      when: 'amount > 500.00',
      mode: 'on',
      gives: { verdict: 'decline', code: '100.400.300' },
    },
  ],
};
const channel: EntityRow = {
  id: GUARDED,
  kind: 'channel',
  parentId: DEMO.merchantId,
  name: 'Guarded',
  settings: { risk: { mode: 'on', ...guard } },
};

describe('calls of the API', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ rows: { entities: [channel], tokens: [] } });
  });
  after(() => gateway.close());

  const shop = () => createClient(gateway.url);
  const developer = (token?: string) => createAdministrator(gateway.url, token);
  const calls = async (query = '') => (await developer().ask('GET', `/calls?entityId=${DEMO.entityId}${query}`)).body;
  const readCall = async (id: string, query = '') => (await developer().ask('GET', `/calls/${id}${query}`)).body;

  test('a payment is listed at once and read with its request and its reply, masked', async () => {
    const paid = await shop().pay({
      merchantTransactionId: 'first-order',
      merchantMemo: 'IBAN DE89 3704 0044 0532 0130 00, 4200 0000 0000 0000',
    });
    const { calls: found, isOn } = await calls('&text=FIRST-order');
    assert.equal(isOn, true);
    assert.deepEqual(
      found.map(({ endpoint, status, code, paymentId, path }: Record<string, unknown>) => [
        endpoint,
        status,
        code,
        paymentId,
        path,
      ]),
      [['pay', 200, '000.100.110', paid.id, '/v1/payments']],
    );
    const call = await readCall(found[0].id);
    const sent = Object.fromEntries(call.fields.map(({ name, value }: { name: string; value: string }) => [name, value]));
    assert.equal(sent['card.number'], '420000***0000');
    assert.equal(sent['card.cvv'], '***');
    assert.equal(sent.amount, '92.00');
    assert.doesNotMatch(sent.merchantMemo, /3704|4200 ?0000/);
    assert.equal(call.who, '5eed00000000000000000000000000a1');
    assert.equal(JSON.parse(call.answer).id, paid.id);
    assert.equal(call.ndc, paid.body.ndc);
    assert.doesNotMatch(JSON.stringify(call), new RegExp(DEMO.token));
    assert.deepEqual(call.toFill.toSorted(), ['card.cvv', 'card.number', 'merchantMemo']);
    assert.match(call.curl, /^curl http:\/\/127\.0\.0\.1:\d+\/v1\/payments \\\n {2}-H "Authorization: Bearer \$ACCESS_TOKEN"/);
    assert.match(call.curl, /-d card\.number=4200000000000000/);
  });

  test('calls are narrowed down by every filter, and come page by page', async () => {
    const { pay, send, read } = shop();
    const declined = await pay({ 'card.holder': '800.100.153', merchantTransactionId: 'narrowed' });
    await read(declined.id);
    await send('GET', '/v1/payments/00000000000000000000000000000000', {});
    const of = async (query: string) => (await calls(query)).calls;
    const about = await of(`&paymentId=${declined.id}`);
    assert.deepEqual(
      about.map(({ endpoint }: { endpoint: string }) => endpoint),
      ['read', 'pay'],
    );
    assert.equal((await of('&status=4xx&text=narrowed')).length, 1);
    assert.equal((await of('&status=2xx&text=narrowed')).length, 0);
    assert.ok((await of('&code=800.100')).every(({ code }: { code: string }) => code === '800.100.153'));
    assert.ok((await of('&endpoint=read')).length >= 2);
    assert.equal((await of('&to=2020-01-01T00:00:00Z')).length, 0);
    const [first, second] = await of('');
    const page = await calls('&limit=1');
    assert.equal(page.next, first.id);
    assert.deepEqual((await of(`&after=${first.id}&limit=1`))[0], second);
    assert.deepEqual(await of(`&newer=${second.id}`), [first]);
    const faulty = await developer().ask('GET', `/calls?entityId=${DEMO.entityId}&code=%25`);
    assert.equal(faulty.code, '200.300.404');
  });

  test('calls of other merchants are not shown, and an entity without calls has none', async () => {
    await createClient(gateway.url, OTHER).pay();
    const foreign = await developer().ask('GET', `/calls?entityId=${OTHER.entityId}`);
    assert.equal(foreign.status, 404);
    const [theirs] = (await developer(OTHER.token).ask('GET', `/calls?entityId=${OTHER.entityId}`)).body.calls;
    for (const [method, path, body] of [
      ['GET', `/calls/${theirs.id}`, undefined],
      ['POST', `/calls/${theirs.id}/run`, {}],
      ['GET', '/calls/00000000000000000000000000000000', undefined],
      ['GET', '/calls/nonsense', undefined],
    ] as const) {
      const { status, code } = await developer().ask(method, path, body);
      assert.deepEqual([status, code], [404, '700.400.580'], path);
    }
    assert.equal((await createAdministrator(gateway.url, null).ask('GET', `/calls/${theirs.id}`)).status, 401);
    assert.ok((await calls()).calls.every(({ entityId }: { entityId: string }) => entityId === DEMO.entityId));
  });

  test('a call with a wrong token is shown, without the token; one without a known entity is not kept', async () => {
    const wrong = createClient(gateway.url, { entityId: DEMO.entityId, token: OTHER.token });
    await wrong.pay({ merchantTransactionId: 'turned-away' });
    const [call] = (await calls('&text=turned-away')).calls;
    assert.equal(call.code, '800.900.300');
    const { who, explanation } = await readCall(call.id);
    assert.equal(who, null);
    assert.equal(explanation.turn, 'developer');
    const nobody = createClient(gateway.url, { entityId: 'f'.repeat(32), token: OTHER.token });
    await nobody.pay({ merchantTransactionId: 'of-nobody' });
    const root = '5eed00000000000000000000000000d1';
    const all = await gateway.services.developer.calls.calls({
      merchants: { is: 'merchants', merchantIds: ['f'.repeat(32), root] },
      limit: 9,
    });
    assert.deepEqual(all, []);
  });

  test('faults are explained one by one, in both languages', async () => {
    await shop().pay({ amount: '92,00', currency: '', merchantTransactionId: 'faulty-order' });
    const [{ id }] = (await calls('&text=faulty-order')).calls;
    const { explanation: en } = await readCall(id);
    assert.deepEqual(
      en.faults.map(({ name, anchor }: Record<string, string>) => [name, anchor]),
      [
        ['amount', '/docs/reference#amount'],
        ['currency', '/docs/reference#currency'],
      ],
    );
    assert.match(en.faults[1].says, /currency is required/);
    const { explanation: de } = await readCall(id, '?language=de');
    assert.match(de.faults[1].says, /currency ist erforderlich/);
    assert.match(de.what, /Parameter/);
  });

  test('a decline by a risk rule names the rule, one by 3D Secure the step', async () => {
    const guarded = createClient(gateway.url, { entityId: GUARDED, token: DEMO.token });
    const declined = await guarded.pay({ amount: '501.00', merchantTransactionId: 'too-much' });
    assert.equal(declined.code, '100.400.300', JSON.stringify(declined.body));
    const causesOf = async (entityId: string, text: string) => {
      const { body } = await developer().ask('GET', `/calls?entityId=${entityId}&text=${text}`);
      return (await readCall(body.calls[0].id)).explanation.causes;
    };
    assert.deepEqual(await causesOf(GUARDED, 'too-much'), [
      { is: 'rule', rule: 'large', says: 'Nothing large.', verdict: 'decline', score: 0 },
    ]);
    const card = { ...CARD, 'card.number': '4012001037141112' };
    const asked = { ...card, ...SHOPPER, amount: '92.00', currency: 'EUR', shopperResultUrl: 'https://shop.example/' };
    const secure = await shop().send('POST', '/v1/threeDSecure', { ...asked, merchantTransactionId: 'not-enrolled' });
    assert.equal(secure.code, '000.400.102', JSON.stringify(secure.body));
    const [cause] = await causesOf(DEMO.entityId, 'not-enrolled');
    assert.equal(cause.is, 'threeDS');
    assert.match(cause.step, /notEnrolled/);
  });

  test('a call is run again as its merchant, with the masked fields filled in and a key of its own', async () => {
    const first = await shop().pay({ merchantTransactionId: 'again-order' }, { 'idempotency-key': 'the first' });
    const [{ id }] = (await calls('&text=again-order')).calls;
    const unfilled = await developer().ask('POST', `/calls/${id}/run`, {});
    assert.deepEqual(unfilled.body.result.parameterErrors.map(({ name }: { name: string }) => name).toSorted(), [
      'fields.card.cvv',
      'fields.card.number',
    ]);
    const fields = { 'card.number': '4200000000000000', 'card.cvv': '', amount: '7.00' };
    const ran = await developer().ask('POST', `/calls/${id}/run`, { fields });
    assert.equal(ran.status, 200);
    assert.equal(ran.body.code, '000.100.110');
    const again = await readCall(ran.body.callId);
    assert.equal(again.againOf, id);
    assert.notEqual(again.paymentId, first.id);
    assert.equal(JSON.parse(again.answer).amount, '7.00');
    assert.equal(again.hasIdempotencyKey, true);
    const foreign = await developer().ask('POST', `/calls/${id}/run`, { fields: { ...fields, entityId: OTHER.entityId } });
    assert.equal(foreign.body.status, 403, 'it acts for the entity of the call and nobody else');
  });

  test('what was refunded can be run again from its path, and a read as well', async () => {
    const paid = await shop().pay();
    await shop().refund(paid.id, '1.00');
    const [refund] = (await calls(`&paymentId=${paid.id}&endpoint=refer`)).calls;
    const ran = await developer().ask('POST', `/calls/${refund.id}/run`, {});
    assert.deepEqual([ran.body.status, ran.body.code], [200, '000.100.110']);
    await shop().read(paid.id);
    const [read] = (await calls(`&paymentId=${paid.id}&endpoint=read`)).calls;
    assert.equal((await developer().ask('POST', `/calls/${read.id}/run`, {})).body.status, 200);
  });

  test('addresses in the reply to a rerun lead to the API, at whichever port it was requested', async () => {
    const fields = { paymentBrand: 'SOFORTUEBERWEISUNG', 'bankAccount.country': 'DE', shopperResultUrl: 'https://shop.example/' };
    const order = { paymentType: 'DB', amount: '5.00', currency: 'EUR', merchantTransactionId: 'elsewhere-order' };
    const sent = await shop().send('POST', '/v1/payments', { ...order, ...fields });
    assert.match(sent.body.redirect?.url ?? '', new RegExp(`^${gateway.url}/`), JSON.stringify(sent.body));
    const [{ id }] = (await calls('&text=elsewhere-order')).calls;
    const ran = await createAdministrator(gateway.backOfficeUrl).ask('POST', `/calls/${id}/run`, {});
    const { answer } = await readCall(ran.body.callId);
    assert.match(JSON.parse(answer).redirect.url, new RegExp(`^${gateway.url}/`));
  });

  test('a division sees the calls of everything below it', async () => {
    const other = await startGateway({ operatorToken: 'o'.repeat(40) });
    try {
      await createClient(other.url).pay();
      await createClient(other.url, OTHER).pay();
      const { path } = other.directory.entity(DEMO.entityId) ?? { path: [] };
      const top = path.at(-1) ?? '';
      const { body } = await createAdministrator(other.url, 'o'.repeat(40)).ask('GET', `/calls?entityId=${top}`);
      assert.deepEqual(
        body.calls.map(({ entityId }: { entityId: string }) => entityId),
        [OTHER.entityId, DEMO.entityId],
      );
    } finally {
      await other.close();
    }
  });

  test('a checkout is shown with the requests of its browser', async () => {
    const { send } = shop();
    const { id } = await send('POST', '/v1/checkouts', { amount: '5.00', currency: 'EUR', paymentType: 'DB' });
    await fetch(`${gateway.url}/v1/checkouts/${id}/widget`);
    const { calls: found } = await calls(`&text=${encodeURIComponent(id)}`);
    assert.deepEqual(
      found.map(({ endpoint }: { endpoint: string }) => endpoint),
      ['widgetSession', 'createCheckout'],
    );
    assert.equal((await readCall(found[0].id)).toFill, null, 'what a browser asked is not run again');
  });

  test('health, metrics and what is administered are not kept', async () => {
    await fetch(`${gateway.url}/health/live`);
    await developer().ask('GET', `/clock?entityId=${DEMO.entityId}`);
    const endpoints = new Set((await calls('&limit=200')).calls.map(({ endpoint }: { endpoint: string }) => endpoint));
    for (const name of ['live', 'readClock', 'listCalls']) assert.ok(!endpoints.has(name), name);
  });

  test('calls are forgotten after a week', async () => {
    const other = await startGateway();
    try {
      const ask = createAdministrator(other.url);
      await createClient(other.url).pay();
      await other.work('save inspected requests');
      other.pass(6 * DAY_MS);
      await other.work('delete old inspected requests');
      assert.equal((await ask.ask('GET', `/calls?entityId=${DEMO.entityId}`)).body.calls.length, 1);
      other.pass(DAY_MS);
      await other.work('delete old inspected requests');
      assert.equal((await ask.ask('GET', `/calls?entityId=${DEMO.entityId}`)).body.calls.length, 0);
    } finally {
      await other.close();
    }
  });
});

describe('the webhook inbox', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ webhookReach: 'public' });
  });
  after(() => gateway.close());

  const ask = (method: string, path: string, body?: object) => createAdministrator(gateway.url).ask(method, path, body);
  const inbox = async () => (await ask('GET', `/inbox?entityId=${DEMO.entityId}`)).body;
  const deliver = async () => {
    await gateway.work('fan out events');
    await gateway.work('dispatch deliveries');
  };

  test('is opened by one request and gets what happens, encrypted, and shows it opened', async () => {
    assert.deepEqual(await inbox(), { inbox: null, messages: [], next: null });
    const opened = await ask('POST', '/inbox', { entityId: DEMO.entityId });
    assert.equal(opened.body.webhookState, 'active');
    assert.equal((await ask('POST', '/inbox', { entityId: DEMO.entityId })).body.id, opened.body.id, 'there is one');
    const paid = await createClient(gateway.url).pay();
    await deliver();
    const { messages } = await inbox();
    assert.deepEqual(
      messages.map(({ type, verdict, answered }: Record<string, unknown>) => [type, verdict, answered]),
      [
        ['PAYMENT', 'good', 200],
        ['test', 'good', 200],
      ],
    );
    assert.equal(messages[0].paymentId, paid.id);
    const { body: message } = await ask('GET', `/inbox/${opened.body.id}/messages/${messages[0].id}`);
    assert.match(message.body, /^[0-9A-F]+$/);
    assert.match(message.headers['X-Initialization-Vector'], /^[0-9A-F]{24}$/);
    assert.equal(JSON.parse(message.opened).payload.id, paid.id);
    assert.ok(!JSON.stringify(message).includes('4200000000000000'));
  });

  test('the inbox replies as it is set to, so that retries can be seen', async () => {
    const { inbox: known } = await inbox();
    assert.equal((await ask('POST', `/inbox/${known.id}`, { answers: '500' })).body.answers, '500');
    await createClient(gateway.url).pay();
    await deliver();
    const [failed] = (await inbox()).messages;
    assert.equal(failed.answered, 500);
    assert.equal((await ask('GET', `/webhooks/${known.webhookId}/deliveries?state=due`)).body.deliveries.length, 1);
    await ask('POST', `/inbox/${known.id}`, { answers: '200' });
    gateway.pass(DAY_MS);
    await deliver();
    const [again] = (await inbox()).messages;
    assert.deepEqual([again.eventId, again.answered], [failed.eventId, 200]);
    assert.equal((await ask('POST', `/inbox/${known.id}`, { answers: 'maybe' })).code, '200.300.404');
  });

  test('belongs to its entity, and goes with everything in it', async () => {
    const { inbox: known, messages } = await inbox();
    const stranger = createAdministrator(gateway.url, OTHER.token);
    for (const [method, path, body] of [
      ['POST', `/inbox/${known.id}`, { answers: '200' }],
      ['DELETE', `/inbox/${known.id}`, undefined],
      ['GET', `/inbox/${known.id}/messages/${messages[0].id}`, undefined],
    ] as const) {
      assert.equal((await stranger.ask(method, path, body)).status, 404, path);
    }
    assert.equal((await ask('GET', `/inbox/${known.id}/messages/${known.id}`)).status, 404);
    assert.equal((await ask('DELETE', `/inbox/${known.id}`)).body.removed, true);
    assert.deepEqual(await inbox(), { inbox: null, messages: [], next: null });
    assert.equal((await ask('GET', `/webhooks/${known.webhookId}`)).status, 404);
  });
});

describe('tools of the test environment', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.close());

  const ask = (method: string, path: string, body?: object) => createAdministrator(gateway.url).ask(method, path, body);

  test('a wallet token is made that pays', async () => {
    const made = await ask('POST', '/walletTokens', { entityId: DEMO.entityId, wallet: 'applePay', amount: '7.00' });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const { parameter, token, refused } = made.body;
    assert.equal(refused, null);
    const { send } = createClient(gateway.url);
    const fields = { paymentType: 'DB', amount: '7.00', currency: 'EUR', paymentBrand: 'VISA', [parameter]: token };
    assert.equal((await send('POST', '/v1/payments', fields)).code, '000.100.110');
    const bad = await ask('POST', '/walletTokens', { entityId: DEMO.entityId, wallet: 'walletA', fault: 'tampered' });
    assert.equal(bad.body.refused, 'tampered');
    const real = await ask('POST', '/walletTokens', { entityId: DEMO.entityId, wallet: 'walletA', number: '4929127482910388' });
    assert.equal(real.code, '200.300.404');
    assert.ok(!JSON.stringify(real.body).includes('4929127482910388'));
  });

  test('what falls due next is shown', async () => {
    const due = async () => (await ask('GET', `/clock/due?entityId=${DEMO.entityId}`)).body.due;
    const { send } = createClient(gateway.url);
    await send('POST', '/v1/checkouts', {
      amount: '5.00',
      currency: 'EUR',
      paymentType: 'DB',
      notificationUrl: 'https://shop.example/',
    });
    const found = await due();
    assert.ok(Array.isArray(found));
    for (const { at } of found) assert.ok(Date.parse(at) > 0);
  });
});

test('in live no calls are kept by default, and there are no inbox and no rerun', async () => {
  const gateway = await startGateway({ environment: 'live', operatorToken: 'o'.repeat(40) });
  try {
    const operator = createAdministrator(gateway.url, 'o'.repeat(40));
    await createClient(gateway.url).pay();
    const { body } = await operator.ask('GET', `/calls?entityId=${DEMO.entityId}`);
    assert.deepEqual([body.isOn, body.calls], [false, []]);
    assert.equal((await operator.ask('GET', `/inbox?entityId=${DEMO.entityId}`)).status, 404);
    assert.equal((await operator.ask('POST', '/inbox', { entityId: DEMO.entityId })).status, 404);
    assert.equal((await operator.ask('POST', '/walletTokens', { entityId: DEMO.entityId, wallet: 'walletA' })).status, 404);
    assert.equal((await operator.ask('GET', `/clock/due?entityId=${DEMO.entityId}`)).status, 404);
  } finally {
    await gateway.close();
  }
});
