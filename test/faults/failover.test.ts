import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { reportFigure } from '../figures.ts';
import { onlyLong } from '../long.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { openRawDatabase } from './database.ts';
import { createGateway, isReady, temporaryFolder } from './gatewayProcess.ts';
import { assertNothingWentWrong, overload, SETTLE_MS_MAX } from './killRun.ts';
import { startLoad } from './load.ts';
import { reconcile } from './reconcile.ts';

const ERROR_WINDOW_MS_MAX = 30_000;
const portOf = (server: PostgresServer): number => Number(new URL(server.url()).port);

async function query(server: PostgresServer, statement: string): Promise<readonly Record<string, unknown>[]> {
  const raw = openRawDatabase(server.url(), '');
  return raw.rows(statement).finally(() => raw.close());
}

type Pair = { readonly primary: PostgresServer; readonly standby: PostgresServer };
type Replication = 'sync' | 'async';

/** `sync`: a primary that acknowledges nothing which its standby does not have. */
async function startPair(replication: Replication): Promise<Pair> {
  const primary = await startPostgres();
  if (replication === 'sync') await query(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await primary.stop();
  const standby = await startPostgres({
    files: primary.dataDir,
    follows: portOf(primary),
    // Once promoted it has no standby of its own to wait for.
    settings: { synchronous_standby_names: '' },
  });
  await query(standby, 'SELECT 1');
  await primary.start();
  const followed = `SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = '${replication}'`;
  while ((await query(primary, followed)).length === 0) await pause(50);
  return { primary, standby };
}

/** From now on the standby gets nothing, and the primary waits for it as long as it waits for a slow one. */
async function holdBack({ primary }: Pair): Promise<void> {
  for (const { pid } of await query(primary, 'SELECT pid FROM pg_stat_replication')) process.kill(Number(pid), 'SIGSTOP');
}

/** The primary dies under load and the standby is promoted. Returns all that was acknowledged, and what there is of it. */
async function failOver(t: TestContext, replication: Replication) {
  const pair = await startPair(replication);
  const { primary, standby } = pair;
  const hosts = [standby, primary].map((server) => `127.0.0.1:${portOf(server)}`).join(',');
  const file = join(temporaryFolder(), 'url');
  writeFileSync(file, `postgres://postgres@${hosts}/postgres\n`);
  const env = { DATABASE_URL_FILE: file, MASTER_KEY: '5eed'.repeat(16) };
  const nodes = await Promise.all([1, 2].map((threads) => createGateway({ env, threads: [threads] })));
  const urls = nodes.map(({ url }) => url);
  t.after(async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    await Promise.all([primary, standby].map((server) => server.stop('immediate')));
  });
  // Nodes come to the standby first, and pass it over: it cannot be written.
  for (const node of nodes) await node.start();
  const shops = startLoad({ urls, perSecond: 100, seed: 23, strangeMs: 0 });
  t.after(() => shops.abandon());
  const acknowledged = () => shops.journal.acknowledged.length;
  const untilMore = async (count: number) => {
    const from = acknowledged();
    while (acknowledged() < from + count) await pause(10);
  };
  await untilMore(150);
  if (replication === 'async') {
    await holdBack(pair);
    await untilMore(150);
  }
  await primary.kill();
  const killedAt = performance.now();
  const before = acknowledged();
  // What a cluster manager does.
  await query(standby, 'SELECT pg_promote()');
  await untilMore(1);
  const windowMs = Math.round(performance.now() - killedAt);
  await untilMore(150);
  await shops.stop();
  const found = await reconcile(urls[0] ?? '', shops.journal, { settleMsMax: SETTLE_MS_MAX });
  t.diagnostic(
    `failover: ${before} acknowledged before, ${found.checked} in all, ${found.lost.length} lost, ${found.doubled.length} doubled; ` +
      `${windowMs} ms without an acknowledged payment`,
  );
  return { found, journal: shops.journal, windowMs, urls };
}

test('the primary dies and the standby is promoted: one URL of two hosts, no payment lost or doubled', {
  timeout: 240_000,
}, async (t) => {
  const { found, journal, windowMs, urls } = await failOver(t, 'sync');
  assertNothingWentWrong(journal, found);
  assert.ok(windowMs <= ERROR_WINDOW_MS_MAX * overload(), `no payment for ${windowMs} ms`);
  for (const url of urls) assert.ok(await isReady(url));
  reportFigure('R15', 'failovers', 1);
  reportFigure('R15', 'acknowledged', found.checked);
});

test('control: a standby that follows asynchronously, and has fallen behind, loses acknowledged payments, and that is found', {
  timeout: 240_000,
  skip: onlyLong,
}, async (t) => {
  const { found, journal } = await failOver(t, 'async');
  assert.ok(found.lost.length >= 50, `${found.lost.length} lost of ${found.checked}`);
  assert.throws(() => assertNothingWentWrong(journal, found), /lost, such as/);
});
