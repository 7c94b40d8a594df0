import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createShop, resultOn } from './checkoutShopper.ts';
import { DEMO, OTHER } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { signedInAs } from './userFixture.ts';

/** Payment links: an operator creates one, a shopper pays it on the page of the gateway. */

let gateway: TestGateway;
type Ask = Awaited<ReturnType<typeof signedInAs>>['ask'];
let ask: Ask;
let reader: Ask;
let shopper: ReturnType<typeof createShop>;

before(async () => {
  gateway = await startGateway();
  ({ ask } = await signedInAs(gateway, { role: 'support', entityId: OTHER.entityId }));
  ({ ask: reader } = await signedInAs(gateway, { role: 'readOnly', entityId: OTHER.entityId }));
  shopper = createShop(gateway.url);
});
after(() => gateway.close());

const ORDER = { entityId: OTHER.entityId, amount: '92.00', currency: 'EUR' } as const;

async function create(fields: object = {}): Promise<{ readonly id: string; readonly path: string; readonly expiresAt: string }> {
  const { status, body } = await ask('POST', '/paymentLinks', { ...ORDER, ...fields });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(new URL(body.url).origin, new URL(gateway.url).origin);
  return { id: body.id, path: new URL(body.url).pathname, expiresAt: body.expiresAt };
}

const page = (path: string, language = 'en') => shopper.browse('GET', path, {}, { 'accept-language': language });

test('the page shows merchant, amount, description and reference, and the widget with the cards of the channel', async () => {
  const { id, path } = await create({ description: 'Cups <4>', merchantTransactionId: 'invoice-4711' });
  const { status, text, headers } = await page(path);
  assert.equal(status, 200);
  for (const part of ['€92.00', 'Cups &lt;4&gt;', 'invoice-4711', `checkoutId=${id}`, 'data-brands="VISA '])
    assert.ok(text.includes(part), part);
  assert.doesNotMatch(text, /PAYPAL/);
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  assert.match(headers.get('content-security-policy') ?? '', /script-src 'nonce-[^']+'.*frame-ancestors 'none'/);
  assert.match(headers.get('cache-control') ?? '', /no-store/);
});

test('the language is that of the browser, or the one that the operator chose', async () => {
  const free = await create();
  assert.match((await page(free.path, 'de-AT,de')).text, /lang="de".*92,00/s);
  const fixed = await create({ language: 'fr' });
  assert.match((await page(fixed.path, 'de')).text, /lang="fr"/);
});

test('chosen brands are offered alone, cards in one form', async () => {
  const { path } = await create({ brands: ['VISA', 'MASTER', 'PAYPAL'] });
  const { text } = await page(path);
  assert.deepEqual(
    [...text.matchAll(/data-brands="([^"]*)"/g)].map(([, brands]) => brands),
    ['VISA MASTER', 'PAYPAL'],
  );
});

test('a paid link shows the result on every visit, and takes no second payment', async () => {
  const { id, path } = await create();
  const paid = await shopper.pay(id);
  const { result } = resultOn(await shopper.browse('GET', paid.location ?? ''));
  assert.equal(result.outcome, 'success');
  assert.equal(new URL(result.url ?? '').pathname, path);
  const { status, text } = await page(path);
  assert.equal(status, 200);
  assert.match(text, /role="status">Thank you/);
  assert.doesNotMatch(text, /paymentWidgets/);
  const seen = await ask('GET', `/checkouts/${id}?entityId=${OTHER.entityId}`);
  assert.deepEqual([seen.body.state, new URL(seen.body.link).pathname], ['paid', path]);
  const ended = await ask('DELETE', `/paymentLinks/${id}?entityId=${OTHER.entityId}`);
  assert.deepEqual([ended.status, ended.body.result.description.includes('paid already')], [400, true]);
});

test('after a decline the page says so and offers the form again', async () => {
  const { id, path } = await create();
  await shopper.pay(id, { 'card.holder': '800.100.155' });
  const declined = await page(path);
  assert.match(declined.text, /role="status">[^<]*balance/);
  assert.match(declined.text, /class="paymentWidgets"/);
  await shopper.pay(id);
  assert.match((await page(path)).text, /role="status">Thank you/);
});

test('a link lives for its hours and ends at once when it is deactivated', async () => {
  const { expiresAt } = await create({ hours: 24 });
  const hours = (Date.parse(expiresAt) - Date.now()) / 3_600_000;
  assert.ok(hours > 23 && hours < 25, String(hours));
  const { id, path } = await create();
  const ended = await ask('DELETE', `/paymentLinks/${id}?entityId=${OTHER.entityId}`);
  assert.deepEqual([ended.status, ended.body.state], [200, 'over']);
  assert.equal((await page(path)).status, 410);
  assert.equal((await shopper.browse('POST', `/v1/checkouts/${id}/payment`, { paymentBrand: 'VISA' })).status, 410);
});

test('a checkout of a shop has no page, and an unknown id the same answer as an expired one', async () => {
  const { id } = await shopper.create();
  for (const path of [`/pay/${id}`, `/pay/${'0'.repeat(32)}.none`, '/pay/x']) assert.equal((await page(path)).status, 410, path);
});

test('who may: the right is needed at the entity, and the input is checked', async () => {
  assert.equal((await reader('POST', '/paymentLinks', ORDER)).status, 403);
  assert.equal((await ask('POST', '/paymentLinks', { ...ORDER, entityId: DEMO.entityId })).status, 404);
  const { id } = await create();
  assert.equal((await reader('DELETE', `/paymentLinks/${id}?entityId=${OTHER.entityId}`)).status, 403);
  const cases: readonly (readonly [object, string])[] = [
    [{ amount: '92' }, 'amount'],
    [{ currency: 'XXX' }, 'currency'],
    [{ hours: 0 }, 'hours'],
    [{ hours: 745 }, 'hours'],
    [{ description: '4200000000000000' }, 'description'],
    [{ brands: ['NONE'] }, 'brands'],
    [{ language: 'xx' }, 'language'],
  ];
  for (const [fields, name] of cases) {
    const { status, body } = await ask('POST', '/paymentLinks', { ...ORDER, ...fields });
    assert.deepEqual(
      [status, body.result.parameterErrors?.map((fault: { readonly name: string }) => fault.name)],
      [400, [name]],
      name,
    );
  }
});
