import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { timers } from '../src/app/system.ts';
import type { ExchangeRequest } from '../src/connectors/ports.ts';
import { createOutbound } from '../src/outbound/client.ts';
import { createAuthority } from './threeDS/authority.ts';

/** The way out of connectors: what was sent, what may have arrived, and which servers are reached at all. */

const open: { close(): void }[] = [];
after(() => {
  for (const server of open) server.close();
});

const here = createOutbound({ timers, reach: 'loopback' }).exchange;
const request = (url: string, given: Partial<ExchangeRequest> = {}): ExchangeRequest => ({
  method: 'POST',
  url,
  body: 'amount=12',
  books: true,
  withinMs: 3_000,
  ...given,
});

async function listen<Some extends Server | TlsServer>(server: Some): Promise<number> {
  open.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  return (server.address() as AddressInfo).port;
}

/** A server that treats the bytes of a request as the case wants. */
const raw = (treat: (socket: Socket, text: string) => void): Promise<number> =>
  listen(
    createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (bytes) => treat(socket, bytes.toString('latin1')));
    }),
  );

const answered = (body: string, head = '', length = body.length) =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n${head}\r\n${body}`;

const replies: readonly (readonly [what: string, treat: (socket: Socket) => void, is: string, reason: RegExp])[] = [
  ['a whole answer', (socket) => socket.end(answered('{"a":1}')), 'replied', /^$/],
  ['a cut connection', (socket) => socket.destroy(), 'unanswered', /ECONNRESET|socket/],
  ['an answer that ends early', (socket) => socket.end(answered('{"a"', '', 99)), 'unanswered', /early|aborted|ECONNRESET/],
  ['an answer that never comes', () => {}, 'unanswered', /in time/],
  ['an answer that is no HTTP', (socket) => socket.end('hello\r\n\r\n'), 'unanswered', /HPE/],
  ['an answer that is not UTF-8', (socket) => socket.end(Buffer.from(answered('\xff\xfe'), 'latin1')), 'unanswered', /UTF-8/],
  ['an answer that is too long', (socket) => socket.end(answered('x'.repeat(2_000))), 'unanswered', /too long/],
];

for (const [what, treat, is, reason] of replies) {
  test(`${what}: ${is}`, async () => {
    const port = await raw(treat);
    const result = await here(request(`http://127.0.0.1:${port}/pay`, { withinMs: 400, answerBytesMax: 1_000 }));
    assert.equal(result.is, is, JSON.stringify(result));
    assert.match(result.is === 'replied' ? '' : result.reason, reason);
  });
}

test('method, headers and body arrive as they were given, and names of headers come back in lower case', async () => {
  let seen = '';
  const port = await raw((socket, text) => {
    seen = text;
    socket.end(answered('ok', 'Request-Id: r1\r\n'));
  });
  const result = await here(
    request(`http://127.0.0.1:${port}/v1/pay?a=1`, { method: 'PUT', headers: { 'idempotency-key': 'k' } }),
  );
  assert.ok(result.is === 'replied' && result.headers['request-id'] === 'r1' && result.body === 'ok');
  assert.match(seen, /^PUT \/v1\/pay\?a=1 HTTP\/1\.1\r\n/);
  assert.match(seen, /idempotency-key: k\r\n/i);
  assert.match(seen, /\r\n\r\namount=12$/);
});

test('a port on which nothing listens: nothing was sent', async () => {
  const server = createServer();
  const port = await listen(server);
  await new Promise<void>((done) => server.close(() => done()));
  assert.equal((await here(request(`http://127.0.0.1:${port}/`))).is, 'notSent');
});

const forbidden = [
  'http://127.0.0.1:1/',
  'https://127.0.0.1:1/',
  'https://10.0.0.1/',
  'http://api.example.com/',
  'https://a@1.1.1.1/',
  'file:///etc/passwd',
  '',
];
for (const url of forbidden) {
  test(`outside tests ${JSON.stringify(url)} is not called`, async () => {
    const { exchange } = createOutbound({ timers, resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    assert.deepEqual((await exchange(request(url))).is, 'notSent');
  });
}

test('a name that means an address inside is called only when the operator has named it', async () => {
  const port = await raw((socket) => socket.end(answered('ok')));
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  const url = `http://localhost:${port}/`;
  const guarded = createOutbound({ timers, resolve }).exchange;
  assert.equal((await guarded(request(url))).is, 'notSent');
  const other = createOutbound({ timers, resolve, privateHosts: [`localhost:${port + 1}`] }).exchange;
  assert.equal((await other(request(url))).is, 'notSent');
  const named = createOutbound({ timers, resolve, privateHosts: [`localhost:${port}`] }).exchange;
  assert.equal((await named(request(url))).is, 'replied');
});

const authority = createAuthority('Acquirer Root');
const issued = authority.issue({ name: 'localhost' });
const client = authority.issue({ name: 'turnpike' });
const pin = hash('sha256', issued.x509.publicKey.export({ type: 'spki', format: 'der' }), 'base64');

/** A TLS server that says whether the client showed a certificate. */
const tlsServer = (needsClient: boolean): Promise<number> =>
  listen(
    createTlsServer(
      { cert: issued.cert, key: issued.key, ca: authority.cert, requestCert: needsClient, rejectUnauthorized: needsClient },
      (_request, response) => response.end('ok'),
    ),
  );

const ca = [authority.cert];
const tlsCases: readonly (readonly [what: string, needsClient: boolean, tls: ExchangeRequest['tls'], is: string])[] = [
  ['an unknown authority', false, {}, 'notSent'],
  ['a known authority', false, { ca }, 'replied'],
  ['the pinned key', false, { ca, pins: [pin] }, 'replied'],
  ['another key than the pinned one', false, { ca, pins: [hash('sha256', 'other', 'base64')] }, 'notSent'],
  ['a client certificate that the server wants', true, { ca, cert: client.cert, key: client.key }, 'replied'],
];

for (const [what, needsClient, tls, is] of tlsCases) {
  test(`TLS with ${what}: ${is}`, async () => {
    const port = await tlsServer(needsClient);
    const result = await here(request(`https://localhost:${port}/`, { ...(tls && { tls }) }));
    assert.equal(result.is, is, JSON.stringify(result));
  });
}

test('a client certificate that the server misses is no answer', async () => {
  const port = await tlsServer(true);
  assert.notEqual((await here(request(`https://localhost:${port}/`, { tls: { ca } }))).is, 'replied');
});
