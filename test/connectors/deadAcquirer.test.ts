import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/store/store.ts';
import { freshShops } from '../http/freshShops.ts';
import { startGateway } from '../http/gateway.ts';
import { onlyLong, sized } from '../long.ts';
import { example } from './example/example.ts';
import { exampleUnderTest, openExample } from './example/server.ts';
import { kept, sealSecrets, send, shopOf } from './trialShop.ts';

const DEAD = 'dead';
const ALIVE = 'alive';
/** More than one account may have in flight. */
const HANGING = 100;
const OTHERS = 50;

/** An acquirer that takes connections and says nothing. */
async function openSilence() {
  const sockets = new Set<{ destroy(): void }>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.resume();
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: () => sockets.size,
    /** Every connection, new or waiting, is cut off. */
    async close() {
      const isClosed = new Promise((done) => server.close(done));
      server.on('connection', (socket) => socket.destroy());
      for (const socket of sockets) socket.destroy();
      await isClosed;
    },
  };
}

/** A merchant with two accounts: Visa goes to the live acquirer, Mastercard to the dead one. */
async function openShop(deadUrl: string, onDisk: Store | null = null) {
  const store = onDisk ?? createMemoryStore();
  const acquirer = await openExample();
  const account = (url: string) => ({ connector: example.name, settings: { url } });
  const { shops, rows } = freshShops(1, {
    connectors: { default: ALIVE },
    accounts: { [ALIVE]: account(acquirer.url), [DEAD]: account(deadUrl) },
  });
  const shop = shopOf(shops[0]);
  const dead = { ...rows, entities: rows.entities.map((row) => withRoute(row, shop.entityId)) };
  for (const name of [ALIVE, DEAD]) await sealSecrets(store, { ownerId: shop.ownerId, account: name }, exampleUnderTest.secrets);
  const sleep = () => new Promise<void>((done) => setImmediate(done));
  const gateway = await startGateway({
    store,
    // The lines of a long run would fill the memory.
    isQuiet: onDisk !== null,
    rows: dead,
    connectorKinds: new Map([[example.name, example]]),
    sleep,
    patienceMs: 60_000,
  });
  const pay = (brand: 'VISA' | 'MASTER') => {
    const number = brand === 'VISA' ? '4200000000000000' : '5454545454545454';
    const fields = { ...exampleUnderTest.approved, paymentBrand: brand, 'card.number': number };
    return send(gateway, shop, { fields: { ...fields, paymentType: 'DB', amount: '10.00', currency: 'EUR' } });
  };
  return {
    gateway,
    shop,
    pay,
    async close() {
      kept.destroy();
      await gateway.close();
      await acquirer.close();
    },
  };
}

type Row = ReturnType<typeof freshShops>['rows']['entities'][number];
/** Mastercard goes to the dead account and, were that allowed, nowhere else. */
const withRoute = (row: Row, entityId: string): Row =>
  row.id === entityId
    ? {
        ...row,
        settings: {
          ...row.settings,
          connectors: { default: DEAD },
          routing: { rules: [{ when: { brands: ['VISA'] }, to: [ALIVE] }] },
        },
      }
    : row;

test('a dead acquirer is in the log at once, is an alarm and a metric by entity and account, and leaves the node ready', async () => {
  const { gateway, shop, pay, close } = await openShop('http://127.0.0.1:1');
  try {
    await pay('MASTER');
    const lineOf = (text: string) => gateway.lines.find((line) => line.includes(text)) ?? assert.fail(text);
    const { account, entityId } = JSON.parse(lineOf('a request to the acquirer of an account had no answer'));
    assert.deepEqual([account, entityId], [DEAD, shop.ownerId]);
    for (let tries = 0; tries < 5; tries += 1) {
      const { result } = await pay('MASTER');
      assert.equal(result.code, '900.100.600');
    }
    assert.match(lineOf('does not answer; nothing is sent to it'), new RegExp(DEAD));
    const { services } = gateway;
    assert.equal(services.health.unreachable(), 1);
    assert.equal(services.accounts.acquirers.isReachable({ ownerId: shop.ownerId, name: DEAD }), false);
    assert.equal(services.accounts.acquirers.isReachable({ ownerId: shop.ownerId, name: ALIVE }), true);
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    assert.match(
      metrics,
      new RegExp(`turnpike_acquirer_reachable\\{[^}]*entity="${shop.ownerId}"[^}]*account="${DEAD}"[^}]*\\} 0`),
    );
    const ready = await fetch(`${gateway.url}/health/ready`);
    assert.equal(ready.status, 200);
    assert.deepEqual(await ready.json(), { status: 'ready', unreachableAccounts: 1 });
    assert.equal((await pay('VISA')).result.code, '000.100.112');
  } finally {
    await close();
  }
});

test('payments of other accounts do not wait for an acquirer that is silent', async () => {
  const silence = await openSilence();
  const { pay, close } = await openShop(silence.url);
  try {
    let ended = 0;
    const end = () => {
      ended += 1;
    };
    for (let made = 0; made < HANGING; made += 1) void pay('MASTER').then(end, end);
    while (silence.open() === 0) await pay('VISA');
    for (let made = 0; made < OTHERS; made += 1) assert.equal((await pay('VISA')).result.code, '000.100.112');
    // What hangs is bounded, and nothing else waits for it.
    assert.ok(silence.open() <= 64, `${silence.open()} connections to one account`);
    assert.ok(ended <= HANGING - 64, 'the acquirer was not silent');
  } finally {
    await silence.close();
    await close();
  }
});

const ROUNDS = 9;
const EACH_ROUND = 200;
const AT_ONCE = 4;

type Pay = (brand: 'VISA' | 'MASTER') => Promise<unknown>;

/** Sends a payment by Mastercard beside each one by Visa, as long as not too many hang. */
function withMastercards(pay: Pay): () => Promise<unknown> {
  let underWay = 0;
  const end = () => {
    underWay -= 1;
  };
  return () => {
    if (underWay < HANGING) {
      underWay += 1;
      void pay('MASTER').then(end, end);
    }
    return pay('VISA');
  };
}

/** The latency, in milliseconds, that 99 of 100 payments of a round keep. */
async function slowest(pay: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  const work = async () => {
    while (taken.length < EACH_ROUND) {
      const began = performance.now();
      await pay();
      taken.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return taken.toSorted((one, other) => one - other)[Math.floor(taken.length * 0.99)] ?? Number.POSITIVE_INFINITY;
}

test('beside a silent acquirer, p99 of the payments of other accounts stays within 1.2 times', { skip: onlyLong }, async (t) => {
  const silence = await openSilence();
  const acquirer = await openExample();
  const shops = [await openShop(acquirer.url), await openShop(silence.url)] as const;
  const [calm, troubled] = [withMastercards(shops[0].pay), withMastercards(shops[1].pay)];
  try {
    for (const pay of [calm, troubled]) await slowest(pay);
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await slowest(calm);
      ratios.push((await slowest(troubled)) / before);
    }
    const ratio = ratios.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? Number.POSITIVE_INFINITY;
    t.diagnostic(`p99 beside a silent acquirer ÷ p99 beside one that answers: ${ratio.toFixed(2)} (median of ${ROUNDS} rounds)`);
    assert.ok(ratio <= 1.2, `${ratio.toFixed(2)} times`);
  } finally {
    await silence.close();
    for (const shop of shops) await shop.close();
    await acquirer.close();
  }
});

const PER_SECOND = 200;
/** Half a minute of them, or ten. */
const REQUESTS = sized({ quick: 30, assure: 30, reliability: 600 }) * PER_SECOND;
const MIB = 1024 * 1024;
const GROWTH_MIB_MAX = 100;

/** By how many mebibytes the memory of the process grows at most while the work is done. */
async function growthDuring(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 50);
  try {
    await work();
  } finally {
    clearInterval(watch);
  }
  return Math.ceil((Math.max(most, process.memoryUsage.rss()) - before) / MIB);
}

/** Payments under way at a time that are not of the silent acquirer: a busy machine takes longer for them all, and not more of them at once. */
const UNDER_WAY_MAX = 64;

/** Sends so many payments, no more than 200 in a second. Every third is a Mastercard, for which nothing waits. */
async function sendPaced(count: number, pay: Pay): Promise<number> {
  const TICK_MS = 20;
  const each = (PER_SECOND * TICK_MS) / 1000;
  let [underWay, answered] = [0, 0];
  const end = (isAnswered: boolean) => () => {
    underWay -= 1;
    answered += isAnswered ? 1 : 0;
  };
  for (let sent = 0; sent < count; await pause(TICK_MS)) {
    for (const until = sent + each; sent < until && underWay < UNDER_WAY_MAX; sent += 1) {
      if (sent % 3 === 0) void pay('MASTER').catch(() => {});
      else {
        underWay += 1;
        void pay('VISA').then(end(true), end(false));
      }
    }
  }
  while (underWay > 0) await pause(TICK_MS);
  return answered;
}

test('beside a silent acquirer, 200 requests a second let the memory grow by at most 100 MiB', { skip: onlyLong }, async (t) => {
  const [silence, answering] = [await openSilence(), await openExample()];
  const dataDirs = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'turnpike-silent-'))) as [string, string];
  const calm = await openShop(answering.url, await openSqliteStore({ dataDir: dataDirs[0] }));
  const troubled = await openShop(silence.url, await openSqliteStore({ dataDir: dataDirs[1] }));
  try {
    // The same load beside an acquirer that answers: code, caches and the heap have their size before.
    await sendPaced(REQUESTS / 2, calm.pay);
    let answered = 0;
    const growth = await growthDuring(async () => {
      answered = await sendPaced(REQUESTS, troubled.pay);
    });
    t.diagnostic(`${REQUESTS} requests, ${answered} others answered, ${silence.open()} connections, memory +${growth} MiB`);
    assert.equal(answered, (REQUESTS * 2) / 3);
    assert.ok(silence.open() <= 64, `${silence.open()} connections to one account`);
    assert.ok(growth <= GROWTH_MIB_MAX, `${growth} MiB`);
  } finally {
    await silence.close();
    for (const shop of [calm, troubled]) await shop.close();
    await answering.close();
    for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true });
  }
});

test('control: memory that is held while it is measured is found', async () => {
  const held: Buffer[] = [];
  const growth = await growthDuring(async () => {
    // What the tests before have left is collected meanwhile and hides a part, once 43 MiB: so much is held that it cannot hide it all.
    for (let at = 0; at < 32; at += 1) {
      held.push(Buffer.alloc(8 * MIB, 1));
      await pause(10);
    }
  });
  assert.ok(growth > GROWTH_MIB_MAX, `${growth} MiB of ${held.length * 8}`);
});
