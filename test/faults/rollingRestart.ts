import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Balancer } from '../balancer.ts';
import { testDatabase } from '../postgres.ts';
import { createGateway, type GatewayProcess, isReady } from './gatewayProcess.ts';
import { assertNothingWentWrong, SETTLE_MS_MAX } from './killRun.ts';
import { startLoad } from './load.ts';
import { reconcile } from './reconcile.ts';

export type Roll = {
  readonly nodes: number;
  readonly rounds: number;
  readonly perSecond: number;
  readonly drainSeconds: number;
  readonly balance: (nodes: readonly string[]) => Promise<Balancer>;
  /** See gatewayProcess.ts. */
  readonly programs?: readonly (string | null)[];
};

/** Restarts one node after the other below a load that comes through a balancer. Returns how requests failed. */
export async function rollNodes(
  t: TestContext,
  { nodes: count, rounds, perSecond, drainSeconds, balance, programs }: Roll,
): Promise<readonly string[]> {
  const database = await testDatabase();
  const env = { DRAIN_SECONDS: String(drainSeconds) };
  // Every second node has request threads.
  const options = Array.from({ length: count }, (_, at) => ({
    databaseUrl: database.url,
    env,
    threads: [1 + (at % 2)],
    ...(programs && { programs }),
  }));
  const nodes: readonly GatewayProcess[] = await Promise.all(options.map((one) => createGateway(one)));
  let balancer: Balancer | null = null;
  t.after(async () => {
    await balancer?.close();
    await Promise.all(nodes.map((node) => node.kill()));
    await database.drop();
  });
  for (const node of nodes) await node.start();
  balancer = await balance(nodes.map(({ url }) => url));
  while (!(await isReady(balancer.url))) await pause(50);
  const { journal, ...load } = startLoad({ urls: [balancer.url], perSecond, seed: 31, strangeMs: 0 });
  t.after(() => load.abandon());
  const more = async (least: number) => {
    const from = journal.acknowledged.length;
    while (journal.acknowledged.length < from + least) await pause(10);
  };
  for (let restarts = 0; restarts < rounds * count; restarts += 1) {
    await more(40);
    const node = nodes[restarts % count] as GatewayProcess;
    const { code } = await node.end('SIGTERM');
    assert.equal(code, 0, node.said());
    await node.start();
  }
  await more(40);
  await load.stop();
  const found = await reconcile(balancer.url, journal, { settleMsMax: SETTLE_MS_MAX });
  const refused = [...journal.statuses].flatMap(([status, times]) => (status >= 500 ? [`${times} times ${status}`] : []));
  const broken = journal.broken > 0 ? [`${journal.broken} broken connections`] : [];
  const failed = [...refused, ...broken, ...new Set(journal.unclean)];
  t.diagnostic(
    `${count} nodes, ${rounds * count} restarts, drained for ${drainSeconds} s: ${journal.answered} requests, ` +
      `failed: ${failed.slice(0, 5).join('; ') || '0'}; ${found.checked} payments acknowledged, ${found.lost.length} lost`,
  );
  assertNothingWentWrong({ ...journal, unclean: [] }, found);
  return failed;
}
