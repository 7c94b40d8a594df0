import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chownSync, existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { apt, findProgram } from './debian.ts';
import { temporaryFolder } from './faults/gatewayProcess.ts';
import { freePort } from './freePort.ts';
import { userForServer } from './postgresBinaries.ts';

const run = promisify(execFile);
const BUILD_MS_MAX = 300_000;

export type PgBouncer = {
  /** The same database by way of the pooler. */
  through(url: string): string;
  /** How many transactions it has passed on. */
  transactions(): Promise<number>;
  close(): Promise<void>;
};

/** The role of pooled sessions. Its settings are those of docs/scale.md: a pooler passes no parameters of the session on. */
const ROLE = 'pooled';
export const roleSettings: readonly string[] = [
  "statement_timeout = '8s'",
  "lock_timeout = '6s'",
  "idle_in_transaction_session_timeout = '10s'",
  'enable_seqscan = off',
  'enable_bitmapscan = off',
  'enable_hashjoin = off',
  'enable_mergejoin = off',
];

export const versionOf = async (program: string): Promise<string> =>
  /PgBouncer (\d+\.\d+(?:\.\d+)?)/.exec((await run(program, ['--version'])).stdout)?.[1] ?? 'unknown';

/** From 1.21 on it keeps prepared statements for its clients. */
const keepsStatements = (version: string): boolean => Number(version.split('.')[1]) >= 21;

/** A PgBouncer in transaction mode in front of a server of tests, for all its databases. */
export async function startPgBouncer(program: string, serverUrl: string): Promise<PgBouncer> {
  const version = await versionOf(program);
  const isNew = keepsStatements(version);
  await makeRole(serverUrl);
  const folder = temporaryFolder();
  const port = await freePort();
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${new URL(serverUrl).port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${join(folder, 'users')}`,
    'admin_users = admin',
    'pool_mode = transaction',
    'default_pool_size = 4',
    'max_client_conn = 1000',
    'max_db_connections = 4',
    'server_idle_timeout = 5',
    ...(isNew ? ['max_prepared_statements = 200'] : []),
  ];
  writeFileSync(join(folder, 'users'), `"${ROLE}" ""\n"admin" ""\n`);
  writeFileSync(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
  const user = await userForServer();
  if (user)
    for (const path of [folder, join(folder, 'users'), join(folder, 'pgbouncer.ini')]) chownSync(path, user.uid, user.gid);
  const child = spawn(program, ['-q', join(folder, 'pgbouncer.ini')], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  const url = (database: string, as: string) => `postgres://${as}@127.0.0.1:${port}/${database}`;
  await untilUp(child, url('pgbouncer', 'admin'));
  return {
    through: (direct) => `${url(new URL(direct).pathname.slice(1), ROLE)}?pooler=${isNew ? 'transaction' : 'unprepared'}`,
    transactions: async () => {
      const rows = await askAdmin(url('pgbouncer', 'admin'), 'SHOW STATS_TOTALS');
      return rows.reduce((sum, { xact_count }) => sum + Number(xact_count), 0);
    },
    close: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function makeRole(serverUrl: string): Promise<void> {
  const sql = postgres(serverUrl, { max: 1, fetch_types: false, onnotice: () => {} });
  try {
    const found = await sql.unsafe('SELECT 1 FROM pg_roles WHERE rolname = $1', [ROLE]);
    if (found.length === 0) await sql.unsafe(`CREATE ROLE ${ROLE} LOGIN SUPERUSER`);
    for (const setting of roleSettings) await sql.unsafe(`ALTER ROLE ${ROLE} SET ${setting}`);
  } finally {
    await sql.end();
  }
}

type Row = Readonly<Record<string, unknown>>;

/** The console speaks the simple protocol alone. */
async function askAdmin(url: string, statement: string): Promise<readonly Row[]> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  return sql
    .unsafe(statement)
    .simple()
    .finally(() => sql.end());
}

async function untilUp(child: ChildProcess, url: string): Promise<void> {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-2_000);
  });
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`PgBouncer ended while starting:\n${said}`);
    try {
      await askAdmin(url, 'SHOW VERSION');
      return;
    } catch {
      await pause(50);
    }
  }
}

export type Build =
  | { readonly kind: 'built'; readonly program: string; readonly skip: false }
  | { readonly kind: 'missing'; readonly program: null; readonly skip: string };

const missing = (skip: string): Build => ({ kind: 'missing', program: null, skip });

/** The newest PgBouncer that can be had here: that of Debian 13, built from its source package. */
export async function buildNewest(root: string): Promise<Build> {
  const folder = join(root, 'node_modules', '.cache', 'turnpike', 'pgbouncer-trixie');
  const built = () => globSync(join(folder, 'pgbouncer-*', 'pgbouncer')).find((path) => existsSync(path));
  const before = built();
  if (before !== undefined) return { kind: 'built', program: before, skip: false };
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return missing('building PgBouncer needs apt-get and root');
  const lists = join(folder, 'lists');
  const [sources, cache] = [join(folder, 'sources.list'), join(folder, 'cache')];
  mkdirSync(join(lists, 'partial'), { recursive: true });
  mkdirSync(join(cache, 'archives', 'partial'), { recursive: true });
  const key = '/usr/share/keyrings/debian-archive-keyring.gpg';
  writeFileSync(sources, `deb-src [signed-by=${key}] http://deb.debian.org/debian trixie main\n`);
  const settings = {
    'Dir::Etc::sourcelist': sources,
    'Dir::Etc::sourceparts': '-',
    'Dir::State::lists': lists,
    'Dir::Cache': cache,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  try {
    await apt(['update'], { flags });
    await apt(['source', '--download-only', 'pgbouncer'], { flags, cwd: folder });
    if (
      findProgram('pkg-config') === null ||
      !existsSync('/usr/include/event2/event.h') ||
      !existsSync('/usr/include/openssl/ssl.h')
    ) {
      await apt(['update']);
      await apt(['install', '-y', '--no-install-recommends', 'build-essential', 'pkg-config', 'libevent-dev', 'libssl-dev']);
    }
    const [archive = ''] = globSync('pgbouncer_*.orig.tar.gz', { cwd: folder });
    await run('tar', ['xzf', archive], { cwd: folder });
    const [source = ''] = globSync('pgbouncer-*', { cwd: folder });
    const how = { cwd: join(folder, source), timeout: BUILD_MS_MAX, maxBuffer: 64 << 20 };
    await run('./configure', ['--without-cares', '--quiet'], how);
    await run('make', ['-s', `-j${cpus().length}`, 'pgbouncer'], how);
  } catch (error) {
    return missing(`PgBouncer could not be built: ${(error as Error).message.split('\n')[0]}`);
  }
  const program = built();
  return program === undefined ? missing('PgBouncer could not be built') : { kind: 'built', program, skip: false };
}
