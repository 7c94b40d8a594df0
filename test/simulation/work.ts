import { allMerchants, exceptMerchants, type MerchantFilter, onlyMerchant } from '../../src/merchants/merchantFilter.ts';
import type { World } from '../../src/payments/ports.ts';
import { sweep } from '../../src/payments/sweep.ts';
import type { ScheduleService } from '../../src/schedules/change.ts';
import { correctMisdatedSchedules, runDue } from '../../src/schedules/runDue.ts';
import { coreJobs } from '../../src/workers/jobs.ts';
import type { Job } from '../../src/workers/loop.ts';
import { isOver, type Life, operations } from './machine.ts';
import { channels } from './shops.ts';
import { breaks, Injected, note, type Sim, START } from './sim.ts';

/** Where there are many nodes one merchant has its own turn, as those with a clock of their own have. */
const [apart] = channels.slice(-1);
const turns: readonly MerchantFilter[] = apart ? [exceptMerchants([apart.merchantId]), onlyMerchant(apart.merchantId)] : [];
export const turnsOf = ({ weather }: Sim): readonly MerchantFilter[] => (weather.nodes > 2 ? turns : [allMerchants]);

/** No job is stopped in the middle here: a machine dies over it. */
const unstopped = new AbortController().signal;

/** What the workers of a node do: as often as real ones at first, and more seldom the longer nothing but waiting goes on. */

type Pace = { readonly firstMs: number; readonly maxMs: number; readonly growth: number };

/**
 * A thing done again and again as long as this life lasts, and as often as at first when there was something to do. What it throws is a
 * fault of its own unless it was injected.
 */
function repeat(sim: Sim, life: Life, { firstMs, maxMs, growth, work }: Pace & { readonly work: () => Promise<unknown> }): void {
  let waitMs = 0;
  const look = async () => {
    if (isOver(life)) return;
    if (life.machine.pausedUntil > sim.scheduler.now()) return again();
    const found = await work().catch(blame(sim));
    if (found === true) waitMs = 0;
    again();
  };
  const again = () => {
    // Days after the trouble only webhooks are waited for.
    const sinceMs = sim.scheduler.now() - START - sim.weather.chaosMs;
    waitMs = Math.min(Math.max(maxMs, sinceMs / 10), firstMs + waitMs * growth);
    sim.scheduler.daemon(sim.chance.between(1, waitMs), look);
  };
  void look();
}

export const blame = (sim: Sim) => (error: unknown) => {
  if (!(error instanceof Injected)) breaks(sim, 'I0', `a worker failed of itself: ${textOf(error)}`);
};

export function keepSweeping(sim: Sim, life: Life, world: World): void {
  const work = async () => {
    const isCalm = sim.isHealed;
    const { looked, settled, failed } = await operations.run('sweep', sweep, world, {
      limit: sim.weather.sweepLimit,
      merchants: allMerchants,
    });
    if (looked > 0) note(sim, `${life.machine.name} sweeps ${looked}: ${settled} settled, ${failed} failed`);
    if (failed > 0 && isCalm) breaks(sim, 'I0', `${failed} payments cannot be swept although nothing is wrong`);
  };
  repeat(sim, life, { firstMs: 5_000, maxMs: 600_000, growth: 1.3, work });
  // Without a clock that was put back there is nothing to find, and runs stay what they were.
  if (sim.weather.awayMs !== 0) keepCorrectingDates(sim, life, world);
}

/** Looks at what a clock that was ahead has left. */
function keepCorrectingDates(sim: Sim, life: Life, world: World): void {
  const turn = { limit: sim.weather.sweepLimit, merchants: allMerchants, isMisdated: true };
  const work = async () => {
    const { looked } = await operations.run('sweep', sweep, world, turn);
    if (looked > 0) note(sim, `${life.machine.name} puts ${looked} right`);
  };
  repeat(sim, life, { firstMs: 30_000, maxMs: 600_000, growth: 1.3, work });
}

/** Charges what schedules have due, seldom at once: a merchant of each kind has its own turn. */
export function keepCharging(sim: Sim, life: Life, service: ScheduleService): void {
  const work = async () => {
    let isBusy = false;
    for (const merchants of turnsOf(sim)) {
      const { looked, failed } = await operations.run('schedule', runDue, service, { limit: sim.weather.sweepLimit, merchants });
      if (looked > 0) note(sim, `${life.machine.name} runs ${looked} plans, ${failed} failed`);
      isBusy ||= looked > 0;
    }
    return isBusy;
  };
  if (sim.weather.awayMs !== 0) {
    const turn = { merchants: allMerchants, rest: async () => {} };
    const right = async () => {
      const count = await operations.run('schedule', correctMisdatedSchedules, service, turn);
      if (count > 0) note(sim, `${life.machine.name} puts ${count} plans right`);
    };
    repeat(sim, life, { firstMs: 600_000, maxMs: 1_800_000, growth: 1, work: right });
  }
  repeat(sim, life, { firstMs: 3_000, maxMs: 300_000, growth: 1.15, work });
}

const MONTH_MS = 31 * 86_400_000;

/** The other jobs, in turn: tokens of the schemes, stored details whose time is over, wallet tokens that are past. */
export function keepUp(sim: Sim, life: Life, world: World): void {
  const { now } = world.clock;
  const clock = sim.weather.isLongAfter ? { now: () => now() + 15 * MONTH_MS } : world.clock;
  const [tokens, past] = [jobOf(world, 'request network tokens'), jobOf(world, 'delete expired wallet token uses')];
  const outlived = jobOf({ ...world, clock }, 'delete expired registrations');
  const jobs = sim.weather.isLongAfter ? [tokens, past, outlived] : [tokens, tokens, past];
  const work = () => operations.run('TK', sim.chance.pick(jobs).run, unstopped);
  repeat(sim, life, { firstMs: 20_000, maxMs: 1_800_000, growth: 1.6, work });
}

const HELD_MS_FIRST = 1_500;
const HELD_MS_MAX = 25_000;

/**
 * Looks after what is held for authentications, as the running gateway does every second: here only while something is held, and more
 * seldom the longer that is. The answer is the world that wakes it.
 */
export function keepResuming(sim: Sim, life: Life, asleep: World): World {
  const { pendingSecrets } = asleep;
  let waitMs = 0;
  let isAwake = false;
  const look = async () => {
    if (isOver(life)) return;
    if (life.machine.pausedUntil <= sim.scheduler.now()) await operations.run('sweep', job.run, unstopped).catch(blame(sim));
    if (pendingSecrets.ids().length > 0) again();
    else isAwake = false;
  };
  const again = () => {
    waitMs = Math.min(HELD_MS_MAX, waitMs * 1.5);
    sim.scheduler.daemon(sim.chance.between(1, waitMs), look);
  };
  const world: World = {
    ...asleep,
    pendingSecrets: {
      ...pendingSecrets,
      put(...given) {
        pendingSecrets.put(...given);
        waitMs = HELD_MS_FIRST;
        if (!isAwake) again();
        isAwake = true;
      },
    },
  };
  const job = jobOf(world, 'resume authenticated payments');
  return world;
}

/** The job as the running gateway has it. */
function jobOf(world: World, name: string): Job {
  const needs = {
    refreshKeys: async () => {},
    directory: { follow: async () => false, saveUses: async () => {} },
    onSweep: () => {},
  };
  const job = coreJobs({ world, environment: 'test', ...needs }).find((one) => one.name === name);
  if (!job) throw new Error(`there is no job ${name}`);
  return job;
}

export const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
