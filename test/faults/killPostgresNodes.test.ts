import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sized } from '../long.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { createGateway, type GatewayProcess, isReady } from './gatewayProcess.ts';
import { assertNothingWentWrong, overload, SETTLE_MS_MAX } from './killRun.ts';
import { startLoad } from './load.ts';
import { reconcile } from './reconcile.ts';

const KILLS = sized({ quick: 2, assure: 12, reliability: 50 });
const RECOVERY_MS_MAX = 10_000;
const timeout = sized({ quick: 240_000, assure: 240_000, reliability: 1_800_000 });

let postgres: PostgresServer;
let nodes: readonly GatewayProcess[];
before(async () => {
  postgres = await startPostgres();
  nodes = await Promise.all([1, 2].map(() => createGateway({ databaseUrl: postgres.url() })));
  await Promise.all(nodes.map((node) => node.start()));
});
after(async () => {
  await Promise.all(nodes.map((node) => node.kill()));
  await postgres.stop();
});

/** The driver without our error handling, on the same server. */
function startRawDriver(): ChildProcess {
  const [runtime, program] = [process.execPath, join(import.meta.dirname, 'rawDriver.ts')];
  return spawn(runtime, [program, postgres.url()], { stdio: ['pipe', 'ignore', 'pipe'] });
}

async function readyAgainMs({ url, isRunning, said }: GatewayProcess): Promise<number> {
  const began = performance.now();
  while (!(await isReady(url))) {
    assert.ok(isRunning(), `a node ended with its database:\n${said().slice(-2_000)}`);
    assert.ok(performance.now() - began < 60_000, 'a node did not find its database again within 60 s');
    await pause(20);
  }
  return Math.round(performance.now() - began);
}

test(`two nodes outlive ${KILLS} kills of PostgreSQL under load; the driver alone does not`, { timeout }, async (t) => {
  const pids = nodes.map((node) => node.pid());
  const load = startLoad({ urls: nodes.map(({ url }) => url), perSecond: 150, seed: 17, strangeMs: 0 });
  let [raw, rawExits, complaint] = [startRawDriver(), 0, ''];
  const hear = () => {
    raw.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint += text;
    });
  };
  hear();
  t.after(() => {
    load.abandon();
    raw.kill('SIGKILL');
  });
  const recoveries: number[] = [];
  for (let kills = 0; kills < KILLS; kills += 1) {
    const before = load.journal.acknowledged.length;
    while (load.journal.acknowledged.length < before + 20) await pause(10);
    await (kills % 2 === 0 ? postgres.kill() : postgres.stop('immediate'));
    await postgres.start();
    recoveries.push(...(await Promise.all(nodes.map(readyAgainMs))));
    if (raw.exitCode === null) continue;
    rawExits += 1;
    raw = startRawDriver();
    hear();
  }
  await load.stop();
  const { journal } = load;
  const found = await reconcile(nodes[0]?.url ?? '', journal, { settleMsMax: SETTLE_MS_MAX });
  const slowest = Math.max(...recoveries);
  t.diagnostic(
    `${KILLS} kills: 0 exits of 2 nodes, ${rawExits} of the driver alone; ready again after ${slowest} ms at most; ` +
      `${found.checked} payments acknowledged, ${found.lost.length} lost; ${journal.hangs.length} hangs`,
  );
  assert.deepEqual(
    nodes.map((node) => [node.isRunning(), node.pid()]),
    pids.map((pid) => [true, pid]),
  );
  assertNothingWentWrong(journal, found);
  assert.equal(journal.broken, 0, 'a healthy gateway answers; it does not break connections');
  assert.ok(slowest <= RECOVERY_MS_MAX * overload(), `ready again only after ${slowest} ms`);
  // A driver that survives this has changed: look at decisions/0035 again.
  assert.ok(rawExits > 0, 'the driver alone survived too: this test proves nothing');
  assert.match(complaint, /Cannot read properties of null \(reading 'write'\)/);
});
