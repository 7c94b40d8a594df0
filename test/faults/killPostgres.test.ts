import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { createGateway } from './gatewayProcess.ts';
import { assertNothingWentWrong, describeRun, isLong, killRun } from './killRun.ts';

const kills = isLong ? { ofGateway: 200, ofPostgres: 50 } : { ofGateway: 4, ofPostgres: 2 };
const run = { perSecond: isLong ? 500 : 300, settleMsMax: 60_000 };

/** A lazy writer, so that what a session does not insist on is still in memory when the server dies. The same for both runs. */
const settings = { wal_writer_delay: '5s', wal_writer_flush_after: '1GB' };
let postgres: PostgresServer;
before(async () => {
  postgres = await startPostgres({ settings });
});
after(() => postgres.kill());

test('PostgreSQL: no acknowledged payment is lost when gateway or server is killed under load', {
  timeout: isLong ? 3_600_000 : 120_000,
}, async (t) => {
  const gateway = await createGateway({ databaseUrl: postgres.url() });
  t.after(() => gateway.kill());
  const figures = await killRun({ ...run, gateway, postgres, kills, seed: 14 });
  t.diagnostic(describeRun('PostgreSQL', figures));
  assertNothingWentWrong(figures);
  assert.ok(figures.checked >= 1_000, `only ${figures.checked} payments were acknowledged`);
  assert.ok(figures.perSecond >= 200, `only ${figures.perSecond} answers a second`);
  await gateway.kill();
});

test('PostgreSQL, the control: commits that do not wait for the disk are found out', { timeout: 120_000 }, async (t) => {
  const gateway = await createGateway({ databaseUrl: postgres.url(), entry: 'test/faults/looseGateway.ts' });
  t.after(() => gateway.kill());
  const figures = await killRun({ ...run, gateway, postgres, kills: { ofGateway: 0, ofPostgres: 3 }, seed: 15, settleMsMax: 0 });
  t.diagnostic(describeRun('PostgreSQL without durability', figures));
  assert.ok(figures.lost.length >= 1, 'nothing was lost although nothing was made durable: the test above proves nothing');
  await gateway.kill();
});
