import type { Server } from './gateway.ts';
import type { Job } from './load.ts';
import type { Loader } from './loader.ts';
import type { Usage } from './proc.ts';

/** The figures of one contender: medians of its rounds; the worst answer of all rounds; null where it does not apply. */
export type Speed = {
  readonly perSecond: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly maxMs: number | null;
  readonly cpuMicros: number | null;
  readonly used: Used | null;
  /** The rate of every round, in order. */
  readonly rounds: readonly number[];
  readonly count: number;
};

/** The server's resources for one answer. */
export type Used = {
  /** Microseconds of CPU time by the name of the thread. */
  readonly threads: Readonly<Record<string, number>>;
  readonly writtenBytes: number;
  readonly writeCalls: number;
};

/** One round of one contender. */
export type Lap = Omit<Speed, 'rounds'>;

/** One round of load on a server, with the server's CPU time per answer. `isOver`: resolves when all that follows the answers is done. */
export async function lap(
  loader: Loader,
  servers: readonly Server[],
  job: Omit<Job, 'ports'>,
  isOver: (answered: number) => Promise<void> = async () => {},
): Promise<Lap> {
  const cpuOf = () => sumOrNull(servers.map((server) => server.cpuSeconds()));
  const before = cpuOf();
  const usedBefore = servers.map((server) => server.usage());
  const round = await loader.run({ ...job, ports: servers.map(({ port }) => port) });
  await isOver(round.answered);
  const after = cpuOf();
  const usedAfter = servers.map((server) => server.usage());
  return {
    perSecond: round.answered / round.seconds,
    p50Ms: round.p50Ms,
    p99Ms: round.p99Ms,
    maxMs: round.maxMs,
    cpuMicros: before === null || after === null ? null : ((after - before) * 1e6) / round.answered,
    used: usedBetween(usedBefore, usedAfter, round.answered),
    count: round.answered,
  };
}

/** All servers together; null where one has no figures. */
function usedBetween(before: readonly (Usage | null)[], after: readonly (Usage | null)[], answers: number): Used | null {
  const threads: Record<string, number> = {};
  let [writtenBytes, writeCalls] = [0, 0];
  for (const [at, one] of after.entries()) {
    const earlier = before[at];
    if (!one || !earlier) return null;
    for (const [name, seconds] of Object.entries(one.threads)) {
      threads[name] = (threads[name] ?? 0) + ((seconds - (earlier.threads[name] ?? 0)) * 1e6) / answers;
    }
    writtenBytes += (one.writtenBytes - earlier.writtenBytes) / answers;
    writeCalls += (one.writeCalls - earlier.writeCalls) / answers;
  }
  return { threads, writtenBytes, writeCalls };
}

/** Medians, thread by thread. */
function usedOf(all: readonly (Used | null)[]): Used | null {
  const known = all.filter((one) => one !== null);
  if (known.length === 0) return null;
  const names = new Set(known.flatMap(({ threads }) => Object.keys(threads)));
  const of = (read: (one: Used) => number) => median(known.map(read)) ?? 0;
  return {
    threads: Object.fromEntries([...names].map((name) => [name, of(({ threads }) => threads[name] ?? 0)])),
    writtenBytes: of(({ writtenBytes }) => writtenBytes),
    writeCalls: of(({ writeCalls }) => writeCalls),
  };
}

function sumOrNull(numbers: readonly (number | null)[]): number | null {
  return numbers.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0);
}

export type Contenders<Name extends string> = Readonly<Record<Name, () => Promise<Lap>>>;

/** Lets the contenders run in turn, round after round, so that whatever else the machine does meets all of them alike. */
export async function interleave<Name extends string>(
  rounds: number,
  contenders: Contenders<Name>,
): Promise<Record<Name, Speed>> {
  const names = Object.keys(contenders) as Name[];
  const laps = Object.fromEntries(names.map((name) => [name, [] as Lap[]])) as Record<Name, Lap[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) laps[name].push(await contenders[name]());
  }
  return Object.fromEntries(names.map((name) => [name, speedOf(laps[name])])) as Record<Name, Speed>;
}

function speedOf(laps: readonly Lap[]): Speed {
  const of = (read: (one: Lap) => number | null) => laps.map(read).filter((value) => value !== null);
  return {
    perSecond: median(of((one) => one.perSecond)) ?? 0,
    p50Ms: median(of((one) => one.p50Ms)),
    p99Ms: median(of((one) => one.p99Ms)),
    maxMs: of((one) => one.maxMs).reduce<number | null>((most, one) => Math.max(most ?? 0, one), null),
    cpuMicros: median(of((one) => one.cpuMicros)),
    used: usedOf(laps.map(({ used }) => used)),
    rounds: laps.map(({ perSecond }) => perSecond),
    count: laps.reduce((sum, { count }) => sum + count, 0),
  };
}

/** How much of the limit was reached: round against round, because both rounds of a pair had the same weather. */
export function share(of: Speed, limit: Speed): number {
  const pairs = of.rounds.map((rate, at) => rate / (limit.rounds[at] ?? limit.perSecond));
  return median(pairs) ?? 0;
}

export function median(numbers: readonly number[]): number | null {
  const sorted = [...numbers].sort((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2;
}
