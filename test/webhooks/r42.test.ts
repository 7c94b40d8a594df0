import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { clock } from '../../src/app/system.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { verify } from '../../src/webhooks/wireFormat.ts';
import { reportFigure } from '../figures.ts';
import { createAdministrator } from '../http/administrator.ts';
import { createClient } from '../http/client.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { type Mortal, mortal } from '../mortal.ts';
import { firstTries, heardBy, pay, startWebhooks, until, type Webhooks } from './r42.ts';
import type { Manner } from './receiver.ts';

/** The quick form of R42, in one process; `r42.long.test.ts` kills a real one. */

const MANNERS: readonly Manner[] = ['ok', 'ok', 'ok', 'slow', 'error', 'busy', 'gone', 'redirect', 'reset', 'hang'];
const EVENTS = 60;
/** Short timeouts, so that hanging receivers and a killed node do not delay the test. */
const SHORT = { patienceMs: 1_500, limits: { stopMs: 100 } } as const;
const [DAY_MS, LEASE_MS] = [86_400_000, 60_000];

/** Fans out and dispatches as often as a running gateway does, until the node is dead. */
async function runJobs(gateway: TestGateway, { isDead, death }: Mortal, isDone: () => boolean): Promise<void> {
  const often = async (name: string): Promise<void> => {
    while (!isDead() && !isDone()) {
      await Promise.race([gateway.work(name), death]);
      await pause(250);
    }
  };
  await Promise.all([often('fan out events'), often('dispatch deliveries')]);
}

const hasAll = (webhooks: Webhooks, taken: readonly string[]): boolean =>
  webhooks.well.every((hook) => {
    const heard = heardBy(hook);
    return taken.every((id) => heard.has(id));
  });

test('at 100 events a second beside dead receivers every healthy receiver gets every event, also when a node is killed', async (context) => {
  const store = createMemoryStore();
  const [first, second] = [mortal(store), mortal(store)];
  const killed = await startGateway({ store: first.store, ...SHORT });
  const webhooks = await startWebhooks(killed.url, MANNERS, () => clock.now());
  const gateways = [killed];
  after(async () => {
    webhooks.close();
    isDone = true;
    await Promise.all(gateways.map((gateway) => gateway.close()));
  });
  let isDone = false;
  void runJobs(killed, first, () => isDone);
  // Warm-up: first calls take longer.
  const early = await pay(webhooks, { url: () => killed.url, count: 20, perSecond: 100 });
  await until(() => hasAll(webhooks, early), 5_000);
  webhooks.askedAt.clear();
  const before = await pay(webhooks, { url: () => killed.url, count: EVENTS, perSecond: 100 });
  await until(() => hasAll(webhooks, before), 5_000);
  const { p99, count } = firstTries(webhooks);
  context.diagnostic(`p99 of the first try ${p99} ms, of ${count}`);
  assert.equal(count, EVENTS * webhooks.well.length);
  assert.ok(p99 <= 2_000, `p99 ${p99} ms`);
  reportFigure('R42', 'deliveries', count);

  // The node dies with its leases; another one starts, and keys are rotated meanwhile.
  const [hook] = webhooks.well;
  assert.ok(hook);
  const more = pay(webhooks, { url: () => killed.url, count: 30, perSecond: 100 });
  first.dieAfter(40, true);
  await first.death;
  const next = await startGateway({ store: second.store, ...SHORT });
  gateways.push(next);
  const rotated = await createAdministrator(next.url).rotate(hook.id);
  hook.receiver.keys = [...hook.receiver.keys, Buffer.from(rotated.body.key, 'hex')];
  const taken = [...before, ...(await Promise.race([more, pause(500, [])]))];
  taken.push(...(await pay(webhooks, { url: () => next.url, count: 30, perSecond: 100 })));
  void runJobs(next, second, () => isDone);
  // The leases of the killed node have expired.
  next.pass(LEASE_MS + 1_000);
  await until(() => hasAll(webhooks, taken), 10_000);
  assert.ok(hasAll(webhooks, taken), 'every healthy receiver has every payment that was answered');

  const admin = createAdministrator(next.url);
  const gone = webhooks.hooks.find(({ manner }) => manner === 'gone');
  const redirecting = webhooks.hooks.find(({ manner }) => manner === 'redirect');
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

test('five days of failure pause with an alert, 30 days make dead letters, which are listed and sent again', async () => {
  const gateway = await startGateway();
  const webhooks = await startWebhooks(gateway.url, ['error'], () => gateway.world.clock.now());
  after(async () => {
    webhooks.close();
    await gateway.close();
  });
  const [hook] = webhooks.hooks;
  assert.ok(hook);
  const admin = createAdministrator(gateway.url);
  const deliver = async (): Promise<void> => {
    await gateway.work('fan out events');
    await gateway.work('dispatch deliveries');
    await pause(20);
  };
  const { id } = await createClient(gateway.url).pay();
  // A try that takes long on a busy machine ends in one of the next rounds, and the pause follows from the last of them.
  let thirds = 0;
  for (; thirds < 36 && (await admin.read(hook.id)).body.state !== 'paused'; thirds += 1) {
    await deliver();
    gateway.pass(DAY_MS / 3);
  }
  assert.equal((await admin.read(hook.id)).body.state, 'paused');
  assert.ok(thirds >= 15, `paused after ${thirds / 3} days`);
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
  assert.equal(new Set(hook.receiver.heard.map((heard) => heard.id)).size, 2, 'one id for the event, one for the test delivery');
});
