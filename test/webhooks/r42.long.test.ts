import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { clock } from '../../src/app/system.ts';
import { createGateway } from '../faults/gatewayProcess.ts';
import { createAdministrator } from '../http/administrator.ts';
import { buildTown, firstTries, heardBy, pay, type Town, until } from './r42.ts';
import type { Manner } from './receiver.ts';

/** R42 whole: a gateway of its own on SQLite, killed with SIGKILL while 100 events a second happen. Every fifth receiver is dead. */

const OTHERS: readonly Manner[] = ['hang', 'hang', 'reset', 'reset', 'error', 'busy', 'gone', 'redirect', 'slow'];
const MANNERS: readonly Manner[] = [...Array.from({ length: 11 }, (): Manner => 'ok'), ...OTHERS];
const RATE = 100;

const missing = ({ well }: Town, taken: readonly string[]): number =>
  well.reduce((sum, hook) => {
    const heard = heardBy(hook);
    return sum + taken.filter((id) => !heard.has(id)).length;
  }, 0);

test('a process that is killed in the middle loses no news; keys are exchanged meanwhile', {
  timeout: 300_000,
}, async (context) => {
  const gateway = await createGateway();
  await gateway.start();
  const town = await buildTown(gateway.url, MANNERS, () => clock.now());
  after(async () => {
    town.close();
    await gateway.kill();
  });
  const url = () => gateway.url;
  await pay(town, { url, count: 50, perSecond: RATE });
  await pause(2_000);
  town.askedAt.clear();
  const taken = await pay(town, { url, count: 10 * RATE, perSecond: RATE });
  await until(() => missing(town, taken) === 0, 30_000);
  const { p99, count } = firstTries(town);
  context.diagnostic(
    `p99 of the first try ${p99} ms, of ${count}, beside ${MANNERS.length - town.well.length} that are not well`,
  );
  assert.equal(count, taken.length * town.well.length);
  assert.ok(p99 <= 2_000, `p99 ${p99} ms`);

  const paying = pay(town, { url, count: 8 * RATE, perSecond: RATE });
  await pause(3_000);
  await gateway.kill();
  const readyMs = await gateway.start();
  const [hook] = town.well;
  assert.ok(hook);
  const rotated = await createAdministrator(gateway.url).rotate(hook.id);
  hook.receiver.keys = [...hook.receiver.keys, Buffer.from(rotated.body.key, 'hex')];
  const later = await paying;
  const began = performance.now();
  await until(() => missing(town, [...taken, ...later]) === 0, 150_000);
  const seconds = Math.round((performance.now() - began) / 1_000);
  context.diagnostic(
    `${later.length} payments around a kill, ready again after ${readyMs} ms, everything told ${seconds} s later`,
  );
  assert.ok(later.length > 2 * RATE, `only ${later.length} payments were answered`);
  assert.equal(missing(town, [...taken, ...later]), 0);
  const gone = town.hooks.find(({ manner }) => manner === 'gone');
  assert.equal((await createAdministrator(gateway.url).read(gone?.id ?? '')).body.state, 'off');
});
