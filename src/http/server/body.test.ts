import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { bodyBytesMax } from '../../form/limits.ts';
import { type Body, type Buffers, buffersBytesMax, readBody } from './body.ts';

/** A message as the parser hands it over: a stream with the headers it came with. */
const eventFor = (headers: Record<string, string>) =>
  Object.assign(new PassThrough(), { headers }) as PassThrough & IncomingMessage;

function read(message: IncomingMessage, buffers: Buffers): Promise<Body> {
  return new Promise((resolve) => readBody(message, buffers, bodyBytesMax, resolve));
}

test('a body is handed over whole, and nothing of it is counted any more', async () => {
  const buffers = { bytes: 0 };
  const message = eventFor({ 'content-length': '6' });
  const body = read(message, buffers);
  message.write('abc');
  message.end('def');
  assert.equal(String(await body), 'abcdef');
  assert.equal(buffers.bytes, 0);
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
