import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { packCalls } from '../../src/developer/callBatch.ts';
import type { Call, CallBatch } from '../../src/developer/ports.ts';
import { NOW, nextId, type Opened } from './storeFixtures.ts';

/** Ids are as those of a gateway: the time, then chance, so that those of one millisecond have no order. */
const idOf = (at: number): string => at.toString(16).padStart(12, '0') + randomBytes(10).toString('hex');

const PER_MILLISECOND = 24;

const call = (changes: Partial<Call> = {}): Call => {
  const at = changes.at ?? NOW;
  return {
    id: idOf(at),
    at,
    merchantId: nextId(),
    entityId: nextId(),
    endpoint: 'pay',
    method: 'POST',
    path: '/v1/payments',
    status: 200,
    code: '000.100.110',
    ndc: null,
    ms: 1.25,
    origin: null,
    from: '192.0.2.7',
    who: null,
    againOf: null,
    paymentId: null,
    aboutIds: [],
    merchantTransactionId: null,
    fields: [{ name: 'amount', value: '92.00' }],
    unread: null,
    hasIdempotencyKey: false,
    answer: '{"result":{"description":"„Büro“"}}',
    ...changes,
  };
};

/** Calls are stored once, found by owner and content, and deleted by age and number. */
export function callsContract(name: string, opened: () => Opened): void {
  test(`${name}: a call comes back as stored, and is stored once`, async () => {
    const { store } = opened();
    const one = call();
    assert.equal(await store.call(one.id), null);
    const { merchantId, entityId } = one;
    const beside = [1, 2].map((later) => call({ merchantId, entityId, at: NOW + later }));
    await store.saveCalls(packCalls([one, call(), ...beside]));
    await store.saveCalls(packCalls([one, ...beside].map((again) => ({ ...again, status: 500 }))));
    for (const each of [one, ...beside]) assert.deepEqual(await store.call(each.id), each);
    await store.saveCalls([]);
    for (const [batch] of [packCalls([call()])]) await assert.rejects(store.saveCalls([{ ...(batch as CallBatch), calls: 0.5 }]));
  });

  test(`${name}: calls of long batches that overlap are paged in the order of their ids`, async () => {
    const { store } = opened();
    const [merchantId, entityId] = [nextId(), nextId()];
    const all = Array.from({ length: 700 }, (_, n) =>
      call({ merchantId, entityId, at: NOW + Math.floor(n / PER_MILLISECOND), merchantTransactionId: `o${n}` }),
    );
    // Two nodes write what they have recorded, each in its own order of time.
    for (const node of [0, 1]) await store.saveCalls(packCalls(all.filter((_, n) => n % 2 === node)));
    const merchants = { is: 'entity' as const, entityId };
    const newestFirst = all.toSorted((one, other) => (one.id < other.id ? 1 : -1));
    const expected = newestFirst.map(({ id }) => id);
    const paged: string[] = [];
    for (let after = {}; paged.length < all.length; ) {
      const page = await store.calls({ merchants, limit: 90, ...after });
      assert.ok(page.length > 0);
      paged.push(...page.map(({ id }) => id));
      after = { after: paged.at(-1) };
    }
    assert.deepEqual(paged, expected);
    const late = all[650] as Call;
    for (const each of all) assert.deepEqual(await store.call(each.id), each);
    assert.deepEqual(await store.calls({ merchants, limit: 5, text: 'O650' }), [late]);
    assert.deepEqual(await store.calls({ merchants, limit: 5, newer: expected[1] }), [newestFirst[0]]);
  });

  test(`${name}: calls of a channel, of a merchant and of several are paged, the newest first`, async () => {
    const { store } = opened();
    const [merchantId, entityId, other] = [nextId(), nextId(), nextId()];
    const mine = [5, 1, 3].map((later) => call({ merchantId, entityId, at: NOW + later }));
    const beside = call({ merchantId, at: NOW + 2 });
    const theirs = call({ merchantId: other, entityId: other, at: NOW + 4 });
    await store.saveCalls(packCalls([...mine.toSorted((one, two) => one.at - two.at), beside, theirs, call()]));
    const ids = async (asked: Omit<Parameters<typeof store.calls>[0], 'limit'>, limit = 50) =>
      (await store.calls({ ...asked, limit })).map(({ id }) => id);
    const sorted = (all: readonly Call[]) => all.map(({ id }) => id).toSorted((one, two) => (one < two ? 1 : -1));
    assert.deepEqual(await ids({ merchants: { is: 'entity', entityId } }), sorted(mine));
    assert.deepEqual(await ids({ merchants: { is: 'merchant', merchantId } }), sorted([...mine, beside]));
    const many = { is: 'merchants' as const, merchantIds: [other, merchantId] };
    assert.deepEqual(await ids({ merchants: many }), sorted([...mine, beside, theirs]));
    assert.deepEqual(await ids({ merchants: { is: 'merchants', merchantIds: [] } }), []);
    const page = await ids({ merchants: many }, 2);
    assert.deepEqual(page, sorted([...mine, theirs]).slice(0, 2));
    assert.deepEqual(await ids({ merchants: many, after: page[1] as string }), sorted([...mine, beside, theirs]).slice(2));
    assert.deepEqual(await ids({ merchants: many, newer: page[1] as string }), page.slice(0, 1));
    assert.deepEqual(
      await ids({ merchants: { is: 'merchant', merchantId }, from: NOW + 2, to: NOW + 5 }),
      sorted([beside, mine[2] as Call]),
    );
  });

  test(`${name}: calls are found by their content`, async () => {
    const { store } = opened();
    const [merchantId, paymentId] = [nextId(), nextId()];
    const merchants = { is: 'merchant' as const, merchantId };
    const paid = call({ merchantId, paymentId, aboutIds: [paymentId], merchantTransactionId: 'Order_7%', ndc: `x_${nextId()}` });
    const declined = call({ merchantId, at: NOW + 1, status: 400, code: '800.100.153', endpoint: 'refer' });
    const unnamed = call({ merchantId, at: NOW + 2, status: 404, code: '' });
    await store.saveCalls(packCalls([paid, declined, unnamed]));
    const found = async (asked: object) => (await store.calls({ merchants, limit: 50, ...asked })).map(({ id }) => id);
    assert.deepEqual(await found({ endpoint: 'refer' }), [declined.id]);
    assert.deepEqual(await found({ statuses: [400, 499] }), [unnamed.id, declined.id]);
    assert.deepEqual(await found({ code: '800.' }), [declined.id]);
    assert.deepEqual(await found({ code: '%' }), []);
    for (const text of ['order_7%', 'ORDER', paid.ndc ?? '', paid.id, paymentId.slice(4, 20)]) {
      assert.deepEqual(await found({ text }), [paid.id], text);
    }
    assert.deepEqual(await found({ text: 'order%7' }), [], 'a sign of the search is looked for like any other');
    assert.deepEqual(await found({ paymentId, text: 'order' }), [paid.id]);
    assert.deepEqual(await found({ paymentId: nextId() }), []);
  });

  test(`${name}: calls are deleted by age, and all but the newest of a merchant`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const old = call({ merchantId, at: 1_000 });
    const all = [1, 2, 3, 4].map((later) => call({ merchantId, at: NOW + later }));
    const other = call();
    for (const each of [old, ...all, other]) await store.saveCalls(packCalls([each]));
    assert.equal(await store.deleteCalls(2_000), 1);
    assert.equal(await store.call(old.id), null);
    assert.equal(await store.trimCalls(merchantId, 4), 0);
    assert.equal(await store.trimCalls(merchantId, 3), 1);
    const left = await store.calls({ merchants: { is: 'merchant', merchantId }, limit: 50 });
    assert.deepEqual(
      left.map(({ at }) => at),
      [NOW + 4, NOW + 3, NOW + 2],
    );
    assert.ok(await store.call(other.id));
  });
}
