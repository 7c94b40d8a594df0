import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startEnv, startFlags } from '../../scripts/supervise.mjs';
import { freePort } from '../freePort.ts';
import { changedProgram, compileCache, programWords, ROOMY } from '../programs.ts';
import type { ChangeName } from './changes.ts';
import { overload } from './overload.ts';

/** A gateway in a process of its own, which a test may kill and start again on the same data. */
export type GatewayProcess = {
  readonly url: string;
  readonly dataDir: string;
  /** The id of the current process, or of the last one. */
  pid(): number;
  isRunning(): boolean;
  /** Starts the gateway and returns the milliseconds until it was ready for payments. */
  start(): Promise<number>;
  /** Starts a gateway that will not become ready: waits until its status is no longer "starting". */
  startUnready(): Promise<number>;
  /** SIGKILL: no orderly shutdown. */
  kill(): Promise<void>;
  /** Sends the signal and returns how the process ended. */
  end(
    signal: NodeJS.Signals,
  ): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly ms: number }>;
  /** The last part of stdout and stderr. */
  said(): string;
  /** Breaks the pipe behind its stdout, like a reader that went away. */
  deafen(): void;
};

export type GatewayOptions = {
  readonly dataDir?: string;
  readonly databaseUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The number of request threads of each start, in turn. */
  readonly threads?: readonly number[];
  /** Another program for each start, in turn; null: this one. The last is used again. */
  readonly programs?: readonly (string | null)[];
  /** Starts test/faults/changedGateway.ts with these changes. */
  readonly changes?: ChangeName;
  /** Command words before the program, such as `nsenter`; that command must exec the program. */
  readonly through?: readonly string[];
  /** With the flags of `npm start` instead of those that make a start quick. */
  readonly isOperated?: true;
  /** Flags of the runtime instead of those of this checkout's `npm start`. */
  readonly startFlags?: readonly string[];
  /** Where stdout goes: a file descriptor; read by `said` when absent. */
  readonly stdout?: number;
};

const root = join(import.meta.dirname, '../..');
const runtime = join(root, 'node_modules/node/bin/node');
const READY_MS_MAX = 40_000;

/** Nodes of one installation share the key that seals instruments and hashes bodies. */
const MASTER_KEY = '5eed'.repeat(16);

export async function createGateway(options: GatewayOptions = {}): Promise<GatewayProcess> {
  const dataDir = options.dataDir ?? temporaryFolder();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  let said = '';
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null;
  const env = {
    ...inherited(),
    NODE_COMPILE_CACHE: compileCache,
    PORT: String(port),
    BACKOFFICE_PORT: 'off',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    ...(options.isOperated && startEnv),
    ...(options.databaseUrl && { DATABASE_URL: options.databaseUrl, MASTER_KEY }),
    ...(options.changes && environmentOf(options.changes)),
    ...options.env,
  };
  const entry = options.changes ? [ROOMY, join(import.meta.dirname, 'changedGateway.ts')] : programWords('src/main.ts');
  const flags = options.isOperated ? (options.startFlags ?? startFlags) : [ROOMY];
  const words = options.isOperated ? [...flags, ...entry.slice(1)] : entry;
  let starts = 0;
  const launch = (): ChildProcess => {
    const threads = options.threads?.[starts % options.threads.length];
    const other = options.programs?.[Math.min(starts, options.programs.length - 1)] ?? null;
    starts += 1;
    const [program = runtime, ...rest] = [...(options.through ?? []), runtime, ...(other === null ? words : [...flags, other])];
    const started = spawn(program, rest, {
      cwd: root,
      env: threads === undefined ? env : { ...env, THREADS: String(threads) },
      stdio: ['ignore', options.stdout ?? 'pipe', 'pipe'],
    });
    for (const stream of [started.stdout, started.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        said = `${said}${text}`.slice(-20_000);
      });
    }
    watch(started);
    return started;
  };
  const end = async (signal: NodeJS.Signals) => {
    const began = performance.now();
    const ending = child;
    if (ending === null) return { code: null, signal: null, ms: 0 };
    const ended = isRunning() ? new Promise((resolve) => ending.once('exit', resolve)) : null;
    ending.kill(signal);
    await ended;
    return { code: ending.exitCode, signal: ending.signalCode, ms: Math.round(performance.now() - began) };
  };
  return {
    url,
    dataDir,
    pid: () => child?.pid ?? 0,
    isRunning,
    start: async () => {
      child = launch();
      return untilReady(url, isRunning, () => said);
    },
    startUnready: async () => {
      child = launch();
      return untilReady(url, isRunning, () => said, isAnswering);
    },
    kill: async () => {
      await end('SIGKILL');
    },
    end,
    said: () => said,
    deafen: () => {
      child?.stdout?.destroy();
    },
  };
}

/** The control: a gateway that acknowledges before a commit is durable, on a database that a normal gateway has prepared. */
export async function createLooseGateway(options: GatewayOptions = {}): Promise<GatewayProcess> {
  const normal = await createGateway(options);
  await normal.start();
  await normal.end('SIGTERM');
  return createGateway({ ...options, dataDir: normal.dataDir, changes: 'early acknowledgement' });
}

function environmentOf(changes: ChangeName): Record<string, string> {
  const built = changedProgram(changes);
  return { CHANGES: changes, ...(built !== null && { BUILT: built }) };
}

/** Settings of the machine that runs the tests must not change what is tested. */
function inherited(): Record<string, string | undefined> {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR };
}

async function untilReady(url: string, isRunning: () => boolean, said: () => string, is = isReady): Promise<number> {
  const began = performance.now();
  while (performance.now() - began < READY_MS_MAX * overload()) {
    if (!isRunning()) throw new Error(`the gateway ended while starting:\n${said()}`);
    if (await is(url)) return Math.round(performance.now() - began);
    await pause(10);
  }
  throw new Error(`the gateway is not ready after ${READY_MS_MAX} ms:\n${said()}`);
}

/** Whether the gateway reports that it can take payments. On a new connection: an old one may belong to a dead process. */
export const isReady = async (url: string): Promise<boolean> => (await readiness(url))?.status === 200;

const isAnswering = async (url: string): Promise<boolean> => {
  const found = await readiness(url);
  return found !== null && !found.text.includes('starting');
};

/** The gateway's readiness; null when it does not answer. */
export function readiness(url: string): Promise<{ readonly status: number; readonly text: string } | null> {
  return new Promise((resolve) => {
    const asked = get(`${url}/health/ready`, { agent: false, timeout: 5_000 }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.once('error', () => resolve(null));
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => resolve(null));
  });
}

const folders = new Set<string>();

/** A folder that is removed with this process. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-faults-'));
  folders.add(folder);
  notifyKeeper(`folder ${folder}`);
  return folder;
}

process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Gateways end with their tests, also when the test process is killed. */
function watch(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  notifyKeeper(`born ${pid}`);
  child.once('exit', () => notifyKeeper(`dead ${pid}`));
}

let keeper: ChildProcess | null = null;

/** Reports a process or folder to a shell that outlives this process: when the pipe breaks, the shell removes what is left. */
function notifyKeeper(line: string): void {
  if (keeper === null) {
    const script = `live=" "; set --
      while read -r what it; do case $what in
        born) live="$live$it ";;
        dead) live="\${live%% $it *} \${live#* $it }";;
        folder) set -- "$@" "$it";;
      esac; done
      for pid in $live; do kill -9 "$pid" 2>/dev/null; done
      sleep 0.2; [ $# -gt 0 ] && rm -rf "$@"`;
    keeper = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    keeper.unref();
    const { stdin } = keeper;
    if (stdin && 'unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  }
  keeper.stdin?.write(`${line}\n`);
}
