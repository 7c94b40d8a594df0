import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type EndpointName, endpoints } from '../../src/spec/endpoints.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import type { Store } from '../../src/store/store.ts';
import { reportFigure } from '../figures.ts';
import { createClient, type Fields, type Reply } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { type PostCase, postCases } from './postCases.ts';

/**
 * Whichever call to the store fails while a request is carried out, and whether it fails before it has an effect or after: the same request
 * sent again is done once.
 */

type Failing = 'before' | 'after';
/** Lets the n-th call of the store fail; 0: none does. */
const strike: { at: number; when: Failing; calls: string[] } = { at: 0, when: 'before', calls: [] };
/** Counts the calls of one method, which all fail. */
const broken: { method: string | null; calls: number } = { method: null, calls: 0 };

/** The methods that the request itself does not wait for, or that answer without a database. */
const NOT_OF_THE_REQUEST: ReadonlySet<string> = new Set(['connections', 'close', 'outbox', 'keepCalls']);

const store = createMemoryStore();
const faulty: Store = new Proxy(store, {
  get(target, name) {
    const method = Reflect.get(target, name) as unknown;
    if (typeof method !== 'function' || NOT_OF_THE_REQUEST.has(String(name))) return method;
    return async (...given: readonly unknown[]): Promise<unknown> => {
      if (name === broken.method) {
        broken.calls += 1;
        throw new Error(`the store failed at ${String(name)}`);
      }
      if (strike.at === 0) return method(...given);
      strike.calls.push(String(name));
      const isStruck = strike.calls.length === strike.at;
      if (isStruck && strike.when === 'before') throw new Error(`the store failed at ${String(name)}`);
      const answer: unknown = await method(...given);
      if (isStruck) throw new Error(`the store failed after ${String(name)}`);
      return answer;
    };
  },
});

let gateway: TestGateway;
let shop: ReturnType<typeof createClient>;
before(async () => {
  gateway = await startGateway({ store: faulty, isQuiet: true });
  shop = createClient(gateway.url);
});
after(() => gateway.close());
const cases = postCases({
  send: (...asked) => shop.send(...asked),
  pay: (...asked) => shop.pay(...asked),
} as ReturnType<typeof createClient>);

const CALLS_MAX = 40;
let number = 0;

type Attempt = { readonly replies: readonly Reply[]; readonly calls: readonly string[]; readonly order: string };

/** A request during which a call fails, and the same again twice. */
async function sendThrice(name: string, { fields, named }: PostCase, at: number, when: Failing): Promise<Attempt> {
  const path = endpoints[name as EndpointName].path.replace('{id}', (await named?.()) ?? '');
  number += 1;
  const order = `every-call-${number}`;
  const body: Fields = { ...fields, ...(name !== 'extendLife' && { merchantTransactionId: order }) };
  const key = { 'idempotency-key': order };
  Object.assign(strike, { at, when, calls: [] });
  const first = await shop.send('POST', path, body, key);
  const { calls } = strike;
  strike.at = 0;
  const replies = [first];
  while (replies.length < 3) replies.push(await shop.send('POST', path, body, key));
  return { replies, calls, order };
}

const isMoney = (name: string): boolean => /^(?:pay|refer|capture|refund|reverse|payRegistered)$/.test(name);

async function approvedWith(order: string): Promise<readonly string[]> {
  const { body } = await shop.send('GET', '/v3/query', { merchantTransactionId: order });
  const records = (body.records ?? []) as { id: string; result: { code: string } }[];
  return records.filter(({ result }) => result.code.startsWith('000.')).map(({ id }) => id);
}

for (const [name, found] of Object.entries(cases)) {
  test(`${name}: any call of the store may fail, before or after its effect, and the request is done once`, async () => {
    const { replies: usual } = await sendThrice(name, found, 0, 'before');
    const expected = usual.map(({ status, code }) => `${status} ${code}`);
    assert.match(expected[0] ?? '', /^\d{3} 000\./);
    let struck = 0;
    for (const when of ['before', 'after'] as const) {
      for (let at = 1; at <= CALLS_MAX; at += 1) {
        const { replies, calls, order } = await sendThrice(name, found, at, when);
        if (calls.length < at) break;
        struck += 1;
        const what = `${when} ${calls[at - 1]}, call ${at}: ${replies.map(({ status, code }) => `${status} ${code}`).join(', ')}`;
        const [first, second, third] = replies as [Reply, Reply, Reply];
        const given = replies.map(({ status, code }) => `${status} ${code}`);
        assert.ok(given[0] === expected[0] || first.status >= 500, what);
        assert.deepEqual(given.slice(1), expected.slice(1), what);
        assert.equal(third.id, second.id, what);
        if (first.status < 500) assert.equal(first.id, second.id, what);
        if (isMoney(name)) assert.deepEqual(await approvedWith(order), [second.id], what);
        const events = store.outbox.filter(({ subjectId }) => subjectId === second.id).map(({ revision }) => revision);
        assert.deepEqual(events, [...new Set(events)], `${what}: one event for a revision`);
      }
    }
    assert.ok(struck >= 2, `${struck} calls failed`);
    reportFigure('R17', 'failed calls', struck);
  });
}

test('control: without a key, a payment whose commit is kept and not confirmed is done twice', async () => {
  const order = 'every-call-control';
  Object.assign(strike, { at: 1, when: 'after', calls: [] });
  await shop.pay({ merchantTransactionId: order });
  assert.deepEqual(strike.calls.slice(0, 1), ['commit']);
  strike.at = 0;
  await shop.pay({ merchantTransactionId: order });
  assert.equal((await approvedWith(order)).length, 2);
});

test('a payment by a token is answered also where its use cannot be noted', async (t) => {
  const held = await startGateway({ store: faulty, isQuiet: true, isClockHeld: true });
  t.after(() => held.close());
  const client = createClient(held.url);
  const token = await postCases(client).payRegistered?.named?.();
  held.pass(2 * 86_400_000);
  Object.assign(broken, { method: 'touch', calls: 0 });
  t.after(() => Object.assign(broken, { method: null }));
  const { code } = await client.send('POST', `/v1/registrations/${token}/payments`, {
    ...postCases(client).payRegistered?.fields,
  });
  assert.deepEqual([code, broken.calls], ['000.100.110', 1]);
});
