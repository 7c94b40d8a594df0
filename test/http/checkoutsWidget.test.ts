import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { timers } from '../../src/app/system.ts';
import { type Get, notifyMerchants } from '../../src/checkouts/notifyMerchants.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { createOutbound } from '../../src/outbound/client.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { createShop, SHOP } from './checkoutShopper.ts';
import { DEMO, type Fields } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { tinyBuild } from './tinyBuild.ts';

/** What the gateway serves for the widget, and the call in the twenty-ninth minute. */

const FRAMED = '5eed00000000000000000000000000d7';
let gateway: TestGateway;
let shop: ReturnType<typeof createShop>;
before(async () => {
  const settings = {
    brands: ['VISA', 'PAYPAL', 'DIRECTDEBIT_SEPA'],
    widgetOrigins: [SHOP],
    shopperResultHosts: ['shop.example'],
  };
  gateway = await startGateway({
    rows: {
      entities: [{ id: FRAMED, kind: 'channel', parentId: sandbox.demoShop.merchantId, name: 'Framed', settings }],
      tokens: [],
    },
  });
  shop = createShop(gateway.url);
});
after(() => gateway.close());

const sri = (text: string) => `sha384-${hash('sha384', text, 'base64')}`;
const script = async (id: string, at = gateway.url) => (await fetch(`${at}/v1/paymentWidgets.js?checkoutId=${id}`)).text();

test('the script of a checkout: for any origin, never cached, with nothing of merchant or shopper in it', async () => {
  const { id } = await shop.create({
    merchantTransactionId: 'order-0042',
    'customer.givenName': 'Ann',
    'customer.surname': 'Example',
  });
  const { status, text, headers } = await shop.browse('GET', `/v1/paymentWidgets.js?checkoutId=${id}`);
  assert.deepEqual([status, headers.get('access-control-allow-origin'), headers.get('cache-control')], [200, '*', 'no-store']);
  assert.match(headers.get('content-type') ?? '', /^text\/javascript/);
  assert.ok(text.includes(`'${gateway.url}','${id}','payment','build-tiny'`), text);
  assert.doesNotMatch(text, /order-0042|Ann|92\.00/);
});

test('its forms of address: with /registration, URL-encoded, with a slash in either way', async () => {
  const { id } = await shop.create({ amount: '', currency: '', paymentType: '', createRegistration: 'true' });
  const plain = await script(id);
  assert.ok(plain.includes("'registration'"));
  for (const other of [`${id}/registration`, encodeURIComponent(`${id}/registration`), id.replace('.', '%2E')])
    assert.equal(await script(other), plain);
});

for (const id of [
  "x'",
  `${'AB'.repeat(16)}-test-1`,
  `${'AB'.repeat(16)}-test-1'`,
  '../../etc',
  '<script>',
  `${'ab'.repeat(16)}-test-1`,
]) {
  test(`checkoutId=${id}: a script that calls the page's own hook`, async () => {
    const { status, text } = await shop.browse('GET', `/v1/paymentWidgets.js?checkoutId=${encodeURIComponent(id)}`);
    assert.equal(status, 200);
    const errors: Error[] = [];
    const run = new globalThis.Function('window', 'document', 'wpwlOptions', text);
    run({}, { readyState: 'complete' }, { onError: (error: Error) => errors.push(error) });
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(
      [errors[0]?.name, /No payment session found/.test(errors[0]?.message ?? '')],
      ['InvalidCheckoutIdError', true],
    );
    assert.ok(!text.includes(id));
  });
}

test('without a checkout the script brings the way to mount one', async () => {
  assert.ok((await (await fetch(`${gateway.url}/v1/paymentWidgets.js`)).text()).includes(`'${gateway.url}','','payment'`));
});

test('R33: the hash is that of the served bytes: before and after an update, on another node, with another build', async () => {
  const store = createMemoryStore();
  const one = await startGateway({ store, build: tinyBuild('old') });
  const { files } = tinyBuild('old');
  await store.putAssets(
    files.map((file) => ({ build: 'build-old', ...file })),
    0,
  );
  const two = await startGateway({ store, build: tinyBuild('new'), nodeName: 'test-2' });
  try {
    const old = createShop(one.url);
    const { id, body } = await old.create({ integrity: 'true' });
    assert.equal(sri(await script(id, one.url)), body.integrity);
    const { body: updated } = await old.update(id, { amount: '5.00' });
    assert.equal(updated.integrity, body.integrity);
    assert.equal(sri(await script(id, one.url)), body.integrity);
    assert.equal(sri(await script(id, two.url)), body.integrity, 'asked by another address, of a node with another build');
    const { body: elsewhere } = await createShop(two.url).update(id, { integrity: 'true' });
    assert.equal(elsewhere.integrity, body.integrity);
    assert.match(await script(id, two.url), /\/\* old \*\//);
    const other = await createShop(two.url).create({ integrity: 'true' });
    assert.match(await script(other.id, two.url), /\/\* new \*\//);
  } finally {
    await two.close().catch(() => {});
    await one.close().catch(() => {});
  }
});

test('a file of a build: for any origin and for ever, packed where the browser takes it, not again where it has it', async () => {
  const path = '/v1/static/build-tiny/js/static.min.js';
  const plain = await shop.browse('GET', path, {}, { 'accept-encoding': 'identity' });
  assert.deepEqual(
    ['cache-control', 'access-control-allow-origin', 'content-encoding', 'x-content-type-options'].map((name) =>
      plain.headers.get(name),
    ),
    ['public, max-age=31536000, immutable', '*', null, 'nosniff'],
  );
  assert.match(plain.text, /^\/\* tiny \*\//);
  const raw = await fetch(`${gateway.url}${path}`, { headers: { 'accept-encoding': 'br, gzip' } });
  assert.deepEqual([raw.headers.get('content-encoding'), await raw.text()], ['gzip', plain.text]);
  assert.ok(Number(raw.headers.get('content-length')) < plain.text.length / 4);
  const again = await fetch(`${gateway.url}${path}`, { headers: { 'if-none-match': plain.headers.get('etag') ?? '' } });
  assert.deepEqual([again.status, await again.text()], [304, '']);
});

for (const path of [
  'nobody/js/static.min.js',
  'build-tiny/js/other.js',
  'build-tiny/../js',
  'build-tiny/js/__proto__',
  'build-tiny/js/constructor',
]) {
  test(`/v1/static/${path} is not there`, async () =>
    assert.equal((await fetch(`${gateway.url}/v1/static/${path}`)).status, 404));
}

test('marks, typings and the inventory', async () => {
  for (const path of ['/v1/paymentWidgets/img/brand.png', '/v1/static/build-tiny/img/brand.png']) {
    const { status, headers } = await shop.browse('GET', path);
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/svg+xml']);
  }
  assert.equal((await shop.browse('GET', '/v1/static/paymentWidgets.d.ts')).status, 200);
  const { build, files } = JSON.parse((await shop.browse('GET', '/v1/widgetInventory.json')).text);
  assert.equal(build, 'build-tiny');
  for (const { name, integrity } of files.filter(({ name }: { name: string }) => name.includes('/'))) {
    assert.equal(integrity, sri((await shop.browse('GET', `/v1/static/${build}/${name}`)).text), name);
  }
});

test('the page of a field: its script by hash, and the pages that may frame it by the channel', async () => {
  const framed = createShop(gateway.url, { ...DEMO, entityId: FRAMED });
  const policyOf = async (id: string) => {
    const page = await shop.browse('GET', `/v1/pciIframe.html?checkoutId=${id}&field=card.number&group=a&key=b`);
    assert.equal(page.status, 200);
    assert.match(page.text, /<script src="\/v1\/static\/build-tiny\/js\/frame\.min\.js" integrity="sha384-/);
    return page.headers.get('content-security-policy') ?? '';
  };
  assert.match(await policyOf((await shop.create()).id), /frame-ancestors \*$/);
  assert.match(await policyOf((await framed.create()).id), /frame-ancestors 'self' https:\/\/shop\.example$/);
  assert.equal((await shop.browse('GET', '/v1/pciIframe.html?checkoutId=x&field=card.number')).status, 410);
  const { id } = await shop.create();
  assert.equal((await shop.browse('GET', `/v1/pciIframe.html?checkoutId=${id}&field=other`)).status, 404);
  assert.equal((await shop.browse('GET', '/v1/widgetTarget.html')).status, 200);
});

test('a page that the channel does not list gets no result', async () => {
  const framed = createShop(gateway.url, { ...DEMO, entityId: FRAMED });
  for (const [shopOrigin, expected] of [
    [SHOP, SHOP],
    ['https://evil.example', null],
    ['null', null],
    [`${SHOP}/`, null],
  ] as const) {
    const { id } = await framed.create();
    await framed.pay(id, { shopOrigin });
    const { text } = await framed.browse('GET', `/v1/checkouts/${id}/return`);
    assert.equal(/data-shop="([^"]*)"/.exec(text)?.[1] ?? null, expected);
  }
  const { id } = await framed.create();
  const away = await framed.payAsApp(id, await framed.cardForm(id, { shopperResultUrl: 'https://evil.example/' }));
  assert.equal(away.code, '200.300.404');
  assert.doesNotMatch((await framed.browse('GET', `/v1/checkouts/${id}/return`)).text, /evil/);
  assert.equal((await framed.create({ shopperResultUrl: 'https://evil.example/' })).code, '200.300.404');
});

test('a session has what the widget shows', async () => {
  const framed = createShop(gateway.url, { ...DEMO, entityId: FRAMED });
  const { id } = await framed.create({
    'billing.city': 'Linz',
    overrideHolder: 'true',
    'customParameters[own.secret]': 'do not tell',
  });
  const { headers, text } = await framed.browse('GET', `/v1/checkouts/${id}/widget`);
  assert.equal(headers.get('access-control-allow-origin'), '*');
  const { leftMs, brands, ...session } = JSON.parse(text);
  assert.ok(leftMs > 29 * 60_000 && leftMs <= 30 * 60_000);
  assert.deepEqual(session, {
    id,
    endpoint: '/payment',
    resourcePath: `/v1/checkouts/${id}/payment`,
    amount: '92.00',
    currency: 'EUR',
    paymentType: 'DB',
    shopperResultUrl: null,
    isDone: false,
    registrations: [],
    overrideHolder: true,
    threeDSecure: false,
    merchantName: 'Demo Shop',
    isTest: true,
    amountText: { locale: '', text: '€92.00' },
  });
  for (const [locale, amount] of [
    ['de-AT', /^€\s92,00$/],
    ['ar-SA', /92\.00/],
    ['%3Cno%20language%3E', /^€92\.00$/],
  ] as const) {
    const asked = await framed.browse('GET', `/v1/checkouts/${id}/widget?locale=${locale}`);
    const { amountText } = JSON.parse(asked.text);
    assert.equal(amountText.locale, decodeURIComponent(locale));
    assert.match(amountText.text, amount);
  }
  assert.deepEqual(brands, [
    { name: 'VISA', form: 'card', cvvLength: 3, asks: [] },
    { name: 'PAYPAL', form: 'virtualAccount', cvvLength: null, asks: [] },
    {
      name: 'DIRECTDEBIT_SEPA',
      form: 'directDebit',
      cvvLength: null,
      asks: ['bankAccount.holder', 'bankAccount.iban', 'bankAccount.bic', 'bankAccount.country'],
    },
  ]);
  await framed.pay(id);
  assert.equal((await framed.session(id)).isDone, true);
});

test('a direct debit of the economic area needs no BIC of the shopper, another one does', async () => {
  const account: Fields = { paymentBrand: 'DIRECTDEBIT_SEPA', 'bankAccount.holder': 'Ann Example' };
  const payWith = async (iban: string, country: string) => {
    const { id } = await shop.create();
    return shop.payAsApp(id, { ...account, 'bankAccount.iban': iban, 'bankAccount.country': country });
  };
  assert.equal((await payWith('DE23100000001234567890', 'DE')).code, '000.100.110');
  const swiss = await payWith('CH9300762011623852957', 'CH');
  assert.deepEqual(
    swiss.body.result.parameterErrors?.map(({ name }: { name: string }) => name),
    ['bankAccount.bic'],
  );
});

test('every brand that the session offers can be begun with what it asks for', async () => {
  const { id } = await shop.create();
  const { brands } = (await shop.session(id)) as { brands: { name: string; form: string; asks: string[] }[] };
  assert.ok(brands.length > 60, String(brands.length));
  const sample: Fields = {
    'bankAccount.holder': 'Ann Example',
    'bankAccount.iban': 'DE23100000001234567890',
    'bankAccount.bic': 'MARKDEF1100',
    'bankAccount.bankName': 'Bank',
    'customParameters[BRADESCO_cpfsacado]': '11144477735',
    ...Object.fromEntries(['givenName', 'surname'].map((name) => [`customer.${name}`, 'Ann'])),
    'customer.email': 'ann@example.org',
    'customer.mobile': '+966 501234567',
    'billing.street1': '17 Market Street',
    'billing.city': 'Springfield',
    'billing.postcode': '12345',
    'billing.country': 'DE',
  };
  const country: Fields = { EPS: 'AT', IDEAL: 'NL', GIROPAY: 'DE' };
  const needsCart = /KLARNA|PAYOLUTION/;
  for (const { name, form, asks } of brands.filter(
    ({ form: kind, name: one }) => kind !== 'card' && kind !== 'wallet' && !needsCart.test(one),
  )) {
    const own = await shop.create();
    const answers = Object.fromEntries(
      asks.map((ask) => [
        ask,
        sample[ask] ?? (ask === 'bankAccount.country' ? (country[name] ?? 'DE') : name === 'MBWAY' ? '351#912345678' : 'ann'),
      ]),
    );
    const { code, body } = await shop.payAsApp(own.id, { paymentBrand: name, ...answers, shopperResultUrl: `${SHOP}/`, form });
    assert.match(code, /^000\.(?:200\.000|100\.110)$/, `${name} ${JSON.stringify(body.result)}`);
  }
});

/** A shop that receives the call. */
async function hearing(work: (heard: string[], url: string, answer: (status: number) => void) => Promise<void>): Promise<void> {
  const heard: string[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    heard.push(request.url ?? '');
    response.writeHead(status).end('x'.repeat(100_000));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  try {
    await work(heard, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, (next) => {
      status = next;
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const { get } = createOutbound({ timers, reach: 'loopback' });
const MINUTE_MS = 60_000;

async function withShop(
  work: (own: TestGateway, late: ReturnType<typeof createShop>, calls: (by?: Get) => Promise<number>) => Promise<void>,
): Promise<void> {
  const own = await startGateway();
  const calls = async (by: Get = get) =>
    (await Promise.all([1, 2, 3].map(() => notifyMerchants(own.services.checkouts, by)))).reduce(
      (sum, { called }) => sum + called,
      0,
    );
  try {
    await work(own, createShop(own.url), calls);
  } finally {
    await own.close();
  }
}

test('in the twenty-ninth minute the merchant is called once, by many nodes, at its notificationUrl', () =>
  hearing((heard, url) =>
    withShop(async (own, late, calls) => {
      const { id } = await late.create({ notificationUrl: `${url}/told?a=1`, shopperResultUrl: `${url}/done` });
      await late.pay(id);
      own.pass(29 * MINUTE_MS - 5_000);
      assert.equal(await calls(), 0);
      own.pass(5_000);
      assert.equal(await calls(), 1);
      own.pass(25_000);
      assert.equal(await calls(), 0);
      assert.deepEqual(heard, [`/told?a=1&id=${id}&resourcePath=%2Fv1%2Fcheckouts%2F${id}%2Fpayment`]);
      assert.equal((await late.status(id)).code, '000.100.110', 'it can still be asked');
    }),
  ));

test('without a notificationUrl it is the result page, of a registration too', () =>
  hearing((heard, url) =>
    withShop(async (own, late, calls) => {
      const { id } = await late.create({ amount: '', currency: '', paymentType: '', createRegistration: 'true' });
      await late.browse('POST', `/v1/checkouts/${id}/registration`, await late.cardForm(id, { shopperResultUrl: `${url}/form` }));
      own.pass(29 * MINUTE_MS);
      assert.equal(await calls(), 1);
      assert.deepEqual(heard, [`/form?id=${id}&resourcePath=%2Fv1%2Fcheckouts%2F${id}%2Fregistration`]);
    }),
  ));

test('no call after the merchant has read the status, or when the shopper has never clicked', () =>
  hearing((heard, url) =>
    withShop(async (own, late, calls) => {
      const [asked, idle, again] = [
        await late.create({ notificationUrl: url }),
        await late.create({ notificationUrl: url }),
        await late.create({ notificationUrl: url }),
      ];
      await late.pay(asked.id);
      await late.status(asked.id);
      await late.status(idle.id);
      await late.status(again.id);
      await late.pay(again.id, { 'card.holder': '800.100.151' });
      await late.status(again.id);
      await late.pay(again.id);
      own.pass(29 * MINUTE_MS);
      assert.equal(await calls(), 1);
      assert.deepEqual(
        heard.map((path) => new URLSearchParams(path.slice(2)).get('id')),
        [again.id],
        'of the second try nobody has asked',
      );
    }),
  ));

test('a click in the last minute is followed by a call before the end', () =>
  hearing((heard, url) =>
    withShop(async (own, late, calls) => {
      const { id } = await late.create({ notificationUrl: url });
      own.pass(29.5 * MINUTE_MS);
      await late.pay(id);
      assert.equal(await calls(), 0);
      own.pass(10_000);
      assert.equal(await calls(), 1);
      assert.equal(heard.length, 1);
    }),
  ));

test('a failed call is repeated, twice at most and before the end', () =>
  hearing((heard, url, answer) =>
    withShop(async (own, late, calls) => {
      answer(500);
      const { id } = await late.create({ notificationUrl: url });
      await late.pay(id);
      own.pass(29 * MINUTE_MS);
      for (let seconds = 0; seconds < 120; seconds += 5) {
        await calls();
        own.pass(5_000);
      }
      assert.equal(heard.length, 3);
      assert.ok(id);
    }),
  ));

test('a call that fails harms nothing, and one to an inside address is not made', () =>
  hearing((heard, url) =>
    withShop(async (own, late, calls) => {
      const { id } = await late.create({ notificationUrl: url });
      await late.pay(id);
      own.pass(29 * MINUTE_MS);
      const outside = createOutbound({ timers });
      assert.deepEqual(await notifyMerchants(own.services.checkouts, outside.get), { called: 1, failed: 1 });
      assert.deepEqual(heard, []);
      own.pass(2 * MINUTE_MS);
      assert.equal(await calls(), 0, 'it is over');
      assert.equal(await calls(), 0);
    }),
  ));
