import { AsyncLocalStorage } from 'node:async_hooks';
import { StoreOutOfOrder, UnknownOutcome } from '../payments/storeErrors.ts';
import type { Store } from './store.ts';

/**
 * Reads of the back office that may be some seconds old. Everything that decides something reads the primary, and so do the lists of work:
 * whoever sees a review decides on it.
 */
export const replicaReads = [
  'search',
  'checkoutsListed',
  'registrationsListed',
  'listSchedules',
  'usesOf',
  'foldRevision',
  'sheetsWithin',
] as const satisfies readonly (keyof Store)[];
export type ReplicaReads = Pick<Store, (typeof replicaReads)[number]>;

/** Two servers of one PostgreSQL cluster, by their positions in the write-ahead log. */
export type ReplicaSource = {
  readonly reads: ReplicaReads;
  /** How far the primary has written. */
  readonly written: () => Promise<bigint>;
  /** How far the replica has come; null: it is no standby. */
  readonly replayed: () => Promise<bigint | null>;
  close(): Promise<void>;
};

export type ReplicaOptions = {
  readonly now: () => number;
  /** A replica that is further behind is not read. */
  readonly lagMsMax: number;
  readonly log: { warn(about: object, text: string): void };
};

export type Replica = {
  readonly reads: ReplicaReads;
  /** This node has changed something: until the replica has it, the primary is read. */
  noteChange(): void;
  /** Runs work, and returns its result with the age of the oldest data that it read; null: all of it came from the primary. */
  measure<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ageMs: number | null }>;
};

/** The two positions are compared this often at most. */
const CHECK_MS = 1_000;
/** A replica that failed is asked again after this time. */
const AWAY_MS = 5_000;
const SAMPLES_MAX = 1_000;

type Sample = { readonly at: number; readonly written: bigint };

/**
 * The last instant whose state the replica certainly has. Positions of the log decide, not clocks and not the time of the last transaction:
 * an idle primary does not make its replica look old, and a replica that gets nothing more does not look new.
 */
function createFreshness({ written, replayed }: Pick<ReplicaSource, 'written' | 'replayed'>, now: () => number) {
  let samples: readonly Sample[] = [];
  let [freshAt, checkedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let checking: Promise<void> | null = null;
  const check = async (): Promise<void> => {
    const at = now();
    samples = [...samples.slice(1 - SAMPLES_MAX), { at, written: await written() }];
    const position = await replayed();
    if (position === null) throw new StoreOutOfOrder('it is no standby');
    freshAt = samples.findLast((sample) => sample.written <= position)?.at ?? freshAt;
    samples = samples.filter((sample) => sample.at > freshAt);
    checkedAt = at;
  };
  return {
    async freshAt(): Promise<number> {
      if (now() - checkedAt >= CHECK_MS || now() < checkedAt) {
        checking ??= check().finally(() => {
          checking = null;
        });
        await checking;
      }
      return freshAt;
    },
  };
}

/** Reads from a replica while it is there and recent enough, else from the primary. */
export function createReplica(primary: ReplicaReads, source: ReplicaSource, { now, lagMsMax, log }: ReplicaOptions): Replica {
  const freshness = createFreshness(source, now);
  const measured = new AsyncLocalStorage<{ ageMs: number | null }>();
  let [awayUntil, changedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let isAway = false;

  const leave = (why: string): void => {
    awayUntil = now() + AWAY_MS;
    if (!isAway) log.warn({ why }, 'the replica cannot be read; lists and statistics come from the primary');
    isAway = true;
  };
  /** Asks a replica that was away whether it is back. No reader waits for the answer. */
  const returnFrom = async (): Promise<void> => {
    awayUntil = now() + AWAY_MS;
    await freshness.freshAt().then(
      () => {
        if (isAway) log.warn({}, 'the replica is read again');
        isAway = false;
      },
      () => {},
    );
  };
  const read = async (name: keyof ReplicaReads, given: readonly unknown[]): Promise<unknown> => {
    const call = (reads: ReplicaReads) => (reads[name] as (...all: readonly unknown[]) => Promise<unknown>)(...given);
    if (isAway) {
      if (now() >= awayUntil) void returnFrom();
      return call(primary);
    }
    try {
      const freshAt = await freshness.freshAt();
      // Not only older: equal times say nothing about which came first.
      if (now() - freshAt > lagMsMax || freshAt <= changedAt) return call(primary);
      const result = await call(source.reads);
      const known = measured.getStore();
      if (known) known.ageMs = Math.max(known.ageMs ?? 0, now() - freshAt);
      return result;
    } catch (error) {
      if (!(error instanceof StoreOutOfOrder || error instanceof UnknownOutcome)) throw error;
      leave(error.message);
      return call(primary);
    }
  };
  return {
    reads: Object.fromEntries(
      replicaReads.map((name) => [name, (...given: readonly unknown[]) => read(name, given)]),
    ) as unknown as ReplicaReads,
    noteChange() {
      changedAt = now();
    },
    async measure(work) {
      const known: { ageMs: number | null } = { ageMs: null };
      const result = await measured.run(known, work);
      return { result, ageMs: known.ageMs };
    },
  };
}
