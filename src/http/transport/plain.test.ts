import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { ambiguousHeads } from '../../../test/http/ambiguousHeads.ts';
import type { Kept } from '../../../test/http/plainHeap.ts';
import { createReadPlain } from './plain.ts';

type Heard = { readonly method: string; readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: string };

/** What the HTTP server of Node.js makes of bytes: every request that it reads, and whether it refused any of them. */
function createOracle() {
  let heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      heard.push({ method, url, headers: { ...headers }, body: Buffer.concat(chunks).toString('latin1') });
      response.end();
    });
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  return {
    listen: () => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)),
    close: () => server.close(),
    read: (bytes: Buffer): Promise<readonly Heard[]> => {
      heard = [];
      return new Promise((resolve) => {
        const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
        socket.on('error', () => {}).on('close', () => resolve(heard));
        socket.resume().end(bytes);
      });
    },
  };
}

const oracle = createOracle();
await oracle.listen();
after(() => oracle.close());

const readPlain = createReadPlain();
const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');
const plainOf = (text: string): Heard | null => {
  const plain = readPlain(bytesOf(text));
  if (plain === null || plain.missing > 0) return null;
  const { method, url, headers, body } = plain;
  return { method, url, headers: { ...headers }, body: body.toString('latin1') };
};

const HOST = 'Host: pay.example';
const post = (body: string, ...lines: readonly string[]): string =>
  ['POST /v1/payments HTTP/1.1', HOST, `Content-Length: ${body.length}`, ...lines, '', body].join('\r\n');

const plainOnes: readonly (readonly [what: string, text: string])[] = [
  ['a payment', post('amount=1.00', 'Authorization: Bearer x', 'Content-Type: application/x-www-form-urlencoded')],
  ['a read', `GET /v1/payments/1?entityId=2 HTTP/1.1\r\n${HOST}\r\n\r\n`],
  ['a deletion', `DELETE /v1/registrations/1 HTTP/1.1\r\n${HOST}\r\nAccept: */*\r\n\r\n`],
  ['a connection that is kept', post('a=b', 'Connection: Keep-Alive')],
  ['a body that looks like a head', post('\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n')],
  ['blanks around values', post('a=b', 'X-Empty:', 'X-Wide: \t a b \t ')],
  ['a body of no bytes', post('')],
];

for (const [what, text] of plainOnes)
  test(`${what} is plain, and the HTTP server reads the same`, async () => {
    const plain = plainOf(text);
    assert.notEqual(plain, null);
    assert.deepEqual([plain], await oracle.read(bytesOf(text)));
  });

const otherOnes: readonly (readonly [what: string, text: string])[] = [
  ['half a head', post('a=b').slice(0, 20)],
  ['half a body', post('amount=1.00').slice(0, -1)],
  ['a byte more', `${post('a=b')}x`],
  ['two requests', post('a=b') + post('a=b')],
  ['an end of the connection', post('a=b', 'Connection: close')],
  ['another protocol', post('a=b', 'Upgrade: h2c')],
  ['an expectation', post('a=b', 'Expect: 100-continue')],
  ['a header twice', post('a=b', 'X-One: 1', 'x-one: 2')],
  ['a header of every object', post('a=b', '__proto__: x')],
  ['HTTP/1.0', post('a=b').replace('HTTP/1.1', 'HTTP/1.0')],
  ['a HEAD', `HEAD / HTTP/1.1\r\n${HOST}\r\n\r\n`],
  ['a request for all', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n\r\n`],
  ['a whole address', `GET http://pay.example/ HTTP/1.1\r\n${HOST}\r\n\r\n`],
  ['letters beyond ASCII', post('a=b', 'X-Name: é')],
  ['a head that is too long', post('a=b', `X-Long: ${'a'.repeat(8_192)}`)],
  ['a body that is too long', post('a'.repeat(65_537))],
  ...ambiguousHeads,
];

test('how much of a body is missing is known as soon as the head is there', () => {
  const text = post('amount=1.00');
  const bodyAt = text.indexOf('\r\n\r\n') + 4;
  for (let length = 0; length <= text.length; length += 1)
    assert.equal(readPlain(bytesOf(text.slice(0, length)))?.missing, length < bodyAt ? undefined : text.length - length);
});

for (const [what, text] of otherOnes) test(`not plain: ${what}`, () => assert.equal(plainOf(text), null));

const WORDS = [
  ...['\r\n', '\r', '\n', '\r\n\r\n', ' ', '\t', ':', ',', '\0', '0', 'é', '#', '//', '%'],
  ...['GET ', 'POST ', 'HEAD ', ' HTTP/1.1', ' HTTP/1.0', 'Host: y\r\n', 'Content-Length: 3\r\n', 'content-length:5\r\n'],
  ...[
    'Transfer-Encoding: chunked\r\n',
    'Connection: close\r\n',
    'Connection: keep-alive\r\n',
    'Upgrade: x\r\n',
    'a=b',
    ' folded\r\n',
  ],
  ...['__proto__: x\r\n', 'Cookie: a=b\r\n', 'Expect: 100-continue\r\n', 'Set-Cookie: a\r\n', 'X:y\r\n'],
];

type Change = { readonly at: number; readonly cut: number; readonly word: string };

const changed = (text: string, { at, cut, word }: Change): string => {
  const from = at % (text.length + 1);
  return text.slice(0, from) + word + text.slice(from + cut);
};

test('whatever is changed in plain requests: what is still plain, the HTTP server reads in the same way, as one request', async () => {
  let plain = 0;
  const change = fc.record({ at: fc.nat(400), cut: fc.nat(6), word: fc.oneof(fc.constant(''), fc.constantFrom(...WORDS)) });
  const texts = fc
    .tuple(fc.constantFrom(...plainOnes.map(([, text]) => text)), fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([text, changes]) => changes.reduce(changed, text));
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const read = plainOf(text);
      if (read === null) return;
      plain += 1;
      assert.deepEqual([read], await oracle.read(bytesOf(text)));
    }),
    { numRuns: 3_000 },
  );
  assert.ok(plain > 200, `${plain} were plain, too few to show anything`);
});

test('a part of a request that is kept does not keep the head, which has the access token', async () => {
  // In a thread of its own, whose heap has little else in it.
  const worker = new Worker(new URL('../../../test/http/plainHeap.ts', import.meta.url));
  const [{ kept, value, cut }] = (await once(worker, 'message')) as [Kept];
  assert.deepEqual([kept, value], [0, 'and a longer value']);
  assert.ok(cut > 0, 'control: a slice keeps the text that it was cut out of');
});
