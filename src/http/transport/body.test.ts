import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { bodyBytesMax, bodyPieceBytes, bodyPiecesMax } from '../../form/limits.ts';
import { type Body, type Buffers, createBuffers, readBody, releaseBody, type Sender } from './body.ts';
import { unreadBytesMax } from './unreadBodies.ts';

/** A message as the parser hands it over: a stream with the headers it came with. */
const eventFor = (headers: Record<string, string>) =>
  Object.assign(new PassThrough(), { headers }) as PassThrough & IncomingMessage;

const known: Sender = { is: 'known' };
const from = (network: string | null): Sender => ({ is: 'unknown', network });

function read(message: IncomingMessage, buffers: Buffers, sender: Sender = known): Promise<Body> {
  return new Promise((resolve) => readBody(message, { buffers, bytesMax: bodyBytesMax, senderOf: () => sender }, resolve));
}

const turn = () => new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));

test('a body is handed over whole, and counts until its request is answered', async () => {
  const buffers = createBuffers();
  const message = eventFor({ 'content-length': '6' });
  const reading = read(message, buffers);
  message.write('abc');
  message.end('def');
  const body = (await reading) as Buffer;
  assert.equal(String(body), 'abcdef');
  assert.equal(buffers.bytes, 6);
  releaseBody(buffers, body, false);
  assert.equal(buffers.bytes, 0);
  assert.equal(String(body), '\0'.repeat(6));
});

test('a long body is joined in turns of the event loop, and none of its pieces is left in memory', async () => {
  const buffers = createBuffers();
  const message = eventFor({ 'transfer-encoding': 'chunked' });
  const reading = read(message, buffers);
  const pieces = Array.from({ length: 70 }, (_, at) => Buffer.alloc(65_536 + at, 97 + (at % 26)));
  const whole = Buffer.concat(pieces);
  for (const piece of pieces) message.write(piece);
  message.end();
  const isJoined = reading.then(() => true);
  assert.notEqual(await Promise.race([isJoined, turn()]), true, 'joined in one go');
  assert.ok(whole.equals((await reading) as Buffer));
  assert.ok(pieces.every((piece) => piece.every((byte) => byte === 0)));
  assert.equal(buffers.bytes, whole.length);
});

test('without a length there is nothing to wait for', async () => {
  assert.equal(String(await read(eventFor({}), createBuffers())), '');
});

test('whoever leaves is not waited for', async () => {
  const buffers = createBuffers();
  const message = eventFor({ 'content-length': '6' });
  const body = read(message, buffers);
  message.write('abc');
  setImmediate(() => message.destroy());
  assert.equal(await body, 'gone');
  assert.equal(buffers.bytes, 0);
});

test('when the memory for bodies is full, the next one is refused and the others stay', async () => {
  for (const [sender, part] of [
    [known, 1],
    [from('a'), 0.5],
  ] as const) {
    const buffers = createBuffers();
    buffers.bytes = buffers.bytesMax * part - 2;
    const message = eventFor({ 'transfer-encoding': 'chunked' });
    const body = read(message, buffers, sender);
    message.write('abc');
    assert.equal(await body, 'full');
    assert.equal(buffers.bytes, buffers.bytesMax * part - 2);
  }
});

test('a body in more pieces than its bytes explain is refused, and one in as many as are allowed is not', async () => {
  const buffers = createBuffers();
  for (const [pieces, bytes, isRefused] of [
    [bodyPiecesMax, 1, false],
    [bodyPiecesMax + 8, 1, true],
    [8 * bodyPiecesMax, bodyPieceBytes, false],
    [8 * bodyPiecesMax, bodyPieceBytes / 2, true],
  ] as const) {
    const message = eventFor({ 'transfer-encoding': 'chunked' });
    const body = read(message, buffers, from('a'));
    await turn();
    for (let count = 0; count < pieces; count += 1) message.write(Buffer.alloc(bytes, 'a'));
    message.end();
    const arrived = await body;
    assert.equal(arrived === 'crumbs', isRefused, `${pieces} pieces of ${bytes}`);
    if (typeof arrived !== 'string') releaseBody(buffers, arrived, false);
    assert.equal(buffers.bytes, 0);
  }
});

/** A body that has sent so many bytes and does not end. */
function begin(buffers: Buffers, sender: Sender, bytes: number) {
  const message = eventFor({ 'content-length': String(bodyBytesMax) });
  const heard: { body: Body | null } = { body: null };
  void read(message, buffers, sender).then((body) => {
    heard.body = body;
  });
  message.write(Buffer.alloc(bytes, 'a'));
  return { message, heard };
}

test('bodies of one network are given up when they are too many, the oldest first, and those of others are not', async () => {
  const buffers = createBuffers();
  const part = unreadBytesMax.ofNetwork / 4;
  const shopper = begin(buffers, from('b'), part);
  const merchant = begin(buffers, known, part);
  const greedy = [];
  for (let count = 0; count < 6; count += 1) {
    greedy.push(begin(buffers, from('a'), part));
    await turn();
  }
  // Each costs a little more than its bytes: three of them fit.
  assert.deepEqual(
    greedy.map(({ heard }) => heard.body),
    ['full', 'full', 'full', null, null, null],
  );
  assert.deepEqual([shopper.heard.body, merchant.heard.body], [null, null]);
  for (const { message } of [...greedy, shopper, merchant]) message.destroy();
  await turn();
  assert.equal(buffers.bytes, 0);
});

test('bodies of unknown senders are given up when they are too many together, but no short one and none of a known sender', async () => {
  const buffers = createBuffers();
  const part = unreadBytesMax.all / 16;
  const short = begin(buffers, from('short'), 7_000);
  const merchant = begin(buffers, known, part);
  const shared = begin(buffers, from(null), part);
  const others = [];
  for (let count = 0; count < 16; count += 1) {
    others.push(begin(buffers, from(String(count)), part));
    await turn();
  }
  assert.deepEqual([short.heard.body, merchant.heard.body], [null, null]);
  assert.deepEqual(
    [shared.heard.body, others[0]?.heard.body, others[1]?.heard.body, others[2]?.heard.body],
    ['full', 'full', null, null],
  );
  assert.ok(buffers.bytes <= unreadBytesMax.all + 2 * part);
  for (const { message } of [...others, short, merchant, shared]) message.destroy();
  await turn();
  assert.equal(buffers.bytes, 0, 'what was given up counts no more');
});
