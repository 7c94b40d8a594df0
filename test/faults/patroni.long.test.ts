import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { skipWithout } from '../debian.ts';
import { reportFigure } from '../figures.ts';
import { createGateway, isReady } from './gatewayProcess.ts';
import { assertNothingWentWrong, overload, SETTLE_MS_MAX } from './killRun.ts';
import { startLoad } from './load.ts';
import { startCluster } from './patroni.ts';
import { reconcile } from './reconcile.ts';

const skip = await skipWithout('patroni', 'etcd', 'postgres');
const [FAILOVERS, RESTARTS] = [10, 20];
const FAILOVER_MS_MAX = 30_000;
const RESTART_MS_MAX = 10_000;
const PAYMENTS_BETWEEN = 60;

type Window = { readonly ms: number; readonly mostMs: number };

test(`Patroni with a synchronous standby: ${FAILOVERS} failovers and ${RESTARTS} restarts under load lose and double no payment`, {
  timeout: 3_600_000,
  skip,
}, async (t) => {
  const cluster = await startCluster();
  t.after(() => cluster.close());
  await cluster.settled();
  const env = { DATABASE_URL: cluster.url, MASTER_KEY: '5eed'.repeat(16) };
  const nodes = await Promise.all([1, 2].map((threads) => createGateway({ env, threads: [threads] })));
  t.after(() => Promise.all(nodes.map((node) => node.kill())));
  for (const node of nodes) await node.start();
  const urls = nodes.map(({ url }) => url);
  const { journal, ...load } = startLoad({ urls, perSecond: 30, seed: 41, strangeMs: 0 });
  t.after(() => load.abandon());

  /** The longest time without an acknowledged payment, from the fault until payments flow again. */
  const windowOf = async (fault: () => Promise<void>): Promise<number> => {
    let [seen, lastAt, longestMs] = [journal.acknowledged.length, performance.now(), 0];
    let enough = Number.POSITIVE_INFINITY;
    const faulted = fault().then(() => {
      enough = journal.acknowledged.length + PAYMENTS_BETWEEN;
    });
    while (seen < enough) {
      // A fault that could not be made ends the test.
      await Promise.race([pause(10), faulted.then(() => pause(10))]);
      longestMs = Math.max(longestMs, performance.now() - lastAt);
      if (journal.acknowledged.length > seen) [seen, lastAt] = [journal.acknowledged.length, performance.now()];
    }
    return Math.round(longestMs);
  };
  const windows: { readonly failovers: Window[]; readonly restarts: Window[] } = { failovers: [], restarts: [] };
  const steps = FAILOVERS + RESTARTS;
  for (let at = 0, failovers = 0; at < steps; at += 1) {
    await cluster.settled();
    if (Math.floor(((at + 1) * FAILOVERS) / steps) === failovers) {
      windows.restarts.push({ ms: await windowOf(() => cluster.restartLeader()), mostMs: RESTART_MS_MAX * overload() });
      continue;
    }
    failovers += 1;
    const before = await cluster.leader();
    // Of a whole machine Patroni learns when its lease ends, after 20 s; of a dead server at once.
    const how = failovers % 2 === 0 ? 'machine' : 'postgres';
    windows.failovers.push({ ms: await windowOf(() => cluster.killLeader(how)), mostMs: FAILOVER_MS_MAX * overload() });
    assert.notEqual(await cluster.leader(), before, cluster.said());
    await cluster.repair();
  }
  await load.stop();
  const found = await reconcile(urls[0] ?? '', journal, { settleMsMax: SETTLE_MS_MAX });
  const listed = (all: readonly Window[]) => all.map(({ ms }) => ms).join(' ');
  t.diagnostic(
    `${found.checked} payments acknowledged, ${found.lost.length} lost, ${found.doubled.length} doubled; ms without an ` +
      `acknowledged payment: failovers ${listed(windows.failovers)}; restarts ${listed(windows.restarts)}`,
  );
  assertNothingWentWrong(journal, found);
  for (const [kind, all] of Object.entries(windows))
    for (const { ms, mostMs } of all) assert.ok(ms <= mostMs, `${kind}: no payment for ${ms} ms`);
  for (const url of urls) assert.ok(await isReady(url));
  reportFigure('R15', 'failovers', FAILOVERS);
  reportFigure('R15', 'acknowledged', found.checked);
});
