import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../test/faults/gatewayProcess.ts';
import { exchange, parseAnswer } from './answer.ts';
import { startBare } from './bare.ts';
import { stopAll } from './children.ts';
import { type Server, startGateway } from './gateway.ts';
import type { Job } from './load.ts';
import { startLoader } from './loader.ts';
import { createDatabase } from './postgresDatabase.ts';
import { type StartServer, startOwnServer } from './postgresSide.ts';
import type { Progress } from './progress.ts';
import { checkoutRequest, payTemplate, readRequest } from './request.ts';
import { type Lap, lap, median } from './speed.ts';

/**
 * One kind of request at both programs: microseconds of CPU for each by thread, and the ratio of this one to the other in pairs of
 * rounds.
 */
export type AgainstRow = {
  readonly kind: string;
  readonly bareMicros: number;
  readonly here: Readonly<Record<string, number>>;
  readonly there: Readonly<Record<string, number>>;
  readonly ratio: number;
};

export type AgainstSettings = {
  readonly rounds: number;
  /** Rounds before the first that counts: code is compiled for some 15 s of load. */
  readonly warmUp: number;
  readonly requests: number;
  readonly connections: number;
  readonly store: 'sqlite' | 'postgres';
  /** The request threads of each gateway. */
  readonly threads: number;
};

export const againstSettings: AgainstSettings = {
  rounds: 16,
  warmUp: 6,
  requests: 1_000,
  connections: 64,
  store: 'sqlite',
  threads: 1,
};

const SECONDS_MAX = 120;

/**
 * Compares the program of this folder with that of another checkout, in turns, with the inspector off. Other work of the machine meets
 * both alike, so this shows the worth of a change also on a busy machine.
 */
export async function measureAgainst(
  folder: string,
  { rounds, warmUp, requests, connections, store, threads }: AgainstSettings,
  progress: Progress,
  startServer: StartServer = startOwnServer,
): Promise<readonly AgainstRow[]> {
  const checkout = resolve(folder);
  const program = join(checkout, 'src', 'main.ts');
  if (!existsSync(program)) throw new Error(`${folder} is no checkout of the gateway: ${program} is missing`);
  const dataDirs = [temporaryFolder(), temporaryFolder()] as const;
  for (const dataDir of dataDirs) mkdirSync(dataDir, { recursive: true });
  try {
    progress.step('starting both gateways');
    const database = store === 'postgres' ? await startServer() : null;
    const start = async (dataDir: string, name: string, program: { readonly checkout?: string } = {}): Promise<Server> =>
      startGateway({
        dataDir,
        ...program,
        ...(database && { databaseUrl: await createDatabase(database.url(), `turnpike_${name}_${process.pid}`) }),
        env: { INSPECT: 'off', THREADS: String(threads) },
      });
    const here = await start(dataDirs[0], 'here');
    const there = await start(dataDirs[1], 'there', { checkout });
    const bare = await startBare('http', parseAnswer(await exchange(here.port, payTemplate('DB').bytes.toString('latin1'))));
    const loader = startLoader();
    const run = (server: Server, send: Job['send']) =>
      lap(loader, [server], { connections, secondsMax: SECONDS_MAX, requestsMax: requests, send });
    let orders = 1;
    const pay = (server: Server) => {
      orders += requests;
      return run(server, { kind: 'varied', firstOrder: orders });
    };
    const reads = new Map<Server, readonly string[]>();
    for (const server of [here, there]) {
      orders += requests;
      const send = { kind: 'payments', paymentType: 'PA', firstOrder: orders, withIds: true } as const;
      const made = await loader.run({ connections, secondsMax: SECONDS_MAX, requestsMax: requests, ports: [server.port], send });
      reads.set(server, made.ids.map(readRequest));
    }
    const checkouts = Array.from({ length: requests }, checkoutRequest);
    const kinds: Readonly<Record<string, (server: Server) => Promise<Lap>>> = {
      payment: pay,
      GET: (server) => run(server, { kind: 'requests', requests: reads.get(server) ?? reads.get(here) ?? [] }),
      checkout: (server) => run(server, { kind: 'requests', requests: checkouts }),
    };
    const rows: AgainstRow[] = [];
    for (const [kind, work] of Object.entries(kinds)) {
      progress.step(kind);
      const laps: (readonly [bare: Lap, here: Lap, there: Lap])[] = [];
      for (let round = 0; round < warmUp + rounds; round += 1) {
        progress.at(round / (warmUp + rounds));
        const bareLap = await (kind === 'payment' ? pay(bare) : work(bare));
        // The second one finds warmer caches, so they change places.
        const order = round % 2 === 0 ? [here, there] : [there, here];
        const found = new Map<Server, Lap>();
        for (const server of order) found.set(server, await work(server));
        if (round >= warmUp) laps.push([bareLap, found.get(here) as Lap, found.get(there) as Lap]);
      }
      rows.push(rowOf(kind, laps));
    }
    return rows;
  } finally {
    await stopAll();
    for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true });
  }
}

const microsOf = ({ used }: Lap): number => Object.values(used?.threads ?? {}).reduce((sum, one) => sum + one, 0);

function rowOf(kind: string, laps: readonly (readonly [bare: Lap, here: Lap, there: Lap])[]): AgainstRow {
  const middle = (of: (one: (typeof laps)[number]) => number) => median(laps.map(of)) ?? 0;
  const threads = (at: 1 | 2) => {
    const names = new Set(laps.flatMap((one) => Object.keys(one[at].used?.threads ?? {})));
    const each = [...names].map((name) => [name, middle((one) => one[at].used?.threads[name] ?? 0)] as const);
    return Object.fromEntries(each.filter(([, micros]) => micros >= 1));
  };
  return {
    kind,
    bareMicros: middle(([bare]) => microsOf(bare)),
    here: threads(1),
    there: threads(2),
    ratio: middle(([, here, there]) => microsOf(here) / microsOf(there)),
  };
}
