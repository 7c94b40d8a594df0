import { availableParallelism } from 'node:os';
import { begin, type First } from './begin.ts';
import { stopAll } from './children.ts';
import { startLoader } from './loader.ts';
import { describeMachine, foreignLoad, type Machine } from './machine.ts';
import { type Micro, measureMicro } from './micro.ts';
import { measurePostgres, type PostgresSide, type StartServer, startOwnServer } from './postgresSide.ts';
import type { Progress } from './progress.ts';
import type { Options } from './settings.ts';
import { measureSqlite } from './sqliteSide.ts';
import type { Bench, Stage } from './stage.ts';

/** Everything one run found, as it stands in the file of results. */
export type Report = {
  readonly date: string;
  readonly seconds: number;
  readonly machine: Machine;
  /** As `machine.busyBefore`, when everything of ours had ended. */
  readonly busyAfter: number | null;
  readonly settings: Options['settings'];
  readonly first: First;
  /** Payments per SQLite transaction, by connections. */
  readonly group: Readonly<Record<number, number>>;
  readonly sqlite: readonly Stage[] | null;
  readonly postgres: PostgresSide | null;
  readonly micro: Micro;
};

/** Runs everything the options ask for, one after the other: nothing else of ours uses the machine while something is measured. */
export async function measure(options: Options, progress: Progress, startServer: StartServer = startOwnServer): Promise<Report> {
  const { settings, stores, profileDir } = options;
  const date = new Date().toISOString();
  const beganAt = performance.now();
  try {
    progress.step(`looking at the machine (${availableParallelism()} cores)`);
    const machine = await describeMachine();
    progress.step('steps of a payment in process');
    const micro = await measureMicro(settings.repeats);
    progress.step('a fresh gateway on SQLite');
    const bench: Bench = { settings, loader: startLoader(), progress, profileDir };
    const begun = await begin(bench);
    const sqlite = stores.includes('sqlite') ? await measureSqlite(bench, begun) : null;
    const postgres = stores.includes('postgres') ? await measurePostgres(bench, begun, startServer) : null;
    await stopAll();
    const busyAfter = await foreignLoad();
    const { first, group } = begun;
    const seconds = Math.round((performance.now() - beganAt) / 1000);
    return { date, seconds, machine, busyAfter, settings, first, group, sqlite, postgres, micro };
  } finally {
    await stopAll();
  }
}
