import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { bodyBytesMax } from '../../src/form/limits.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { createMemoryStore, type MemoryStore } from '../../src/store/memory/memoryStore.ts';
import { DEMO, OTHER } from './client.ts';
import { feeFile } from './feeFile.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { say } from './raw.ts';

/** Files that are too long for the memory of a request are sent to the gateway all the same. */

const BYTES_MAX = 24_000_000;
const LONG = Buffer.from(feeFile(1_060, 8_000));
let dataDir: string;
let store: MemoryStore;
let gateway: TestGateway;

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'turnpike-upload-'));
  const left = join(dataDir, 'incoming', 'test-1', 'turnpike-file-left');
  await mkdir(left, { recursive: true });
  await writeFile(join(left, 'file'), 'left by one that was killed');
  store = createMemoryStore();
  const limits = {
    requestTimeout: 3_000,
    headersTimeout: 3_000,
    connectionsCheckingInterval: 100,
    gracefulCloseMs: 500,
    idleMs: 20_000,
    pace: { ms: 1_500, bytes: 600, totalMs: 60_000 },
  };
  gateway = await startGateway({ store, dataDir, settlementBytesMax: BYTES_MAX, limits });
});
after(async () => {
  await gateway.close();
  await rm(dataDir, { recursive: true });
});

const lying = () => readdir(join(dataDir, 'incoming', 'test-1')).catch(() => []);
const until = async (is: () => Promise<boolean>) => {
  for (let tries = 0; tries < 1_000 && !(await is()); tries += 1) await new Promise((done) => setTimeout(done, 20));
  assert.ok(await is());
};
const path = (name: string) => `/admin/v1/settlements?entityId=${DEMO.merchantId}&name=${name}`;
const head = (name: string, ...headers: readonly string[]) =>
  `${[`POST ${path(name)} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${DEMO.token}`, ...headers].join('\r\n')}\r\n\r\n`;

async function send(name: string, body: Buffer, token: string = DEMO.token) {
  const response = await fetch(`${gateway.url}${path(name)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  });
  return { status: response.status, body: (await response.json()) as Record<string, never> };
}

test('what a killed process left is gone after the start', async () => assert.deepEqual(await lying(), []));

test('a file longer than any other body is taken, and by the same bytes again nothing changes; nothing stays behind', async () => {
  assert.ok(LONG.length > bodyBytesMax);
  const first = await send('long.csv', LONG);
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.deepEqual([first.body.is, first.body.lines], ['kept', 1_060]);
  assert.equal((await send('long.csv', LONG)).body.is, 'known');
  assert.deepEqual(await lying(), []);
});

test('a file that takes longer than any other request may is not cut off; meanwhile only we can read what there is', async () => {
  const text = feeFile(60, 10, 'slow');
  const answer = new Promise<number>((done, fail) => {
    const asking = request(`${gateway.url}${path('slow.csv')}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${DEMO.token}`, 'content-length': text.length },
    });
    asking.on('response', (response) => done(response.resume().statusCode ?? 0)).on('error', fail);
    const feed = async () => {
      for (let at = 0; at < text.length; at += 600) {
        asking.write(text.slice(at, at + 600));
        await new Promise((go) => setTimeout(go, 500));
      }
      const [name = ''] = await lying();
      const place = join(dataDir, 'incoming', 'test-1', name);
      assert.equal((await stat(place)).mode & 0o777, 0o700);
      assert.equal((await stat(join(place, 'file'))).mode & 0o777, 0o600);
      asking.end();
    };
    feed().catch(fail);
  });
  assert.equal(await answer, 200);
  assert.deepEqual(await lying(), []);
});

test('an upload that is too slow is refused and leaves nothing behind', async () => {
  const socket = connect(gateway.port, '127.0.0.1');
  const heard: Buffer[] = [];
  const closed = new Promise((done) => void socket.on('data', (piece: Buffer) => heard.push(piece)).once('close', done));
  socket.on('error', () => {}).write(head('drip.csv', 'Content-Length: 1000'));
  const dripping = setInterval(() => socket.write('x'), 50);
  await closed;
  clearInterval(dripping);
  assert.match(Buffer.concat(heard).toString(), /^HTTP\/1\.1 408 [\s\S]*arrives too slowly/);
  assert.deepEqual(await lying(), []);
});

test('an aborted upload leaves nothing behind', async () => {
  const socket = connect(gateway.port, '127.0.0.1');
  socket.write(head('cut.csv', `Content-Length: ${LONG.length}`));
  socket.write(LONG.subarray(0, 1_000_000));
  await until(async () => (await lying()).length === 1);
  socket.destroy();
  await until(async () => (await lying()).length === 0);
  assert.ok(!(await store.files([DEMO.merchantId], 99)).some(({ name }) => name === 'cut.csv'));
  assert.ok(!gateway.lines.some((line) => line.includes('the request failed')));
});

test('what is announced as too long is refused before it is sent, what turns out to be it as soon as it is', async () => {
  const announced = await say(gateway.port, head('big.csv', `Content-Length: ${BYTES_MAX + 1}`, 'Expect: 100-continue'), 30_000);
  assert.deepEqual(announced.statuses, [413]);
  assert.match(announced.text, /must not be longer than 24000000 bytes/);
  const piece = Buffer.concat([Buffer.from('7a1200\r\n'), Buffer.alloc(8_000_000, 'x'), Buffer.from('\r\n')]);
  const grown = await say(gateway.port, [head('big.csv', 'Transfer-Encoding: chunked'), piece, piece, piece, piece], 30_000);
  assert.deepEqual(grown.statuses, [413]);
  assert.deepEqual(await lying(), []);
});

test('a sender without the right is refused before the file; with the right it gets 100 Continue', async () => {
  const length = `Content-Length: ${LONG.length}`;
  const wrong = head('no.csv', length, 'Expect: 100-continue').replace(DEMO.token, 'wrong');
  assert.deepEqual((await say(gateway.port, wrong, 30_000)).statuses, [403]);
  const other = head('no.csv', length).replace(DEMO.merchantId, '0'.repeat(32));
  assert.deepEqual((await say(gateway.port, other, 30_000)).statuses, [404]);
  const text = feeFile(1, 0, 'asked');
  const asked = [head('asked.csv', `Content-Length: ${text.length}`, 'Expect: 100-continue', 'Connection: close'), text];
  assert.deepEqual((await say(gateway.port, asked, 30_000)).statuses, [100, 200]);
  assert.equal((await send('no.csv', LONG, 'wrong')).status, 403);
});

test('an empty file is none, and the connection goes on', async () => {
  const nothing = head('none.csv', 'Content-Length: 0');
  assert.deepEqual((await say(gateway.port, nothing + nothing, 30_000, 2)).statuses, [400, 400]);
});

test('eight slow uploads of one merchant do not keep another from uploading', async () => {
  const heard: string[] = [];
  const slow = Array.from({ length: 8 }, (_, at) => {
    const socket = connect(gateway.port, '127.0.0.1').on('error', () => {});
    socket.write(head(`slow${at}.csv`, 'Content-Length: 20000000'));
    socket.once('data', (piece: Buffer) => heard.push(piece.toString('latin1', 0, 12)));
    // Each piece is enough for the time in which it comes.
    const feeding = setInterval(() => socket.write('x'.repeat(2_000)), 50);
    return () => {
      clearInterval(feeding);
      socket.destroy();
    };
  });
  try {
    await until(async () => heard.length >= 6);
    assert.deepEqual(heard, Array(6).fill('HTTP/1.1 429'));
    const { merchantId } = sandbox.otherShop;
    const own = await fetch(`${gateway.url}/admin/v1/settlements?entityId=${merchantId}&name=other.csv`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OTHER.token}` },
      body: feeFile(1, 0, 'other'),
    });
    assert.equal(own.status, 200, await own.text());
  } finally {
    for (const end of slow) end();
  }
  await until(async () => (await lying()).length === 0);
});
