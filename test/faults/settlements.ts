import assert from 'node:assert/strict';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { sandbox } from '../../src/merchants/sandbox.ts';
import type { ChangeName } from './changes.ts';
import { card, demoShop, isApproved, pay } from './client.ts';
import { writers } from './damagedFiles.ts';
import { openRawDatabase, type RawDatabase } from './database.ts';
import { createGateway, type GatewayProcess, temporaryFolder } from './gatewayProcess.ts';
import { createMovedClock, type MovedClock } from './movedClock.ts';
import { createChance } from './stories.ts';
import { type Proof, verify } from './verifyBooks.ts';

/** Settlement files that are imported while the gateway or its database dies: kept completely or not at all, and never twice. */

export type SettlementRun = {
  /** Null: SQLite. */
  readonly databaseUrl: string | null;
  /** Kills and restarts the database; null for SQLite. */
  readonly cutDatabase: (() => Promise<void>) | null;
  readonly files: number;
  readonly lines: number;
  readonly seed: number;
  readonly planted?: ChangeName;
};

export type SettlementAccount = {
  readonly files: number;
  readonly kills: number;
  /** Kills after which the file was not kept: they came in time. */
  readonly interrupted: number;
  /** Kept without all of its lines. */
  readonly half: readonly string[];
  /** Not kept in the end, or kept more than once. */
  readonly wrong: readonly string[];
  readonly verify: Proof;
};

/** The lines of each file that match a payment and are posted. */
const PAYMENTS = 40;
const LEASE_MS = 61_000;
const DAY_MS = 86_400_000;

type Setup = {
  readonly run: SettlementRun;
  readonly gateway: GatewayProcess;
  readonly clock: MovedClock;
};

/** The moment of the kill: while the file is read, when some lines are matched, or when all are and posting begins. */
const phases = ['begun', 'some', 'all'] as const;
type Phase = (typeof phases)[number];

export async function runSettlements(run: SettlementRun): Promise<SettlementAccount> {
  const clock = createMovedClock();
  const env = { CLOCK_FILE: clock.file };
  const database = run.databaseUrl === null ? {} : { databaseUrl: run.databaseUrl };
  const dataDir = temporaryFolder();
  const gateway = await createGateway({ env, changes: run.planted ?? 'none', dataDir, ...database });
  const found = { half: [] as string[], wrong: [] as string[], kills: 0, interrupted: 0 };
  try {
    await gateway.start();
    const chance = createChance(run.seed);
    for (let at = 0; at < run.files; at += 1) {
      const ids = await Promise.all(Array.from({ length: PAYMENTS }, () => paid(gateway.url)));
      const phase = phases[at % phases.length] ?? 'begun';
      const disturbed = await disturb({ run, gateway, clock }, { name: `file-${at}`, ids, phase, at, afterMs: chance() * 20 });
      found.half.push(...disturbed.half);
      found.wrong.push(...disturbed.wrong);
      found.kills += 1;
      found.interrupted += Number(disturbed.isInterrupted);
    }
    await pause(2_000);
    return { files: run.files, ...found, verify: await verify(run.databaseUrl, dataDir) };
  } finally {
    await gateway.kill();
  }
}

async function paid(url: string): Promise<string> {
  const reply = await pay(url, { fields: { ...card, paymentType: 'DB', amount: '10.50', currency: 'EUR' } });
  assert.ok(isApproved(reply), reply.text);
  return reply.body?.id ?? '';
}

/** Lines of payments, many of them unknown: an exception each. Every file has its own. */
function fileOf({ lines }: SettlementRun, now: number, ids: readonly string[], name: string): string {
  const day = new Date(now + DAY_MS).toISOString().slice(0, 10);
  const all = Array.from({ length: lines }, (_, at) => ({
    paymentId: ids[at] ?? `${at}`.padStart(32, '0'),
    amount: '10.50',
    fee: '0.10',
  }));
  return writers['turnpike-csv']?.(all, day, name) ?? '';
}

type UploadReply = { readonly status: number; readonly is: string | null; readonly lines: number | null };

/** Null when the connection broke. */
function upload(url: string, file: string, name: string): Promise<UploadReply | null> {
  return new Promise((resolve) => {
    const asked = request(`${url}/admin/v1/settlements?entityId=${sandbox.demoShop.merchantId}&name=${name}`, {
      method: 'POST',
      agent: false,
      timeout: 60_000,
      headers: { authorization: `Bearer ${demoShop.token}`, 'content-length': Buffer.byteLength(file) },
    });
    asked.once('error', () => resolve(null)).once('timeout', () => asked.destroy());
    asked.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece;
      });
      response.once('error', () => resolve(null)).once('close', () => resolve(null));
      response.once('end', () => {
        const body = JSON.parse(text) as { readonly is?: string; readonly lines?: number };
        resolve({ status: response.statusCode ?? 0, is: body.is ?? null, lines: body.lines ?? null });
      });
    });
    asked.end(file);
  });
}

type Disturbed = Pick<SettlementAccount, 'half' | 'wrong'> & { readonly isInterrupted: boolean };
type Disturbance = {
  readonly name: string;
  readonly ids: readonly string[];
  readonly phase: Phase;
  readonly afterMs: number;
  readonly at: number;
};

/** Kills the gateway or the database while the file is imported, then uploads it again until it is kept. */
async function disturb(setup: Setup, { name, ids, phase, afterMs, at }: Disturbance): Promise<Disturbed> {
  const { run, gateway, clock } = setup;
  const file = fileOf(run, clock.now(), ids, name);
  const first = upload(gateway.url, file, name);
  await untilPhase(setup, name, phase);
  await pause(afterMs);
  if (run.cutDatabase && at % 2 === 1) await run.cutDatabase();
  else await gateway.kill();
  const answered = await first;
  if (!gateway.isRunning()) await gateway.start();
  const before = await keptFiles(setup, name);
  const again: UploadReply[] = [];
  for (let tries = 0; tries < 60 && again.at(-1)?.status !== 200; tries += 1) {
    const uploaded = await upload(gateway.url, file, name);
    if (uploaded) again.push(uploaded);
    // The lease of the killed import has to expire, and the database may still be starting.
    if (uploaded?.status === 429) clock.leap(LEASE_MS);
    else if (uploaded?.status !== 200) await pause(500);
  }
  const after = await keptFiles(setup, name);
  const isWhole = ({ lines, records, matched }: FileState) =>
    lines === run.lines && records === run.lines && matched === PAYMENTS;
  const strange = [...(answered ? [answered] : []), ...again]
    .filter(({ status }) => ![200, 429, 503].includes(status))
    .map(({ status }) => `${name}: answered ${status}`);
  return {
    isInterrupted: before.length === 0,
    half: [...before, ...after]
      .filter((one) => !isWhole(one))
      .map((one) => `${name}: ${one.lines} lines, ${one.records} records`),
    wrong: [
      ...strange,
      ...(after.length === 1 ? [] : [`${name}: kept ${after.length} times`]),
      ...(answered?.status === 200 && before.length !== 1 ? [`${name}: acknowledged and gone`] : []),
      ...(before.length === 1 && again.at(-1)?.is !== 'known' ? [`${name}: was there and is ${again.at(-1)?.is}`] : []),
    ],
  };
}

type FileState = { readonly state: string; readonly lines: number; readonly records: number; readonly matched: number };

/** The rows of the file in the database. */
async function readFileStates(raw: RawDatabase, name: string): Promise<readonly FileState[]> {
  const rows =
    await raw.rows(`SELECT f.state, f.lines, (SELECT count(*) FROM settlement_record r WHERE r.file_id = f.id) AS records,
      (SELECT count(*) FROM settlement_record r WHERE r.file_id = f.id AND r.status = 'MATCHED') AS matched
      FROM settlement_file f WHERE f.data LIKE '%"${name}"%'`);
  return rows.map(({ state, lines, records, matched }) => ({
    state: String(state),
    lines: Number(lines),
    records: Number(records),
    matched: Number(matched),
  }));
}

/** The file as users see it; retries while the database starts, on a new connection because the kill may have cut the last one. */
async function keptFiles({ run, gateway }: Setup, name: string): Promise<readonly FileState[]> {
  for (let tries = 0; ; tries += 1) {
    const raw = openRawDatabase(run.databaseUrl, gateway.dataDir);
    try {
      return (await readFileStates(raw, name)).filter(({ state }) => state === 'kept');
    } catch (error) {
      if (tries === 40) throw error;
      await pause(250);
    } finally {
      await raw.close();
    }
  }
}

/** Waits for the phase, or until the file is kept: then the kill comes too late, and is reported as such. */
async function untilPhase({ run, gateway }: Setup, name: string, phase: Phase): Promise<void> {
  const raw = openRawDatabase(run.databaseUrl, gateway.dataDir);
  const least = { begun: 0, some: 1, all: run.lines }[phase];
  try {
    for (let tries = 0; tries < 10_000; tries += 1) {
      const [file] = await readFileStates(raw, name);
      if (file && (file.state === 'kept' || file.records >= least)) return;
      await pause(1);
    }
  } finally {
    await raw.close();
  }
}

export function assertKeptOnce({ half, wrong, verify: proof }: SettlementAccount): void {
  assert.deepEqual([half.slice(0, 5), wrong.slice(0, 5)], [[], []]);
  assert.ok(proof.ok, proof.text);
}

export const describeSettlements = (name: string, { files, kills, interrupted, verify: proof }: SettlementAccount): string =>
  `${name}: ${files} files, ${kills} kills, ${interrupted} in the middle; ${proof.text.split('\n')[0]}`;
