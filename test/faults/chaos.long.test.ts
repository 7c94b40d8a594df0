import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '../postgres.ts';
import { startTcpProxy } from '../tcpProxy.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { type ChaosNode, faults } from './chaos.ts';
import { demoShop } from './client.ts';
import { openRawDatabase } from './database.ts';
import { createGateway, isReady } from './gatewayProcess.ts';
import { assertNothingWentWrong, overload, SETTLE_MS_MAX } from './killRun.ts';
import { startLoad } from './load.ts';
import { createMovedClock } from './movedClock.ts';
import { reconcile } from './reconcile.ts';
import { createChance } from './stories.ts';
import { verify } from './verifyBooks.ts';

/** Ways between nodes, database and receivers are cut, slowed and broken; nodes freeze, die and mistake the time. */

const NODES = 4;
const ROUNDS = 2;
const PAYMENTS_BETWEEN = 60;
const DELIVERED_MS_MAX = 120_000;

test(`chaos: ${ROUNDS} rounds of ${Object.keys(faults).length} faults on ${NODES} nodes lose and double no payment, and the books verify`, {
  timeout: 3_600_000,
}, async (t) => {
  const server = await startPostgres();
  const receiver = await startReceiver(() => Date.now());
  const toReceiver = await startTcpProxy(Number(new URL(receiver.url).port));
  const nodes: readonly ChaosNode[] = await Promise.all(
    Array.from({ length: NODES }, async () => {
      const toDatabase = await startTcpProxy(Number(new URL(server.url()).port));
      const clock = createMovedClock();
      const env = { CLOCK_FILE: clock.file };
      const gateway = await createGateway({ databaseUrl: toDatabase.through(server.url()), env, changes: 'none' });
      return { toDatabase, clock, gateway };
    }),
  );
  t.after(async () => {
    await Promise.all(nodes.map(({ gateway }) => gateway.kill()));
    await Promise.all([toReceiver, ...nodes.map(({ toDatabase }) => toDatabase)].map((proxy) => proxy.close()));
    receiver.close();
    await server.stop('immediate');
  });
  for (const { gateway } of nodes) await gateway.start();
  const urls = nodes.map(({ gateway }) => gateway.url);
  await addWebhook(urls[0] ?? '', toReceiver.through(receiver.url));
  const { journal, ...load } = startLoad({ urls, perSecond: 40, seed: 61, strangeMs: 20_000 });
  t.after(() => load.abandon());
  const more = async (least: number) => {
    const from = journal.acknowledged.length;
    while (journal.acknowledged.length < from + least) await pause(20);
  };
  const chance = createChance(62);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, fault] of Object.entries(faults)) {
      await more(PAYMENTS_BETWEEN);
      const node = nodes[Math.floor(chance() * NODES)] as ChaosNode;
      const [before, began] = [journal.acknowledged.length, performance.now()];
      await fault({ nodes, toReceiver, server, chance }, node);
      t.diagnostic(
        `${name}: ${journal.acknowledged.length - before} acknowledged in ${Math.round((performance.now() - began) / 1_000)} s`,
      );
    }
  }
  await more(PAYMENTS_BETWEEN);
  await load.stop();
  for (const { gateway } of nodes) while (!(await isReady(gateway.url))) await pause(50);
  const found = await reconcile(urls[0] ?? '', journal, { settleMsMax: SETTLE_MS_MAX * overload() });
  t.diagnostic(`${found.checked} payments acknowledged, ${found.lost.length} lost, ${found.doubled.length} doubled`);
  // A shop that asked a frozen node waited in vain.
  assertNothingWentWrong({ ...journal, hangs: [] }, found);
  const raw = openRawDatabase(server.url(), '');
  t.after(() => raw.close());
  const countOf = async (what: string) => Number((await raw.rows(`SELECT count(*) AS n FROM ${what}`))[0]?.n);
  const began = performance.now();
  while ((await countOf("outbox WHERE state = 'new'")) > 0 || (await countOf("delivery WHERE state <> 'delivered'")) > 0) {
    assert.ok(performance.now() - began < DELIVERED_MS_MAX * overload(), 'webhooks are still undelivered');
    await pause(200);
  }
  assert.ok((await countOf('delivery')) >= found.checked, 'a payment has no webhook');
  await Promise.all(nodes.map(({ gateway }) => gateway.end('SIGTERM')));
  const proof = await verify(server.url(), '');
  assert.ok(proof.ok, proof.text);
});

async function addWebhook(url: string, receiverUrl: string): Promise<void> {
  const headers = { authorization: `Bearer ${demoShop.token}`, 'content-type': 'application/json' };
  const ask = async (path: string, body: object) => {
    const reply = await fetch(`${url}/admin/v1/webhooks${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.ok(reply.ok, `${reply.status} ${await reply.clone().text()}`);
    return (await reply.json()) as { readonly id: string };
  };
  const { id } = await ask('', { entityId: demoShop.entityId, name: 'Orders', url: receiverUrl, types: ['PAYMENT'] });
  await ask(`/${id}/test`, {});
}
