import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { ambiguousHeads } from '../../http/ambiguousHeads.ts';
import { startGateway } from '../../http/gateway.ts';
import { exchangeBehindAnother, exchangeInMemory, serverAt } from '../memorySocket.ts';
import { assertNoCardNumber, CANARY, isOneIn, type Target } from '../target.ts';

const HEAD = /^HTTP\/1\.1 ([0-9]{3}) [A-Za-z -]+\r\n((?:[A-Za-z-]+: [^\r\n]*\r\n)*)\r\n/;

/** The statuses of all replies. Each must be whole, and nothing may stand between or behind them. */
function statusesIn(text: string): readonly number[] {
  const statuses: number[] = [];
  let rest = text;
  while (rest !== '') {
    const [head, status = '', headers = ''] = HEAD.exec(rest) ?? [];
    assert.ok(head !== undefined, `no reply begins with ${JSON.stringify(rest.slice(0, 80))}`);
    const length = Number(/^content-length: ([0-9]+)\r$/im.exec(headers)?.[1] ?? 0);
    assert.ok(rest.length >= head.length + length, 'a reply is cut off');
    statuses.push(Number(status));
    rest = rest.slice(head.length + length);
  }
  return statuses;
}

const gateway = await startGateway({ isQuiet: true, limits: { gracefulCloseMs: 20, headersTimeout: 5_000 } });
const server = await serverAt(gateway.port);
const careless = createServer((request, response) => response.end(request.url));

/** Most are cut once or twice, some after every few bytes. */
const pieceBytesOf = ({ length }: Buffer, isFine: boolean): number =>
  isFine ? 1 + (length % 29) : Math.ceil((length * (1 + (length % 15))) / 16);

/** Bytes from the network are answered by whole replies without a failure of ours, as often as they have heads, however they are cut. */
async function judge(input: Buffer): Promise<void> {
  // The reply to a HEAD has a length and no body.
  if (input.length === 0 || input.includes('HEAD')) return;
  const text = await exchangeInMemory(server, input, input.length);
  assertNoCardNumber(text);
  const statuses = statusesIn(text);
  assert.ok(
    statuses.every((status) => status < 500 || status === 501),
    `answered by ${statuses.join()}`,
  );
  const heads = input.toString('latin1').split(/\r?\n\r?\n/).length;
  assert.ok(statuses.filter((status) => status >= 200).length <= heads, `${statuses.length} replies to ${heads} heads`);
  const again = statusesIn(await exchangeInMemory(server, input, pieceBytesOf(input, isOneIn(16, input))));
  assert.deepEqual(carriedOut(again), carriedOut(statuses), 'cut otherwise, it is answered otherwise');
  // Plain requests go past the HTTP server there.
  const behind = statusesIn(await exchangeBehindAnother(server, input));
  assert.deepEqual(carriedOut(behind), carriedOut(statuses), 'behind another request, it is answered otherwise');
}

/** What cannot be read gets a reply of its own only when no earlier reply is on its way: then the connection just ends. */
const carriedOut = (statuses: readonly number[]): readonly number[] =>
  statuses.length > 1 && statuses.at(-1) === 400 ? statuses.slice(0, -1) : statuses;

const FORM = 'Content-Type: application/x-www-form-urlencoded';
const post = (...lines: readonly string[]): string => ['POST /v1/payments HTTP/1.1', 'Host: x', FORM, ...lines].join('\r\n');

export const framing: Target = {
  name: 'framing',
  seeds: [
    'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    `${post('Content-Length: 8')}\r\n\r\namount=1GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n`,
    `${post('Transfer-Encoding: chunked')}\r\n\r\n8\r\namount=1\r\n0\r\n\r\n`,
    `${post('Content-Length: 8')}\r\n\r\namount=1`,
    'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
    ...ambiguousHeads.filter(([, bytes]) => !bytes.includes('Bearer')).map(([, bytes]) => bytes),
  ],
  words: [
    ...[
      '\r\n',
      '\n',
      '\r',
      '\r\n\r\n',
      ' ',
      '\t',
      ':',
      '\x00',
      '\x0b',
      'GET ',
      'POST ',
      'PUT ',
      'OPTIONS ',
      'CONNECT ',
      ' HTTP/1.1',
      ' HTTP/1.0',
    ],
    ...[
      'Host: y\r\n',
      'Content-Length: 0\r\n',
      'Content-Length: 5\r\n',
      'Transfer-Encoding: chunked\r\n',
      'Transfer-Encoding: identity\r\n',
    ],
    ...[
      'Connection: close\r\n',
      'Connection: keep-alive\r\n',
      'Upgrade: h2c\r\n',
      'Expect: 100-continue\r\n',
      'Expect: x\r\n',
      'Trailer: x\r\n',
    ],
    ...[
      '__proto__: x\r\n',
      '0\r\n\r\n',
      '5\r\nabcde\r\n',
      '5;a=b\r\n',
      'ffffffffffffffff\r\n',
      '/health/live',
      '/v1/payments',
      '//',
      '/../',
      '%2f',
      '?',
    ],
    ...[
      `/${CANARY}`,
      `X: ${CANARY}\r\n`,
      `Idempotency-Key: ${CANARY}\r\n`,
      'Authorization: Basic x\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    ],
  ],
  bytesMax: 2_000,
  work: { base: 400_000, perByte: 4_000 },
  judge,
  planted: {
    what: 'a server that repeats the path',
    judge: async (input) => {
      if (input.length > 0) assertNoCardNumber(await exchangeInMemory(careless, input, input.length));
    },
  },
  close: () => gateway.close(),
};
