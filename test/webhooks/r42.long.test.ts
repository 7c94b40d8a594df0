import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { clock } from '../../src/app/system.ts';
import { createGateway } from '../faults/gatewayProcess.ts';
import { reportFigure } from '../figures.ts';
import { createAdministrator } from '../http/administrator.ts';
import { firstTries, heardBy, pay, startWebhooks, until, type Webhooks } from './r42.ts';
import type { Manner } from './receiver.ts';

/** R42 in full: a gateway process on SQLite, killed with SIGKILL at 100 events a second. Every fifth receiver is dead. */

const OTHERS: readonly Manner[] = ['hang', 'hang', 'reset', 'reset', 'error', 'busy', 'gone', 'redirect', 'slow'];
const MANNERS: readonly Manner[] = [...Array.from({ length: 11 }, (): Manner => 'ok'), ...OTHERS];
const RATE = 100;

const missing = ({ well }: Webhooks, taken: readonly string[]): number =>
  well.reduce((sum, hook) => {
    const heard = heardBy(hook);
    return sum + taken.filter((id) => !heard.has(id)).length;
  }, 0);

test('a process that is killed in the middle loses no event; keys are rotated meanwhile', {
  timeout: 300_000,
}, async (context) => {
  const gateway = await createGateway();
  await gateway.start();
  const webhooks = await startWebhooks(gateway.url, MANNERS, () => clock.now());
  after(async () => {
    webhooks.close();
    await gateway.kill();
  });
  const url = () => gateway.url;
  await pay(webhooks, { url, count: 50, perSecond: RATE });
  await pause(2_000);
  webhooks.askedAt.clear();
  const taken = await pay(webhooks, { url, count: 10 * RATE, perSecond: RATE });
  await until(() => missing(webhooks, taken) === 0, 30_000);
  const { p99, count } = firstTries(webhooks);
  context.diagnostic(
    `p99 of the first try ${p99} ms, of ${count}, beside ${MANNERS.length - webhooks.well.length} unhealthy ones`,
  );
  assert.equal(count, taken.length * webhooks.well.length);
  assert.ok(p99 <= 2_000, `p99 ${p99} ms`);
  reportFigure('R42', 'deliveries', count);

  const paying = pay(webhooks, { url, count: 8 * RATE, perSecond: RATE });
  await pause(3_000);
  await gateway.kill();
  const readyMs = await gateway.start();
  const [hook] = webhooks.well;
  assert.ok(hook);
  const rotated = await createAdministrator(gateway.url).rotate(hook.id);
  hook.receiver.keys = [...hook.receiver.keys, Buffer.from(rotated.body.key, 'hex')];
  const later = await paying;
  const began = performance.now();
  await until(() => missing(webhooks, [...taken, ...later]) === 0, 150_000);
  const seconds = Math.round((performance.now() - began) / 1_000);
  context.diagnostic(
    `${later.length} payments around a kill, ready again after ${readyMs} ms, everything delivered ${seconds} s later`,
  );
  assert.ok(later.length > 2 * RATE, `only ${later.length} payments were answered`);
  assert.equal(missing(webhooks, [...taken, ...later]), 0);
  const gone = webhooks.hooks.find(({ manner }) => manner === 'gone');
  assert.equal((await createAdministrator(gateway.url).read(gone?.id ?? '')).body.state, 'off');
});
