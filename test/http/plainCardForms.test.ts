import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createShop, FACE, NUMBER, RESULT_URL } from './checkoutShopper.ts';
import type { Fields } from './client.ts';
import { freshShops } from './freshShops.ts';
import { startGateway } from './gateway.ts';

/** Forms of a checkout with card fields in clear: apps, scripts and pages of the merchant's own. */
const PAID = '000.100.110';
const PLAIN: Fields = { ...FACE, 'card.number': NUMBER, 'card.cvv': '123', shopperResultUrl: RESULT_URL };
const PAGE = { accept: 'text/html,application/xhtml+xml,application/json;q=0.9' };
const ANYTHING = { accept: '*/*' };

async function shopAt(environment: 'test' | 'live', settings: Readonly<Record<string, boolean>>) {
  const { shops, rows } = freshShops(1, settings);
  const gateway = await startGateway({ environment, rows });
  after(() => gateway.close());
  const who = shops[0]?.channels[0];
  assert.ok(who);
  return { gateway, shop: createShop(gateway.url, who) };
}

const { gateway, shop } = await shopAt('test', {});
const pathOf = (id: string, kind = 'payment') => `/v1/checkouts/${id}/${kind}`;

for (const [what, headers] of [
  ['a script', ANYTHING],
  ['an app', { accept: 'application/json' }],
] as const) {
  test(`${what} pays and gets the payment as JSON, as far as a shopper may see it`, async () => {
    const { id } = await shop.create();
    const { status, text } = await shop.browse('POST', pathOf(id), PLAIN, headers);
    const body = JSON.parse(text);
    assert.deepEqual([status, body.result.code, body.amount, body.card.last4Digits], [200, PAID, '92.00', '0000'], text);
    assert.deepEqual([body.resultDetails, body.risk, body.customer], [undefined, undefined, undefined]);
    assert.ok(!text.includes(NUMBER));
    assert.equal((await shop.status(id)).id, body.id);
  });
}

test('a browser that asks for a page gets one', async () => {
  const { id } = await shop.create();
  const { status, location } = await shop.browse('POST', pathOf(id), PLAIN, PAGE);
  assert.equal(status, 303);
  assert.match(location ?? '', new RegExp(id));
  assert.equal((await shop.status(id)).code, PAID);
});

test("the merchant's own server pays, and gets the whole payment", async () => {
  const { id } = await shop.create();
  const { status, code, body } = await shop.merchant.send('POST', pathOf(id), PLAIN);
  assert.deepEqual([status, code, body.ndc], [200, PAID, id], JSON.stringify(body));
  assert.ok(body.resultDetails);
  assert.equal((await shop.merchant.send('POST', pathOf(id), PLAIN)).id, body.id, 'a checkout is paid once');
});

test('details are stored in the same way', async () => {
  const { id } = await shop.create({ amount: '', currency: '', paymentType: '', createRegistration: 'true' });
  const { text } = await shop.browse('POST', pathOf(id, 'registration'), PLAIN, ANYTHING);
  assert.equal(JSON.parse(text).result.code, PAID, text);
});

test('what is wrong is said as JSON with its field, and the checkout stays open', async () => {
  const { id } = await shop.create();
  const { status, text } = await shop.browse('POST', pathOf(id), { ...PLAIN, 'card.number': '42x' }, ANYTHING);
  const { result } = JSON.parse(text);
  assert.deepEqual([status, result.code, result.parameterErrors[0].name], [400, '200.300.404', 'card.number']);
  const unknown = await shop.browse('POST', pathOf(`${'AB'.repeat(16)}-test-1`), PLAIN, ANYTHING);
  assert.equal(JSON.parse(unknown.text).result.code, '200.300.404');
  assert.equal(JSON.parse((await shop.browse('POST', pathOf(id), PLAIN, ANYTHING)).text).result.code, PAID);
});

test('sealed fields take precedence, and the form of the widget is answered as before', async () => {
  const { id } = await shop.create();
  const form = await shop.cardForm(id, { 'card.number': '4242424242424242', 'card.cvv': '999' });
  assert.equal((await shop.browse('POST', pathOf(id), form, ANYTHING)).status, 303);
  assert.equal((await shop.status(id)).body.card.last4Digits, '0000');
});

test('a summary page keeps the number sealed until the merchant confirms', async () => {
  const { id } = await shop.create();
  const saved = await shop.browse('POST', pathOf(id), { ...PLAIN, widgetSummary: '1' }, ANYTHING);
  assert.equal(JSON.parse(saved.text).result.code, '000.200.101');
  assert.equal((await shop.merchant.send('POST', pathOf(id), {})).code, PAID);
});

test('the number is in no line of the log', () => {
  assert.ok(gateway.lines.every((line) => !line.includes(NUMBER)));
});

const closed = [
  ['in live, unless it was turned on', 'live', {}],
  ['where it was turned off', 'test', { plainCardForms: false }],
] as const;
for (const [what, environment, settings] of closed) {
  test(`it is refused ${what}, with what to do`, async () => {
    const { shop: strict } = await shopAt(environment, settings);
    const { id } = await strict.create();
    const browsed = await strict.browse('POST', pathOf(id), PLAIN, ANYTHING);
    const sent = await strict.merchant.send('POST', pathOf(id), PLAIN);
    for (const { status, result } of [
      { status: browsed.status, ...JSON.parse(browsed.text) },
      { ...sent, ...sent.body },
    ]) {
      const names = result.parameterErrors.map(({ name }: Fields) => name);
      assert.deepEqual([status, result.code, names], [400, '200.300.404', ['card.number', 'card.cvv']]);
      assert.match(result.parameterErrors[0].message, /plainCardForms/);
      assert.ok(!JSON.stringify(result).includes(NUMBER));
    }
    assert.equal((await strict.status(id)).code, '000.200.000');
  });
}
