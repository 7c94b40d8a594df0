import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { testDatabase } from '../postgres.ts';
import { card, isApproved, pay, read } from './client.ts';
import { createGateway } from './gatewayProcess.ts';

const IN_FLIGHT = 40;

/** Whether the port still accepts connections. */
function isOpen(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

const slowOrders = Array.from({ length: IN_FLIGHT }, (_, at) => ({
  fields: {
    paymentType: at % 2 === 0 ? 'DB' : 'PA',
    amount: `${at + 1}.00`,
    currency: 'EUR',
    ...card,
    'customParameters[SIMULATOR_latency]': String(2_500 + at * 20),
  },
  key: at % 3 === 0 ? `shutdown-${at}` : null,
}));

/** A request that arrives later is rightly refused: all connections are accepted, and what came by them was read before this answer. */
async function allArrived(url: string): Promise<void> {
  for (let [tries, open] = [0, 0]; tries < 100 && open <= IN_FLIGHT; tries += 1) {
    const page = await (await fetch(`${url}/metrics`)).text();
    open = Number(/^turnpike_connections ([0-9]+)/m.exec(page)?.[1] ?? 0);
    await pause(50);
  }
  await (await fetch(`${url}/health/live`)).text();
}

/** On a busy machine a signal takes time to arrive; requests in flight take longer. */
async function closesSoon(url: string): Promise<boolean> {
  for (let tries = 0; tries < 20; tries += 1) {
    if (!(await isOpen(url))) return true;
    await pause(50);
  }
  return false;
}

const endings = [
  ['SIGINT', 'sqlite'],
  ['SIGTERM', 'sqlite'],
  ['SIGTERM', 'postgres'],
] as const;

for (const [signal, store] of endings) {
  test(`${signal} on ${store}: what is in flight is answered, nothing new is taken`, { timeout: 60_000 }, async (t) => {
    const database = store === 'postgres' ? await testDatabase() : null;
    const gateway = await createGateway(database ? { databaseUrl: database.url } : {});
    t.after(async () => {
      await gateway.kill();
      await database?.drop();
    });
    await gateway.start();
    const asked = slowOrders.map((order) => pay(gateway.url, order));
    await allArrived(gateway.url);
    const ending = gateway.end(signal);
    assert.ok(await closesSoon(gateway.url), 'a gateway that is about to end still takes connections');
    const replies = await Promise.all(asked);
    const { code, ms } = await ending;
    t.diagnostic(
      `${signal} on ${store}: ${replies.filter(isApproved).length} of ${IN_FLIGHT} in flight approved, ended with ${code} after ${ms} ms`,
    );
    assert.deepEqual(
      replies.filter((reply) => !isApproved(reply)),
      [],
    );
    assert.equal(code, 0, gateway.said());
    await gateway.start();
    for (const { body } of replies) {
      const again = await read(gateway.url, body?.id ?? '');
      assert.deepEqual([again.body?.id, again.body?.amount, again.body?.result], [body?.id, body?.amount, body?.result]);
    }
    assert.equal((await gateway.end(signal)).code, 0);
  });
}
