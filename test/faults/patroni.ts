import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { findProgram } from '../debian.ts';
import { freePort } from '../freePort.ts';
import { type User, userForServer } from '../postgresBinaries.ts';
import { killTree } from '../postgresProcesses.ts';
import { temporaryFolder } from './gatewayProcess.ts';

/** Two PostgreSQL servers under Patroni, the second a synchronous standby, with one etcd. */
export type Cluster = {
  /** Both hosts. */
  readonly url: string;
  /** Waits until one server leads and the other one follows it synchronously. */
  settled(): Promise<void>;
  /** SIGKILL for every process of the leading server; `machine`: for its Patroni too. */
  killLeader(how: 'postgres' | 'machine'): Promise<void>;
  /** Starts what was killed. */
  repair(): Promise<void>;
  /** As an operator restarts the leading server. */
  restartLeader(): Promise<void>;
  /** Which server leads, by its name; null when none does. */
  leader(): Promise<string | null>;
  /** The last lines of both Patronis. */
  said(): string;
  close(): Promise<void>;
};

type Member = {
  readonly name: string;
  readonly port: number;
  readonly api: string;
  readonly dataDir: string;
  readonly config: string;
  child: ChildProcess | null;
  said: string;
};

const SETTLE_MS_MAX = 180_000;

export async function startCluster(): Promise<Cluster> {
  const user = await userForServer();
  const folder = temporaryFolder();
  own(folder, user);
  const [client, peer] = [await freePort(), await freePort()];
  const etcd = startEtcd(join(folder, 'etcd'), client, peer, user);
  const members: readonly Member[] = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const [port, api] = [await freePort(), await freePort()];
      const home = join(folder, name);
      mkdirSync(home);
      own(home, user);
      const config = join(home, 'patroni.json');
      // JSON is YAML.
      writeFileSync(config, JSON.stringify(configOf({ name, port, api, home, etcd: client })));
      own(config, user);
      return { name, port, api: `http://127.0.0.1:${api}`, dataDir: join(home, 'data'), config, child: null, said: '' };
    }),
  );
  const start = (member: Member): void => {
    const child = spawn(findProgram('patroni') ?? '', [member.config], { ...user, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        member.said = `${member.said}${text}`.slice(-6_000);
      });
    member.child = child;
  };
  const urlOf = ({ port }: Member) => `postgres://postgres@127.0.0.1:${port}/postgres`;
  const leading = async (): Promise<Member | null> => {
    for (const member of members) if ((await statusOf(`${member.api}/primary`)) === 200) return member;
    return null;
  };
  const isSettled = async (): Promise<boolean> => {
    const leader = await leading();
    return leader !== null && (await isRecorded(leader.api)) && (await isFollowed(urlOf(leader)));
  };
  const said = () => members.map((member) => `${member.name}: ${member.said}`).join('\n');
  const settled = async (): Promise<void> => {
    const began = performance.now();
    while (!(await isSettled())) {
      if (performance.now() - began > SETTLE_MS_MAX) throw new Error(`the cluster did not settle:\n${said()}`);
      await pause(200);
    }
  };
  const close = async (): Promise<void> => {
    for (const { child } of members) child?.kill('SIGKILL');
    // One that was never made has none.
    for (const member of members) if (existsSync(pidFileOf(member))) await killTree(postmasterOf(member)).catch(() => {});
    etcd.kill('SIGKILL');
  };
  const [first, ...others] = members;
  if (first) start(first);
  while ((await leading()) === null) {
    if (first?.child?.exitCode !== null) {
      await close();
      throw new Error(`Patroni ended while starting:\n${first?.said}`);
    }
    await pause(200);
  }
  others.forEach(start);
  return {
    url: `postgres://postgres@${members.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres?target_session_attrs=read-write`,
    settled,
    said,
    leader: async () => (await leading())?.name ?? null,
    killLeader: async (how) => {
      const leader = await leading();
      if (leader === null) throw new Error('no server leads');
      if (how === 'machine') leader.child?.kill('SIGKILL');
      await killTree(postmasterOf(leader));
    },
    repair: async () => {
      for (const member of members) if (member.child?.exitCode !== null || member.child.signalCode !== null) start(member);
    },
    restartLeader: async () => {
      const leader = await leading();
      if (leader === null) throw new Error('no server leads');
      const reply = await fetch(`${leader.api}/restart`, { method: 'POST', body: '{}' });
      if (reply.status !== 200) throw new Error(`restart: ${reply.status} ${await reply.text()}`);
    },
    close,
  };
}

const own = (path: string, user: User | null): void => {
  if (user) chownSync(path, user.uid, user.gid);
};

const pidFileOf = ({ dataDir }: Member): string => join(dataDir, 'postmaster.pid');
const postmasterOf = (member: Member): number => Number(readFileSync(pidFileOf(member), 'utf8').split('\n')[0]);

async function statusOf(url: string): Promise<number> {
  return fetch(url, { signal: AbortSignal.timeout(3_000) }).then(
    async (reply) => {
      await reply.body?.cancel();
      return reply.status;
    },
    () => 0,
  );
}

type Listed = { readonly members?: readonly { readonly role: string }[] };

/** Whether Patroni knows the synchronous standby: otherwise it does not promote it. */
async function isRecorded(api: string): Promise<boolean> {
  try {
    const reply = await fetch(`${api}/cluster`, { signal: AbortSignal.timeout(3_000) });
    const { members = [] } = (await reply.json()) as Listed;
    return members.some(({ role }) => role === 'sync_standby');
  } catch {
    return false;
  }
}

async function isFollowed(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {}, connect_timeout: 3 });
  try {
    const rows = await sql.unsafe("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'");
    return rows.length > 0;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function startEtcd(dataDir: string, client: number, peer: number, user: User | null): ChildProcess {
  const [clientUrl, peerUrl] = [client, peer].map((port) => `http://127.0.0.1:${port}`);
  const flags = {
    'data-dir': dataDir,
    'listen-client-urls': clientUrl,
    'advertise-client-urls': clientUrl,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `default=${peerUrl}`,
    // A busy disk is no reason for an election.
    'heartbeat-interval': '500',
    'election-timeout': '5000',
  };
  const words = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  return spawn(findProgram('etcd') ?? '', words, { ...user, stdio: 'ignore' });
}

type Settings = {
  readonly name: string;
  readonly port: number;
  readonly api: number;
  readonly home: string;
  readonly etcd: number;
};

function configOf({ name, port, api, home, etcd }: Settings): object {
  return {
    scope: 'turnpike',
    name,
    restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
    etcd3: { host: `127.0.0.1:${etcd}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 8,
        // A server that died is not waited for.
        primary_start_timeout: 0,
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 200, synchronous_commit: 'on', wal_log_hints: 'on', wal_keep_size: '512MB' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(home, 'data'),
      bin_dir: dirname(findProgram('pg_controldata') ?? ''),
      pgpass: join(home, 'pgpass'),
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'postgres' } },
      parameters: { unix_socket_directories: home },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust', 'local all all trust'],
    },
  };
}
