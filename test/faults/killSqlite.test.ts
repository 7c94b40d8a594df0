import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGateway } from './gatewayProcess.ts';
import { assertNothingWentWrong, describeRun, isLong, killRun } from './killRun.ts';

const kills = { ofGateway: isLong ? 200 : 4, ofPostgres: 0 };
const run = { postgres: null, perSecond: isLong ? 500 : 300, settleMsMax: 60_000 };

test('SQLite: no acknowledged payment is lost when the gateway is killed under load', {
  timeout: isLong ? 3_600_000 : 120_000,
}, async (t) => {
  const gateway = await createGateway();
  t.after(() => gateway.kill());
  const figures = await killRun({ ...run, gateway, kills, seed: 9 });
  t.diagnostic(describeRun('SQLite', figures));
  assertNothingWentWrong(figures);
  assert.ok(figures.checked >= 1_000, `only ${figures.checked} payments were acknowledged`);
  assert.ok(figures.perSecond >= 200, `only ${figures.perSecond} answers a second`);
  await gateway.kill();
});

test('SQLite, the control: a store that acknowledges too early is found out', { timeout: 120_000 }, async (t) => {
  const gateway = await createGateway({ entry: 'test/faults/looseGateway.ts' });
  t.after(() => gateway.kill());
  const figures = await killRun({ ...run, gateway, kills: { ofGateway: 3, ofPostgres: 0 }, seed: 10, settleMsMax: 0 });
  t.diagnostic(describeRun('SQLite without durability', figures));
  assert.ok(figures.lost.length >= 1, 'nothing was lost although nothing was made durable: the test above proves nothing');
  await gateway.kill();
});
