import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createLongReplies, longReplyBounds } from '../../src/http/merchantSlots.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { createClient, DEMO, type Fields, type Reply } from './client.ts';
import { startGateway } from './gateway.ts';

/** Lists of payments with full carts: what they show, without the items too, and what a merchant may have under way. */

const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-lists-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));

const ITEMS = 1_000;
const REFERENCE = { merchantTransactionId: 'order-10017' };

/** Four fields of each item, one of them with members of its own, and other fields around. */
const cart: Fields = Object.fromEntries([
  ['customer.givenName', 'Ann'],
  ...Array.from({ length: ITEMS }, (_, at) => [
    [`cart.items[${at}].name`, `A "pen" \\ ${at}`],
    [`cart.items[${at}].recipient.city`, 'Köln'],
    [`cart.items[${at}].price`, '1.00'],
    [`cart.items[${at}].recipient.street`, `${at} Market Street`],
  ]).flat(),
  ['customer.surname', 'Example'],
]);
const items = Array.from({ length: ITEMS }, (_, at) => ({
  name: `A "pen" \\ ${at}`,
  recipient: { city: 'Köln', street: `${at} Market Street` },
  price: '1.00',
}));

const listOf = ({ body }: Reply): readonly (Record<string, unknown> & { readonly cart?: { readonly items: unknown } })[] =>
  body.payments ?? body.records;

const isInPieces = ({ headers }: Reply): boolean => headers.get('transfer-encoding') === 'chunked';

for (const [name, openStore] of [
  ['memory', async () => createMemoryStore()],
  ['SQLite', () => openSqliteStore({ dataDir })],
] as const) {
  test(`${name}: a list shows long payments between short ones, with the items of their carts or without them`, async (t) => {
    const gateway = await startGateway({ store: await openStore(), isQuiet: true });
    t.after(() => gateway.close());
    const client = createClient(gateway.url);
    const ids: string[] = [];
    for (const fields of [{}, cart, { 'cart.items[0].name': 'pen', 'cart.payments[0].name': 'x' }, cart]) {
      const { id, body } = await client.pay({ ...REFERENCE, ...fields });
      assert.ok(id, JSON.stringify(body.result));
      ids.push(id);
    }
    const long = ids[1] as string;
    const refund = await client.refund(long, '2.00');
    const single = await client.send('GET', `/v1/payments/${long}`, {});
    assert.deepEqual(single.body.cart, { items });

    for (const path of ['/v1/query', '/v3/query', '/v1/payments']) {
      const list = await client.send('GET', path, REFERENCE);
      assert.deepEqual([list.status, isInPieces(list)], [200, true]);
      const shown = listOf(list);
      assert.deepEqual(
        shown.map(({ id }) => id),
        [...ids, refund.id],
      );
      assert.deepEqual(
        shown.map((one) => one.cart),
        [undefined, { items }, { items: [{ name: 'pen' }], payments: [{ name: 'x' }] }, { items }, undefined],
      );
      // The same members as alone, but for those that say of the request.
      const { buildNumber: _, ndc: __, timestamp: ___, ...others } = single.body;
      const { timestamp: ____, source: _____, paymentMethod: ______, shortId: _______, ...inList } = shown[1] ?? {};
      assert.deepEqual(inList, others);
      assert.deepEqual(Object.keys(inList), Object.keys(others));
      assert.deepEqual(list.body.pages, path === '/v3/query' ? 1 : undefined);

      const bare = await client.send('GET', path, { ...REFERENCE, includeCartItems: 'false' });
      assert.deepEqual(
        listOf(bare).map((one) => one.cart),
        [undefined, undefined, { payments: [{ name: 'x' }] }, undefined, undefined],
      );
      assert.deepEqual(
        listOf(bare).map(({ cart: _cart, ...one }) => one),
        shown.map(({ cart: _cart, ...one }) => one),
      );
    }
    for (const path of [`/v1/query/${long}`, `/v3/query/${long}`])
      for (const linked of ['true', 'false'])
        for (const includeCartItems of ['true', 'false']) {
          const { body, status } = await client.send('GET', path, { includeLinkedTransactions: linked, includeCartItems });
          assert.equal(status, 200);
          const first = (body.payments ?? body.records ?? [body])[0];
          assert.deepEqual([first.id, first.cart], [long, includeCartItems === 'true' ? { items } : undefined]);
        }
    const wrong = await client.send('GET', '/v1/query', { ...REFERENCE, includeCartItems: 'no' });
    assert.deepEqual([wrong.status, wrong.body.result.parameterErrors[0].name], [400, 'includeCartItems']);
  });
}

test('a merchant with too many long lists under way is told to wait, and others are not', async (t) => {
  const gateway = await startGateway({ isQuiet: true });
  t.after(() => gateway.close());
  const client = createClient(gateway.url);
  await client.pay({ ...REFERENCE, ...cart });
  await client.pay({ merchantTransactionId: 'order-10018' });
  const { longReplies } = gateway.services;
  const fill = (): (() => void)[] => {
    const ends: (() => void)[] = [];
    while (!longReplies.isFull(DEMO.merchantId)) ends.push(longReplies.begin(DEMO.merchantId));
    return ends;
  };
  const free = (): number => {
    const ends = fill();
    for (const end of ends) end();
    return ends.length;
  };
  const { underWayOfOne } = longReplyBounds;

  // Whether a reply was read, cut off by its client or had no body: none stays under way.
  const open = (method: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const search = new URLSearchParams({ entityId: DEMO.entityId, ...REFERENCE });
      const headers = { authorization: `Bearer ${DEMO.token}` };
      request(`${gateway.url}/v1/query?${search}`, { method, headers, agent: false }, resolve).on('error', reject).end();
    });
  for (let count = 0; count < 3; count += 1) {
    const head = await open('HEAD');
    assert.equal(head.statusCode, 200);
    head.resume();
    (await open('GET')).destroy();
    assert.equal((await client.send('GET', '/v1/query', REFERENCE)).status, 200);
  }
  while (free() < underWayOfOne) await new Promise((resolve) => void setImmediate(resolve));

  const [end] = fill();
  const refused = await client.send('GET', '/v1/query', REFERENCE);
  assert.deepEqual([refused.status, refused.code, refused.headers.get('retry-after')], [429, '800.120.100', '1']);
  assert.equal((await client.send('GET', '/v1/query', { merchantTransactionId: 'order-10018' })).status, 200);
  assert.equal(longReplies.isFull('another'), false);
  end?.();
  assert.equal((await client.send('GET', '/v1/query', REFERENCE)).status, 200);
});

test('lists are made two of a merchant and eight in all at a time, the merchants by turns, and none is refused', async () => {
  const { work } = createLongReplies();
  const ends: (() => void)[] = [];
  const running: string[] = [];
  const list = (merchantId: string) =>
    work(merchantId, async () => {
      running.push(merchantId);
      await new Promise<void>((resolve) => ends.push(resolve));
      return merchantId;
    });
  const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));
  const all = ['a', 'b', 'c', 'd', 'e'].flatMap((merchantId) => Array.from({ length: 40 }, () => list(merchantId)));
  await turn();
  assert.equal(running.join(''), 'aabbccdd');
  ends.shift()?.();
  await turn();
  assert.equal(running.at(-1), 'e');
  while (running.length < all.length || ends.length > 0) {
    ends.shift()?.();
    await turn();
  }
  assert.equal((await Promise.all(all)).length, 200);
});
