import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { createClient, DEMO, type Fields, type Reply } from './client.ts';
import { startGateway } from './gateway.ts';

const store = createMemoryStore();
const gateway = await startGateway({ store, patienceMs: 200 });
after(() => gateway.close());
const shop = createClient(gateway.url);
const NO_CARD = { 'card.number': '', 'card.holder': '', 'card.expiryMonth': '', 'card.expiryYear': '', 'card.cvv': '' };
const BACK = 'https://shop.example/result?order=17&x=a%20b';
const SOFORT = { ...NO_CARD, paymentBrand: 'SOFORTUEBERWEISUNG', 'bankAccount.country': 'DE', shopperResultUrl: BACK } as const;
const MINUTE_MS = 60_000;

const pay = (fields: Fields = {}) => shop.pay({ ...SOFORT, ...fields });

/** The shopper's browser: follows redirects within the gateway, and returns the first one that leads outside. */
async function browse(
  url: string,
  init: RequestInit = {},
): Promise<{ readonly status: number; readonly location: string | null; readonly text: string }> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const location = response.headers.get('location');
  if (location?.startsWith('/')) return browse(`${gateway.url}${location}`);
  return { status: response.status, location, text: await response.text() };
}

const choose = ({ body }: Reply, choice: string) =>
  browse(body.redirect.url, { method: 'POST', body: new URLSearchParams({ choice }) });

test('a payment elsewhere begins with a redirect', async () => {
  const pending = await pay();
  assert.deepEqual([pending.status, pending.code], [200, '000.200.000']);
  const { redirect } = pending.body;
  assert.ok(redirect.url.startsWith(`${gateway.url}/sandbox/bank/`));
  assert.deepEqual([redirect.parameters, redirect.method], [[], 'GET']);
  const page = await browse(redirect.url);
  assert.equal(page.status, 200);
  assert.match(page.text, /92[.,]00/);
  assert.equal((await shop.read(pending.id)).body.redirect.url, redirect.url, 'until he is back it can be asked for again');
});

const outcomes: readonly [choice: string, code: string][] = [
  ['pay', '000.100.110'],
  ['decline', '800.100.152'],
  ['cancel', '100.396.101'],
  ['later', '000.200.000'],
];

for (const confirm of ['before', 'after', 'twice', 'never']) {
  for (const [choice, code] of outcomes) {
    test(`the shopper chooses ${choice}, the bank confirms ${confirm}: ${code}`, async () => {
      const pending = await pay({ 'customParameters[SIMULATOR_confirm]': confirm });
      const { status, location } = await choose(pending, choice);
      assert.equal(status, 303);
      const url = new URL(location ?? '');
      assert.deepEqual(
        [url.origin, url.searchParams.get('order'), url.searchParams.get('x')],
        ['https://shop.example', '17', 'a b'],
      );
      assert.deepEqual(
        [url.searchParams.get('id'), url.searchParams.get('resourcePath')],
        [pending.id, `/v1/payments/${pending.id}`],
      );
      const outcome = await shop.read(pending.id);
      assert.equal(outcome.code, code);
      assert.equal(outcome.body.redirect === undefined, choice !== 'later');
    });
  }
}

test('paying twice pays once, and a paid payment cannot be cancelled afterwards', async () => {
  const pending = await pay();
  await Promise.all([choose(pending, 'pay'), choose(pending, 'pay'), choose(pending, 'pay')]);
  await choose(pending, 'cancel');
  assert.equal((await shop.read(pending.id)).code, '000.100.110');
  const messages = store.outbox.filter(({ subjectId }) => subjectId === pending.id);
  assert.deepEqual(
    messages.map(({ code }) => code),
    ['000.200.000', '000.100.110'],
  );
});

test('the shopper closes the tab: the bank returns the result when it is inquired', async () => {
  const pending = await pay({ 'customParameters[SIMULATOR_confirm]': 'never' });
  const response = await fetch(pending.body.redirect.url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ choice: 'pay' }),
  });
  assert.equal(response.status, 303);
  assert.equal((await shop.read(pending.id)).code, '000.200.000');
  gateway.pass(2 * MINUTE_MS);
  await gateway.work('sweep');
  assert.equal((await shop.read(pending.id)).code, '000.100.110');
});

test('the shopper never acts: the payment ends, and a late return does not help', async () => {
  const pending = await pay();
  gateway.pass(31 * MINUTE_MS);
  assert.equal((await browse(pending.body.redirect.url)).status, 410);
  await gateway.work('sweep');
  await gateway.work('sweep');
  assert.equal((await shop.read(pending.id)).code, '100.396.103');
  assert.equal((await choose(pending, 'pay')).status, 410);
  assert.equal((await shop.read(pending.id)).code, '100.396.103');
});

test('what was paid elsewhere is refunded like any other', async () => {
  const pending = await pay();
  await choose(pending, 'pay');
  assert.equal((await shop.refund(pending.id, '10.00')).code, '000.100.110');
});

for (const [brand, fields] of [
  ['PAYPAL', {}],
  ['IDEAL', { 'bankAccount.bankName': 'ING_TEST', 'bankAccount.country': 'NL' }],
  ['EPS', { 'bankAccount.country': 'AT' }],
  ['GIROPAY', { 'bankAccount.bic': 'TESTDETT421', 'bankAccount.iban': 'DE14940593100000012346', 'bankAccount.country': 'DE' }],
  ['PREPAYMENT', {}],
] as [string, Fields][]) {
  test(`${brand} is paid elsewhere`, async () => {
    const pending = await shop.pay({ ...NO_CARD, paymentBrand: brand, shopperResultUrl: BACK, ...fields });
    assert.deepEqual([pending.status, pending.code], [200, '000.200.000'], JSON.stringify(pending.body));
    await choose(pending, 'pay');
    assert.equal((await shop.read(pending.id)).code, '000.100.110');
  });
}

test('an account is stored once the shopper has agreed, and charged without the shopper', async () => {
  const account = { paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'ann-1', shopperResultUrl: BACK };
  const charge = (id: string) =>
    shop.send('POST', `/v1/registrations/${id}/payments`, { paymentType: 'DB', amount: '5.00', currency: 'EUR' });
  for (const [choice, before, after] of [
    ['pay', '100.150.201', '000.100.110'],
    ['cancel', '100.150.201', '100.150.203'],
  ] as const) {
    const pending = await shop.send('POST', '/v1/registrations', account);
    assert.deepEqual([pending.status, pending.code], [200, '000.200.000'], JSON.stringify(pending.body));
    assert.equal((await charge(pending.id)).code, before);
    const { location } = await choose(pending, choice);
    assert.equal(new URL(location ?? '').searchParams.get('resourcePath'), `/v1/registrations/${pending.id}`);
    assert.equal((await charge(pending.id)).code, after);
  }
});

test('without a way back there is no payment elsewhere', async () => {
  const faulty = await shop.pay({ ...NO_CARD, paymentBrand: 'PAYPAL' });
  assert.deepEqual([faulty.status, faulty.code], [400, '200.300.404']);
  assert.equal(faulty.body.result.parameterErrors[0].name, 'shopperResultUrl');
});

test('the shopper is sent only to addresses that a merchant gave', async () => {
  for (const id of ['x', `${DEMO.merchantId}.${'0'.repeat(32)}`, `${DEMO.merchantId}.https://evil.example`]) {
    assert.equal(
      (await browse(`${gateway.url}/v1/return/${encodeURIComponent(id)}?shopperResultUrl=https://evil.example`)).status,
      404,
    );
  }
  const { id } = await shop.pay();
  assert.equal((await browse(`${gateway.url}/v1/return/${DEMO.merchantId}.${id}`)).status, 404, 'a payment without a way back');
  assert.equal((await browse(`${gateway.url}/sandbox/bank/forged.ticket`)).status, 404);
});
