import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { clock, createIds } from '../../src/app/system.ts';
import { createGateway, type Gateway } from '../../src/http/gateway.ts';
import { createReplies } from '../../src/http/replies.ts';
import type { Services } from '../../src/http/services.ts';
import { downloadHeaders, fileHeaders, jsonHeaders, type Reply, unnamed } from '../../src/http/transport/reply.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { attendedTimers } from '../attended.ts';

/** Requests that go past the HTTP server are answered as it would answer them, in order, and while the gateway stops. */

const replies = createReplies({ clock, ids: createIds(clock.now) }, 'x');
const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (const text of ['one,', '', 'two,', 'x'.repeat(100_000), '\n']) yield Buffer.from(text);
}

async function* brokenPieces(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('one,');
  throw new Error('no more');
}

const plainReply: Reply = { ...unnamed, status: 200, headers: jsonHeaders, body: '{"a":"é€"}' };

/** The reply to a request by its body. */
const made: Readonly<Record<string, () => Reply | Promise<Reply>>> = {
  json: () => plainReply,
  refusal: () => replies.result('200.300.404', null, { status: 400, headers: ['Retry-After', '7'] }),
  empty: () => ({ ...plainReply, status: 204, body: '' }),
  unchanged: () => ({ ...plainReply, status: 304, headers: fileHeaders('text/css', 'max-age=1'), body: '' }),
  bytes: () => ({ ...plainReply, headers: fileHeaders('image/png', 'no-cache'), body: '', bytes: Buffer.from([0, 255, 13, 10]) }),
  large: () => ({ ...plainReply, body: 'é'.repeat(200_000) }),
  streamed: () => ({ ...plainReply, headers: downloadHeaders('text/csv', 'a.csv'), body: '', pieces: pieces() }),
  broken: () => ({ ...plainReply, headers: downloadHeaders('text/csv', 'a.csv'), body: '', pieces: brokenPieces() }),
  invalid: () => ({ ...plainReply, headers: ['X-Bad', 'a\nb'] }),
  last: () => ({ ...plainReply, isLast: true }),
  late: () => pause(400).then(() => plainReply),
  veryLate: () => pause(1_500).then(() => plainReply),
};

async function start(limits: Parameters<typeof createGateway>[0]['limits'] = {}): Promise<{ gateway: Gateway; port: number }> {
  const gateway = createGateway({
    replies,
    metrics: createMetrics(),
    log: createLog('fatal', { write: () => {} }, Date.now),
    tls: null,
    limits,
    handle: async (_services, request) => (made[request.body.toString('latin1')] ?? (() => plainReply))(),
  });
  const port = await gateway.listen(0, '127.0.0.1');
  gateway.open({} as Services);
  return { gateway, port };
}

/** How many requests the HTTP server has seen. */
let seen = 0;
const onSeen = (): void => {
  seen += 1;
};
before(() => subscribe('http.server.request.start', onSeen));
after(() => unsubscribe('http.server.request.start', onSeen));

const ask = (body: string, ...lines: readonly string[]): string =>
  ['POST /v1/payments HTTP/1.1', 'Host: x', ...lines, `Content-Length: ${body.length}`, '', body].join('\r\n');

class Client {
  readonly #socket: Socket;
  heard = '';
  isClosed = false;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    this.#socket.on('data', (chunk: Buffer) => this.#hear(chunk));
    this.#socket.on('error', () => {}).on('close', () => this.#close());
    this.#socket.on('end', () => this.#socket.end());
  }

  #hear(chunk: Buffer): void {
    this.heard += chunk.toString('latin1');
  }

  #close(): void {
    this.isClosed = true;
  }

  send(text: string): void {
    this.#socket.write(text, 'latin1');
  }

  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Waits until something is true, and takes what was heard until then. */
  async until(is: (heard: string) => boolean): Promise<string> {
    await attendedTimers.within(
      10_000,
      (async () => {
        while (!is(this.heard) && !this.isClosed) await pause(5);
      })(),
    );
    const { heard } = this;
    this.heard = '';
    return heard;
  }
}

const isWhole = (heard: string): boolean => {
  const at = heard.indexOf('\r\n\r\n');
  if (at < 0) return false;
  const head = heard.slice(0, at);
  if (/transfer-encoding: chunked/i.test(head)) return heard.endsWith('0\r\n\r\n');
  if (/^HTTP\/1\.1 (?:204|304) /.test(head)) return true;
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return heard.length >= at + 4 + length;
};

const one = await start();
after(() => one.gateway.stop());

/** The body of chunks, wherever they were cut. */
function joined(reply: string): string {
  const at = reply.indexOf('\r\n\r\n') + 4;
  if (!reply.slice(0, at).includes('chunked')) return reply;
  let [rest, body] = [reply.slice(at), ''];
  while (rest !== '') {
    const [line = '', size = ''] = /^([0-9a-f]+)\r\n/.exec(rest) ?? [];
    const from = line.length;
    const to = from + Number.parseInt(size, 16);
    assert.equal(rest.slice(to, to + 2), '\r\n', 'a chunk is as long as it says');
    body += rest.slice(from, to);
    rest = rest.slice(to + 2);
  }
  return reply.slice(0, at) + body;
}

/** A reply without what differs from one to the next. */
const comparable = (reply: string): string =>
  joined(reply)
    .replace(/^Date: .*$/m, 'Date: …')
    .replace(/"(?:ndc|timestamp)":"[^"]*"/g, '"…"')
    .replace(/(..)\1{99,}/g, (run, two) => `${two}*${run.length}`);

for (const [what, isClosing] of [
  ...['json', 'refusal', 'empty', 'unchanged', 'bytes', 'large', 'streamed'].map((name) => [name, false] as const),
  ['last', true] as const,
])
  test(`the reply "${what}" has the same bytes by both ways`, async () => {
    const reads: string[] = [];
    for (const isPlain of [false, true]) {
      const client = new Client(one.port);
      client.send(ask('json'));
      await client.until(isWhole);
      const before = seen;
      // In two pieces it is a request for the HTTP server.
      const text = ask(what);
      client.send(isPlain ? text : text.slice(0, 20));
      if (!isPlain) {
        await pause(30);
        client.send(text.slice(20));
      }
      reads.push(comparable(await client.until((heard) => isWhole(heard) && !isClosing)));
      assert.equal(seen - before, isPlain ? 0 : 1, 'which way it went');
      if (isClosing) assert.equal(client.isClosed, true, 'the connection ends');
      else {
        client.send(ask('json'));
        assert.match(await client.until(isWhole), /^HTTP\/1\.1 200 /, 'the connection goes on');
      }
      client.destroy();
    }
    assert.match(reads[0] ?? '', /^HTTP\/1\.1 \d{3} /);
    assert.equal(reads[1], reads[0]);
  });

/** A client whose first request was answered: the next one goes past the HTTP server. */
async function known(port: number): Promise<Client> {
  const client = new Client(port);
  client.send(ask('json'));
  await client.until(isWhole);
  return client;
}

const statusesIn = (heard: string): readonly string[] =>
  [...heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status);

test('a header that cannot be sent becomes an error of the gateway', async () => {
  const client = await known(one.port);
  client.send(ask('invalid'));
  assert.match(await client.until(isWhole), /^HTTP\/1\.1 500 Internal Server Error\r\n[\s\S]*"code":"600\.100\.100"/);
  client.destroy();
});

test('a reply that cannot be finished is cut off', async () => {
  const client = await known(one.port);
  client.send(ask('broken'));
  const heard = await client.until(() => client.isClosed);
  assert.equal(client.isClosed, true);
  assert.ok(!heard.endsWith('0\r\n\r\n'), 'it does not look whole');
});

test('what arrives while a request is being answered waits, and is answered after it', async () => {
  const client = await known(one.port);
  client.send(ask('late'));
  await pause(50);
  client.send(ask('refusal') + ask('json'));
  await pause(50);
  client.send(ask('refusal'));
  const heard = await client.until((text) => statusesIn(text).length === 4);
  assert.deepEqual(statusesIn(heard), ['200', '400', '200', '400']);
  client.destroy();
});

test('a client that closes its half behind a request gets the reply, and then the end', async () => {
  const client = await known(one.port);
  client.send(ask('late'));
  client.end();
  const heard = await client.until(() => client.isClosed);
  assert.deepEqual(statusesIn(heard), ['200']);
  assert.equal(client.isClosed, true);
});

test('a client that leaves before the reply does no harm', async () => {
  const client = await known(one.port);
  client.send(ask('late'));
  await pause(50);
  client.destroy();
  await pause(500);
  (await known(one.port)).destroy();
});

test('a body that comes later leaves the connection as it was, a head in pieces does not', async () => {
  const client = await known(one.port);
  const text = ask('refusal');
  for (const [cut, isPlainBehind] of [
    [text.length - 3, true],
    [text.length - 7, true],
    [20, false],
  ] as const) {
    const before = seen;
    client.send(text.slice(0, cut));
    await pause(30);
    client.send(text.slice(cut));
    await client.until(isWhole);
    assert.equal(seen - before, 1, 'the HTTP server has put it together');
    client.send(ask('json'));
    assert.deepEqual(statusesIn(await client.until(isWhole)), ['200']);
    assert.equal(seen - before, isPlainBehind ? 1 : 2, `cut at ${cut}`);
  }
  client.destroy();
});

test('a body that is longer than it says begins the next request', async () => {
  const client = await known(one.port);
  const text = ask('refusal');
  client.send(text.slice(0, -3));
  await pause(30);
  const before = seen;
  client.send(`${text.slice(-3)}${ask('json')}`);
  assert.deepEqual(statusesIn(await client.until((heard) => statusesIn(heard).length === 2)), ['400', '200']);
  client.send(ask('json'));
  await client.until(isWhole);
  assert.equal(seen - before, 2, 'all of them by the HTTP server; the first had begun before');
  client.destroy();
});

test('bytes behind half a head belong to it, also when they look like a request', async () => {
  const client = await known(one.port);
  client.send('GET /v1/payments/1 HTTP/1.1\r\nX-Half: ');
  await pause(50);
  const before = seen;
  client.send(ask('json'));
  assert.deepEqual(statusesIn(await client.until(isWhole)), ['200'], 'one request, whose header says POST');
  assert.equal(seen - before, 1, 'the HTTP server has read it');
  client.send(ask('json'));
  await client.until(isWhole);
  assert.equal(seen - before, 2, 'and reads what follows on this connection');
  client.destroy();
});

test('a gateway that stops answers what it has begun, and says that the connection ends', async () => {
  const { gateway, port } = await start();
  const [busy, idle] = [await known(port), await known(port)];
  busy.send(ask('late'));
  await pause(50);
  const stopped = gateway.stop();
  const heard = await busy.until(() => busy.isClosed);
  assert.deepEqual(statusesIn(heard), ['200']);
  assert.match(heard, /^Connection: close\r$/m);
  await attendedTimers.within(5_000, stopped);
  await idle.until(() => idle.isClosed);
  assert.equal(idle.isClosed, true);
});

test('a reply may take longer than an idle connection is kept', async () => {
  const { gateway, port } = await start({ keepAliveTimeout: 50, idleMs: 10_000 });
  const client = await known(port);
  client.send(ask('veryLate'));
  assert.deepEqual(statusesIn(await client.until(isWhole)), ['200']);
  await client.until(() => client.isClosed);
  assert.equal(client.isClosed, true, 'an idle connection ends');
  await gateway.stop();
});
