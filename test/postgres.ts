import { type ChildProcess, spawn } from 'node:child_process';
import { chown, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import postgres from 'postgres';
import { freePort } from './freePort.ts';
import { isLongRun } from './long.ts';
import { type Binaries, findBinaries, run, type User, userForServer } from './postgresBinaries.ts';
import { killTree } from './postgresProcesses.ts';

/** A real PostgreSQL server of a test's own. */
export type PostgresServer = {
  readonly dataDir: string;
  url(database?: string): string;
  /** `fast` ends sessions and writes everything down; `immediate` leaves the rest to crash recovery. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  /** A power cut, as far as processes can have one: SIGKILL for all processes of the server. */
  kill(): Promise<void>;
  /** Again after stop() or kill(), on the same port and data. */
  start(): Promise<void>;
};

export type PostgresOptions = {
  /** Off makes a server that is quick and may lose data with the machine; a kill of its processes it still survives. */
  readonly fsync?: boolean;
  /** Further lines of postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The files of a server that is stopped, or its base backup: the new one begins with a copy. */
  readonly files?: string;
  /** The port of the primary that the new server follows; `files` are those of the primary. */
  readonly follows?: number;
  /** Prepares the empty data folder, such as by a mount, and returns the command words before programs that use it, run as root. */
  readonly through?: (dataDir: string, user: User) => Promise<readonly string[]>;
};

const READY = /database system is ready to accept (?:read-only )?connections/;
const START_MS_MAX = 60_000;

/** Starts a server on a free port of the loopback. It ends, and its files go, with this process at the latest. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const user = await userForServer();
  const binaries = await findBinaries(user);
  const folder = await mkdtemp(join(tmpdir(), 'turnpike-postgres-'));
  if (user) await chown(folder, user.uid, user.gid);
  const dataDir = join(folder, 'data');
  cleanUpAfter(folder);
  const words = options.through && user ? await prepared(dataDir, user, options.through) : [];
  await initialize({ dataDir, initdb: binaries.initdb, user, words }, options.files);
  if (options.follows !== undefined) await run('touch', [join(dataDir, 'standby.signal')], user);
  const port = await freePort();
  let server = await launch({ binaries, user, words, dataDir, port, options });

  const end = async (signal: 'SIGINT' | 'SIGQUIT') => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.ref();
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await ended;
  };
  return {
    dataDir,
    url: (database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`,
    stop: (mode = 'fast') => end(mode === 'fast' ? 'SIGINT' : 'SIGQUIT'),
    kill: async () => {
      if (server.pid !== undefined && server.exitCode === null && server.signalCode === null) await killTree(server.pid);
    },
    start: async () => {
      server = await launchAgain({ binaries, user, words, dataDir, port, options });
    },
  };
}

async function prepared(
  dataDir: string,
  user: User,
  through: NonNullable<PostgresOptions['through']>,
): Promise<readonly string[]> {
  await run('mkdir', ['-m', '700', dataDir], user);
  return [...(await through(dataDir, user)), 'setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
}

/** Command words that set the user themselves are run as we are. */
const runAs = (words: readonly string[], user: User | null, command: readonly string[]): Promise<void> => {
  const [program = '', ...flags] = [...words, ...command];
  return run(program, flags, words.length > 0 ? null : user);
};

type Files = {
  readonly dataDir: string;
  readonly initdb: string;
  readonly user: User | null;
  readonly words: readonly string[];
};

/** Makes the files of a new server: a copy of those that TEST_POSTGRES_FILES names costs a tenth of the work. */
async function initialize({ dataDir, initdb, user, words }: Files, made = process.env.TEST_POSTGRES_FILES): Promise<void> {
  const format = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C', '--no-sync'];
  if (made === undefined) await runAs(words, user, [initdb, `--pgdata=${dataDir}`, ...format]);
  else await runAs(words, user, ['cp', '-aT', made, dataDir]);
}

/** Makes the files of a server that never runs, to be copied. They go with this process at the latest. */
export async function makeServerFiles(): Promise<string> {
  const user = await userForServer();
  const { initdb } = await findBinaries(user);
  const folder = await mkdtemp(join(tmpdir(), 'turnpike-postgres-'));
  if (user) await chown(folder, user.uid, user.gid);
  cleanUpAfter(folder);
  const dataDir = join(folder, 'data');
  await initialize({ dataDir, initdb, user, words: [] });
  return dataDir;
}

const RESTARTS_MAX = 15;

type Launch = {
  readonly binaries: Binaries;
  readonly user: User | null;
  readonly words: readonly string[];
  readonly dataDir: string;
  readonly port: number;
  readonly options: PostgresOptions;
};

/** After a kill the old server's lock and shared memory may outlive it by a moment: the new one is tried until they are gone. */
async function launchAgain(how: Launch): Promise<ChildProcess> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await launch(how);
    } catch (error) {
      if (tries === RESTARTS_MAX) throw error;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }
}

async function launch({ binaries, user, words, dataDir, port, options }: Launch): Promise<ChildProcess> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '128MB',
    max_wal_size: '2GB',
    jit: 'off',
    fsync: options.fsync === false ? 'off' : 'on',
    // Databases of quick tests live for seconds: to vacuum and flush them is lost work. Without statistics, however, the plans of large tables
    // are wrong ones, and long tests would measure those.
    autovacuum_naptime: isLongRun() ? '1min' : '1d',
    checkpoint_timeout: '1h',
    ...(options.follows !== undefined && { primary_conninfo: `host=127.0.0.1 port=${options.follows} user=postgres` }),
    // The shell that cleans up does not see a data folder of its own mount.
    ...(words.length > 0 && { external_pid_file: join(dirname(dataDir), 'postmaster.pid') }),
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const identity = user && words.length === 0 ? { uid: user.uid, gid: user.gid } : {};
  const [program = '', ...first] = [...words, binaries.postgres];
  // Detached, so that Ctrl-C in the terminal reaches the tests and not the server beneath them.
  const child = spawn(program, [...first, '-D', dataDir, '-p', String(port), ...flags], {
    ...identity,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  await ready(child);
  child.unref();
  return child;
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    const late = setTimeout(() => reject(new Error(`PostgreSQL is not ready after ${START_MS_MAX} ms:\n${log}`)), START_MS_MAX);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(late);
      reject(new Error(`PostgreSQL ended with ${code} while starting:\n${log}`));
    });
    const { stderr } = child;
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = `${log}${text}`.slice(-10_000);
      if (!READY.test(log)) return;
      clearTimeout(late);
      stderr.removeAllListeners('data').resume();
      // A pipe that is read for ever must not keep the tests from ending.
      if ('unref' in stderr && typeof stderr.unref === 'function') stderr.unref();
      resolve();
    });
  });
}

/** A shell that outlives this process, however it dies, then stops the server and removes its files. */
function cleanUpAfter(folder: string): void {
  const script = `read -r _
    pid=$(head -qn 1 "$0/data/postmaster.pid" "$0/postmaster.pid" 2>/dev/null | head -n 1) && [ -n "$pid" ] && kill -QUIT "$pid" 2>/dev/null
    for _ in 1 2 3 4 5 6 7 8 9 10; do rm -rf "$0" 2>/dev/null; [ -e "$0" ] || exit 0; sleep 0.3; done`;
  const shell = spawn('/bin/sh', ['-c', script, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  shell.unref();
  const { stdin } = shell;
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
}

let own: Promise<PostgresServer> | null = null;
let made = 0;

/** A fresh database on the server of TEST_DATABASE_URL, or on one of this process's own: empty, or a copy of another one that has no sessions. */
export async function testDatabase(like?: string): Promise<{ readonly url: string; drop(): Promise<void> }> {
  own ??= process.env.TEST_DATABASE_URL ? null : startPostgres();
  const server = process.env.TEST_DATABASE_URL ?? (await own)?.url() ?? '';
  made += 1;
  const name = `turnpike_${process.pid}_${process.hrtime.bigint().toString(36)}_${made}`;
  const onServer = async (statement: string) => {
    const sql = postgres(server, { max: 1, fetch_types: false, onnotice: () => {} });
    await sql.unsafe(statement).finally(() => sql.end());
  };
  await onServer(`CREATE DATABASE ${name}${like === undefined ? '' : ` TEMPLATE ${new URL(like).pathname.slice(1)}`}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}
