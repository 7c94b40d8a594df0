import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { attendedTimers } from '../attended.ts';
import { reportFigure } from '../figures.ts';
import { exchangeInMemory, serverAt } from '../fuzz/memorySocket.ts';
import { ambiguousHeads, form, GET, head, SMUGGLED } from './ambiguousHeads.ts';
import { startGateway } from './gateway.ts';
import { type Heard, say } from './raw.ts';

const limits = { headersTimeout: 1_500, requestTimeout: 4_000, connectionsCheckingInterval: 50, gracefulCloseMs: 1_000 };
const gateway = await startGateway({ limits });
after(() => gateway.close());
const server = await serverAt(gateway.port);

/** Waits until the connection closes, or until so many replies are there. */
const ask = (bytes: Parameters<typeof say>[1], answers = Number.POSITIVE_INFINITY): Promise<Heard> =>
  say(gateway.port, bytes, 60_000, answers);

for (const [what, bytes] of ambiguousHeads) {
  test(`${what} → 400 and the end`, async () => {
    const { statuses, isClosed, text } = await ask(bytes);
    assert.deepEqual(statuses, [400], text);
    assert.equal(isClosed, true, 'the connection stays open');
    reportFigure('R40', 'heads refused', 1);
  });
}

test('a head that is too long → 431', async () => {
  const { statuses, isClosed } = await ask(`${GET}X: ${'a'.repeat(20_000)}\r\n\r\n`);
  assert.deepEqual(statuses, [431]);
  assert.equal(isClosed, true);
});

test('many headers that are too long together → 431', async () => {
  const many = Array.from({ length: 1_500 }, (_, at) => `X-${at}: ${'a'.repeat(20)}\r\n`).join('');
  assert.deepEqual((await ask(`${GET}${many}\r\n`)).statuses, [431]);
});

test('headers named like the parts of an object do no harm', async () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map((name) => `${name}: x\r\n`).join('');
  assert.deepEqual((await ask(`${GET}${names}\r\n`, 1)).statuses, [200]);
});

test('two requests in one breath get their two answers in order', async () => {
  const { statuses, text } = await ask(`${GET}\r\nGET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n`, 2);
  assert.deepEqual(statuses, [200, 404], text);
});

test('a payment followed by nonsense is answered first, then the connection closes', async () => {
  const { statuses, isClosed, text } = await ask(`${head(`Content-Length: ${form.length}`)}\r\n\r\n${form}\0\0nonsense\r\n\r\n`);
  assert.deepEqual(statuses, [200], text);
  assert.match(text, /"code":"000\.100\.110"/);
  assert.equal(isClosed, true);
});

/** Sends all bytes at once, or in pieces, and closes its half of the connection; the statuses of what comes back. */
const breathe = async (bytes: string, length = bytes.length): Promise<readonly number[]> => {
  const text = await exchangeInMemory(server, Buffer.from(bytes, 'latin1'), length);
  return [...text.matchAll(/HTTP\/1\.1 ([0-9]{3}) /g)].map(([, status]) => Number(status));
};
const payment = `${head(`Content-Length: ${form.length}`)}\r\n\r\n${form}`;

test('a payment followed by nonsense is answered, also when the client has closed its half', async () => {
  assert.deepEqual(await breathe(`${payment}\0\0nonsense\r\n\r\n`), [200]);
});

test('a last request that is answered sooner than the payment before it gets its reply', async () => {
  const last = 'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  assert.deepEqual(await breathe(`${payment}${last}`), [200, 404]);
});

test('a request that is refused before its body, behind a payment, gets its reply', async () => {
  const refused = 'POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n';
  assert.deepEqual(await breathe(`${payment}${refused}`), [200, 404]);
});

test('a request is answered, also when the next one is refused and its body breaks off, however the bytes are cut', async () => {
  const bytes = `${GET}\r\nPOST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n8\r\namount=1\r\n01`;
  for (let length = 1; length <= bytes.length; length += 1)
    assert.deepEqual(await breathe(bytes, length), [200, 404], `in pieces of ${length} bytes`);
});

test('chunks are read like a body with a length', async () => {
  const chunks = [form.slice(0, 10), form.slice(10)].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('');
  const { statuses, text } = await ask(`${head('Transfer-Encoding: chunked')}\r\n\r\n${chunks}0\r\n\r\n`, 1);
  assert.deepEqual(statuses, [200], text);
});

test('a body that says it is too long is refused before it is sent', async () => {
  const { statuses, text } = await ask(`${head(`Content-Length: ${8 * 1024 * 1024 + 1}`)}\r\n\r\n`);
  assert.deepEqual(statuses, [400]);
  assert.match(text, /"name":"body"/);
});

test('Expect: 100-continue with too long a body is refused', async () => {
  const { statuses } = await ask(`${head(`Content-Length: ${9 * 1024 * 1024}`, 'Expect: 100-continue')}\r\n\r\n`);
  assert.deepEqual(statuses, [400]);
});

test('Expect: 100-continue with a short body is accepted', async () => {
  const { statuses } = await ask(`${head(`Content-Length: ${form.length}`, 'Expect: 100-continue')}\r\n\r\n${form}`, 2);
  assert.deepEqual(statuses, [100, 200]);
});

test('a body that grows too long while it comes is refused at the limit', async () => {
  const megabyte = Buffer.alloc(1024 * 1024, 'a');
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), megabyte, Buffer.from('\r\n')]);
  const { statuses, isClosed } = await ask([`${head('Transfer-Encoding: chunked')}\r\n\r\n`, ...Array(12).fill(chunk)]);
  assert.deepEqual(statuses, [400]);
  assert.equal(isClosed, true);
});

test('a body that is refused and then goes wrong is answered once', async () => {
  const chunk = Buffer.concat([Buffer.from('900000\r\n'), Buffer.alloc(0x900000, 'a'), Buffer.from('\r\n')]);
  const { statuses, isClosed } = await ask([`${head('Transfer-Encoding: chunked')}\r\n\r\n`, chunk, 'nonsense\r\n']);
  assert.deepEqual(statuses, [400]);
  assert.equal(isClosed, true);
});

test('a request behind an ambiguous head is not carried out', async () => {
  const before = gateway.lines.length;
  const payment = `${head(`Content-Length: ${form.length}`)}\r\n\r\n${form}`;
  const { statuses } = await ask(`GET /health/live HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n${payment}`);
  assert.deepEqual(statuses, [400]);
  assert.equal(gateway.lines.length, before + 1, 'one request was answered, none was carried out in silence');
});

test('a head that does not end is cut off', async () => {
  const { statuses, isClosed } = await ask('GET /health/live HTTP/1.1\r\nHost: x\r\n');
  assert.deepEqual(statuses, [408]);
  assert.equal(isClosed, true);
});

test('a head that drips is cut off all the same', async () => {
  const socket = connect(gateway.port, '127.0.0.1');
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.resume();
  socket.write('GET /health/live HTTP/1.1\r\n');
  const drip = setInterval(() => socket.write('X-Drip: 1\r\n'), 20);
  await attendedTimers.within(2_000, closed).finally(() => clearInterval(drip));
});

test('a body that does not come is cut off', async () => {
  const { statuses, isClosed } = await ask(`${head('Content-Length: 100')}\r\n\r\nentityId=`);
  assert.deepEqual(statuses, [408]);
  assert.equal(isClosed, true);
});

/** Each is answered or closed, and what follows is answered in order or not carried out. */
const H2C = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';
const corners: [what: string, bytes: string, statuses: readonly number[], isClosed: boolean][] = [
  ['a request to speak otherwise', `${GET}${H2C}\r\n`, [200], true],
  ['one behind which another request stands', `${GET}${H2C}\r\n${SMUGGLED}`, [200], true],
  ['one behind another request', `${SMUGGLED}${GET}${H2C}\r\n${SMUGGLED}`, [200, 200], true],
  [
    'a payment that asks to speak otherwise',
    `${head('Connection: Upgrade', 'Upgrade: websocket', `Content-Length: ${form.length}`)}\r\n\r\n${form}${SMUGGLED}`,
    [200],
    true,
  ],
  ['a header of that name alone', `${GET}Upgrade: h2c\r\n\r\n${SMUGGLED}`, [200], true],
  ['a tunnel', `CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n${SMUGGLED}`, [400], true],
  ['a tunnel behind a request', `${SMUGGLED}CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n${SMUGGLED}`, [200, 400], true],
  ['another expectation', `${head('Expect: the-moon', 'Content-Length: 5')}\r\n\r\nab=cd${SMUGGLED}`, [417], true],
  ['another expectation behind a request', `${SMUGGLED}${GET}Expect: the-moon\r\n\r\n${SMUGGLED}`, [200, 417], true],
  ['HTTP/1.0', `GET /health/live HTTP/1.0\r\n\r\n${SMUGGLED}`, [200], true],
  ['HTTP/1.0 that stays', `GET /health/live HTTP/1.0\r\nConnection: keep-alive\r\n\r\n${SMUGGLED}`, [200, 200], false],
  ['a last request', `${GET}Connection: close\r\n\r\n${SMUGGLED}`, [200], true],
  ['HTTP/2 without a word before', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`, [400], true],
  ['HTTP/0.9', `GET /health/live\r\n\r\n${SMUGGLED}`, [400], true],
  ['HTTP/0.9 with the first word of HTTP/2', 'PRI */x\r\n\r\n', [400], true],
  ['the same before another request', `PRI */x\r\n\r\n${SMUGGLED}`, [400], true],
  ['the same behind another request', `${SMUGGLED}PRI */x\r\n\r\n`, [200, 400], true],
  ['HTTP/2 by its number', `GET /health/live HTTP/2.0\r\nHost: x\r\n\r\n${SMUGGLED}`, [400], true],
  ['a last request whose body does not come', `${head('Connection: close', 'Content-Length: 9')}\r\n\r\nab=cd`, [408], true],
  ['a body for GET', `${GET}Content-Length: 5\r\n\r\nab=cd${SMUGGLED}`, [200, 200], false],
];
for (const [what, bytes, statuses, isClosed] of corners) {
  test(`${what} → ${statuses.join(', ')}${isClosed ? ' and the end' : ''}`, async () => {
    const heard = await ask(bytes, isClosed ? Number.POSITIVE_INFINITY : statuses.length);
    assert.deepEqual(heard.statuses, statuses, heard.text);
    assert.equal(heard.isClosed, isClosed);
  });
}

test('after all that the gateway still takes payments', async () => {
  const { statuses } = await ask(`${head(`Content-Length: ${form.length}`)}\r\n\r\n${form}`, 1);
  assert.deepEqual(statuses, [200]);
});

test('a client that closes its half of the connection behind its requests gets all replies, and then the end', async () => {
  const socket = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
  const heard: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => heard.push(chunk));
  const ended = new Promise<void>((resolve, reject) => void socket.once('end', resolve).once('error', reject));
  socket.end(`${GET}\r\n${head(`Content-Length: ${form.length}`)}\r\n\r\n${form}`);
  await attendedTimers.within(20_000, ended);
  socket.destroy();
  const text = Buffer.concat(heard).toString('latin1');
  assert.equal(text.match(/HTTP\/1\.1 200 /g)?.length, 2, text);
  assert.match(text, /"code":"000\.100\.110"/);
});
