import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { Unit } from './plan.ts';
import type { FileResult } from './process.ts';

/** How long a file takes, in seconds: by the clock, and of processor time with its child processes. */
export type Cost = { readonly wallS: number; readonly cpuS: number };

/** The cost of a file that is not in the table of recorded times. */
const USUAL_ALONE: Cost = { wallS: 3, cpuS: 3 };
const USUAL_SHARED: Cost = { wallS: 0.5, cpuS: 0.5 };
/** A unit that uses less of a processor than this mostly waits. */
const WAITING_SHARE = 0.5;
/** Idle processors that make room for a further unit. */
const IDLE_MIN = 0.25;
/** Units that mostly wait run beside the computing ones from the start, so many on every machine: otherwise the run would end with them. */
const WAITING_BESIDE = 2;
/** The most units that run together: each may have a browser, a gateway or a database server. */
const UNITS_MAX = 8;

type Schedule = {
  /** Recorded costs by file. */
  readonly recorded: Readonly<Record<string, Cost>>;
  readonly processors: number;
  /** Idle processors since the last call. */
  idle(): number;
  /** Resolves when it is time to look for idle processors again. */
  tick(): Promise<unknown>;
  run(unit: Unit): Promise<void>;
};

export function costOf({ files, isShared }: Unit, recorded: Schedule['recorded']): Cost {
  const costs = files.map((file) => recorded[file] ?? (isShared ? USUAL_SHARED : USUAL_ALONE));
  return { wallS: sum(costs.map(({ wallS }) => wallS)), cpuS: sum(costs.map(({ cpuS }) => cpuS)) };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/**
 * Runs every unit once, the longest first. There is always a computing unit for each processor, and a few that mostly wait beside them; while
 * processor time is idle, further units are added one at a time, and units that mostly wait come first among them.
 */
export async function runUnits(units: readonly Unit[], { recorded, processors, idle, tick, run }: Schedule): Promise<void> {
  const costs = new Map(units.map((unit) => [unit, costOf(unit, recorded)]));
  const cost = (unit: Unit): Cost => costs.get(unit) ?? USUAL_ALONE;
  const longestFirst = units.toSorted((one, other) => cost(other).wallS - cost(one).wallS);
  const isWaiting = (unit: Unit) => cost(unit).cpuS < cost(unit).wallS * WAITING_SHARE;
  const [waiting, computing] = [longestFirst.filter(isWaiting), longestFirst.filter((unit) => !isWaiting(unit))];
  /** Those that run, and whether each mostly waits. */
  const running = new Map<Promise<void>, boolean>();
  const start = (unit: Unit | undefined): void => {
    if (!unit) return;
    const ended = run(unit).finally(() => running.delete(ended));
    running.set(ended, isWaiting(unit));
  };
  const runningThat = (waits: boolean): number => [...running.values()].filter((one) => one === waits).length;
  const startEnough = (): void => {
    while (runningThat(false) < processors && computing.length > 0) start(computing.shift());
    while ((runningThat(true) < WAITING_BESIDE || running.size < processors) && waiting.length > 0) start(waiting.shift());
  };
  const startFurther = () => start(waiting.shift() ?? computing.shift());
  let ticked = tick();
  idle();
  while (waiting.length > 0 || computing.length > 0 || running.size > 0) {
    startEnough();
    const isTicked = await Promise.race([ticked.then(() => true), ...[...running.keys()].map((one) => one.then(() => false))]);
    if (!isTicked) continue;
    ticked = tick();
    if (idle() >= IDLE_MIN && running.size < UNITS_MAX) startFurther();
  }
}

/** Measures the processors of this machine that were idle since the last call, whatever used the others. */
export function createIdleMeter(): () => number {
  const idleMs = () => cpus().reduce((total, { times }) => total + times.idle, 0);
  let [before, at] = [idleMs(), performance.now()];
  return () => {
    const [now, nowAt] = [idleMs(), performance.now()];
    const processors = (now - before) / Math.max(1, nowAt - at);
    [before, at] = [now, nowAt];
    return processors;
  };
}

/** Measures the processor time, in seconds, that all programs of this machine have used since now. */
export function createBusyMeter(): () => number {
  const busyMs = () => cpus().reduce((total, { times }) => total + times.user + times.nice + times.sys + times.irq, 0);
  const before = busyMs();
  return () => (busyMs() - before) / 1_000;
}

/** Times of the files that take long, recorded by `npm test -- --times`: they decide the order, not the result, of a run. */
const FILE = join(import.meta.dirname, 'times.json');
const RECORDED_S_MIN = 4;

/** One file: seconds by the clock, seconds of processor time. */
type Row = readonly [wallS: number, cpuS: number];

export function readTimes(): Readonly<Record<string, Cost>> {
  const rows: Readonly<Record<string, Row>> = JSON.parse(readFileSync(FILE, 'utf8'));
  return Object.fromEntries(Object.entries(rows).map(([file, [wallS, cpuS]]) => [file, { wallS, cpuS }]));
}

/** Writes the times of a run; the times of other files that still exist remain. */
export function writeTimes(results: readonly FileResult[], existing: readonly string[]): void {
  const before = Object.entries(readTimes()).filter(([file]) => existing.includes(file));
  const ran = results.map((one): [string, Cost] => [one.file, { wallS: one.ms / 1_000, cpuS: cpuMsOf(one) / 1_000 }]);
  const lines = Object.entries({ ...Object.fromEntries(before), ...Object.fromEntries(ran) })
    .filter(([, { wallS }]) => wallS >= RECORDED_S_MIN)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([file, { wallS, cpuS }]) => `  ${JSON.stringify(file)}: [${Math.round(wallS)}, ${Math.round(cpuS)}]`);
  writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`);
}

/** Nobody counts the time of the processes of a browser: it takes a processor for as long as its test runs. */
const cpuMsOf = ({ file, ms, cpuMs, childCpuMs }: FileResult): number =>
  file.startsWith('test/browser/') ? ms : cpuMs + childCpuMs;
