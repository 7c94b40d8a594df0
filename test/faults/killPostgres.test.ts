import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { reportFigure } from '../figures.ts';
import { sized } from '../long.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { openRawDatabase } from './database.ts';
import { createGateway, createLooseGateway, type GatewayProcess } from './gatewayProcess.ts';
import { assertNothingWentWrong, assertQuick, describeRun, killRun, overload, SETTLE_MS_MAX, type Survived } from './killRun.ts';
import { reconcile } from './reconcile.ts';

const run = { perSecond: sized({ quick: 200, assure: 300, reliability: 500 }) };
const KILLS = sized({
  quick: { ofGateway: 1, ofPostgres: 1 },
  assure: { ofGateway: 4, ofPostgres: 2 },
  reliability: { ofGateway: 200, ofPostgres: 50 },
});
const CONTROL_KILLS = sized({ quick: 1, assure: 3, reliability: 3 });
const PAYMENTS_MIN = sized({ quick: 180, assure: 1_000, reliability: 100_000 });
const timeout = sized({ quick: 120_000, assure: 120_000, reliability: 3_600_000 });

/** A lazy write-ahead log writer: commits that do not wait for the disk are still in memory when the server dies. The same for both runs. */
const settings = { wal_writer_delay: '5s', wal_writer_flush_after: '1GB' };
let postgres: PostgresServer;
let gateway: GatewayProcess;
let survived: Survived;
before(async () => {
  postgres = await startPostgres({ settings });
  gateway = await createGateway({ databaseUrl: postgres.url() });
});
after(async () => {
  await gateway.kill();
  await postgres.kill();
});

test('PostgreSQL: the gateway is ready within 5 s of every kill under load', { timeout }, async () => {
  survived = await killRun({ ...run, gateway, postgres, kills: KILLS, seed: 14 });
  assertQuick(survived);
  assert.ok(
    Math.max(...survived.recoveryMs) <= 10_000 * overload(),
    `database found only after ${Math.max(...survived.recoveryMs)} ms`,
  );
});

// Runs between the kills and the reading, while the sweeper waits. Same server, a database of its own.
test('PostgreSQL, the control: commits that do not wait for the disk are detected', { timeout }, async (t) => {
  const raw = openRawDatabase(postgres.url(), '');
  await raw.rows('CREATE DATABASE loose').finally(() => raw.close());
  const loose = await createLooseGateway({ databaseUrl: postgres.url('loose') });
  t.after(() => loose.kill());
  const lived = await killRun({
    ...run,
    gateway: loose,
    postgres,
    kills: { ofGateway: 0, ofPostgres: CONTROL_KILLS },
    seed: 15,
    strangeMs: 0,
  });
  const found = await reconcile(loose.url, lived.journal, { settleMsMax: 0 });
  t.diagnostic(describeRun('PostgreSQL without durability', lived, found));
  assert.ok(found.lost.length >= 1, 'nothing was lost although nothing was made durable: the test below proves nothing');
});

test('PostgreSQL: what was acknowledged before the kills is stored unchanged', { timeout }, async (t) => {
  const found = await reconcile(gateway.url, survived.journal, { settleMsMax: SETTLE_MS_MAX });
  t.diagnostic(describeRun('PostgreSQL', survived, found));
  assertNothingWentWrong(survived.journal, found);
  assert.ok(found.checked >= PAYMENTS_MIN, `only ${found.checked} payments were acknowledged`);
  reportFigure('R9', 'kills', KILLS.ofGateway + KILLS.ofPostgres);
  reportFigure('R9', 'acknowledged', found.checked);
  reportFigure('R9', 'lost', found.lost.length);
  reportFigure('R10', 'starts', survived.readyMs.length);
});
