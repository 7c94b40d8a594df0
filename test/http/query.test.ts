import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ListTooLong } from '../../src/payments/storeErrors.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { testDatabase } from '../postgres.ts';
import { createClient, type Fields, OTHER, type Reply } from './client.ts';
import { type FreshShop, freshShops } from './freshShops.ts';
import { startGateway, type TestGateway } from './gateway.ts';

const { shops, rows } = freshShops(12);
let gateway: TestGateway;
before(async () => {
  gateway = await startGateway({ rows });
});
after(() => gateway.close());

const HOUR = 3_600_000;
const text = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
/** A time frame around now. */
const frame = (fields: Fields = {}): Fields => {
  const now = gateway.world.clock.now();
  return { 'date.from': text(now - HOUR), 'date.to': text(now + HOUR), ...fields };
};
const idsOf = ({ body }: Reply): string[] => (body.payments ?? body.records ?? []).map(({ id }: { id: string }) => id);
const clients = ({ merchant, channels }: FreshShop) => {
  const as = (who: FreshShop['merchant']) => {
    const client = createClient(gateway.url, who);
    return { ...client, find: (path: string, fields: Fields = {}) => client.send('GET', path, fields) };
  };
  const [first, second] = channels.map(as) as [ReturnType<typeof as>, ReturnType<typeof as>];
  return { merchant: as(merchant), first, second };
};
let used = 0;
const freshShop = () => clients(shops[used++] as FreshShop);

const BASE = ['buildNumber', 'timestamp', 'ndc'];
const MILLISECONDS = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\+0000$/;

test('a reference finds its payments, in the shape that clients know', async () => {
  const { first: shop } = freshShop();
  const debit = await shop.pay({ merchantTransactionId: 'order-10017', 'customParameters[SHOP]': 'x' });
  const refund = await shop.refund(debit.id, '10.00');
  await shop.pay({ merchantTransactionId: 'order-10018' });
  for (const path of ['/v1/query', '/v1/payments']) {
    const { status, body } = await shop.find(path, { merchantTransactionId: 'order-10017' });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['result', ...BASE, 'payments']);
    assert.deepEqual(body.result, { code: '000.000.100', description: 'successful request' });
    assert.match(body.timestamp, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+0000$/);
    assert.match(body.ndc, /^5eed[0-9]{28}-[0-9a-f]{32}$/);
    const [one, other] = body.payments;
    const own = ['id', 'paymentType', 'paymentBrand', 'amount', 'currency', 'descriptor', 'merchantTransactionId', 'result'];
    const sums = ['captured', 'refunded', 'reversed', 'disputed', 'remaining'].map((name) => `${name}Amount`);
    assert.deepEqual(Object.keys(one), [...own, 'resultDetails', 'card', 'customParameters', 'risk', ...sums, 'timestamp']);
    assert.deepEqual([one.id, other.id, body.payments.length], [debit.id, refund.id, 2]);
    assert.deepEqual(Object.keys(other).slice(0, 6), ['id', 'referencedId', 'paymentType', 'paymentBrand', 'amount', 'currency']);
    assert.deepEqual([other.referencedId, other.paymentType, other.amount], [debit.id, 'RF', '10.00']);
    for (const { timestamp, buildNumber, ndc } of body.payments) {
      assert.match(timestamp, MILLISECONDS);
      assert.deepEqual([buildNumber, ndc], [undefined, undefined]);
    }
  }
  const third = await shop.find('/v3/query', { merchantTransactionId: 'order-10017' });
  assert.deepEqual(Object.keys(third.body), ['result', ...BASE, 'records', 'pages']);
  assert.equal(third.body.pages, 1);
  assert.match(third.body.records[0].shortId, /^\d{4}\.\d{4}\.\d{4}$/);
  assert.deepEqual([third.body.records[0].paymentMethod, third.body.records[0].source], ['CC', 'OPP']);
  const onlyRefunds = await shop.find('/v3/query', { merchantTransactionId: 'order-10017', paymentTypes: 'RF, CP' });
  assert.deepEqual(idsOf(onlyRefunds), [refund.id]);
});

test('a live client’s reference with only a beginning finds all the same', async () => {
  const { first: shop } = freshShop();
  const debit = await shop.pay({ merchantTransactionId: 'order-10017' });
  const asked = { merchantTransactionId: 'order-10017', 'date.from': '2025-01-01 00:00:00', paymentTypes: 'DB' };
  const found = await shop.find('/v3/query', asked);
  assert.deepEqual([found.code, idsOf(found)], ['000.000.100', [debit.id]]);
});

test('an id finds one payment, or the list of all that belong to it', async () => {
  const { first: shop, second, merchant } = freshShop();
  const authorised = await shop.pay({ paymentType: 'PA' });
  const capture = await shop.capture(authorised.id, '60.00');
  const refund = await shop.refund(capture.id, '5.00');
  const one = await shop.find(`/v1/query/${capture.id}`);
  assert.deepEqual([one.status, one.id, one.body.referencedId, one.body.payments], [200, capture.id, authorised.id, undefined]);
  assert.deepEqual(Object.keys(one.body).slice(-3), BASE);
  const record = await shop.find(`/v3/query/${capture.id}`);
  assert.deepEqual(Object.keys(record.body), ['result', ...BASE, 'records']);
  assert.deepEqual(idsOf(record), [capture.id]);
  const linked = { includeLinkedTransactions: 'true' };
  for (const path of ['/v1/query', '/v3/query']) {
    for (const id of [authorised.id, capture.id, refund.id]) {
      const all = await shop.find(`${path}/${id}`, linked);
      assert.deepEqual(idsOf(all), [authorised.id, capture.id, refund.id]);
      assert.deepEqual(Object.keys(all.body), ['result', ...BASE, path === '/v1/query' ? 'payments' : 'records']);
    }
  }
  assert.deepEqual(idsOf(await shop.find(`/v3/query/${authorised.id}`, { ...linked, paymentTypes: 'RF' })), [refund.id]);
  assert.deepEqual(idsOf(await merchant.find(`/v3/query/${capture.id}`)), [capture.id]);
  for (const [who, id, fields] of [
    [shop, 'f'.repeat(32), {}],
    [shop, 'no-id', {}],
    [shop, capture.id, { paymentTypes: 'RF' }],
    [shop, capture.id, { paymentMethods: 'DD' }],
    [shop, capture.id, { testMode: 'EXTERNAL' }],
    [second, capture.id, linked],
  ] as const) {
    for (const path of ['/v1/query', '/v3/query']) {
      const none = await who.find(`${path}/${id}`, fields);
      assert.deepEqual([none.status, none.code], [404, '700.400.580']);
      assert.deepEqual(Object.keys(none.body), ['result', ...BASE]);
      assert.equal(none.body.result.description, 'cannot find transaction');
    }
  }
});

test('what was declined, stored or refused is found with its type', async () => {
  const { first: shop } = freshShop();
  await shop.pay({ 'card.number': '4200000000000001' });
  const stored = await shop.send('POST', '/v1/registrations', {
    paymentBrand: 'VISA',
    'card.number': '4200000000000000',
    'card.holder': 'Ann Example',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
  });
  await shop.send('DELETE', `/v1/registrations/${stored.id}`, {});
  const { body } = await shop.find('/v3/query', frame());
  assert.deepEqual(
    body.records.map(({ paymentType, result }: { paymentType: string; result: { code: string } }) => [paymentType, result.code]),
    [
      ['DB', '100.100.101'],
      ['RG', '000.100.110'],
      ['DR', '000.100.110'],
    ],
  );
  assert.equal(body.records[0].amount, '92.00');
  assert.deepEqual(idsOf(await shop.find('/v3/query', frame({ paymentTypes: 'RG' }))), [stored.id]);
});

test('a channel sees itself, a merchant its channels, another merchant nothing', async () => {
  const { first, second, merchant } = freshShop();
  const one = await first.pay({ merchantTransactionId: 'order-both' });
  const other = await second.pay({ merchantTransactionId: 'order-both' });
  for (const asked of [{ merchantTransactionId: 'order-both' }, frame()]) {
    assert.deepEqual(idsOf(await first.find('/v3/query', asked)), [one.id]);
    assert.deepEqual(idsOf(await second.find('/v3/query', asked)), [other.id]);
    assert.deepEqual(idsOf(await merchant.find('/v3/query', asked)), [one.id, other.id]);
  }
  const stranger = createClient(gateway.url, OTHER);
  for (const [path, fields] of [
    [`/v1/query/${one.id}`, {}],
    [`/v3/query/${one.id}`, { includeLinkedTransactions: 'true' }],
    ['/v1/query', { merchantTransactionId: 'order-both' }],
  ] as const) {
    const none = await stranger.send('GET', path, fields);
    assert.deepEqual([none.status, none.code], [404, '700.400.580']);
  }
  const foreign = await stranger.send('GET', '/v3/query', { ...frame(), entityId: shops[0]?.merchant.entityId ?? '' });
  assert.equal(foreign.status, 403);
});

test('a time frame has both its seconds, and filters that go together', async () => {
  const { first: shop } = freshShop();
  const card = await shop.pay({ paymentType: 'PA' });
  const debit = await shop.pay({
    paymentBrand: 'DIRECTDEBIT_SEPA',
    'bankAccount.holder': 'Ann Example',
    'bankAccount.iban': 'DE23100000001234567890',
    'bankAccount.bic': 'MARKDEF1100',
    'bankAccount.country': 'DE',
    testMode: 'EXTERNAL',
    'card.number': '',
    'card.holder': '',
    'card.expiryMonth': '',
    'card.expiryYear': '',
    'card.cvv': '',
  });
  const [first] = (await shop.find('/v3/query', frame())).body.records;
  const second = String(first.timestamp).slice(0, 19);
  assert.ok(idsOf(await shop.find('/v3/query', { 'date.from': second, 'date.to': second })).includes(card.id));
  assert.deepEqual(idsOf(await shop.find('/v3/query', frame({ paymentMethods: 'DD' }))), [debit.id]);
  assert.deepEqual(idsOf(await shop.find('/v3/query', frame({ paymentTypes: 'PA', paymentMethods: 'CC' }))), [card.id]);
  assert.deepEqual(idsOf(await shop.find('/v3/query', frame({ testMode: 'INTERNAL' }))), [card.id]);
  assert.deepEqual(idsOf(await shop.find('/v3/query', frame({ shortId: first.shortId }))), [card.id]);
  assert.deepEqual(Object.keys((await shop.find('/v1/query', frame())).body), ['result', ...BASE, 'payments', 'pages']);
  const capture = await shop.capture(card.id, '1.00');
  gateway.pass(3 * HOUR);
  const late = await shop.capture(card.id, '2.00');
  const found = await shop.find('/v3/query', frame({ includeLinkedTransactions: 'true' }));
  assert.deepEqual(idsOf(found), [card.id, capture.id, late.id]);
  for (const fields of [
    { paymentTypes: 'PA' },
    { shortId: first.shortId },
    { 'date.from': '2001-01-01 00:00:00', 'date.to': '2001-01-02 00:00:00' },
  ] as Fields[]) {
    const none = await shop.find('/v3/query', frame(fields));
    assert.deepEqual([none.status, none.code], [404, '700.400.580']);
  }
});

test('what does not go together is refused by name', async () => {
  const { first: shop } = freshShop();
  const { id } = await shop.pay({ merchantTransactionId: 'order-10017' });
  const cases: [path: string, fields: Fields, ...names: string[]][] = [
    ['/v3/query', {}, 'merchantTransactionId'],
    ['/v1/payments', {}, 'merchantTransactionId'],
    ['/v3/query', { 'date.from': '2025-01-01 00:00:00' }, 'date.to'],
    ['/v3/query', { 'date.to': '2025-01-01 00:00:00' }, 'date.from'],
    ['/v3/query', frame({ merchantTransactionId: 'order-10017' }), 'merchantTransactionId'],
    ['/v3/query', { 'date.from': '2025-01-02 00:00:00', 'date.to': '2025-01-01 00:00:00' }, 'date.to'],
    ['/v3/query', { shortId: '1234.5678.9012' }, 'merchantTransactionId', 'date.from', 'date.to'],
    ['/v3/query', frame({ limit: '20' }), 'limit'],
    ['/v3/query', frame({ limit: '501' }), 'limit'],
    ['/v3/query', frame({ pageNo: '0' }), 'pageNo'],
    ['/v3/query', frame({ paymentTypes: 'DB,DB2' }), 'paymentTypes'],
    ['/v3/query', frame({ paymentMethods: 'XX' }), 'paymentMethods'],
    ['/v3/query', frame({ includeLinkedTransactions: 'yes' }), 'includeLinkedTransactions'],
    ['/v3/query', frame({ testMode: 'LIVE' }), 'testMode'],
    [`/v1/query/${id}`, { merchantTransactionId: 'order-10017' }, 'merchantTransactionId'],
    [`/v3/query/${id}`, frame(), 'date.from', 'date.to'],
    [`/v3/query/${id}`, { shortId: '1234.5678.9012' }, 'shortId', 'date.from', 'date.to'],
  ];
  for (const [path, fields, ...names] of cases) {
    const { status, code, body } = await shop.find(path, fields);
    const named = (body.result.parameterErrors ?? []).map(({ name }: { name: string }) => name);
    assert.deepEqual([status, code, named.toSorted()], [400, '200.300.404', names.toSorted()], JSON.stringify([path, fields]));
  }
});

test('pages are whole and without doubles while new payments arrive', async () => {
  const { first: shop, second } = freshShop();
  const made: string[] = [];
  for (let round = 0; round < 9; round += 1) {
    made.push(...(await Promise.all(Array.from({ length: 25 }, () => shop.pay()))).map(({ id }) => id));
  }
  const asked = frame();
  const found: string[] = [];
  for (let pageNo = 1; pageNo <= 3; pageNo += 1) {
    const [page] = await Promise.all([
      shop.find('/v3/query', { ...asked, pageNo: String(pageNo) }),
      ...Array.from({ length: 10 }, () => shop.pay()),
      second.pay(),
    ]);
    assert.ok(page.body.records.length === 100 || pageNo === 3);
    found.push(...idsOf(page));
  }
  assert.equal(new Set(found).size, found.length);
  assert.deepEqual(new Set(found.slice(0, 225)), new Set(made));
  const last = await shop.find('/v3/query', { ...asked, limit: '500' });
  assert.deepEqual([last.body.pages, last.body.records.length], [1, 255]);
  assert.equal((await shop.find('/v3/query', { ...asked, pageNo: '4' })).status, 404);
});

test('a test mode is nothing for the live environment', async () => {
  const live = await startGateway({ environment: 'live', rows });
  try {
    const shop = createClient(live.url, shops[0]?.channels[0]);
    const refused = await shop.send('GET', '/v3/query', { merchantTransactionId: 'o', testMode: 'INTERNAL' });
    assert.deepEqual([refused.status, refused.code], [400, '600.200.701']);
    assert.equal((await shop.send('GET', '/v3/query', { merchantTransactionId: 'o' })).status, 404);
  } finally {
    await live.close();
  }
});

test('SQLite and PostgreSQL answer the same', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-query-'));
  const { url, drop } = await testDatabase();
  const nodes = [
    await startGateway({ rows, store: await openSqliteStore({ dataDir }) }),
    await startGateway({ rows, store: await openPostgresStore({ url }) }),
  ];
  t.after(async () => {
    for (const node of nodes) await node.close();
    rmSync(dataDir, { recursive: true });
    await drop();
  });
  const answers = nodes.map(async (node) => {
    const client = createClient(node.url, shops[0]?.channels[0]);
    const pages: unknown[] = [];
    const authorised = await client.pay({ paymentType: 'PA', merchantTransactionId: 'order-10017' });
    const capture = await client.capture(authorised.id, '60.00');
    await client.refund(capture.id, '5.00');
    for (let number = 0; number < 120; number += 1) await client.pay({ amount: `${number}.00` });
    const around = { 'date.from': text(Date.now() - HOUR), 'date.to': text(Date.now() + HOUR) };
    for (const [path, fields] of [
      ['/v1/query', { merchantTransactionId: 'order-10017' }],
      [`/v1/query/${capture.id}`, { includeLinkedTransactions: 'true' }],
      ['/v3/query', around],
      ['/v3/query', { ...around, pageNo: '2' }],
      ['/v3/query', { ...around, paymentTypes: 'CP,RF' }],
    ] as const) {
      const { status, body } = await client.send('GET', path, fields);
      const shown = (body.payments ?? body.records).map((one: { paymentType: string; amount: string; result: object }) => [
        ...[one.paymentType, one.amount, one.result, Object.keys(one)],
      ]);
      pages.push([status, Object.keys(body), body.pages, shown]);
    }
    return pages;
  });
  const [one, other] = await Promise.all(answers);
  assert.deepEqual(one, other);
  assert.equal((one as unknown[][])[3]?.[2], 2);
});

const tooLong: readonly (readonly [what: string, fields: () => Fields, name: string])[] = [
  ['a period', () => frame(), 'date.to'],
  ['a reference', () => ({ merchantTransactionId: 'order' }), 'merchantTransactionId'],
];
for (const [what, fields, name] of tooLong) {
  test(`${what} with more than is read at once is refused, and the message says what to do`, async () => {
    const store = createMemoryStore();
    const refuse = () => Promise.reject(new ListTooLong(50_000_000));
    const other = await startGateway({ store: { ...store, within: refuse, named: refuse } });
    try {
      const { status, body } = await createClient(other.url).send('GET', '/v1/query', fields());
      assert.equal(status, 400);
      assert.deepEqual(body.result.parameterErrors, [
        {
          name,
          value: null,
          message:
            'the transactions that were found have 48 MB, at most 32 are read together: ask for a shorter period, for single ones by their ids, or with includeCartItems=false',
        },
      ]);
    } finally {
      await other.close();
    }
  });
}
