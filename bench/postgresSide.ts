import { openPostgresStore } from '../src/store/postgres/postgresStore.ts';
import { temporaryFolder } from '../test/faults/gatewayProcess.ts';
import { type PostgresServer, startPostgres } from '../test/postgres.ts';
import type { Begun } from './begin.ts';
import { stoppable } from './children.ts';
import { type Server, startGateway } from './gateway.ts';
import { findPgbench, pgbenchLap } from './pgbench.ts';
import { countPostgresPayments, createDatabase, dropDatabase, fanOutPostgresIds, fillPostgres } from './postgresDatabase.ts';
import { interleave, type Speed } from './speed.ts';
import { type Bench, measureStage, payLap, type Stage } from './stage.ts';

export type PostgresSide = {
  /** Null: pgbench is not installed, so that there is nothing to compare with. */
  readonly pgbench: string | null;
  readonly stages: readonly Stage[];
  /** Two gateways on one database, each with half of the connections, at the first number of stored payments. */
  readonly twoNodes: readonly { readonly connections: number; readonly speed: Speed }[];
};

/** Enough connections for pgbench beside the gateways, and a write-ahead log without checkpoints while the database is filled. */
const serverSettings = { max_connections: '320', shared_buffers: '512MB', max_wal_size: '8GB' };

/** The server to measure on. A test passes a running one. */
export type StartServer = () => Promise<Pick<PostgresServer, 'url' | 'stop'>>;

export const startOwnServer: StartServer = () => startPostgres({ settings: serverSettings });

/** Durable payments on PostgreSQL, beside pgbench with the same rows, clients and database. */
export async function measurePostgres(whole: Bench, begun: Begun, startServer: StartServer): Promise<PostgresSide> {
  const { progress } = whole;
  const settings = { ...whole.settings, connections: whole.settings.postgresConnections };
  const bench: Bench = { ...whole, settings };
  progress.step('PostgreSQL: starting a server');
  const server = await startServer();
  const stop = stoppable(() => server.stop());
  const pgbench = findPgbench();
  const stages: Stage[] = [];
  let twoNodes: PostgresSide['twoNodes'] = [];
  for (const rows of settings.rows) {
    const name = `turnpike_bench_${process.pid}_${rows}`;
    const url = await createDatabase(server.url(), name);
    const isFirst = stages.length === 0;
    const measured = await measureAt(bench, begun, { url, rows, pgbench, withTwoNodes: isFirst });
    stages.push(measured.stage);
    if (isFirst) twoNodes = measured.twoNodes;
    await dropDatabase(server.url(), name);
  }
  await stop();
  return { pgbench, stages, twoNodes };
}

type At = { readonly url: string; readonly rows: number; readonly pgbench: string | null; readonly withTwoNodes: boolean };
type Measured = { readonly stage: Stage; readonly twoNodes: PostgresSide['twoNodes'] };

async function measureAt(bench: Bench, { bare, samples }: Begun, { url, rows, pgbench, withTwoNodes }: At): Promise<Measured> {
  const { settings, progress, profileDir } = bench;
  await openPostgresStore({ url }).then((store) => store.close());
  progress.step(`PostgreSQL: storing ${rows.toLocaleString('en')} payments`);
  await fillPostgres(url, { samples, rows, onProgress: progress.at });
  const start = () => startGateway({ dataDir: temporaryFolder(), databaseUrl: url, ...(profileDir !== null && { profileDir }) });
  const gateway = await start();
  let written = 0;
  const limits = (connections: number) => ({
    ...(pgbench !== null && {
      pgbench: async () => {
        const done = await pgbenchLap(pgbench, url, { sample: samples.DB, connections, seconds: settings.seconds });
        written += done.written;
        return done.lap;
      },
    }),
  });
  const idsOf = (type: 'DB' | 'PA', count: number) => fanOutPostgresIds(url, type, count);
  const stage = await measureStage(bench, { rows, gateway, bare, limits, idsOf });
  const stored = await countPostgresPayments(url);
  const expected = rows + written + stage.acknowledged;
  if (stored !== expected) throw new Error(`${stored} payments are stored, ${expected} were written`);
  const twoNodes = withTwoNodes ? await measureTwoNodes(bench, [gateway, await start()]) : [];
  await gateway.stop();
  return { stage, twoNodes };
}

async function measureTwoNodes(bench: Bench, nodes: readonly [Server, Server]): Promise<PostgresSide['twoNodes']> {
  const { settings, progress } = bench;
  progress.step('PostgreSQL: two nodes');
  await payLap(bench, nodes, settings.connections[0] ?? 2, settings.warmUpSeconds);
  const found: { connections: number; speed: Speed }[] = [];
  for (const connections of settings.connections) {
    const { speed } = await interleave(settings.rounds, { speed: () => payLap(bench, nodes, connections) });
    found.push({ connections, speed });
  }
  await nodes[1].stop();
  return found;
}
