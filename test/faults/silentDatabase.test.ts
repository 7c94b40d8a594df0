import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { limitsOf, silenceMsOf } from '../../src/store/postgres/limits.ts';
import { testDatabase } from '../postgres.ts';
import { startTcpProxy, type TcpProxy } from '../tcpProxy.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { card, demoShop, isApproved, pay } from './client.ts';
import { openRawDatabase, type RawDatabase } from './database.ts';
import { createGateway, type GatewayProcess } from './gatewayProcess.ts';
import { overload, SETTLE_MS_MAX } from './killRun.ts';
import { startLoad } from './load.ts';
import { reconcile } from './reconcile.ts';

/** Longer than any request may wait for an answer. */
const SILENCE_MS = Math.max(silenceMsOf('everyday'), limitsOf.everyday.transactionMs) + 2_000;
/** The time until a request or a job detects the silence, plus the pause of a job after failures. */
const RESUME_MS_MAX = 20_000;
const END_MS_MAX = 15_000;

let database: { readonly url: string; drop(): Promise<void> };
let proxy: TcpProxy;
let gateway: GatewayProcess;
let receiver: Receiver;
let raw: RawDatabase;
before(async () => {
  database = await testDatabase();
  proxy = await startTcpProxy(Number(new URL(database.url).port || 5432));
  gateway = await createGateway({ databaseUrl: proxy.through(database.url) });
  receiver = await startReceiver(() => Date.now());
  await gateway.start();
  raw = openRawDatabase(database.url, '');
});
after(async () => {
  await gateway.kill();
  receiver.close();
  await raw.close();
  await proxy.close();
  await database.drop();
});

async function asOperator(path: string, body: object): Promise<{ readonly id: string }> {
  const headers = { authorization: `Bearer ${demoShop.token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${gateway.url}/admin/v1/webhooks${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  assert.ok(answer.ok, `${answer.status} ${await answer.clone().text()}`);
  return (await answer.json()) as { id: string };
}

async function until(what: string, isSo: () => boolean | Promise<boolean>, msMax: number): Promise<number> {
  const began = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - began < msMax, `${what}: not within ${msMax} ms\n${gateway.said().slice(-3_000)}`);
    await pause(100);
  }
  return Math.round(performance.now() - began);
}

const numberOf = async (statement: string): Promise<number> => Number((await raw.rows(statement))[0]?.n);
const unsealed = () => numberOf('SELECT count(*) AS n FROM posting WHERE block = 0');
const blocks = () => numberOf('SELECT count(*) AS n FROM ledger_block');
const order = { fields: { paymentType: 'DB', amount: '1.00', currency: 'EUR', ...card } };

test('every connection to the database falls silent: payments, webhooks and the ledger recover without a restart', {
  timeout: 240_000,
}, async (t) => {
  const msMax = RESUME_MS_MAX * overload();
  const hook = await asOperator('', { entityId: demoShop.entityId, name: 'Orders', url: receiver.url, types: ['PAYMENT'] });
  await asOperator(`/${hook.id}/test`, {});
  const load = startLoad({ urls: [gateway.url], perSecond: 40, seed: 18, strangeMs: 0 });
  t.after(() => load.abandon());
  await until('the first deliveries', () => receiver.accepted.length >= 5, msMax);
  await until('the first blocks', async () => (await blocks()) > 0, msMax);
  proxy.next = 'stall';
  assert.ok(proxy.strike('stall') > 1);
  await pause(SILENCE_MS);
  proxy.next = 'pass';
  const [delivered, sealed] = [receiver.accepted.length, await blocks()];
  const paidMs = await until('a payment', async () => isApproved(await pay(gateway.url, order)), msMax);
  const toldMs = await until('a delivery', () => receiver.accepted.length > delivered, msMax);
  const sealedMs = await until('a block', async () => (await blocks()) > sealed, msMax);
  await load.stop();
  await until('all postings sealed', async () => (await unsealed()) === 0, msMax);
  const found = await reconcile(gateway.url, load.journal, { settleMsMax: SETTLE_MS_MAX });
  t.diagnostic(
    `after ${SILENCE_MS} ms of silence: payments ${paidMs} ms, webhooks ${toldMs} ms, books ${sealedMs} ms; ${found.checked} acknowledged`,
  );
  const { lost, changed, doubled, overruns, pending } = found;
  assert.deepEqual(
    { lost, changed, doubled, overruns, pending },
    { lost: [], changed: [], doubled: [], overruns: [], pending: [] },
  );
  assert.deepEqual(load.journal.unclean, []);
});

test('SIGTERM while the database is silent ends the gateway in good order and in time', { timeout: 120_000 }, async (t) => {
  const load = startLoad({ urls: [gateway.url], perSecond: 40, seed: 19, strangeMs: 0 });
  t.after(() => load.abandon());
  await pause(1_000);
  proxy.next = 'stall';
  proxy.strike('stall');
  await pause(1_000);
  const { code, ms } = await gateway.end('SIGTERM');
  t.diagnostic(`ended with ${code} after ${ms} ms`);
  assert.ok(ms <= END_MS_MAX * overload(), `ended only after ${ms} ms`);
  assert.equal(code, 0, gateway.said().slice(-3_000));
});
