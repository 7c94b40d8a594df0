import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { temporaryFolder } from '../test/faults/gatewayProcess.ts';
import { exchange, parseAnswer, type ReadAnswer } from './answer.ts';
import { startBare } from './bare.ts';
import type { Samples } from './fill.ts';
import { type Server, startGateway } from './gateway.ts';
import { payTemplate } from './request.ts';
import { interleave, type Speed } from './speed.ts';
import { databaseFile, readSamples, transactionsInLog } from './sqliteFile.ts';
import { type Bench, payLap } from './stage.ts';

/** The figures of a fresh gateway before anything is measured on it. */
export type First = {
  readonly readyMs: number;
  readonly bareReadyMs: number;
  readonly residentBytes: number | null;
  readonly bareResidentBytes: number | null;
  readonly requestBytes: number;
  readonly answerBytes: number;
  readonly bareAnswerBytes: number;
  /** The load generator's rate against a server that does nothing, by connections. */
  readonly ceiling: Readonly<Record<number, Speed>>;
};

/** Makes one payment and gives its id and the whole answer. */
export async function payOnce(
  port: number,
  paymentType: 'DB' | 'PA',
): Promise<{ id: string; answer: ReadAnswer; bytes: number }> {
  const bytes = await exchange(port, payTemplate(paymentType).bytes.toString('latin1'));
  const answer = parseAnswer(bytes);
  const { id, result } = JSON.parse(answer.body) as { id?: string; result?: { code?: string } };
  if (id === undefined || result?.code !== '000.100.110')
    throw new Error(`the first payment was answered ${answer.status}: ${answer.body}`);
  return { id, answer, bytes: bytes.length };
}

export type Begun = {
  readonly bare: Server;
  readonly samples: Samples;
  readonly first: First;
  /** Payments per transaction on SQLite, by connections. */
  readonly group: Readonly<Record<number, number>>;
};

/** One payment of each kind shows its rows and answers; a little load shows how many payments share a transaction. */
export async function begin(bench: Bench): Promise<Begun> {
  const { settings } = bench;
  const dataDir = temporaryFolder();
  const gateway = await startGateway({ dataDir });
  const residentBytes = gateway.residentBytes();
  const PA = await payOnce(gateway.port, 'PA');
  const DB = await payOnce(gateway.port, 'DB');
  const bare = await startBare('http', DB.answer);
  const bareAnswer = await exchange(bare.port, payTemplate('DB').bytes.toString('latin1'));
  const file = databaseFile(dataDir);
  const samples = readSamples(file, { DB: DB.id, PA: PA.id });
  const bareResidentBytes = bare.residentBytes();
  for (const server of [gateway, bare]) await payLap(bench, [server], settings.connections[0] ?? 1, settings.warmUpSeconds);
  const group: Record<number, number> = {};
  for (const connections of settings.connections) group[connections] = await groupSize(bench, { gateway, file, connections });
  const ceiling = await ceilings(bench, DB.answer);
  await gateway.stop();
  rmSync(dataDir, { recursive: true, force: true });
  const first: First = {
    readyMs: gateway.readyMs,
    bareReadyMs: bare.readyMs,
    residentBytes,
    bareResidentBytes,
    requestBytes: payTemplate('DB').bytes.length,
    answerBytes: DB.bytes,
    bareAnswerBytes: bareAnswer.length,
    ceiling,
  };
  return { bare, samples, first, group };
}

async function ceilings(bench: Bench, answer: ReadAnswer): Promise<Record<number, Speed>> {
  const socket = await startBare('socket', answer);
  const found: Record<number, Speed> = {};
  for (const connections of bench.settings.connections) {
    const { ceiling } = await interleave(1, { ceiling: () => payLap(bench, [socket], connections) });
    found[connections] = ceiling;
  }
  await socket.stop();
  return found;
}

/** An open reader keeps the write-ahead log from restarting, so that it holds every transaction of the round. */
async function groupSize(bench: Bench, at: { gateway: Server; file: string; connections: number }): Promise<number> {
  const reader = new DatabaseSync(at.file);
  reader.exec('BEGIN; SELECT count(*) FROM entity');
  const before = transactionsInLog(at.file);
  const { count } = await payLap(bench, [at.gateway], at.connections);
  const transactions = transactionsInLog(at.file) - before;
  reader.close();
  if (transactions < 1) throw new Error(`${count} payments left no transaction in the write-ahead log`);
  return Math.max(1, Math.round(count / transactions));
}
