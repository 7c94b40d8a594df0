import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endpoints } from '../../src/spec/endpoints.ts';
import { threeDSResult } from '../connectors/adyen/native.ts';
import { adyenUnderTest } from '../connectors/adyen/server.ts';
import { stepIn } from '../connectors/adyen/shopper.ts';
import { openTrial } from '../connectors/contract.ts';
import { type Answered, createShop } from './checkoutShopper.ts';
import type { Fields } from './client.ts';

/** The gateway's page for native 3D Secure at an acquirer, as a browser and a stranger see it. */

type Trial = Awaited<ReturnType<typeof openTrial>>;
let trial: Trial;
let shop: ReturnType<typeof createShop>;
before(async () => {
  trial = await openTrial(adyenUnderTest, { payments: 0, seed: 1 });
  shop = createShop(trial.gateway.url, trial.shop);
});
after(() => trial.close());

const requestOf = (flow: string): Fields => ({
  ...adyenUnderTest.shopper?.requests[0],
  'card.holder': `native ${flow}`,
  amount: '12.00',
  currency: 'EUR',
  paymentType: 'PA',
});

/** A payment that waits for its shopper: the path of its page. */
async function begin(flow: string): Promise<{ readonly id: string; readonly path: string }> {
  const { id = '', redirect, result } = await trial.post(requestOf(flow));
  assert.equal(result.code, '000.200.000');
  const url = redirect?.url ?? '';
  assert.ok(url.startsWith(`${trial.gateway.url}/v1/component/`), url);
  return { id, path: new URL(url).pathname };
}

const load = (path: string): Promise<Answered> => shop.browse('GET', path);
const post = (path: string, form: Fields, headers: Fields = {}): Promise<Answered> => shop.browse('POST', path, form, headers);
const codeOf = async (id: string) => (await shop.merchant.read(id)).code;
const refreshOf = ({ headers }: Answered): string => headers.get('refresh') ?? '';
const stepOn = ({ text }: Answered) => {
  const step = stepIn(text);
  if (step === null) throw new Error('there is no step on the page');
  return step;
};

test('the page loads what the policy names and nothing else, and its address holds nothing of the action', async () => {
  const { id, path } = await begin('challenge');
  const page = await load(path);
  assert.equal(page.status, 200);
  const policy = page.headers.get('content-security-policy') ?? '';
  const directives = new Map(policy.split('; ').map((one) => [one.split(' ')[0] ?? '', one.split(' ').slice(1)]));
  const { proxy, shop: own } = trial;
  assert.deepEqual(directives.get('default-src'), ["'none'"]);
  assert.equal(directives.get('script-src')?.length, 2);
  assert.match(directives.get('script-src')?.[0] ?? '', /^'sha256-/);
  assert.equal(directives.get('script-src')?.[1], `${proxy.url}/sdk/adyen.js`);
  assert.deepEqual(directives.get('connect-src'), [
    proxy.url,
    'https://checkoutshopper-test.cdn.adyen.com',
    'https://checkoutshopper-test.adyen.com',
  ]);
  assert.deepEqual(directives.get('frame-ancestors'), ["'self'"]);
  assert.doesNotMatch(policy, /unsafe|\*/);
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
  assert.match(page.headers.get('cache-control') ?? '', /no-store/);
  assert.equal(page.headers.get('set-cookie'), null);
  assert.equal(path, endpoints.componentPage.path.replace('{id}', `${own.ownerId}.${id}`));
  assert.doesNotMatch(page.text, /4111111111111111/);
});

test('a fingerprint, then a challenge, then the shop', async () => {
  const { id, path } = await begin('both');
  const first = stepOn(await load(path));
  assert.equal(first.subtype, 'fingerprint');
  const further = await post(path, { step: first.token, result: threeDSResult(first.of) });
  assert.deepEqual([further.status, further.location], [303, path]);
  const second = stepOn(await load(path));
  assert.equal(second.subtype, 'challenge');
  assert.deepEqual(stepOn(await load(path)), second, 'loaded again it shows the same step');
  const last = await post(path, { step: second.token, result: threeDSResult(second.of) });
  assert.match(refreshOf(last), new RegExp(`^0; url=https://shop\\.example/done\\?id=${id}&`));
  assert.equal(await codeOf(id), '000.100.112');
  for (const again of [
    await load(path),
    await post(path, { step: second.token, result: threeDSResult(second.of) }),
    await post(path, { step: first.token, result: threeDSResult(first.of) }),
  ])
    assert.match(refreshOf(again), /^0; url=https:\/\/shop\.example\/done/, 'back at the page, the shopper goes on to the shop');
  assert.equal((await trial.server.booked({ merchantId: trial.shop.ownerId, id })).times, 1);
});

test('a refused result brings the page back with the ways out, and not by itself to the next try', async () => {
  const { id, path } = await begin('challenge');
  const { token, of } = stepOn(await load(path));
  const refused = await post(path, { step: token, result: 'AAAA' });
  assert.deepEqual([refused.status, refused.location], [303, path]);
  assert.match((await load(path)).text, /data-refused="yes"/);
  await post(path, { step: token, result: threeDSResult(of) });
  assert.equal(await codeOf(id), '000.100.112');
});

const strangers: readonly (readonly [what: string, headers: Fields, status: number])[] = [
  ['another site', { origin: 'https://evil.example' }, 403],
  ['a name like ours', { origin: 'http://127.0.0.1.evil.example' }, 403],
  ['another scheme', { origin: 'ftp://127.0.0.1' }, 403],
];
for (const [what, headers, status] of strangers) {
  test(`a form of ${what} changes nothing`, async () => {
    const { id, path } = await begin('challenge');
    const { token, of } = stepOn(await load(path));
    const answered = await post(path, { step: token, result: threeDSResult(of) }, headers);
    assert.equal(answered.status, status);
    assert.equal(await codeOf(id), '000.200.000');
    assert.equal(stepOn(await load(path)).token, token);
    const own = await post(path, { step: token, result: threeDSResult(of) }, { origin: trial.gateway.url });
    assert.match(refreshOf(own), /shop\.example/);
  });
}

test('a page without an origin may send the form, and the token protects it', async () => {
  const { id, path } = await begin('challenge');
  const { token, of } = stepOn(await load(path));
  const guessed = await post(path, { step: '0'.repeat(32), result: threeDSResult(of) }, { origin: 'null' });
  assert.deepEqual([guessed.status, guessed.location], [303, path]);
  assert.equal(await codeOf(id), '000.200.000');
  await post(path, { step: token, result: threeDSResult(of) }, { origin: 'null' });
  assert.equal(await codeOf(id), '000.100.112');
});

test('a result in the address, or in nothing at all, is none', async () => {
  const { id, path } = await begin('challenge');
  const { token, of } = stepOn(await load(path));
  await post(`${path}?step=${token}&result=${encodeURIComponent(threeDSResult(of))}`, {});
  await shop.browse('GET', `${path}?step=${token}&result=${encodeURIComponent(threeDSResult(of))}`);
  assert.equal(await codeOf(id), '000.200.000');
  assert.equal(stepOn(await load(path)).token, token);
});

test('there is no page for other payments, and none without a payment', async () => {
  const { id = '' } = await trial.post({ ...adyenUnderTest.approved, paymentType: 'DB', amount: '12.00', currency: 'EUR' });
  const pathTo = (name: string): string => endpoints.componentPage.path.replace('{id}', name);
  for (const name of [`${trial.shop.ownerId}.${id}`, `${trial.shop.ownerId}.${'0'.repeat(32)}`, 'x', `${id}.${id}`]) {
    assert.equal((await load(pathTo(name))).status, 404, name);
    assert.equal((await post(pathTo(name), { step: 'a', result: 'b' })).status, 404, name);
  }
});

test('a payment that Adyen redirects has no page of ours', async () => {
  const { id = '', redirect } = await trial.post({ ...requestOf('both'), 'card.holder': 'redirect' });
  assert.ok(redirect?.url.startsWith('https://checkoutshopper-test.adyen.com/'));
  assert.equal((await load(endpoints.componentPage.path.replace('{id}', `${trial.shop.ownerId}.${id}`))).status, 404);
});

test('after the fingerprint the issuer may want the shopper elsewhere', async () => {
  const { id, path } = await begin('elsewhere');
  const { token, of } = stepOn(await load(path));
  assert.equal((await post(path, { step: token, result: threeDSResult(of) })).location, path);
  const [, psp = ''] =
    /^0; url=https:\/\/checkoutshopper-test\.adyen\.com\/redirect\/([A-Z0-9]{16})$/.exec(refreshOf(await load(path))) ?? [];
  const back = await load(`${path.replace('/component/', '/return/')}?redirectResult=${psp}.yes`);
  assert.equal(back.status, 303);
  assert.equal(await codeOf(id), '000.100.112');
});

test('a shopper with the widget gets the page in the frame of the shop', async () => {
  const { id } = await shop.create({ testMode: 'EXTERNAL' });
  const browser = Object.fromEntries(
    Object.entries(requestOf('both')).filter(([name]) => name.startsWith('customer.browser.') && !name.endsWith('acceptHeader')),
  );
  const card = { 'card.number': '4111111111111111', 'card.cvv': '123' };
  const first = await shop.pay(id, { ...browser, 'card.holder': 'native challenge' }, card);
  assert.equal(first.status, 303, first.text);
  const path = new URL(first.location ?? '', trial.gateway.url).pathname;
  assert.match(path, /^\/v1\/component\//);
  const page = await load(path);
  assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors \*$/, 'the shop has listed no sites');
  const { token, of } = stepOn(page);
  const done = await post(path, { step: token, result: threeDSResult(of) });
  assert.equal(refreshOf(done), `0; url=/v1/checkouts/${id}/return`);
  assert.equal((await shop.status(id)).code, '000.100.112');
});
