import { temporaryFolder } from '../test/faults/gatewayProcess.ts';
import { type PostgresServer, startPostgres } from '../test/postgres.ts';
import { type Begun, payOnce } from './begin.ts';
import type { Samples } from './fill.ts';
import { startGateway } from './gateway.ts';
import { findPgbench, pgbenchLap } from './pgbench.ts';
import {
  countPostgresPayments,
  createDatabase,
  dropDatabase,
  fillPostgres,
  readPostgresSamples,
  spreadPostgresIds,
} from './postgresDatabase.ts';
import { interleave, type Speed } from './speed.ts';
import { type Bench, measureStage, payLap, type Stage } from './stage.ts';

export type PostgresSide = {
  /** Null: pgbench is not installed, so that there is nothing to compare with. */
  readonly pgbench: string | null;
  readonly stages: readonly Stage[];
  /** Two gateways on one database, each with half of the connections, at the first number of stored payments. */
  readonly twoNodes: readonly { readonly connections: number; readonly speed: Speed }[];
};

/** Room for the clients of pgbench beside the gateways', and for a log of write-ahead that is not cut short while it is filled. */
const serverSettings = { max_connections: '320', shared_buffers: '512MB', max_wal_size: '8GB' };

/** Durable payments on PostgreSQL, beside pgbench with the same rows, clients and database. */
export async function measurePostgres(bench: Bench, begun: Begun): Promise<PostgresSide> {
  const { settings, progress } = bench;
  progress.step('PostgreSQL: starting a server');
  const server = await startPostgres({ settings: serverSettings });
  const pgbench = findPgbench();
  const samples = await sampleOf(server);
  const stages: Stage[] = [];
  let twoNodes: PostgresSide['twoNodes'] = [];
  for (const rows of settings.rows) {
    const name = `bench_${rows}`;
    const url = await createDatabase(server.url(), name);
    stages.push(await stageAt(bench, begun, { url, rows, samples, pgbench }));
    if (twoNodes.length === 0) twoNodes = await measureTwoNodes(bench, url);
    await dropDatabase(server.url(), name);
  }
  await server.stop();
  return { pgbench, stages, twoNodes };
}

async function sampleOf(server: PostgresServer): Promise<Samples> {
  const url = await createDatabase(server.url(), 'bench_sample');
  const gateway = await startGateway({ dataDir: temporaryFolder(), databaseUrl: url });
  const PA = await payOnce(gateway.port, 'PA');
  const DB = await payOnce(gateway.port, 'DB');
  await gateway.stop();
  return readPostgresSamples(url, { DB: DB.id, PA: PA.id });
}

type At = { readonly url: string; readonly rows: number; readonly samples: Samples; readonly pgbench: string | null };

async function stageAt(bench: Bench, { bare }: Begun, { url, rows, samples, pgbench }: At): Promise<Stage> {
  const { settings, progress } = bench;
  const dataDir = temporaryFolder();
  await startGateway({ dataDir, databaseUrl: url }).then((gateway) => gateway.stop());
  progress.step(`PostgreSQL: storing ${rows.toLocaleString('en')} payments`);
  await fillPostgres(url, { samples, rows, onProgress: progress.at });
  const gateway = await startGateway({
    dataDir,
    databaseUrl: url,
    ...(bench.profileDir !== null && { profileDir: bench.profileDir }),
  });
  let foreign = 0;
  const limits = (connections: number) => ({
    ...(pgbench !== null && {
      pgbench: async () => {
        const before = await countPostgresPayments(url);
        const done = await pgbenchLap(pgbench, url, { sample: samples.DB, connections, seconds: settings.seconds });
        foreign += (await countPostgresPayments(url)) - before;
        return done;
      },
    }),
  });
  const stage = await measureStage(bench, {
    rows,
    gateway,
    bare,
    limits,
    idsOf: (type, count) => spreadPostgresIds(url, type, count),
  });
  await gateway.stop();
  const stored = await countPostgresPayments(url);
  const expected = rows + foreign + stage.acknowledged;
  if (stored !== expected) throw new Error(`${stored} payments are stored, ${expected} were written`);
  return stage;
}

async function measureTwoNodes(bench: Bench, url: string): Promise<PostgresSide['twoNodes']> {
  const { settings, progress } = bench;
  progress.step('PostgreSQL: two nodes');
  const nodes = [
    await startGateway({ dataDir: temporaryFolder(), databaseUrl: url }),
    await startGateway({ dataDir: temporaryFolder(), databaseUrl: url }),
  ];
  await payLap(bench, nodes, settings.connections[0] ?? 2, settings.warmUpSeconds);
  const found: { connections: number; speed: Speed }[] = [];
  for (const connections of settings.connections) {
    const { speed } = await interleave(settings.rounds, { speed: () => payLap(bench, nodes, connections) });
    found.push({ connections, speed });
  }
  for (const node of nodes) await node.stop();
  return found;
}
