import assert from 'node:assert/strict';
import { request as secureRequest } from 'node:https';
import { test } from 'node:test';
import { StoreOutOfOrder, UnknownOutcome } from '../../src/payments/storeErrors.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { selfSigned } from './certificate.ts';
import { createClient } from './client.ts';
import { startGateway } from './gateway.ts';

const get = async (url: string) => {
  const answer = await fetch(url);
  const text = await answer.text();
  return { status: answer.status, body: JSON.parse(text), headers: answer.headers };
};

test('before it is open it lives, is not ready and takes no payments', async () => {
  const gateway = await startGateway({ isOpen: false });
  const shop = createClient(gateway.url);
  assert.equal((await get(`${gateway.url}/health/live`)).status, 200);
  const ready = await get(`${gateway.url}/health/ready`);
  assert.deepEqual([ready.status, ready.body], [503, { status: 'starting' }]);
  const early = await shop.pay();
  assert.equal(early.status, 503);
  assert.equal(early.code, '800.800.800');
  assert.equal(early.headers.get('retry-after'), '1');
  gateway.open();
  assert.equal((await get(`${gateway.url}/health/ready`)).status, 200);
  assert.equal((await shop.pay()).status, 200);
  await gateway.close();
});

test('a store that is out of order is reported as such, a bug is not', async () => {
  const store = createMemoryStore();
  let trouble: Error | null = null;
  const commit: typeof store.commit = (change) => (trouble ? Promise.reject(trouble) : store.commit(change));
  const tryWrite = () => (trouble ? Promise.reject(trouble) : store.tryWrite(false));
  const gateway = await startGateway({ store: { ...store, commit, tryWrite } });
  const shop = createClient(gateway.url);

  trouble = new StoreOutOfOrder('disk full at /var/lib', '53100');
  const down = await shop.pay();
  assert.deepEqual([down.status, down.code, down.headers.get('retry-after')], [503, '800.800.800', '1']);
  const ready = await get(`${gateway.url}/health/ready`);
  const problems = ['the database cannot be written: its disk is full'];
  assert.deepEqual([ready.status, ready.body], [503, { status: 'not ready', problems }]);

  trouble = new UnknownOutcome('connection lost');
  const unknown = await shop.pay();
  assert.deepEqual([unknown.status, unknown.code], [503, '800.800.800']);
  assert.match(unknown.body.result.description, /Idempotency-Key/);

  trouble = new TypeError('cannot read 4200000000000000 of undefined');
  const bug = await shop.pay();
  assert.deepEqual([bug.status, bug.code], [500, '600.100.100']);
  assert.doesNotMatch(JSON.stringify([down.body, unknown.body, bug.body]), /undefined|disk|lost|TypeError/);
  const line = gateway.lines.find((text) => text.includes(bug.body.ndc) && text.includes('TypeError'));
  assert.ok(line, 'the log has the trace under the same ndc');
  assert.ok(!gateway.lines.join('').includes('4200000000000000'));

  trouble = null;
  assert.equal((await shop.pay()).status, 200);
  await gateway.close();
});

test('a store that does not answer makes the gateway not ready', async () => {
  const store = createMemoryStore();
  const gateway = await startGateway({ store: { ...store, tryWrite: () => new Promise(() => {}) }, patienceMs: 50 });
  assert.equal((await get(`${gateway.url}/health/ready`)).status, 503);
  await gateway.close();
});

test('the end waits for what was begun and takes nothing new', async () => {
  const store = createMemoryStore();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHolding = false;
  const commit: typeof store.commit = async (change) => {
    isHolding = true;
    await held;
    return store.commit(change);
  };
  const gateway = await startGateway({ store: { ...store, commit } });
  const shop = createClient(gateway.url);
  const paying = shop.pay();
  while (!isHolding) await new Promise((resolve) => setTimeout(resolve, 5));
  const closing = gateway.close();
  await assert.rejects(fetch(`${gateway.url}/health/live`), 'no new connection is taken');
  release();
  const paid = await paying;
  assert.equal(paid.code, '000.100.110');
  assert.equal(paid.headers.get('connection'), 'close');
  await closing;
});

test('the end does not wait for ever', async () => {
  const store = createMemoryStore();
  const gateway = await startGateway({
    store: { ...store, commit: () => new Promise(() => {}) },
    limits: { stopMs: 50, flushMs: 10 },
  });
  const paying = createClient(gateway.url).pay();
  const cut = assert.rejects(paying);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await gateway.close();
  await cut;
});

test('over TLS, and over nothing older than 1.2', async () => {
  const { cert, key } = selfSigned();
  const gateway = await startGateway({ tls: { cert, key } });
  const dial = (versions: object) =>
    new Promise<number>((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port: gateway.port,
        path: '/health/ready',
        ca: cert,
        servername: 'localhost',
        agent: false as const,
      };
      secureRequest({ ...options, ...versions, checkServerIdentity: () => undefined }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });
  assert.equal(await dial({}), 200);
  assert.equal(await dial({ maxVersion: 'TLSv1.2' }), 200);
  await assert.rejects(dial({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }));
  await assert.rejects(dial({ maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA' }), 'no forward secrecy');
  await gateway.close();
});
