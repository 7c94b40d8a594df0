import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { type Body, bodyPieceBytes, bodyPiecesMax, readBody, releaseBody, type Sender } from './body.ts';
import { type Bodies, createBodies } from './budget.ts';

/** A message as the parser hands it over: a stream with the headers it came with. */
const eventFor = (headers: Record<string, string>) =>
  Object.assign(new PassThrough(), { headers }) as PassThrough & IncomingMessage;

const bodyBytesMax = 8_388_608;
const unreadBytes = { ofNetwork: 2 * bodyBytesMax, all: 8 * bodyBytesMax };
const bounds = { bodyBytes: 32 * bodyBytesMax, unreadBytes };

const known: Sender = { is: 'known' };
const from = (network: string | null): Sender => ({ is: 'unknown', network });

function read(message: IncomingMessage, bodies: Bodies, sender: Sender = known): Promise<Body> {
  return new Promise((resolve) => readBody(message, { bodies, bytesMax: bodyBytesMax, senderOf: () => sender }, resolve));
}

const turn = () => new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));

test('a body is handed over whole, and counts until its request is answered', async () => {
  const bodies = createBodies(bounds);
  const message = eventFor({ 'content-length': '6' });
  const reading = read(message, bodies);
  message.write('abc');
  message.end('def');
  const body = (await reading) as Buffer;
  assert.equal(String(body), 'abcdef');
  assert.equal(bodies.bytes, 6);
  releaseBody(bodies, body, false);
  assert.equal(bodies.bytes, 0);
  assert.equal(String(body), '\0'.repeat(6));
});

test('a long body is joined in turns of the event loop, and none of its pieces is left in memory', async () => {
  const bodies = createBodies(bounds);
  const message = eventFor({ 'transfer-encoding': 'chunked' });
  const reading = read(message, bodies);
  const pieces = Array.from({ length: 70 }, (_, at) => Buffer.alloc(65_536 + at, 97 + (at % 26)));
  const whole = Buffer.concat(pieces);
  for (const piece of pieces) message.write(piece);
  message.end();
  const isJoined = reading.then(() => true);
  assert.notEqual(await Promise.race([isJoined, turn()]), true, 'joined in one go');
  assert.ok(whole.equals((await reading) as Buffer));
  assert.ok(pieces.every((piece) => piece.every((byte) => byte === 0)));
  assert.equal(bodies.bytes, whole.length);
});

test('without a length there is nothing to wait for', async () => {
  assert.equal(String(await read(eventFor({}), createBodies(bounds))), '');
});

test('whoever leaves is not waited for', async () => {
  const bodies = createBodies(bounds);
  const message = eventFor({ 'content-length': '6' });
  const body = read(message, bodies);
  message.write('abc');
  setImmediate(() => message.destroy());
  assert.equal(await body, 'gone');
  assert.equal(bodies.bytes, 0);
});

test('when the memory for bodies is full, the next one is refused and the others stay', async () => {
  for (const [sender, part] of [
    [known, 1],
    [from('a'), 0.5],
  ] as const) {
    const bodies = createBodies(bounds);
    const filled = bounds.bodyBytes * part - 2;
    bodies.hold(filled);
    const message = eventFor({ 'transfer-encoding': 'chunked' });
    const body = read(message, bodies, sender);
    message.write('abc');
    assert.equal(await body, 'full');
    assert.equal(bodies.bytes, filled);
  }
});

test('a body in more pieces than its bytes explain is refused, and one in as many as are allowed is not', async () => {
  const bodies = createBodies(bounds);
  for (const [pieces, bytes, isRefused] of [
    [bodyPiecesMax, 1, false],
    [bodyPiecesMax + 8, 1, true],
    [8 * bodyPiecesMax, bodyPieceBytes, false],
    [8 * bodyPiecesMax, bodyPieceBytes / 2, true],
  ] as const) {
    const message = eventFor({ 'transfer-encoding': 'chunked' });
    const body = read(message, bodies, from('a'));
    await turn();
    for (let count = 0; count < pieces; count += 1) message.write(Buffer.alloc(bytes, 'a'));
    message.end();
    const arrived = await body;
    assert.equal(arrived === 'crumbs', isRefused, `${pieces} pieces of ${bytes}`);
    if (typeof arrived !== 'string') releaseBody(bodies, arrived, false);
    assert.equal(bodies.bytes, 0);
  }
});

/** A body that has sent so many bytes and does not end. */
function begin(bodies: Bodies, sender: Sender, bytes: number) {
  const message = eventFor({ 'content-length': String(bodyBytesMax) });
  const heard: { body: Body | null } = { body: null };
  void read(message, bodies, sender).then((body) => {
    heard.body = body;
  });
  message.write(Buffer.alloc(bytes, 'a'));
  return { message, heard };
}

test('bodies of one network are given up when they are too many, the oldest first, and those of others are not', async () => {
  const bodies = createBodies(bounds);
  const part = unreadBytes.ofNetwork / 4;
  const shopper = begin(bodies, from('b'), part);
  const merchant = begin(bodies, known, part);
  const greedy = [];
  for (let count = 0; count < 6; count += 1) {
    greedy.push(begin(bodies, from('a'), part));
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
  assert.equal(bodies.bytes, 0);
});

test('bodies of unknown senders are given up when they are too many together, but no short one and none of a known sender', async () => {
  const bodies = createBodies(bounds);
  const part = unreadBytes.all / 16;
  const short = begin(bodies, from('short'), 7_000);
  const merchant = begin(bodies, known, part);
  const shared = begin(bodies, from(null), part);
  const others = [];
  for (let count = 0; count < 16; count += 1) {
    others.push(begin(bodies, from(String(count)), part));
    await turn();
  }
  assert.deepEqual([short.heard.body, merchant.heard.body], [null, null]);
  assert.deepEqual(
    [shared.heard.body, others[0]?.heard.body, others[1]?.heard.body, others[2]?.heard.body],
    ['full', 'full', null, null],
  );
  assert.ok(bodies.bytes <= unreadBytes.all + 2 * part);
  for (const { message } of [...others, short, merchant, shared]) message.destroy();
  await turn();
  assert.equal(bodies.bytes, 0, 'what was given up counts no more');
});
