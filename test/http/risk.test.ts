import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { EntityRow } from '../../src/merchants/ports.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { tokenHash } from '../../src/merchants/tokens.ts';
import { CARD, createClient, DEMO, type Fields, SHOPPER } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/** The risk checks as a merchant meets them: channels of one shop, each with other settings. */

const merchantId = '5eed00000000000000000000000000e9';
const token = Buffer.from('5eed00000000000000000000000000ea|risk').toString('base64');

const rule = (id: string, when: string, gives: object, mode = 'on') => ({ id, says: `rule ${id}`, when, gives, mode });

const channels = {
  usual: {},
  guarded: { duplicateSeconds: 0, velocity: 'off' },
  ruled: {
    unchallenged: 'decline',
    duplicateSeconds: 0,
    velocity: 'off',
    cardTesting: 'off',
    limits: { EUR: { amountMax: '500.00' } },
    rules: [
      rule('gift', "risk.parameters[basket] = 'gift'", { verdict: 'decline', code: '800.300.301', score: -10 }),
      rule('look', "customer.email = 'look@example.org'", { verdict: 'review', score: -7 }),
      rule('ask', "customer.email = 'ask@example.org'", { verdict: 'challenge', score: 12 }),
      rule('trial', 'amount > 1.00', { verdict: 'decline' }, 'shadow'),
    ],
    ruleSets: { other: [rule('other', 'amount > 10.00', { verdict: 'decline', code: '100.400.300' })] },
  },
  lax: {
    duplicateSeconds: 0,
    velocity: 'off',
    cardTesting: 'off',
    unchallenged: 'review',
    rules: [rule('ask', 'amount > 1.00', { verdict: 'challenge' })],
  },
  off: { mode: 'off' },
  secure: {},
} as const;

type Name = keyof typeof channels;
const idOf = (name: Name) => `5eed0000000000000000000000000e${10 + Object.keys(channels).indexOf(name)}`;

const entities: readonly EntityRow[] = [
  { id: merchantId, kind: 'merchant', parentId: sandbox.division, name: 'Careful Shop', settings: { risk: { mode: 'on' } } },
  ...Object.entries(channels).map(
    ([name, risk]): EntityRow => ({
      id: idOf(name as Name),
      kind: 'channel',
      parentId: merchantId,
      name,
      settings: { risk, threeDSecure: name === 'ruled' || name === 'secure' },
    }),
  ),
];

let gateway: TestGateway;
before(async () => {
  const tokens = [
    { userId: '5eed00000000000000000000000000ea', tokenHash: tokenHash(token), entityId: merchantId, createdAt: 0 },
  ];
  gateway = await startGateway({ rows: { entities, tokens } });
});
after(() => gateway.close());

const at = (name: Name) => createClient(gateway.url, { entityId: idOf(name), token });
const stored = async (id: string) => (await gateway.world.store.payment(merchantId, id))?.risk ?? null;

test('an ordinary payment carries its score', async () => {
  const { status, code, body } = await at('usual').pay();
  assert.deepEqual([status, code, body.risk], [200, '000.100.110', { score: '0' }]);
});

test('where no checks are set up there is no score', async () => {
  const { code, body } = await at('off').pay();
  assert.deepEqual([code, body.risk], ['000.100.110', undefined]);
});

test('the same order twice within a minute is a duplicate, later it is not', async () => {
  const fields = { amount: '17.00', merchantTransactionId: 'order-17' };
  assert.equal((await at('usual').pay(fields)).code, '000.100.110');
  const second = await at('usual').pay(fields);
  assert.deepEqual([second.status, second.code], [400, '800.110.100']);
  assert.ok(second.id, 'what is declined by the checks is a transaction of its own');
  assert.equal((await at('usual').read(second.id)).code, '800.110.100');
  gateway.pass(62_000);
  assert.equal((await at('usual').pay(fields)).code, '000.100.110');
});

test('a request that was refused for what it lacks is no first one of two', async () => {
  const fields = { amount: '21.00', merchantTransactionId: 'order-21', 'card.number': '4200000000000026' };
  const lacking = await at('secure').pay(fields);
  assert.deepEqual([lacking.status, lacking.code], [400, '200.300.404']);
  const whole = await at('secure').pay({ ...fields, ...SHOPPER, shopperResultUrl: 'https://shop.example/done' });
  assert.notEqual(whole.code, '800.110.100');
  assert.equal(whole.status, 200);
});

test('of many duplicates at once one is paid', async () => {
  const fields = { amount: '18.00', merchantTransactionId: 'order-18', 'card.number': '4111111111111111' };
  const codes = (await Promise.all(Array.from({ length: 12 }, () => at('usual').pay(fields)))).map(({ code }) => code);
  assert.deepEqual(codes.toSorted(), ['000.100.110', ...Array<string>(11).fill('800.110.100')]);
});

const verdicts: readonly (readonly [what: string, fields: Fields, code: string, score: string, fired: readonly string[]])[] = [
  ['nothing to say', {}, '000.100.110', '0', []],
  ['above the limit', { amount: '500.01' }, '800.120.200', '0', ['limit.amount.EUR']],
  ['a custom parameter', { 'risk.parameters[basket]': 'gift' }, '800.300.301', '-10', ['gift']],
  ['to be looked at', { ...SHOPPER, 'customer.email': 'look@example.org' }, '000.400.000', '-7', ['look']],
  ['another rule set', { 'risk.channelId': 'other' }, '100.400.300', '0', ['other']],
  ['a rule set nobody made', { 'risk.channelId': 'nobody' }, '000.100.110', '0', []],
  ['risk.amount counts', { 'risk.amount': '600.00' }, '800.120.200', '0', ['limit.amount.EUR']],
];
for (const [what, fields, code, score, fired] of verdicts) {
  test(`a rule says so: ${what}`, async () => {
    const reply = await at('ruled').pay(fields);
    const risk = await stored(reply.id);
    assert.deepEqual([reply.code, reply.body.risk.score], [code, score]);
    assert.deepEqual(
      risk?.fired.map(({ rule: id }) => id),
      fired,
    );
    assert.deepEqual(
      risk?.shadow.map(({ rule: id }) => id),
      ['trial'],
      'a rule on trial is told and stops nobody',
    );
  });
}

test('a verdict is explained by the values that led to it', async () => {
  const { id } = await at('ruled').pay({ amount: '700.00' });
  const [fired] = (await stored(id))?.fired ?? [];
  assert.equal(fired?.verdict, 'decline');
  assert.match(JSON.stringify(fired?.values), /700/);
});

test('a challenge is demanded, and with the proof the payment goes on', async () => {
  const fields = { ...SHOPPER, 'customer.email': 'ask@example.org', 'card.number': '4200000000000018' };
  const asked = await at('ruled').pay({
    ...fields,
    shopperResultUrl: 'https://shop.example/done',
    'threeDSecure.disable': 'true',
  });
  assert.deepEqual([asked.status, asked.code, asked.body.risk.score], [200, '000.200.000', '12']);
  assert.ok(asked.body.redirect.url);
});

test('a challenge without 3D Secure is a decline, or a review where the merchant prefers that', async () => {
  const ask = { ...SHOPPER, 'customer.email': 'ask@example.org' };
  const sepa = {
    paymentBrand: 'DIRECTDEBIT_SEPA',
    'bankAccount.holder': 'Ann Example',
    'bankAccount.iban': 'DE23100000001234567890',
    'bankAccount.bic': 'MARKDEF1100',
    'bankAccount.country': 'DE',
    ...Object.fromEntries(
      Object.keys(CARD)
        .filter((name) => name.startsWith('card.'))
        .map((name) => [name, '']),
    ),
  };
  const declined = await at('ruled').pay({ ...ask, ...sepa });
  assert.deepEqual([declined.status, declined.code], [400, '100.400.141']);
  const reviewed = await at('lax').pay();
  assert.deepEqual([reviewed.status, reviewed.code], [200, '000.400.000']);
});

test('captures and refunds are not judged again', async () => {
  const { id } = await at('ruled').pay({ paymentType: 'PA', amount: '400.00' });
  const captured = await at('ruled').capture(id, '400.00', { 'risk.parameters[basket]': 'gift' });
  assert.deepEqual([captured.code, captured.body.risk?.score], ['000.100.110', undefined]);
});

test('storing a card is judged too', async () => {
  const reply = await at('ruled').send('POST', '/v1/registrations', { ...CARD, 'risk.parameters[basket]': 'gift' });
  assert.deepEqual([reply.status, reply.code], [400, '800.300.301']);
  const paid = await at('ruled').send('POST', `/v1/registrations/${reply.id}/payments`, {
    amount: '9.00',
    currency: 'EUR',
    paymentType: 'DB',
  });
  assert.equal(paid.status, 400);
});

const standalone: readonly (readonly [what: string, fields: Fields, status: number, code: string])[] = [
  ['accepted', {}, 200, '000.300.100'],
  ['denied', { amount: '500.01' }, 400, '800.120.200'],
  ['to be looked at', { ...SHOPPER, 'customer.email': 'look@example.org' }, 400, '100.400.141'],
  ['to be asked', { ...SHOPPER, 'customer.email': 'ask@example.org' }, 400, '100.400.141'],
  ['without an instrument', { ...Object.fromEntries(Object.keys(CARD).map((name) => [name, ''])) }, 200, '000.300.100'],
  ['a number with a wrong digit', { 'card.number': '4200000000000001' }, 400, '100.100.101'],
];
for (const path of ['/v1/risk', '/v1/redShield', '/v2/redShield']) {
  for (const [what, fields, status, code] of standalone) {
    test(`POST ${path}: ${what}`, async () => {
      const given = { amount: '92.00', currency: 'EUR', merchantTransactionId: `check ${what}`, ...CARD, ...fields };
      const sent = Object.fromEntries(Object.entries(given).filter(([, text]) => text !== ''));
      const reply = await at('ruled').send('POST', path, sent);
      assert.deepEqual([reply.status, reply.code], [status, code]);
      const again = await at('ruled').send('GET', `/v1/risk/${reply.id}`, {});
      assert.deepEqual([again.code, again.body.risk], [code, reply.body.risk]);
      if (status === 200) assert.match(reply.body.risk.score, /^-?[0-9]{1,5}$/);
    });
  }
}

test('a check is a question: it counts as no attempt and charges nothing', async () => {
  const fields = { amount: '19.00', currency: 'EUR', merchantTransactionId: 'order-19', ...CARD };
  for (let time = 0; time < 3; time += 1) {
    assert.equal((await at('usual').send('POST', '/v1/risk', fields)).code, '000.300.100');
  }
  assert.equal((await at('usual').pay(fields)).code, '000.100.110');
});

test('what the older path demands is named', async () => {
  const { status, body } = await at('ruled').send('POST', '/v1/redShield', { amount: '1.00', currency: 'EUR' });
  assert.equal(status, 400);
  assert.deepEqual(
    body.result.parameterErrors.map(({ name }: { name: string }) => name),
    ['merchantTransactionId'],
  );
});

test('a channel that only reports says in a header what live would have answered', async () => {
  const body = (number: string, others = '') =>
    `entityId=${DEMO.entityId}&amount=21.00&currency=EUR&paymentBrand=VISA&paymentType=DB&card.number=${number}&card.holder=Jane+Jones` +
    `&card.expiryMonth=05&card.expiryYear=2034&card.cvv=123&merchantTransactionId=order-live-21${others}`;
  const headers = { authorization: `Bearer ${DEMO.token}`, 'content-type': 'application/x-www-form-urlencoded' };
  const said = async (text: string) => {
    const reply = await fetch(`${gateway.url}/v1/payments`, { method: 'POST', headers, body: text });
    const { result } = (await reply.json()) as { result: { code: string } };
    return [result.code, reply.headers.get('risk-in-live')];
  };
  assert.deepEqual(await said(body('4111111111111111')), ['000.100.110', null]);
  assert.deepEqual(await said(body('4111111111111111')), ['000.100.110', '800.110.100']);
  // Rules on trial would not have refused anything.
  const address = '&customer.givenName=Jane&customer.surname=Jones&customer.ip=198.51.100.77';
  const crowd = await Promise.all(
    Array.from({ length: 64 }, (_, at) => said(body('4200000000000000', address).replace('21.00', `${30 + at}.00`))),
  );
  assert.ok(crowd.some(([, live]) => live === null) && crowd.every(([, live]) => live !== '800.120.102'));
});

test('sandbox channels are report-only and block nothing', async () => {
  const client = createClient(gateway.url, DEMO);
  const fields = { amount: '20.00', merchantTransactionId: 'order-20' };
  const replies = [await client.pay(fields), await client.pay(fields), await client.pay(fields)];
  assert.deepEqual(
    replies.map(({ code }) => code),
    Array(3).fill('000.100.110'),
  );
  const risk = (await gateway.world.store.payment(DEMO.merchantId, replies[2]?.id ?? ''))?.risk;
  assert.ok(
    risk?.shadow.some(({ code }) => code === '800.110.100'),
    'the duplicate was noticed',
  );
});

test('where rules only report, the score says what they gave', async () => {
  const client = createClient(gateway.url, DEMO);
  let last = await client.pay();
  for (let one = 0; one < 30; one += 1) last = await client.pay();
  const risk = (await gateway.world.store.payment(DEMO.merchantId, last.id))?.risk;
  const reported = risk?.shadow.reduce((sum, { score }) => sum + score, 0) ?? 0;
  assert.ok(reported < 0, JSON.stringify(risk?.shadow));
  assert.deepEqual([last.code, last.body.risk.score], ['000.100.110', String(reported)]);
});
