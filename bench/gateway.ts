import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bundleProgram } from '../scripts/release/bundle.ts';
import { createGateway } from '../test/faults/gatewayProcess.ts';
import { stoppable } from './children.ts';
import { cpuSecondsOf, residentBytesOf, type Usage, usageOf } from './proc.ts';

/** A running server and what the operating system says about it. */
export type Server = {
  readonly port: number;
  /** From the start of the process until it answered; for the gateway, until it was ready to take payments. */
  readonly readyMs: number;
  /** User and system time so far, all threads; null where /proc has no value. */
  cpuSeconds(): number | null;
  residentBytes(): number | null;
  usage(): Usage | null;
  stop(): Promise<void>;
};

const STOP_MS_MAX = 20_000;

export type GatewayOptions = {
  readonly dataDir: string;
  readonly databaseUrl?: string;
  /** A folder for a CPU profile, written when the gateway ends. */
  readonly profileDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Another checkout, whose gateway it is. */
  readonly checkout?: string;
};

const root = join(import.meta.dirname, '..');
const built = new Map<string, Promise<string>>();

/** The gateway of a checkout as `npm start` runs it, built once. */
export function builtGateway(checkout = root): Promise<string> {
  const known = built.get(checkout);
  if (known) return known;
  const folder = join(checkout, 'node_modules', '.cache', 'turnpike', `bench-${process.pid}`);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const building = bundleProgram({ root: checkout, program: 'src/main.ts', folder }).then(() => join(folder, 'main.mjs'));
  built.set(checkout, building);
  return building;
}

/** The runtime's flags of a checkout belong to its program, and are compared too. */
async function flagsOf(checkout: string): Promise<readonly string[]> {
  const { startFlags } = (await import(join(checkout, 'scripts', 'supervise.mjs'))) as { startFlags?: readonly string[] };
  return startFlags ?? [];
}

/** Starts the gateway as an operator would and waits until it can take payments. */
export async function startGateway({ dataDir, databaseUrl, profileDir, env, checkout }: GatewayOptions): Promise<Server> {
  const gateway = await createGateway({
    dataDir,
    isOperated: true,
    startFlags: await flagsOf(checkout ?? root),
    ...(databaseUrl !== undefined && { databaseUrl }),
    programs: [await builtGateway(checkout ?? root)],
    env: {
      LOG_LEVEL: 'error',
      THREADS: '1',
      ...env,
      ...(profileDir !== undefined && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir="${profileDir}"` }),
    },
  });
  const readyMs = await gateway.start();
  const pid = gateway.pid();
  return {
    port: Number(new URL(gateway.url).port),
    readyMs,
    cpuSeconds: () => cpuSecondsOf(pid),
    residentBytes: () => residentBytesOf(pid),
    usage: () => usageOf(pid),
    stop: stoppable(async () => {
      const patience = new AbortController();
      const late = pause(STOP_MS_MAX, null, { signal: patience.signal, ref: false }).then(() => gateway.kill());
      late.catch(() => {});
      await gateway.end('SIGTERM');
      patience.abort();
    }),
  };
}
