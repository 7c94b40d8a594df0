import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createAdministrator } from '../http/administrator.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import type { ChangeName } from './changes.ts';
import { call, card, codeOf, type Fields, isApproved } from './client.ts';
import { openRawDatabase, type RawDatabase } from './database.ts';
import { createGateway, type GatewayProcess, temporaryFolder } from './gatewayProcess.ts';
import { createMovedClock, type MovedClock } from './movedClock.ts';
import { type Account, accountOf, bookOf, type Instant } from './schedulesAccount.ts';
import { createChance } from './stories.ts';
import { verify } from './verifyBooks.ts';

/** Schedules that charge while a node is killed: every due instant becomes one payment or one recorded skip, and money moves once. */

const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000];
const WAVE_MS = 10 * MINUTE_MS;
const LATENCY_MS = 300;
const AMOUNT = '17.00';
/** The instants of the outage at the end: one is missed, one is not. */
export const OUTAGE_ROUNDS = 2;

export type ScheduleRun = {
  /** Null: one node on SQLite. */
  readonly databaseUrl: string | null;
  readonly nodes: number;
  readonly schedules: number;
  /** Instants of each schedule, without those of the outage at the end. */
  readonly rounds: number;
  /** The schedules of a round fall due in waves; in each wave a node is killed. */
  readonly waves: number;
  readonly seed: number;
  readonly planted?: ChangeName;
};

type Setup = {
  readonly run: ScheduleRun;
  readonly nodes: readonly GatewayProcess[];
  readonly receiver: Receiver;
  readonly book: string;
  readonly clock: MovedClock;
};

export async function runSchedules(run: ScheduleRun): Promise<Account> {
  const [clock, book] = [createMovedClock(), join(temporaryFolder(), 'acquirer')];
  const env = { CLOCK_FILE: clock.file, ACQUIRER_BOOK: book };
  const database = run.databaseUrl === null ? {} : { databaseUrl: run.databaseUrl };
  const options = { env, changes: run.planted ?? 'none', dataDir: temporaryFolder(), ...database };
  const nodes = await Promise.all(Array.from({ length: run.nodes }, () => createGateway(options)));
  const receiver = await startReceiver(clock.now);
  try {
    // One after the other: the first one creates the tables.
    for (const node of nodes) await node.start();
    return await runWith({ run, nodes, receiver, book, clock });
  } catch (error) {
    throw new Error(`the nodes said: ${nodes.map((node) => node.said()).join('\n')}`, { cause: error });
  } finally {
    await Promise.all(nodes.map((node) => node.kill()));
    receiver.close();
  }
}

async function runWith(setup: Setup): Promise<Account> {
  const { run, nodes, receiver } = setup;
  const url = nodes[0]?.url ?? '';
  const admin = createAdministrator(url);
  const hook = await admin.create({ url: receiver.url });
  receiver.keys = [Buffer.from(hook.body.key, 'hex')];
  assert.equal((await admin.test(hook.id)).body.state, 'active');
  const created = await createSchedules(setup, url);
  const raw = openRawDatabase(run.databaseUrl, nodes[0]?.dataDir ?? '');
  try {
    const kills = await killInWaves(raw, setup, created.startsAt);
    const found = await accountOf(raw, { ...setup, expected: instantsOf(run, created) });
    return { ...found, kills, verify: await verify(run.databaseUrl, nodes[0]?.dataDir ?? '') };
  } finally {
    await raw.close();
  }
}

type Schedule = { readonly id: string; readonly label: string; readonly wave: number };
type CreatedSchedules = { readonly startsAt: number; readonly schedules: readonly Schedule[] };

const instantsOf = ({ rounds }: ScheduleRun, { startsAt, schedules }: CreatedSchedules): readonly Instant[] =>
  schedules.flatMap(({ id, label, wave }) =>
    Array.from({ length: rounds + OUTAGE_ROUNDS }, (_, round) => ({
      id,
      label,
      dueAt: startsAt + round * HOUR_MS + wave * WAVE_MS,
    })),
  );

/** How the acquirer answers: at once, slowly, or with an answer that is lost after it has booked. */
const behaviours: readonly Fields[] = [
  {},
  { 'customParameters[SIMULATOR_latency]': String(LATENCY_MS) },
  { 'customParameters[SIMULATOR_latency]': String(LATENCY_MS), 'customParameters[SIMULATOR_answer]': 'lost' },
];

async function createSchedules({ run, clock }: Setup, url: string): Promise<CreatedSchedules> {
  const initial = {
    'standingInstruction.mode': 'INITIAL',
    'standingInstruction.type': 'RECURRING',
    'standingInstruction.source': 'CIT',
  };
  const registrations = await together(run.schedules, async () => {
    const reply = await call(url, { method: 'POST', path: '/v1/registrations', fields: { ...card, ...initial } });
    assert.ok(isApproved(reply), reply.text);
    return reply.body?.id ?? '';
  });
  const startsAt = Math.ceil((clock.now() + HOUR_MS) / HOUR_MS) * HOUR_MS;
  const schedules = await together(run.schedules, async (at) => {
    const [wave, label] = [at % run.waves, `schedule-${at}`];
    const job = {
      'job.expression': `0 ${(wave * WAVE_MS) / MINUTE_MS} * * * ?`,
      'job.startDate': textOf(startsAt),
      'job.endDate': textOf(startsAt + (run.rounds + OUTAGE_ROUNDS) * HOUR_MS - SECOND_MS),
    };
    const money = { paymentType: 'DB', amount: AMOUNT, currency: 'EUR', merchantTransactionId: label };
    const fields = {
      registrationId: registrations[at] ?? '',
      ...money,
      ...behaviours[Math.floor(at / run.waves) % behaviours.length],
      ...job,
    };
    const reply = await call(url, { method: 'POST', path: '/scheduling/v1/schedules', fields });
    assert.ok(isApproved(reply), `${codeOf(reply)} ${reply.text}`);
    return { id: reply.body?.id ?? '', label, wave };
  });
  return { startsAt, schedules };
}

const textOf = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

async function together<T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < count; at = next++) made[at] = await work(at);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return made;
}

/** The longest wait for something that takes one turn of a job. */
const TURN_MS_MAX = 60_000;

/** Each wave falls due, a node dies in the middle of it and comes back, and then the clock is moved until all of it is done. */
async function killInWaves(raw: RawDatabase, setup: Setup, startsAt: number): Promise<number> {
  const { run, clock, nodes } = setup;
  const chance = createChance(run.seed);
  const waveAt = (round: number, wave: number) => startsAt + round * HOUR_MS + wave * WAVE_MS;
  let kills = 0;
  const disturb = async (at: number) => {
    const before = bookOf(setup.book).length;
    clock.leapTo(at);
    for (const node of nodes) if (!node.isRunning()) await node.start();
    kills += await killChargingNode(setup, before, chance() * LATENCY_MS);
    // The leases of a killed node last a minute.
    clock.leap(MINUTE_MS + SECOND_MS);
    await untilDone(raw, clock);
  };
  for (let round = 0; round < run.rounds; round += 1) {
    for (let wave = 0; wave < run.waves; wave += 1) await disturb(waveAt(round, wave));
  }
  // Then all nodes are down when schedules are due, and start again after the next instant: one is missed, one is charged.
  await Promise.all(nodes.map((node) => node.kill()));
  await disturb(waveAt(run.rounds + 1, run.waves - 1));
  return kills;
}

/** The worst moment: the acquirer has just booked a charge. The node that requested it dies a little later. */
async function killChargingNode({ nodes, book }: Setup, before: number, afterMs: number): Promise<number> {
  const began = performance.now();
  while (performance.now() - began < TURN_MS_MAX) {
    const [line] = bookOf(book).slice(before);
    const victim = line && nodes.find((node) => String(node.pid()) === line.pid);
    if (victim) {
      await pause(afterMs);
      await victim.kill();
      await victim.start();
      return 1;
    }
    await pause(5);
  }
  return 0;
}

/** Until nothing is due, no payment is open and every event is delivered. Where all that is left is due later, the clock leaps there. */
async function untilDone(raw: RawDatabase, clock: MovedClock): Promise<void> {
  const began = performance.now();
  while (performance.now() - began < TURN_MS_MAX) {
    const [row] = await raw.rows(`SELECT (SELECT count(*) FROM schedule WHERE next_at <= ${clock.now()}) AS due,
      (SELECT count(*) FROM outbox WHERE state = 'new') AS undelivered,
      (SELECT min(due_at) FROM payment WHERE state = 'open') AS payment_at,
      (SELECT min(due_at) FROM delivery WHERE state = 'due') AS delivery_at`);
    const next = [row?.payment_at, row?.delivery_at].filter((at) => at !== null).map(Number);
    if (Number(row?.due) + Number(row?.undelivered) + next.length === 0) return;
    await pause(250);
    if (Number(row?.due) + Number(row?.undelivered) === 0) clock.leapTo(Math.max(Math.min(...next), clock.now() + 5 * SECOND_MS));
  }
}
