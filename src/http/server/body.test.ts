import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { bodyBytesMax } from '../../form/limits.ts';
import { type Body, type Buffers, buffersBytesMax, readBody, releaseBody } from './body.ts';

/** A message as the parser hands it over: a stream with the headers it came with. */
const eventFor = (headers: Record<string, string>) =>
  Object.assign(new PassThrough(), { headers }) as PassThrough & IncomingMessage;

function read(message: IncomingMessage, buffers: Buffers): Promise<Body> {
  return new Promise((resolve) => readBody(message, buffers, bodyBytesMax, resolve));
}

test('a body is handed over whole, and counts until its request is answered', async () => {
  const buffers = { bytes: 0 };
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
  const buffers = { bytes: 0 };
  const message = eventFor({ 'transfer-encoding': 'chunked' });
  const reading = read(message, buffers);
  const pieces = Array.from({ length: 70 }, (_, at) => Buffer.alloc(65_536 + at, 97 + (at % 26)));
  const whole = Buffer.concat(pieces);
  for (const piece of pieces) message.write(piece);
  message.end();
  const isJoined = reading.then(() => true);
  const turn = new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  assert.notEqual(await Promise.race([isJoined, turn]), true, 'joined in one go');
  assert.ok(whole.equals((await reading) as Buffer));
  assert.ok(pieces.every((piece) => piece.every((byte) => byte === 0)));
  assert.equal(buffers.bytes, whole.length);
});

test('without a length there is nothing to wait for', async () => {
  assert.equal(String(await read(eventFor({}), { bytes: 0 })), '');
});

test('whoever leaves is not waited for', async () => {
  const buffers = { bytes: 0 };
  const message = eventFor({ 'content-length': '6' });
  const body = read(message, buffers);
  message.write('abc');
  setImmediate(() => message.destroy());
  assert.equal(await body, 'gone');
  assert.equal(buffers.bytes, 0);
});

test('when the memory for bodies is full, the next one is refused and the others stay', async () => {
  const buffers = { bytes: buffersBytesMax - 2 };
  const message = eventFor({ 'transfer-encoding': 'chunked' });
  const body = read(message, buffers);
  message.write('abc');
  assert.equal(await body, 'full');
  assert.equal(buffers.bytes, buffersBytesMax - 2);
});
