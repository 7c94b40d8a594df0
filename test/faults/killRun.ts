import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { sized } from '../long.ts';
import type { PostgresServer } from '../postgres.ts';
import { type GatewayProcess, isReady } from './gatewayProcess.ts';
import { type Journal, startLoad } from './load.ts';
import { overload, queuedMs } from './overload.ts';
import type { Reconciliation } from './reconcile.ts';
import { createChance } from './stories.ts';

export { overload };

export type Kills = { readonly ofGateway: number; readonly ofPostgres: number };

export type KillRun = {
  readonly gateway: GatewayProcess;
  /** Set when PostgreSQL itself is killed too. */
  readonly postgres: PostgresServer | null;
  readonly kills: Kills;
  readonly perSecond: number;
  readonly seed: number;
  /** See load.ts. */
  readonly strangeMs?: number;
};

export type Survived = {
  readonly journal: Journal;
  readonly perSecond: number;
  readonly readyMs: readonly number[];
  /** The starts that took too long. */
  readonly lateMs: readonly number[];
  readonly recoveryMs: readonly number[];
};

/**
 * Ready within 5 s of every kill. No rate is asserted: `PAYMENTS_EACH_LIFE` are acknowledged between two kills, however long that takes beside
 * other tests, and test/cost measures what a payment costs.
 */
export function assertQuick({ lateMs }: Survived): void {
  assert.deepEqual(lateMs, [], 'the gateway was ready too late');
}

const READY_MS_MAX = 5_000;

/** How long the gateway runs under load between two kills: long enough for a few hundred payments, and never the same. */
const LIFE_MS = { least: 500, most: sized({ quick: 800, assure: 1_500, reliability: 2_500 }) };

/**
 * The sweeper waits 35 s before it inquires about a payment of a dead gateway. One that it had claimed when the database went away it could not
 * release: its claim ends after a minute (src/payments/sweep.ts). Then it takes seconds.
 */
export const SETTLE_MS_MAX = 60_000 + 15_000;
/** So a short run leaves nothing open in its last part, and the wait for the sweeper overlaps with it. */
const STRANGE_MS = sized({ quick: 2_000, assure: 3_000, reliability: Number.POSITIVE_INFINITY });

/** Repeats load, kill and start. The gateway keeps running afterwards, so that all acknowledged payments can be read back. */
export async function killRun(run: KillRun): Promise<Survived> {
  const { gateway, postgres, kills } = run;
  const chance = createChance(run.seed);
  const readyMs: number[] = [];
  const lateMs: number[] = [];
  const start = async () => {
    const ms = await gateway.start();
    readyMs.push(ms);
    // Processor time that other programs took during the start is not the gateway's delay.
    const ownMs = Math.round(ms - queuedMs(gateway.pid()));
    if (ownMs > READY_MS_MAX) lateMs.push(ownMs);
  };
  await start();
  const recoveryMs: number[] = [];
  const load = startLoad({
    urls: [gateway.url],
    perSecond: run.perSecond,
    seed: run.seed,
    strangeMs: run.strangeMs ?? STRANGE_MS,
  });
  let upMs = 0;
  const live = async (ms: number) => {
    await pause(ms);
    upMs += ms;
  };
  try {
    for (const victim of order(kills)) {
      const before = load.journal.acknowledged.length;
      await live(LIFE_MS.least + chance() * (LIFE_MS.most - LIFE_MS.least));
      upMs += await acknowledgement(load.journal, before + PAYMENTS_EACH_LIFE);
      if (victim === 'gateway') {
        await gateway.kill();
        await start();
      } else if (postgres) {
        await postgres.kill();
        await startAgain(postgres);
        recoveryMs.push(await untilReadyAgain(gateway));
      }
    }
    await live(LIFE_MS.least);
    await load.stop();
  } finally {
    load.abandon();
  }
  const { journal } = load;
  return { journal, perSecond: Math.round(journal.acknowledged.length / (upMs / 1000)), readyMs, lateMs, recoveryMs };
}

/** The payments to acknowledge between two kills, however busy the machine is: the run measures work, not time. */
const PAYMENTS_EACH_LIFE = sized({ quick: 100, assure: 250, reliability: 500 });
const LIFE_MS_MAX = 60_000;

/** The worst moment for a kill: a payment has just been acknowledged. Resolves then, with how long that took. */
async function acknowledgement({ acknowledged }: Journal, after: number): Promise<number> {
  const began = performance.now();
  const least = Math.max(after, acknowledged.length) + 1;
  while (acknowledged.length < least) {
    assert.ok(performance.now() - began < LIFE_MS_MAX, `only ${acknowledged.length} of ${least} payments were acknowledged`);
    await pause(1);
  }
  return performance.now() - began;
}

/** Distributes the kills of PostgreSQL evenly among those of the gateway; the last kill is PostgreSQL's. */
function order({ ofGateway, ofPostgres }: Kills): readonly ('gateway' | 'postgres')[] {
  const all = ofGateway + ofPostgres;
  return Array.from({ length: all }, (_, at) =>
    Math.floor(((at + 1) * ofPostgres) / all) > Math.floor((at * ofPostgres) / all) ? 'postgres' : 'gateway',
  );
}

/** The server refuses to start while the kernel still holds resources of the killed one. */
async function startAgain(postgres: PostgresServer): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await postgres.start();
    } catch (error) {
      if (tries === 20) throw error;
      await pause(250);
    }
  }
}

async function untilReadyAgain({ url, isRunning }: GatewayProcess): Promise<number> {
  const began = performance.now();
  while (!(await isReady(url))) {
    assert.ok(isRunning(), 'the gateway ended when PostgreSQL did');
    assert.ok(performance.now() - began < 30_000, 'the gateway did not find PostgreSQL again within 30 s');
    await pause(20);
  }
  return Math.round(performance.now() - began);
}

/** The figures of a run in one line, for the log of the tests. */
export function describeRun(name: string, { journal, perSecond, readyMs, recoveryMs }: Survived, found: Reconciliation): string {
  const statuses = [...journal.statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  const { checked, lost, pending } = found;
  return [
    `${name}: ${readyMs.length - 1} gateway kills, ${recoveryMs.length} PostgreSQL kills, ${perSecond} acknowledgements/s while up`,
    `${checked} payments acknowledged, ${lost.length} lost, ${pending.length} pending (${statuses}, ${journal.broken} connections broken)`,
    `${journal.idsOfKey.size} keys, ready after ${[...readyMs].sort((a, b) => a - b)[readyMs.length >> 1]} ms, ${Math.max(...readyMs)} ms at most`,
    ...(recoveryMs.length > 0 ? [`database found again after ${Math.max(...recoveryMs)} ms at most`] : []),
  ].join('; ');
}

/** Asserts what holds after every run with a durable store. */
export function assertNothingWentWrong({ unclean, hangs, unanswered }: Journal, found: Reconciliation): void {
  const { lost, changed, pending, overruns, doubled } = found;
  const wrong = Object.entries({ lost, changed, pending, overruns, doubled, unclean, hangs, unanswered })
    .filter(([, offenders]) => offenders.length > 0)
    .map(([what, offenders]) => `${offenders.length} ${what}, such as:\n${offenders.slice(0, 5).join('\n')}`);
  assert.equal(wrong.length, 0, wrong.join('\n'));
}
