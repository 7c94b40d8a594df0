import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { endpoints } from '../../src/spec/endpoints.ts';
import { createClient, DEMO, type Fields } from './client.ts';
import { startGateway } from './gateway.ts';
import { say } from './raw.ts';

const CHOOSY = {
  entityId: '5eed0000000000000000000000000c01',
  token: 'NWVlZDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwYTF8c2FuZGJveC1kZW1v',
} as const;
const gateway = await startGateway({
  patienceMs: 200,
  rows: {
    entities: [
      {
        id: CHOOSY.entityId,
        parentId: DEMO.merchantId,
        kind: 'channel',
        name: 'Choosy_Shop',
        settings: { shopperResultHosts: ['shop.example', '*.shops.example'] },
      },
    ],
    tokens: [],
  },
});
const live = await startGateway({ environment: 'live', patienceMs: 200 });
after(() => Promise.all([gateway.close(), live.close()]));

const NO_CARD = { 'card.number': '', 'card.holder': '', 'card.expiryMonth': '', 'card.expiryYear': '', 'card.cvv': '' };
const payWith = (shopperResultUrl: string, client = createClient(gateway.url)) =>
  client.pay({ ...NO_CARD, paymentBrand: 'PAYPAL', shopperResultUrl } satisfies Fields);
const returnPath = (name: string) => endpoints.shopperReturn.path.replace('{id}', () => name);
const locationOf = async (id: string) => {
  const response = await fetch(gateway.url + returnPath(`${DEMO.merchantId}.${id}`), { redirect: 'manual' });
  return [response.status, response.headers.get('location')] as const;
};

const refused: readonly (readonly [what: string, url: string])[] = [
  ['no scheme', 'shop.example/result'],
  ['relative', '/result'],
  ['relative to the scheme', '//evil.example/'],
  ['a script', 'javascript:alert(1)//https://shop.example'],
  ['a script with a host', 'javascript://shop.example/%0aalert(1)'],
  ['data', 'data:text/html,x'],
  ['an app', 'com.example.shop://result'],
  ['FTP', 'ftp://shop.example/'],
  ['a user name', 'https://shop.example@evil.example/'],
  ['a user name with a password', 'https://shop.example:x@evil.example/'],
  ['a backslash', 'https://shop.example\\@evil.example/'],
  ['no host', 'https:///evil.example'],
  ['no host with a port', 'https://:443/'],
  ['a blank', 'https://shop.example/a b'],
  ['a new line', 'https://shop.example/\r\nSet-Cookie: a=b'],
  ['a tab', 'https://shop\t.example/'],
  ['a text that turns round', 'https://shop.example/\u202eelpmaxe'],
  ['too long', `https://shop.example/${'a'.repeat(2100)}`],
];
for (const [what, url] of refused) {
  test(`${what}: no address to come back to`, async () => {
    const { status, code, body } = await payWith(url);
    assert.deepEqual([status, code], [400, '200.300.404']);
    assert.deepEqual(
      body.result.parameterErrors.map(({ name }: { name: string }) => name),
      ['shopperResultUrl'],
    );
  });
}

const said = (id: string) => `id=${id}&resourcePath=%2Fv1%2Fpayments%2F${id}`;
const kept: readonly (readonly [given: string, before: string, after: string])[] = [
  ['https://shop.example', 'https://shop.example?', ''],
  ['http://127.0.0.1:8080/done', 'http://127.0.0.1:8080/done?', ''],
  ['https://shop.example/?a=b&a=c&d', 'https://shop.example/?a=b&a=c&d&', ''],
  ['https://shop.example/x?next=https%3A%2F%2Fevil.example', 'https://shop.example/x?next=https%3A%2F%2Fevil.example&', ''],
  ['https://shop.example/x%0d%0aSet-Cookie:%20a=b', 'https://shop.example/x%0d%0aSet-Cookie:%20a=b?', ''],
  ['https://shop.example/#/result?x=1', 'https://shop.example/?', '#/result?x=1'],
  ['https://shop.example/a?b=%C3%BC#c', 'https://shop.example/a?b=%C3%BC&', '#c'],
];
for (const [given, before, behind] of kept) {
  test(`${given}: query and fragment of its own are kept`, async () => {
    const { id } = await payWith(given);
    assert.deepEqual(await locationOf(id), [303, `${before}${said(id)}${behind}`]);
  });
}

for (const given of ['https://münchen.example/ü?ö=ä', 'https://shop.example/結果?x=支払い#終', 'https://shop.example/😀']) {
  test(`${given}: signs beyond ASCII arrive as a browser writes them`, async () => {
    const { id } = await payWith(given);
    const [status, location] = await locationOf(id);
    assert.equal(status, 303);
    const arrived = new URL(location ?? '');
    const meant = new URL(given);
    assert.deepEqual([arrived.host, arrived.pathname, arrived.hash], [meant.host, meant.pathname, meant.hash]);
    assert.equal(arrived.searchParams.get('id'), id);
    assert.match(location ?? '', /^[\x21-\x7e]+$/);
  });
}

test('a channel that lists its hosts is come back to on those alone', async () => {
  const choosy = createClient(gateway.url, CHOOSY);
  for (const url of ['https://shop.example/x', 'https://pay.shops.example/', 'https://SHOP.EXAMPLE/'])
    assert.equal((await payWith(url, choosy)).code, '000.200.000', url);
  for (const url of [
    'https://evil.example/shop.example',
    'https://shop.example.evil.example/',
    'https://shops.example/',
    'https://evilshops.example/',
    'https://shop.example:8443/',
    'https://shop.example。evil.example/',
  ]) {
    const { code, body } = await payWith(url, choosy);
    assert.equal(code, '200.300.404', url);
    assert.equal(body.result.parameterErrors[0].name, 'shopperResultUrl');
  }
});

test('in live the shopper returns over TLS alone', async () => {
  const shop = createClient(live.url);
  const named = ({ body }: Awaited<ReturnType<typeof payWith>>) =>
    (body.result.parameterErrors ?? []).map(({ name }: { name: string }) => name);
  assert.deepEqual(named(await payWith('http://shop.example/', shop)), ['shopperResultUrl']);
  assert.deepEqual(named(await payWith('HTTP://shop.example/', shop)), ['shopperResultUrl']);
  assert.deepEqual(named(await payWith('https://shop.example/', shop)), []);
});

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: gateway.example\r\nConnection: close\r\n\r\n`;
const EVIL = 'https://evil.example';
const NOBODY = '0'.repeat(32);

/** Known tricks of open redirects. */
const piece = fc.oneof(
  fc.constantFrom('//evil.example', '%2f%2fevil.example', '%5cevil.example', EVIL, 'https:%2f%2fevil.example', '@evil.example'),
  fc.constantFrom('%0d%0aLocation:%20https://evil.example', '%0a', '%00', '..', '%2e%2e%2f', ';', '?', '#', '%', '%ff', '%c0%af'),
  fc.constantFrom(
    '.',
    DEMO.merchantId,
    NOBODY,
    'javascript:alert(1)',
    '?shopperResultUrl=https://evil.example',
    '?id=//evil.example',
  ),
  fc.constantFrom('__proto__', 'constructor', '\x80', '\xff', '%E2%80%AE', 'a'.repeat(2_000)),
  fc.string({ maxLength: 6 }).map((text) => text.replace(/[\s\u0100-\uffff]/gu, '~')),
);

test('whatever follows the address of the return, it redirects to no foreign address', async () => {
  const segments = fc.array(piece, { maxLength: 5 }).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(segments, async (segment) => {
      const { text, statuses } = await say(gateway.port, get(returnPath(segment)));
      assert.equal(statuses.length, 1, segment);
      assert.ok(statuses[0] !== undefined && statuses[0] >= 400 && statuses[0] < 500, `${segment}: ${statuses[0]}`);
      assert.doesNotMatch(text, /^(?:location|refresh|set-cookie):/im, segment);
    }),
    { numRuns: 300 },
  );
});

test("nor does anything added to a good one: the shopper goes to the merchant's address", async () => {
  const { id } = await payWith('https://shop.example/done');
  const good = returnPath(`${DEMO.merchantId}.${id}`);
  const expected = `https://shop.example/done?${said(id)}`;
  const tails = fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(tails, fc.constantFrom('?', '?x=', ''), async (tail, mark) => {
      const { text, statuses } = await say(gateway.port, get(`${good}${mark}${tail}`));
      assert.equal(statuses.length, 1);
      const [, location] = /^location: (.*)\r$/im.exec(text) ?? [];
      if (location !== undefined) assert.equal(location, expected);
      else assert.ok((statuses[0] ?? 0) >= 400 && (statuses[0] ?? 0) < 500, `${tail}: ${statuses[0]}`);
    }),
    { numRuns: 300 },
  );
});

test('a header that names another host, or a form, changes nothing', async () => {
  const { id } = await payWith('https://shop.example/done');
  const good = returnPath(`${DEMO.merchantId}.${id}`);
  const form = `shopperResultUrl=${encodeURIComponent(EVIL)}`;
  const requests = [
    `GET ${good} HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nConnection: close\r\n\r\n`,
    `POST ${good} HTTP/1.1\r\nHost: a.example\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
      `Content-Length: ${form.length}\r\nConnection: close\r\n\r\n${form}`,
  ];
  for (const request of requests) {
    const { text, statuses } = await say(gateway.port, request);
    assert.deepEqual(statuses, [303]);
    assert.ok(text.includes(`Location: https://shop.example/done?${said(id)}\r\n`));
  }
});

test('an address as long as a request may be is turned away, and the next one is answered', async () => {
  for (const length of [4_000, 60_000]) {
    const { text, statuses } = await say(gateway.port, get(returnPath('a'.repeat(length))));
    assert.ok((statuses[0] ?? 0) >= 400 && (statuses[0] ?? 0) < 500, `${length}: ${statuses[0]}`);
    assert.doesNotMatch(text, /^location:/im);
  }
  const { id } = await payWith('https://shop.example/done');
  assert.equal((await locationOf(id))[0], 303);
});
