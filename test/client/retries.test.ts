import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '../../src/client/client.ts';
import { TurnpikeError } from '../../src/client/errors.ts';

/** What a network does with one request: a reply, or no answer. */
type Turn = Response | Error;
type Sent = { readonly method: string; readonly url: string; readonly key: string | null; readonly body: string };

const paid = () => Response.json({ id: 'a'.repeat(32), result: { code: '000.100.110' } });
const status = (code: number, headers: Record<string, string> = {}, body: object = {}) =>
  Response.json(body, { status: code, headers });
const lost = () => new TypeError('fetch failed');

/** A client over a network that does these things in turn. */
function over(turns: readonly Turn[]) {
  const sent: Sent[] = [];
  const pauses: number[] = [];
  const left = [...turns];
  const client = createClient({
    url: 'https://pay.example/gateway/',
    token: 'token',
    entityId: 'e'.repeat(32),
    runtime: {
      fetch: async (url, init = {}) => {
        const headers = new Headers(init.headers);
        sent.push({
          method: init.method ?? '',
          url: String(url),
          key: headers.get('idempotency-key'),
          body: String(init.body ?? ''),
        });
        const turn = left.shift();
        if (turn === undefined) assert.fail('one request too many');
        if (turn instanceof Error) throw turn;
        return turn;
      },
      sleep: async (ms) => {
        pauses.push(ms);
      },
      random: () => 0.5,
      createKey: () => 'key-1',
    },
  });
  return { client, sent, pauses, left };
}

const order = { paymentType: 'DB', amount: 9200n, currency: 'EUR', paymentBrand: 'VISA' } as const;

test('a payment whose reply is lost is sent again with the same key and body', async () => {
  const { client, sent, pauses } = over([lost(), status(503), status(429, { 'retry-after': '3' }), paid()]);
  assert.equal((await client.createPayment(order)).result.code, '000.100.110');
  assert.deepEqual(pauses, [250, 500, 3_000]);
  assert.equal(new Set(sent.map((one) => JSON.stringify(one))).size, 1);
  assert.deepEqual(sent[0], {
    method: 'POST',
    url: 'https://pay.example/gateway/v1/payments',
    key: 'key-1',
    body: `entityId=${'e'.repeat(32)}&paymentType=DB&amount=92.00&currency=EUR&paymentBrand=VISA`,
  });
});

test('the key of the caller is used, and the error has it when no attempt was answered', async () => {
  const { client, sent } = over([lost(), lost(), lost(), lost()]);
  const failed = await client.createPayment(order, { idempotencyKey: 'order-17' }).catch((error: unknown) => error);
  assert.ok(failed instanceof TurnpikeError);
  assert.deepEqual([failed.kind, failed.attempts, failed.idempotencyKey, sent.length], ['network', 4, 'order-17', 4]);
});

type Case = readonly [what: string, turns: readonly Turn[], kind: string, attempts: number];
const cases: readonly Case[] = [
  [
    'a wrong parameter is not sent again',
    [status(400, {}, { result: { code: '200.300.404', parameterErrors: [{ name: 'amount' }] } })],
    'invalid',
    1,
  ],
  ['nor a token that is not known', [status(403, {}, { result: { code: '800.900.300' } })], 'unauthorised', 1],
  ['a pause longer than the limit ends the call', [status(429, { 'retry-after': '86400' })], 'throttled', 1],
  ['a server error without a promise is not repeated', [status(500)], 'server', 1],
  ['503 to the end', [status(503), status(503), status(503), status(503)], 'server', 4],
  ['a page of a proxy is no reply', [new Response('<html>', { status: 200 })], 'unreadable', 1],
  [
    'a redirect is not followed',
    [new Response(null, { status: 302, headers: { location: 'https://evil.example' } })],
    'unreadable',
    1,
  ],
];

for (const [what, turns, kind, attempts] of cases)
  test(what, async () => {
    const { client, left } = over(turns);
    await assert.rejects(client.createPayment(order), (error: TurnpikeError) => {
      assert.deepEqual([error.kind, error.attempts, left.length], [kind, attempts, 0]);
      return true;
    });
  });

test('a decline is a result and not an error; a refusal without a transaction is an error with the parameters', async () => {
  const declined = over([status(400, {}, { id: 'b'.repeat(32), result: { code: '800.100.155' } })]);
  assert.equal((await declined.client.createPayment(order)).result.code, '800.100.155');
  const refused = over([
    status(
      400,
      {},
      { ndc: 'n-1', result: { code: '200.300.404', parameterErrors: [{ name: 'amount', message: 'is required' }] } },
    ),
  ]);
  await assert.rejects(refused.client.createPayment(order), {
    name: 'TurnpikeError',
    code: '200.300.404',
    ndc: 'n-1',
    parameterErrors: [{ name: 'amount', message: 'is required' }],
  });
});

test('what has no key and no repeatable effect is sent once, except after 429', async () => {
  const lostDelete = over([lost()]);
  await assert.rejects(lostDelete.client.deleteRegistration('a'.repeat(32)), { kind: 'network', attempts: 1 });
  const throttled = over([status(429), paid()]);
  await throttled.client.deleteRegistration('a'.repeat(32));
  assert.equal(throttled.sent.length, 2);
});

test('a signal ends the call and its retries', async () => {
  const { client, sent } = over([lost(), paid()]);
  const ending = new AbortController();
  ending.abort(new Error('closed'));
  await assert.rejects(client.createPayment(order, { signal: ending.signal }), { message: 'closed' });
  assert.equal(sent.length, 1);
});

test('an id that could leave its place in the path is refused before anything is sent', async () => {
  const { client, sent } = over([]);
  for (const id of ['', '..', '../query', 'a/b', 'a?b=c', 'a#b', '%2e%2e', ' '])
    await assert.rejects(client.readPayment(id), { name: 'TypeError' }, id);
  assert.equal(sent.length, 0);
});

test('an address with user, query or another scheme is refused', () => {
  for (const url of [
    '',
    'pay.example',
    'ftp://pay.example',
    'https://user@pay.example',
    'https://pay.example/?a=b',
    'https://pay.example/#a',
  ])
    assert.throws(() => createClient({ url, token: 't', entityId: 'e' }), { name: 'TypeError' }, url);
});
