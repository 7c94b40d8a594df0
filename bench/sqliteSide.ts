import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import { temporaryFolder } from '../test/faults/gatewayProcess.ts';
import type { Begun } from './begin.ts';
import { startGateway } from './gateway.ts';
import { rawLap } from './rawSqlite.ts';
import { countRows, databaseFile, fanOutIds, fillSqlite, writeSearchKeys } from './sqliteFile.ts';
import { type Bench, measureStage, type Stage } from './stage.ts';

/** Durable payments on SQLite at each number of stored payments, beside the bare server and bare inserts into a copy of its file. */
export async function measureSqlite(bench: Bench, begun: Begun): Promise<readonly Stage[]> {
  const stages: Stage[] = [];
  for (const rows of bench.settings.rows) {
    const dataDir = temporaryFolder();
    stages.push(await stageAt(bench, begun, { dataDir, rows }));
    rmSync(dataDir, { recursive: true, force: true });
  }
  return stages;
}

async function stageAt(
  bench: Bench,
  { bare, samples, group }: Begun,
  { dataDir, rows }: { dataDir: string; rows: number },
): Promise<Stage> {
  const { settings, progress } = bench;
  await openSqliteStore({ dataDir }).then((store) => store.close());
  const file = databaseFile(dataDir);
  progress.step(`SQLite: storing ${rows.toLocaleString('en')} payments`);
  await fillSqlite(file, { samples, rows, onProgress: progress.at });
  progress.step('SQLite: writing their search keys');
  writeSearchKeys(file);
  // A file of its own: the gateway would write the keys of bare inserts and send their events, as work for payments that it has not taken.
  const bareFolder = temporaryFolder();
  const bareFile = join(bareFolder, 'copy.sqlite');
  copyFileSync(file, bareFile);
  const gateway = await startGateway({ dataDir, ...(bench.profileDir !== null && { profileDir: bench.profileDir }) });
  const limits = (connections: number) => ({
    raw: async () =>
      rawLap(bareFile, samples.DB, {
        group: group[connections] ?? 1,
        secondsMax: settings.seconds,
        paymentsMax: settings.requestsMax,
      }),
  });
  const stage = await measureStage(bench, { rows, gateway, bare, limits, idsOf: (type, count) => fanOutIds(file, type, count) });
  await gateway.stop();
  rmSync(bareFolder, { recursive: true, force: true });
  const { payment } = countRows(file);
  const expected = rows + stage.acknowledged;
  if (payment !== expected) throw new Error(`${payment} payments are stored, ${expected} were written`);
  return stage;
}
