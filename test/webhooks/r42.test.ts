import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { clock } from '../../src/app/system.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { verify } from '../../src/webhooks/signature.ts';
import { createAdministrator } from '../http/administrator.ts';
import { createClient } from '../http/client.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { type Mortal, mortal } from '../mortal.ts';
import { buildTown, firstTries, heardBy, pay, type Town, until } from './r42.ts';
import type { Manner } from './receiver.ts';

/** The quick form of R42, in one process; `r42.long.test.ts` kills a real one. */

const MANNERS: readonly Manner[] = ['ok', 'ok', 'ok', 'slow', 'error', 'busy', 'gone', 'redirect', 'reset', 'hang'];
const EVENTS = 60;
/** Nobody is waited for long, so that receivers that hang and a node that is dead do not hold up the test. */
const SHORT = { patienceMs: 1_500, limits: { stopMs: 100 } } as const;
const [DAY_MS, CLAIM_MS] = [86_400_000, 60_000];

/** Spreads and delivers as often as the running gateway does, until the node is dead. */
async function telling(gateway: TestGateway, { isDead, death }: Mortal, isDone: () => boolean): Promise<void> {
  const often = async (name: string): Promise<void> => {
    while (!isDead() && !isDone()) {
      await Promise.race([gateway.work(name), death]);
      await pause(250);
    }
  };
  await Promise.all([often('fan out events'), often('dispatch deliveries')]);
}

const hasAll = (town: Town, taken: readonly string[]): boolean =>
  town.well.every((hook) => {
    const heard = heardBy(hook);
    return taken.every((id) => heard.has(id));
  });

test('at 100 events a second beside dead receivers everybody who is well is told, also when a node is killed', async (context) => {
  const store = createMemoryStore();
  const [first, second] = [mortal(store), mortal(store)];
  const killed = await startGateway({ store: first.store, ...SHORT });
  const town = await buildTown(killed.url, MANNERS, () => clock.now());
  const gateways = [killed];
  after(async () => {
    town.close();
    isDone = true;
    await Promise.all(gateways.map((gateway) => gateway.close()));
  });
  let isDone = false;
  void telling(killed, first, () => isDone);
  // What is done for the first time takes longer, of whatever kind it is.
  const early = await pay(town, { url: () => killed.url, count: 20, perSecond: 100 });
  await until(() => hasAll(town, early), 5_000);
  town.askedAt.clear();
  const before = await pay(town, { url: () => killed.url, count: EVENTS, perSecond: 100 });
  await until(() => hasAll(town, before), 5_000);
  const { p99, count } = firstTries(town);
  context.diagnostic(`p99 of the first try ${p99} ms, of ${count}`);
  assert.equal(count, EVENTS * town.well.length);
  assert.ok(p99 <= 2_000, `p99 ${p99} ms`);

  // It dies with everything it has claimed; another one comes, and keys are exchanged meanwhile.
  const [hook] = town.well;
  assert.ok(hook);
  const more = pay(town, { url: () => killed.url, count: 30, perSecond: 100 });
  first.dieAfter(40, true);
  await first.death;
  const next = await startGateway({ store: second.store, ...SHORT });
  gateways.push(next);
  const rotated = await createAdministrator(next.url).rotate(hook.id);
  hook.receiver.keys = [...hook.receiver.keys, Buffer.from(rotated.body.key, 'hex')];
  const taken = [...before, ...(await Promise.race([more, pause(500, [])]))];
  taken.push(...(await pay(town, { url: () => next.url, count: 30, perSecond: 100 })));
  void telling(next, second, () => isDone);
  // What the dead one had claimed is free again.
  next.pass(CLAIM_MS + 1_000);
  await until(() => hasAll(town, taken), 10_000);
  assert.ok(hasAll(town, taken), 'everybody who is well has heard of every payment that was answered');

  const admin = createAdministrator(next.url);
  const gone = town.hooks.find(({ manner }) => manner === 'gone');
  const redirecting = town.hooks.find(({ manner }) => manner === 'redirect');
  assert.equal((await admin.read(gone?.id ?? '')).body.state, 'off');
  assert.ok(redirecting?.receiver.heard.every(({ headers }) => headers.host && redirecting.receiver.url.includes(headers.host)));
  const [one] = hook.receiver.heard;
  assert.ok(one);
  const recorded = { body: one.body, keys: hook.receiver.keys };
  const sentAt = Number(one.headers['webhook-timestamp']) * 1_000;
  const signed = one.headers as never;
  assert.deepEqual(
    [299_000, 301_000].map((ms) => verify(signed, { ...recorded, now: sentAt + ms })),
    ['good', 'stale'],
  );
});

test('five days of failure pause with a notice, 30 days make dead letters, which are listed and sent again', async () => {
  const gateway = await startGateway();
  const town = await buildTown(gateway.url, ['error'], () => gateway.world.clock.now());
  after(async () => {
    town.close();
    await gateway.close();
  });
  const [hook] = town.hooks;
  assert.ok(hook);
  const admin = createAdministrator(gateway.url);
  const deliver = async (): Promise<void> => {
    await gateway.work('fan out events');
    await gateway.work('dispatch deliveries');
    await pause(20);
  };
  const { id } = await createClient(gateway.url).pay();
  for (let hours = 0; hours < 6 * 24; hours += 8) {
    await deliver();
    gateway.pass(DAY_MS / 3);
  }
  assert.equal((await admin.read(hook.id)).body.state, 'paused');
  await gateway.work('report failing webhooks');
  assert.ok(gateway.lines.filter((line) => line.includes('a webhook does not work')).length >= 2);
  gateway.pass(26 * DAY_MS);
  await gateway.work('abandon overdue deliveries');
  const listed = (await admin.deliveries(hook.id, '?state=dead')).body.deliveries;
  assert.equal(listed.length, 1);
  hook.receiver.manner = 'ok';
  assert.equal((await admin.test(hook.id)).body.state, 'active');
  assert.deepEqual((await admin.resend(hook.id, { failed: true })).body, { count: 1 });
  gateway.pass(2_000);
  await until(async () => {
    await deliver();
    return heardBy(hook).has(id);
  }, 5_000);
  assert.deepEqual([...heardBy(hook)], [id]);
  assert.equal(new Set(hook.receiver.heard.map((heard) => heard.id)).size, 2, 'one id for the news, one for the test delivery');
});
