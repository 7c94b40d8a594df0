import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createAdministrator } from '../http/administrator.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { call, card, codeOf, type Fields, isApproved } from './client.ts';
import { openPast, type Past } from './database.ts';
import { createGateway, type GatewayProcess, temporaryFolder } from './gatewayProcess.ts';
import { createChance } from './stories.ts';

/** Schedules that charge while a node is killed: every due instant becomes one payment or one recorded skip, and money moves once. */

const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000];
const WAVE_MS = 10 * MINUTE_MS;
const LATENCY_MS = 300;
const AMOUNT = '17.00';

export type ScheduleRun = {
  /** Null: one node on SQLite. */
  readonly databaseUrl: string | null;
  readonly nodes: number;
  readonly schedules: number;
  /** Instants of each schedule. */
  readonly rounds: number;
  /** Of the schedules of one round some are due now, some later; in each wave a node is killed. */
  readonly waves: number;
  readonly seed: number;
  readonly planted?: string;
};

export type Charged = { readonly id: string; readonly state: string; readonly label: string; readonly revision: number };
type Run = {
  readonly planId: string;
  readonly dueAt: number;
  readonly paymentId: string | null;
  readonly skipped: string | null;
};

/** What became of all instants. Each list names the offenders. */
export type Account = {
  readonly instants: number;
  readonly approved: number;
  readonly declined: number;
  readonly skipped: number;
  readonly kills: number;
  /** Due, and neither charged nor recorded as skipped. */
  readonly lost: readonly string[];
  /** More payments for a schedule than it had instants, or payments beside the records. */
  readonly doubled: readonly string[];
  /** Approved here and not at the acquirer, or the reverse. */
  readonly disagreed: readonly string[];
  readonly open: readonly string[];
  /** Without its event in the outbox, or not delivered to the webhook. */
  readonly untold: readonly string[];
  readonly skips: ReadonlySet<string>;
  /** Of charges that failed. */
  readonly codes: ReadonlySet<string>;
  readonly verify: { readonly ok: boolean; readonly text: string };
};

type Stage = {
  readonly run: ScheduleRun;
  readonly nodes: readonly GatewayProcess[];
  readonly receiver: Receiver;
  readonly book: string;
  readonly clock: MovedClock;
};

type MovedClock = { readonly file: string; now(): number; leap(ms: number): void; leapTo(at: number): void };

/** The clock of all nodes: real time, and as far ahead as somebody has moved it. */
export function createMovedClock(): MovedClock {
  const file = join(temporaryFolder(), 'clock');
  let ahead = 0;
  const leap = (ms: number) => {
    ahead += ms;
    writeFileSync(`${file}.new`, String(ahead));
    renameSync(`${file}.new`, file);
  };
  leap(0);
  const now = () => Date.now() + ahead;
  return { file, now, leap, leapTo: (at) => leap(Math.max(0, at - now())) };
}

export async function runSchedules(run: ScheduleRun): Promise<Account> {
  const [clock, book] = [createMovedClock(), join(temporaryFolder(), 'acquirer')];
  const env = { CLOCK_FILE: clock.file, ACQUIRER_BOOK: book, ...(run.planted !== undefined && { PLANTED: run.planted }) };
  const database = run.databaseUrl === null ? {} : { databaseUrl: run.databaseUrl };
  const options = { env, entry: 'test/faults/changedGateway.ts', dataDir: temporaryFolder(), ...database };
  const nodes = await Promise.all(Array.from({ length: run.nodes }, () => createGateway(options)));
  const receiver = await startReceiver(clock.now);
  try {
    // One after the other: the first one makes the database.
    for (const node of nodes) await node.start();
    return await tell({ run, nodes, receiver, book, clock });
  } finally {
    await Promise.all(nodes.map((node) => node.kill()));
    receiver.close();
  }
}

async function tell(stage: Stage): Promise<Account> {
  const { run, nodes, receiver } = stage;
  const url = nodes[0]?.url ?? '';
  const admin = createAdministrator(url);
  const hook = await admin.create({ url: receiver.url });
  receiver.keys = [Buffer.from(hook.body.key, 'hex')];
  assert.equal((await admin.test(hook.id)).body.state, 'active');
  const planned = await plan(stage, url);
  const past = openPast(run.databaseUrl, nodes[0]?.dataDir ?? '');
  try {
    const kills = await killInWaves(past, stage, planned.startsAt);
    return { ...(await accountOf(past, stage, planned)), kills, verify: await verify(run.databaseUrl, nodes[0]?.dataDir ?? '') };
  } finally {
    await past.close();
  }
}

type Schedule = { readonly id: string; readonly label: string; readonly wave: number };
type Planned = { readonly startsAt: number; readonly schedules: readonly Schedule[] };

/** Ordinary ones, ones whose acquirer takes its time, and ones whose acquirer booked and was not heard. */
const manners: readonly Fields[] = [
  {},
  { 'customParameters[SIMULATOR_latency]': String(LATENCY_MS) },
  { 'customParameters[SIMULATOR_latency]': String(LATENCY_MS), 'customParameters[SIMULATOR_answer]': 'lost' },
];

async function plan({ run, clock }: Stage, url: string): Promise<Planned> {
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
      'job.endDate': textOf(startsAt + run.rounds * HOUR_MS - SECOND_MS),
    };
    const money = { paymentType: 'DB', amount: AMOUNT, currency: 'EUR', merchantTransactionId: label };
    const fields = {
      registrationId: registrations[at] ?? '',
      ...money,
      ...manners[Math.floor(at / run.waves) % manners.length],
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
  const hand = async () => {
    for (let at = next++; at < count; at = next++) made[at] = await work(at);
  };
  await Promise.all(Array.from({ length: 16 }, hand));
  return made;
}

/** How long somebody waits for what needs no more than a turn of a job. */
const TURN_MS_MAX = 60_000;

/** Each wave falls due, a node dies in the middle of it and comes back, and then the clock is moved until all of it is done. */
async function killInWaves(past: Past, stage: Stage, startsAt: number): Promise<number> {
  const { run, clock } = stage;
  const chance = createChance(run.seed);
  let kills = 0;
  for (let round = 0; round < run.rounds; round += 1) {
    for (let wave = 0; wave < run.waves; wave += 1) {
      const before = bookOf(stage.book).length;
      clock.leapTo(startsAt + round * HOUR_MS + wave * WAVE_MS);
      kills += await killWhoCharges(stage, before, chance() * LATENCY_MS);
      // A node that died holds what it had claimed for a minute.
      clock.leap(MINUTE_MS + SECOND_MS);
      await untilDone(past, clock);
    }
  }
  return kills;
}

/** The worst moment: the acquirer has just booked a charge. The node that asked for it dies a little later. */
async function killWhoCharges({ nodes, book }: Stage, before: number, afterMs: number): Promise<number> {
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

/** Nothing is due, no payment is open, everything is told. Open payments are asked about less and less often: time goes on for them. */
async function untilDone(past: Past, clock: MovedClock): Promise<void> {
  const began = performance.now();
  while (performance.now() - began < TURN_MS_MAX) {
    const [row] = await past.rows(`SELECT (SELECT count(*) FROM plan WHERE next_at <= ${clock.now()}) AS due,
      (SELECT count(*) FROM payment WHERE state = 'open') AS open,
      (SELECT count(*) FROM outbox WHERE state = 'new') + (SELECT count(*) FROM delivery WHERE state = 'due') AS untold`);
    const [due, open, silent] = [Number(row?.due), Number(row?.open), Number(row?.untold)];
    if (due + open + silent === 0) return;
    await pause(500);
    if (due === 0) clock.leap(10 * SECOND_MS);
  }
}

type Found = Omit<Account, 'kills' | 'verify'>;

async function accountOf(past: Past, { run, receiver, book }: Stage, { startsAt, schedules }: Planned): Promise<Found> {
  const runs = (await past.rows('SELECT plan_id, due_at, payment_id, skipped FROM plan_run')).map(
    (row): Run => ({
      planId: String(row.plan_id),
      dueAt: Number(row.due_at),
      paymentId: row.payment_id === null ? null : String(row.payment_id),
      skipped: row.skipped === null ? null : String(row.skipped),
    }),
  );
  const charges = (
    await past.rows(
      "SELECT id, state, revision, merchant_transaction_id AS label FROM payment WHERE payment_type = 'DB' AND merchant_transaction_id LIKE 'schedule-%'",
    )
  ).map(
    (row): Charged => ({
      id: String(row.id),
      state: String(row.state),
      label: String(row.label),
      revision: Number(row.revision),
    }),
  );
  const expected = schedules.flatMap(({ id, label, wave }) =>
    Array.from({ length: run.rounds }, (_, round) => ({ id, label, dueAt: startsAt + round * HOUR_MS + wave * WAVE_MS })),
  );
  const recorded = new Set(runs.map(({ planId, dueAt }) => `${planId} ${dueAt}`));
  const named = new Set(runs.flatMap(({ paymentId }) => (paymentId === null ? [] : [paymentId])));
  const instantsOf = Map.groupBy(expected, ({ label }) => label);
  return {
    instants: expected.length,
    approved: charges.filter(({ state }) => state === 'approved').length,
    declined: charges.filter(({ state }) => state === 'declined').length,
    skipped: runs.filter(({ skipped }) => skipped !== null).length,
    lost: expected.filter(({ id, dueAt }) => !recorded.has(`${id} ${dueAt}`)).map(({ label, dueAt }) => `${label} at ${dueAt}`),
    doubled: [
      ...[...Map.groupBy(charges, ({ label }) => label)]
        .filter(([label, all]) => all.length > (instantsOf.get(label)?.length ?? 0))
        .map(([label, all]) => `${label}: ${all.map(({ id, state }) => `${id} ${state}`).join(', ')}`),
      ...charges.filter(({ id }) => !named.has(id)).map(({ id, label }) => `${label}: ${id} stands beside the records`),
    ],
    disagreed: disagreements(charges, book),
    open: charges.filter(({ state }) => state === 'open').map(({ id }) => id),
    untold: await untold(past, charges, receiver),
    codes: await codesOf(past, charges),
    skips: new Set(runs.flatMap(({ skipped }) => (skipped === null ? [] : [skipped]))),
  };
}

type Booked = { readonly id: string; readonly type: string; readonly answer: string; readonly pid: string };

function bookOf(path: string): readonly Booked[] {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
  return lines.map((line) => {
    const [id = '', type = '', answer = '', pid = ''] = line.split(' ');
    return { id, type, answer, pid };
  });
}

/** The acquirer's own book. What it decides in our commit it may not have written down when the process died; the rest it has. */
function disagreements(charges: readonly Charged[], book: string): string[] {
  const last = new Map<string, string>();
  for (const { id, type, answer } of bookOf(book)) {
    // An approval that another node hears of again does not undo a cancellation.
    if (type === 'DB' && last.get(id) !== 'cancelled') last.set(id, answer);
  }
  const ours = new Map(charges.map(({ id, state }) => [id, state]));
  return [
    ...charges
      .filter(({ id, state }) => last.has(id) && (state === 'approved') !== (last.get(id) === 'approved'))
      .map(({ id, state }) => `${id}: ${state} here, ${last.get(id)} at the acquirer`),
    ...[...last]
      .filter(([id, answer]) => answer === 'approved' && !ours.has(id))
      .map(([id]) => `${id}: known to the acquirer alone`),
  ];
}

/** Every revision has its one event; the last one was delivered. */
async function untold(past: Past, charges: readonly Charged[], { accepted }: Receiver): Promise<string[]> {
  const events = await past.rows('SELECT payment_id, revision FROM outbox');
  const told = Map.groupBy(events, (row) => String(row.payment_id));
  const heard = new Map<string, Set<string>>();
  for (const { text, id } of accepted) {
    const about = text === null ? null : (JSON.parse(text) as { readonly payload?: { readonly id?: string } }).payload?.id;
    if (about) heard.set(about, (heard.get(about) ?? new Set()).add(id));
  }
  return charges.flatMap(({ id, revision, label }) => {
    const revisions = (told.get(id) ?? []).map((row) => Number(row.revision));
    const isWhole = revisions.includes(revision) && new Set(revisions).size === revisions.length;
    if (!isWhole) return [`${label}: ${id} at revision ${revision} has events of ${revisions.join(', ')}`];
    const count = heard.get(id)?.size ?? 0;
    return count === revisions.length ? [] : [`${label}: ${id} has ${revisions.length} events, ${count} were delivered`];
  });
}

async function codesOf(past: Past, charges: readonly Charged[]): Promise<ReadonlySet<string>> {
  const events = await past.rows('SELECT payment_id, revision, code FROM outbox');
  const codes = new Map(events.map((row) => [`${row.payment_id} ${row.revision}`, String(row.code)]));
  return new Set(
    charges.filter(({ state }) => state === 'declined').map(({ id, revision }) => codes.get(`${id} ${revision}`) ?? ''),
  );
}

const asked = promisify(execFile);

/** `npx turnpike verify`, as an operator runs it. */
export async function verify(databaseUrl: string | null, dataDir: string): Promise<Account['verify']> {
  const root = join(import.meta.dirname, '../..');
  const place = databaseUrl ?? join(dataDir, 'turnpike.db');
  const words = [join(root, 'src/cli/main.ts'), 'verify', '--database', place];
  try {
    return { ok: true, text: (await asked(process.execPath, words, { cwd: root })).stdout };
  } catch (error) {
    return { ok: false, text: String((error as { readonly stdout?: string }).stdout ?? error) };
  }
}

export const describeAccount = (name: string, { instants, approved, declined, skipped, kills, verify: proof }: Account): string =>
  `${name}: ${instants} instants, ${approved} approved, ${declined} declined, ${skipped} skipped, ${kills} kills; ${proof.text.split('\n')[0]}`;

export function assertEachOnce(account: Account): void {
  const { lost, doubled, disagreed, open, untold: silent } = account;
  const wrong = Object.entries({ lost, doubled, disagreed, open, silent })
    .filter(([, offenders]) => offenders.length > 0)
    .map(([what, offenders]) => `${offenders.length} ${what}, such as:\n${offenders.slice(0, 5).join('\n')}`);
  assert.equal(wrong.length, 0, wrong.join('\n'));
  assert.ok(account.verify.ok, account.verify.text);
  assert.equal(account.approved + account.declined + account.skipped, account.instants);
  // The simulated acquirer dies with its node: what it was asked then is absent, and cancelled.
  assert.deepEqual(
    [...account.codes].filter((code) => code !== '900.100.301'),
    [],
  );
  assert.deepEqual(
    [...account.skips].filter((why) => !why.startsWith('missed')),
    [],
  );
}
