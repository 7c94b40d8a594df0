import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { timers } from '../../src/app/system.ts';
import { createFolders } from '../../src/outbound/folders.ts';
import { type DeliverNeeds, deliverDue, deliverRun, retryDelayMs } from '../../src/reports/reconciliation/deliver.ts';
import { scheduleRuns } from '../../src/reports/reconciliation/deliveryService.ts';
import type { ReconciliationRun } from '../../src/reports/reconciliation/ports.ts';
import { type DeliverySettings, deliverySettings } from '../../src/reports/reconciliation/settings.ts';
import type { OpenTarget } from '../../src/settlement/remoteFolder.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import type { Store } from '../../src/store/store.ts';
import { bring } from '../contract/storeSettlementFixtures.ts';
import { SFTP_PASSWORD, SFTP_USER, startSftp } from '../remote/sftpServer.ts';

/** Reconciliation files on their way to an SFTP server. */

const server = await startSftp();
after(() => server.close());

const MERCHANT = '5eed00000000000000000000000000f1';
const DAY = '2031-10-02';
const NAME = `${DAY}.csv`;
const MINUTE_MS = 60_000;
const [SIX, DAY_MS] = [Date.UTC(2031, 9, 3, 6), 86_400_000];

const setting = {
  kind: 'sftp',
  host: '127.0.0.1',
  port: server.port,
  user: SFTP_USER,
  hostKey: server.hostKey,
  pattern: '{date}.csv',
  since: '2031-10-01',
  columns: ['TransactionId', 'Amount'],
};
const delivery = deliverySettings(setting) as DeliverySettings;
const openFolder = createFolders({ timers, reach: 'loopback' });
// No server is late here: how long is waited for is the subject of test/remote/folders.test.ts.
const open: OpenTarget = (target, secret) => openFolder(target, secret, { openMs: 60_000, idleMs: 60_000 });

let store: Store;
let now = SIX;
let alarms: string[] = [];
beforeEach(async () => {
  store = createMemoryStore();
  now = SIX;
  alarms = [];
  for (const name of await readdir(server.folder)) await rename(join(server.folder, name), `/tmp/turnpike-taken-${process.pid}`);
});

const needsOf = (changes: Partial<DeliverNeeds> = {}): DeliverNeeds => ({
  store,
  entity: () => null,
  open,
  timers,
  delivery: () => delivery,
  secret: async () => ({ kind: 'password', password: SFTP_PASSWORD }) as const,
  now: () => now,
  alarm: (message) => void alarms.push(message),
  ...changes,
});
const plan = () => scheduleRuns({ store }, MERCHANT, { delivery, zone: 'UTC', now });
const deliver = (needs = needsOf()) => deliverDue(needs, { now, merchantId: null, isTheirs: () => true });
const runs = () => store.reconciliations(MERCHANT, '');
const lines = (...names: readonly string[]) =>
  names.map((merchantTransactionId) => ({ merchantId: MERCHANT, merchantTransactionId }));
const fileOf = (...names: readonly string[]) =>
  ['TransactionId;Amount', ...names.map((name) => `${name};92.00`), ''].join('\r\n');
const there = async () => (await readdir(server.folder)).sort();
const textOf = (name: string) => readFile(join(server.folder, name), 'utf8');

test('the file of yesterday goes out at the hour, once, under its name', async () => {
  await bring(store, [...lines('one', 'two'), { merchantId: 'somebody else' }]);
  now = SIX - 1;
  assert.equal(await plan(), 0, 'the day before was over, this one was not');
  now = SIX;
  assert.equal(await plan(), 1);
  assert.equal(await plan(), 0);
  assert.equal(await deliver(), 1);
  assert.equal(await deliver(), 0);
  assert.deepEqual(await there(), [NAME]);
  assert.equal(await textOf(NAME), fileOf('one', 'two'));
  const [run] = await runs();
  const { state, bytes, digest, records, covers, tries, claimedUntil } = run as ReconciliationRun;
  assert.deepEqual([state, records, covers, tries, claimedUntil], ['done', 2, 2, 1, 0]);
  assert.equal(bytes, fileOf('one', 'two').length);
  assert.equal(digest, hash('sha256', fileOf('one', 'two')));
  assert.equal(await plan(), 0, 'nothing new');
});

test('what comes later stands in a further part, and what was sent does not come again', async () => {
  await bring(store, lines('one'));
  await plan();
  await deliver();
  await bring(store, lines('two', 'three'));
  now += DAY_MS;
  assert.equal(await plan(), 1);
  await deliver();
  assert.deepEqual(await there(), [`${DAY}-2.csv`, NAME]);
  assert.equal(await textOf(`${DAY}-2.csv`), fileOf('two', 'three'));
  now += DAY_MS;
  assert.equal(await plan(), 0);
});

test('a record that is given to the merchant after its file was sent comes in a further part', async () => {
  const { records } = await bring(store, [...lines('one'), { merchantId: 'somebody else', merchantTransactionId: 'two' }]);
  await plan();
  await deliver();
  const found = records[1];
  assert.ok(found);
  assert.equal(await store.saveRecord({ ...found, merchantId: MERCHANT, revision: 2 }, now), true);
  now += DAY_MS;
  assert.equal(await plan(), 1);
  await deliver();
  assert.equal(await textOf(`${DAY}-2.csv`), fileOf('two'));
  now += DAY_MS;
  assert.equal(await plan(), 0);
});

test('days before the first that is wanted are not delivered, nor a day that is not over', async () => {
  await bring(store, [
    { merchantId: MERCHANT, settledOn: '2031-09-30' },
    { merchantId: MERCHANT, settledOn: '2031-10-03' },
  ]);
  assert.equal(await plan(), 0);
});

test('the hour is that of the zone, and one that was missed is made up for', async () => {
  await bring(store, lines('one'));
  const tokyo = { delivery: { ...delivery, zone: 'Asia/Tokyo' }, zone: 'UTC' };
  const at = (instant: number) => scheduleRuns({ store }, MERCHANT, { ...tokyo, now: instant });
  assert.equal(await at(Date.UTC(2031, 9, 2, 20, 59)), 0);
  assert.equal(await at(Date.UTC(2031, 9, 2, 21, 0)), 1, 'six in the morning of the third, there');
});

test('a server that is away is tried again after 1, 5, 15, 60 minutes and every hour, and given up after two days', async () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map((tries) => retryDelayMs(tries) / MINUTE_MS),
    [1, 5, 15, 60, 60, 60],
  );
  await bring(store, lines('one'));
  await plan();
  const away = needsOf({ open: () => Promise.reject(new Error('connect ECONNREFUSED')) });
  for (const minutes of [1, 5, 15, 60, 60]) {
    assert.equal(await deliver(away), 1);
    const [run] = await runs();
    assert.deepEqual([run?.state, run?.why], ['due', 'connect ECONNREFUSED']);
    now += minutes * MINUTE_MS - 1;
    assert.equal(await deliver(away), 0);
    now += 1;
  }
  assert.deepEqual(alarms, []);
  now = SIX + 2 * DAY_MS;
  await deliver(away);
  assert.equal((await runs())[0]?.state, 'failed');
  assert.deepEqual(alarms, ['a reconciliation file was given up']);
  assert.deepEqual(await there(), []);
});

test('records that come in while the file is made do not get lost in it: it is made again', async () => {
  await bring(store, lines('one'));
  await plan();
  let hasCome = false;
  const late: Store = {
    ...store,
    records: async (asked) => {
      const found = await store.records(asked);
      if (!hasCome) await bring(store, lines('two'));
      hasCome = true;
      return found;
    },
  };
  await deliver(needsOf({ store: late }));
  assert.match((await runs())[0]?.why ?? '', /records came in/);
  now += MINUTE_MS;
  await deliver(needsOf({ store: late }));
  assert.deepEqual(await there(), [NAME]);
  assert.equal(await textOf(NAME), fileOf('one', 'two'));
});

/** Everything that is done to the store and to the server passes by here; at one of these steps the process dies. */
function killedAt(step: number, isAfter: boolean): { readonly needs: DeliverNeeds; readonly died: Promise<'died'> } {
  let count = 0;
  const { promise: died, resolve } = Promise.withResolvers<'died'>();
  const die = (): Promise<never> => {
    resolve('died');
    return new Promise<never>(() => {});
  };
  const guarded = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get: (own, name) => {
        const verb = Reflect.get(own, name) as unknown;
        if (typeof verb !== 'function' || name === 'close') return verb;
        return async (...given: unknown[]) => {
          count += 1;
          if (count > step || (count === step && !isAfter)) return die();
          const result = await (verb as (...all: unknown[]) => unknown).apply(own, given);
          return count >= step ? die() : result;
        };
      },
    });
  // A dead process waits for nothing.
  const patient = { within: <T>(_: number, promise: Promise<T>) => promise };
  const needs = needsOf({ timers: patient, store: guarded(store), open: async (...given) => guarded(await open(...given)) });
  return { needs, died };
}

test('a kill at any step neither loses nor doubles a file, also when it is fetched at once', async () => {
  let kills = 0;
  for (let step = 1; ; step += 1) {
    let isThrough = false;
    for (const isAfter of [false, true]) {
      store = createMemoryStore();
      now = SIX;
      await bring(store, lines('one', 'two'));
      await plan();
      const [due] = await runs();
      const { needs, died } = killedAt(step, isAfter);
      const end = await Promise.race([deliverRun(needs, due as ReconciliationRun), died]);
      isThrough ||= end !== 'died';
      kills += 1;
      const fetched: string[] = [];
      const fetchAll = async () => {
        for (const name of (await there()).filter((one) => !one.startsWith('.'))) {
          fetched.push(await textOf(name));
          await rename(join(server.folder, name), `/tmp/turnpike-taken-${process.pid}`);
        }
      };
      await fetchAll();
      now += 31 * MINUTE_MS;
      await deliver();
      await fetchAll();
      assert.deepEqual(fetched, [fileOf('one', 'two')], `killed ${isAfter ? 'after' : 'before'} step ${step}`);
      assert.equal((await runs())[0]?.state, 'done');
      for (const name of await there()) await rename(join(server.folder, name), `/tmp/turnpike-taken-${process.pid}`);
    }
    if (isThrough) break;
  }
  assert.ok(kills >= 20, `${kills}`);
});

test('one who was thought dead and comes back finds that the file is no longer his', async () => {
  await bring(store, lines('one'));
  await plan();
  const [due] = await runs();
  const slow = needsOf({
    open: async (...given) => {
      now += 31 * MINUTE_MS;
      await deliver();
      return open(...given);
    },
  });
  assert.equal(await deliverRun(slow, due as ReconciliationRun), null);
  assert.deepEqual(await there(), [NAME]);
  assert.equal((await runs())[0]?.tries, 2);
});

test('a connection that breaks while the file goes over, or gets its name, costs a try', async () => {
  await bring(store, lines('one'));
  await plan();
  server.trouble.cutsWrite = () => true;
  await deliver();
  delete server.trouble.cutsWrite;
  assert.equal((await runs())[0]?.state, 'due');
  now += MINUTE_MS;
  server.trouble.cutsRename = () => 'after';
  await deliver();
  delete server.trouble.cutsRename;
  assert.equal((await runs())[0]?.state, 'renaming');
  now += 5 * MINUTE_MS;
  await deliver();
  assert.deepEqual(await there(), [NAME]);
  assert.equal((await runs())[0]?.state, 'done');
});
