import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBalancer } from '../balancer.ts';
import { testDatabase } from '../postgres.ts';
import { card, isApproved, pay, read } from './client.ts';
import { findEarlierProgram } from './earlierProgram.ts';
import { createGateway } from './gatewayProcess.ts';
import { overload } from './overload.ts';
import { rollNodes } from './rollingRestart.ts';

/** Nodes of the version before beside nodes of this one. */

const earlier = await findEarlierProgram();
const { skip } = earlier;
const file = earlier.kind === 'found' ? earlier.file : null;

test('three nodes of the version before are replaced in turn, and no request fails', { timeout: 900_000, skip }, async (t) => {
  const drainSeconds = Math.ceil(3 * overload());
  const programs = [file, null];
  const failed = await rollNodes(t, { nodes: 3, rounds: 1, perSecond: 10, drainSeconds, balance: startBalancer, programs });
  assert.deepEqual(failed, []);
});

test('a node of the version before starts on the newest schema', { timeout: 300_000, skip }, async (t) => {
  const database = await testDatabase();
  const [now, before] = await Promise.all(
    [null, file].map((program) => createGateway({ databaseUrl: database.url, programs: [program] })),
  );
  assert.ok(now && before);
  t.after(async () => {
    await Promise.all([now, before].map((node) => node.kill()));
    await database.drop();
  });
  await now.start();
  await before.start();
  const order = { fields: { paymentType: 'DB', amount: '1.00', currency: 'EUR', ...card } };
  for (const [at, from] of [
    [now, before],
    [before, now],
  ] as const) {
    const paid = await pay(at.url, order);
    assert.ok(isApproved(paid), paid.text);
    assert.ok(isApproved(await read(from.url, paid.body?.id ?? '')));
  }
});
