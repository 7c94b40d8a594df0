import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { number, payTemplate, readRequest } from '../../bench/request.ts';
import { createApply } from '../../src/store/sqlite/apply.ts';
import { migrateFile, openForWriting } from '../../src/store/sqlite/file.ts';
import type { CommitRow, Job } from '../../src/store/sqlite/jobs.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { type Counts, startCounters } from './counters.ts';

/**
 * The cost of one plain card payment on SQLite, in counts that no other work of the machine changes. A change that makes one of them rise
 * must change its number here, in the same commit; a change that lowers one should. Microseconds are in paymentCpu.test.ts.
 */
const request: Counts = {
  statements: 0,
  posted: 1_917,
  // Each keyed hash takes two: see src/vault/vault.ts.
  crypto: 6,
};

/** The first read of a payment reads its family. */
const firstReading: Counts = { statements: 1, posted: 0, crypto: 0 };

/** A read of a payment whose reply was kept reads the version of its family. */
const reading: Counts = { statements: 1, posted: 0, crypto: 0 };

/** In the writer: the statements of one transaction with this many payments. Each takes 16 rows of a table. */
const GROUP = 32;
const STATEMENTS = 10;

/** Entries of tables and indexes that a payment adds in its own transaction. */
const entries: Readonly<Record<string, number>> = {
  outbox: 1,
  outbox_change: 1,
  outbox_new: 1,
  payment: 1,
  payment_history: 1,
  payment_listed: 1,
  payment_named: 1,
  posting: 1,
  posting_owner: 1,
  posting_subject: 1,
  sqlite_autoindex_outbox_1: 1,
  sqlite_autoindex_payment_1: 1,
  statistic_change: 1,
};

/** The jobs that follow: bytes to the writer for each payment, the texts of their statements among them, and statements for all together. */
const jobs: Readonly<Record<string, { readonly posted: number; readonly statements: number }>> = {
  'fan out events': { posted: 3, statements: 1 },
  // One statement for all of some 14 sheets.
  'aggregate statistics': { posted: 100, statements: 5 },
  'seal ledger blocks': { posted: 8, statements: 2 },
};

/** Pages that a transaction of GROUP payments writes to the log, per payment. A page has 4 KiB. */
const PAGES = 2.5;

const folder = mkdtempSync(join(tmpdir(), 'turnpike-cost-'));
const rows: CommitRow[] = [];
let steps = 0;
const counters = startCounters((message) => {
  if (!Array.isArray(message)) return;
  for (const { work } of message as readonly Job[]) {
    if (work.do === 'commit') rows.push(...work.rows);
    if (work.do === 'write') steps += work.steps.length;
  }
});
let gateway: TestGateway;
let socket: Socket;

before(async () => {
  // The line of the statistics has the milliseconds that a payment took: on a held clock they have one digit on every machine.
  gateway = await startGateway({ store: await openSqliteStore({ dataDir: folder }), isClockHeld: true });
  socket = connect({ port: gateway.port, host: '127.0.0.1', noDelay: true });
});
after(async () => {
  counters.stop();
  socket.destroy();
  await gateway.close();
  rmSync(folder, { recursive: true });
});

/** The first payments load keys and fill caches. */
const WARM_UP = 16;
const PAYMENTS = WARM_UP + 2 * GROUP;
const template = payTemplate('DB');

const names = Object.keys(request) as (keyof Counts)[];
const mapped = (count: (name: keyof Counts) => number) =>
  Object.fromEntries(names.map((name) => [name, count(name)])) as Readonly<Counts>;

type Sent = { readonly cost: Readonly<Counts>; readonly reply: string };

function send(request: Buffer | string): Promise<Sent> {
  const earlier = { ...counters.counts };
  return new Promise((resolve, reject) => {
    socket.once('data', (bytes: Buffer) => {
      const cost = mapped((name) => counters.counts[name] - earlier[name]);
      const reply = bytes.toString('utf8');
      if (reply.includes('"code":"000.100.110"')) resolve({ cost, reply });
      else reject(new Error(reply));
    });
    socket.write(request);
  });
}

function pay(order: number): Promise<Sent> {
  number(template, order);
  return send(template.bytes);
}

/** The counts whose least of many has risen: the work of a timer in between is not the request's. */
function risenIn(sent: readonly Sent[], known: Counts): readonly string[] {
  const least = mapped((name) => Math.min(...sent.slice(WARM_UP).map(({ cost }) => cost[name])));
  return names.filter((name) => least[name] > known[name]).map((name) => `${name}: ${least[name]}, not ${known[name]}`);
}

test('a payment costs the request thread no more than it is known to', async () => {
  const sent: Sent[] = [];
  for (let order = 0; order < PAYMENTS; order += 1) sent.push(await pay(order));
  assert.deepEqual(risenIn(sent, request), []);
});

test('the reads of a payment cost the request thread no more than they are known to', async () => {
  const [first, second]: readonly [Sent[], Sent[]] = [[], []];
  for (let order = PAYMENTS; order < 2 * PAYMENTS; order += 1) {
    const { reply } = await pay(order);
    for (const sent of [first, second]) sent.push(await send(readRequest(/"id":"([0-9a-f]{32})"/.exec(reply)?.[1] ?? '')));
  }
  assert.deepEqual([risenIn(first, firstReading), risenIn(second, reading)], [[], []]);
});

test('the jobs behind the payments ask the writer for no more than they are known to', async () => {
  const found: Record<string, string> = {};
  for (const [job, most] of Object.entries(jobs)) {
    const [posted, earlier] = [counters.counts.posted, steps];
    await gateway.work(job);
    const cost = { posted: Math.ceil((counters.counts.posted - posted) / (2 * PAYMENTS)), statements: steps - earlier };
    if (cost.posted > most.posted || cost.statements > most.statements) found[job] = JSON.stringify(cost);
  }
  assert.deepEqual(found, {});
});

test('a payment adds no more entries to tables and indexes, and writes no more pages, than it is known to', () => {
  const path = join(folder, 'apart.db');
  migrateFile(path);
  const db = openForWriting(path);
  const apply = createApply(db);
  const applyAll = (some: readonly CommitRow[]) => {
    db.exec('BEGIN IMMEDIATE');
    assert.deepEqual(new Set(apply(some).map(({ is }) => is)), new Set(['kept']));
    db.exec('COMMIT');
  };
  // Entries of the hour and the day exist from the first payment on.
  applyAll(rows.slice(-2 * GROUP, -GROUP));
  const [earlier, framesEarlier, statementsEarlier] = [entriesOf(db), framesOf(db), counters.counts.statements];
  applyAll(rows.slice(-GROUP));
  const [statements, frames] = [counters.counts.statements - statementsEarlier, framesOf(db) - framesEarlier];
  const added = [...entriesOf(db)].map(([name, count]) => [name, (count - (earlier.get(name) ?? 0)) / GROUP] as const);
  db.close();
  assert.deepEqual(Object.fromEntries(added.filter(([, count]) => count !== 0)), entries);
  assert.ok(statements <= STATEMENTS, `${statements} statements for ${GROUP} payments`);
  assert.ok(frames <= PAGES * GROUP, `${frames} pages for ${GROUP} payments`);
});

const framesOf = (db: DatabaseSync): number => Number(db.prepare('PRAGMA wal_checkpoint(NOOP)').get()?.log);

/** An index keeps entries in its inner pages too; a table keeps its rows in leaves. */
function entriesOf(db: DatabaseSync): ReadonlyMap<string, number> {
  const found = db
    .prepare(`
      SELECT name, SUM(ncell) AS count FROM dbstat
      WHERE pagetype = 'leaf'
        OR (pagetype = 'internal' AND name IN (SELECT name FROM sqlite_schema WHERE type = 'index' OR sql LIKE '%WITHOUT ROWID'))
      GROUP BY name`)
    .all();
  return new Map(found.map(({ name, count }) => [String(name), Number(count)]));
}
