import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { say } from '../../../test/http/raw.ts';
import { type CutReason, createBudget } from './budget.ts';
import type { Call, Content } from './exchange.ts';
import type { Message } from './message.ts';
import type { Reply } from './reply.ts';
import { serve, type TransportOptions } from './server.ts';

/** The transport with a trivial program behind it, and no gateway. */

const MEGABYTE = 1_048_576;
const bounds = {
  requests: 4,
  replyBytes: 65_536,
  heldBytes: 16 * MEGABYTE,
  bodyBytes: 16 * MEGABYTE,
  unreadBytes: { ofNetwork: 2 * MEGABYTE, all: 8 * MEGABYTE },
  readMs: 100,
  perAddress: 100,
};
const BODY_BYTES_MAX = 1_000;

const replyOf = (status: number, body: string): Reply => ({
  status,
  headers: ['Content-Type', 'text/plain'],
  body,
  code: null,
  ndc: null,
  entityId: null,
});

async function* lines(count: number): AsyncGenerator<Uint8Array> {
  for (let line = 0; line < count; line += 1) yield Buffer.from(`${line}\n`.padStart(4_096, 'x'));
}

/** Answers with what it was sent; some paths name something else. */
const programs: Readonly<Record<string, (content: Content) => Promise<Reply>>> = {
  '/pieces': async () => ({ ...replyOf(200, ''), pieces: lines(3) }),
  '/endless': async () => ({ ...replyOf(200, ''), pieces: lines(100_000) }),
  '/long': async () => replyOf(200, 'x'.repeat(MEGABYTE)),
  '/broken': async () => ({ ...replyOf(200, ''), headers: ['X-Broken', 'a\r\nb'] }),
};

const servers: { stop(): Promise<void> }[] = [];
after(() => Promise.all(servers.map((server) => server.stop())));

async function start(limits: TransportOptions['limits'] = {}, readsPlain = true) {
  const cuts: CutReason[] = [];
  const replied: number[] = [];
  const budget = createBudget({
    bounds,
    now: () => performance.now(),
    isShared: () => true,
    onCut: (reason) => void cuts.push(reason),
  });
  const route = ({ method, url, headers }: Message): Call => ({
    bodyBytesMax: BODY_BYTES_MAX,
    takesFile: false,
    refuseByHead: () => (headers.authorization === 'no' ? replyOf(403, 'refused by its head') : null),
    sender: () => ({ is: 'known' }),
    handle: programs[url] ?? (async ({ body }) => replyOf(200, `${method} ${url} ${body.toString('latin1')}`)),
    replied: ({ status }) => void replied.push(status),
    notWritten: () => replyOf(500, 'not written'),
    cutOff: () => {},
  });
  const server = serve({
    route,
    refuse: (refusal) => replyOf(refusal.is === 'unreadable' ? refusal.status : 400, refusal.is),
    budget,
    date: () => 'Thu, 01 Jan 2026 00:00:00 GMT',
    tls: null,
    limits,
    readsPlain,
  });
  servers.push(server);
  return { server, budget, cuts, replied, port: await server.listen(0, '127.0.0.1') };
}

const get = (path: string, ...headers: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
const post = (body: string, ...headers: readonly string[]): string =>
  ['POST /echo HTTP/1.1', 'Host: x', `Content-Length: ${body.length}`, ...headers, '', body].join('\r\n');

/** Every kind of request, alone and behind another one on its connection. */
const asked: readonly (readonly [
  what: string,
  bytes: string | readonly string[],
  statuses: readonly number[],
  isClosed?: true,
])[] = [
  ['a request without a body', get('/a'), [200]],
  ['a body', post('a=1'), [200]],
  ['a body in two parts', [post('a=1').slice(0, -1), '1'], [200]],
  ['three requests in one breath', get('/a') + post('b') + get('/c'), [200, 200, 200]],
  ['three requests one after another', [get('/a'), post('b'), get('/c')], [200, 200, 200]],
  ['a body in chunks', 'POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na=1\r\n0\r\n\r\n', [200]],
  ['a reply in pieces', get('/pieces') + get('/b'), [200, 200]],
  ['a reply whose head cannot be written', get('/broken') + get('/b'), [500, 200]],
  ['a refusal by the head', get('/a', 'Authorization: no') + get('/b'), [403], true],
  ['two hosts', get('/a', 'Host: y') + get('/b'), [400], true],
  ['two lengths', post('a', 'Content-Length: 2') + get('/b'), [400], true],
  ['no HTTP', '\0\0nonsense\r\n\r\n', [400], true],
  ['a request followed by nonsense', `${post('a=1')}\0\0nonsense\r\n\r\n`, [200], true],
  ['a body that is too long', post('x'.repeat(BODY_BYTES_MAX + 1)) + get('/b'), [400], true],
  ['a head that is too long', get('/a', `X: ${'x'.repeat(20_000)}`), [431], true],
  ['an unknown expectation', post('a=1', 'Expect: more'), [400], true],
  ['a tunnel', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', [400], true],
];

for (const [what, bytes, statuses, isClosed = false] of asked)
  test(`${what}: ${statuses.join(', ')}`, async () => {
    const { port, budget } = await start();
    const heard = await say(port, bytes, 30_000, statuses.length);
    assert.deepEqual(heard.statuses, statuses, heard.text);
    assert.equal(heard.isClosed, isClosed);
    await budget.quiet();
    assert.deepEqual([budget.bodies.bytes, budget.heldBytes >= 0], [0, true]);
  });

test('the quick reading of plain requests changes no byte: the same is answered without it', async () => {
  const [quick, plain] = [await start(), await start({}, false)];
  for (const [what, bytes, statuses] of asked) {
    const behind = [get('/first'), ...(typeof bytes === 'string' ? [bytes] : bytes)];
    const [one, other] = await Promise.all([quick, plain].map(({ port }) => say(port, behind, 30_000, statuses.length + 1)));
    assert.equal(one?.text, other?.text, what);
  }
});

test('a head that does not end is cut off in time', async () => {
  const { port } = await start({ headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 20 });
  const { statuses, isClosed } = await say(port, 'GET / HTTP/1.1\r\nHost: x\r\n', 30_000);
  assert.deepEqual([statuses, isClosed], [[408], true]);
});

test('a client that does not read is cut off, and the budget has its bytes back', async () => {
  const { port, budget, cuts } = await start({ sweepMs: 20 });
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const closed = new Promise((resolve) => void socket.on('close', resolve));
  socket.pause().write(get('/endless'));
  while (cuts.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  socket.resume();
  await closed;
  assert.deepEqual(cuts, ['slowReader']);
  while (budget.connections > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(budget.heldBytes, 0);
});

test('of requests whose replies are not read, few are begun', async () => {
  const { port, budget, replied } = await start();
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.pause().write(get('/long').repeat(500));
  while (replied.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.ok(replied.length <= 20, `${replied.length} were answered`);
  assert.ok(budget.heldBytes <= 8 * MEGABYTE, `${budget.heldBytes} bytes are held`);
  socket.destroy();
});

test('a stop answers what was begun, and closes connections without a request immediately', async () => {
  const { server, port } = await start();
  const idle = connect(port, '127.0.0.1');
  await new Promise((resolve) => {
    idle.once('data', resolve).write(get('/a'));
  });
  const closed = new Promise((resolve) => void idle.once('close', resolve));
  await server.stop();
  await closed;
});
