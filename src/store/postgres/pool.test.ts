import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { testDatabase } from '../../../test/postgres.ts';
import { type Strike, startTcpProxy, type TcpProxy } from '../../../test/tcpProxy.ts';
import { ConnectionLost, codeOf, NeverCommitted, troubleOf } from './errors.ts';
import { beginAs, CONNECT_MS_MAX, limitsOf, silenceMsOf, type Work } from './limits.ts';
import { openPool, type Pool } from './pool.ts';

let database: { readonly url: string; drop(): Promise<void> };
before(async () => {
  database = await testDatabase();
  const pool = openPool({ url: database.url });
  await pool.send('CREATE TABLE kept (name text PRIMARY KEY)');
  await pool.close();
});
after(() => database.drop());

const portOf = (url: string): number => Number(new URL(url).port || 5432);

async function setUp(poolMax = 4): Promise<{ proxy: TcpProxy; pool: Pool; close(): Promise<void> }> {
  const proxy = await startTcpProxy(portOf(database.url));
  const pool = openPool({ url: proxy.through(database.url), poolMax });
  return {
    proxy,
    pool,
    close: async () => {
      await pool.close();
      await proxy.close();
    },
  };
}

const keep = 'INSERT INTO kept VALUES (?1)';
const isKept = async (pool: Pool, name: string): Promise<boolean> =>
  (await pool.read('SELECT 1 FROM kept WHERE name = ?1', [name])).length > 0;

/** How long until it settled, and with what. */
async function timed<T>(work: Promise<T>): Promise<{ readonly ms: number; readonly trouble: string; readonly code: string }> {
  const began = performance.now();
  const end = (error: unknown) => ({ trouble: error === null ? 'none' : troubleOf(error), code: codeOf(error) });
  const ending = await work.then(() => end(null), end);
  return { ms: performance.now() - began, ...ending };
}

test('every work has a lock limit below that of its statements, and a transaction longer than a statement', () => {
  for (const [work, { statementMs, lockMs, idleMs, transactionMs }] of Object.entries(limitsOf)) {
    assert.ok(lockMs <= statementMs && statementMs <= transactionMs && idleMs <= transactionMs, work);
    assert.ok(silenceMsOf(work as Work) > statementMs, work);
  }
  const begin = 'BEGIN; SET LOCAL statement_timeout = 600000; SET LOCAL lock_timeout = 60000';
  assert.ok(beginAs('settlement').startsWith(begin), beginAs('settlement'));
});

test('sessions and transactions have the limits of their work at the server', async () => {
  const pool = openPool({ url: database.url, poolMax: 1 });
  const shown = `SELECT string_agg(current_setting(name), ' ' ORDER BY name) AS limits
    FROM unnest(ARRAY['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) AS name`;
  const [session] = await pool.read<{ limits: string }>(shown);
  const [longer] = await pool.transaction((tx) => tx.run<{ limits: string }>(shown), 'settlement');
  const [after] = await pool.read<{ limits: string }>(shown);
  assert.deepEqual([session?.limits, longer?.limits, after?.limits], ['10s 6s 8s', '1min 1min 10min', '10s 6s 8s']);
  await pool.close();
});

/** How each strike ends what is under way, and how soon at the latest. Both the silent ones take as long as the limit, all at once. */
const strikes: readonly (readonly [how: Strike, code: RegExp, msMax: number])[] = [
  ['stall', /^LATE$/, silenceMsOf('everyday')],
  ['halfOpen', /^LATE$/, silenceMsOf('everyday')],
  ['cut', /^CONNECTION_CLOSED$/, 0],
  ['reset', /^(?:ECONNRESET|EPIPE|CONNECTION_CLOSED)$/, 0],
];

/**
 * The control: a transaction of the driver alone, which waits for ever where nothing closes its connection. Where something does, it may
 * end the process (test/faults/killPostgresNodes.test.ts).
 */
function startRaw(proxy: TcpProxy, struck: Promise<void>): { isOver(): boolean; end(): Promise<unknown> } {
  const sql = postgres(proxy.through(database.url), { max: 1, fetch_types: false, onnotice: () => {} });
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  void sql
    .begin(async (tx) => {
      await tx.unsafe('SELECT 1');
      await struck;
      await tx.unsafe('SELECT 1');
    })
    .then(end, end);
  // Ended before its connection is: then it sends nothing more.
  return { isOver: () => isOver, end: () => Promise.race([sql.end({ timeout: 0 }), pause(2_000)]) };
}

/** Resolves when the server is at work on the long statement. */
async function isAsleep(how: Strike): Promise<void> {
  const pool = openPool({ url: database.url, poolMax: 1 });
  const sleeping = `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query = 'SELECT pg_sleep(7) AS ${how}'`;
  while ((await pool.read(sleeping)).length === 0) await pause(20);
  await pool.close();
}

// They wait for limits of the program and share nothing but the table.
describe('a pool', { concurrency: true }, () => {
  for (const [how, code, msMax] of strikes) {
    test(`${how}: what is under way ends within its limit, and the pool goes on alone`, { timeout: 120_000 }, async (t) => {
      const { proxy, pool, close } = await setUp();
      t.after(close);
      const { promise: struck, resolve: strike } = Promise.withResolvers<void>();
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      // A statement, and a transaction in its middle; both have reached the server when the way is struck.
      const statement = timed(pool.send(`SELECT pg_sleep(7) AS ${how}`));
      const middle = pool.transaction(async (tx) => {
        await tx.run('INSERT INTO kept VALUES ($1)', [`${how} middle`]);
        begin();
        await struck;
        await tx.run('SELECT 1');
      });
      const control = msMax > 0 ? startRaw(proxy, struck) : null;
      await Promise.all([begun, isAsleep(how)]);
      assert.ok(proxy.strike(how) >= 2);
      strike();
      const [asked, moved] = await Promise.all([statement, timed(middle)]);
      assert.deepEqual([asked.trouble, moved.trouble], ['lost', 'unsent']);
      assert.match(asked.code, code);
      for (const { ms } of [asked, moved]) assert.ok(ms <= msMax + 5_000, `${how}: ended after ${ms} ms`);
      assert.notEqual(control?.isOver(), true, 'the driver alone has an end too: this test proves nothing');
      await control?.end();
      assert.equal(await isKept(pool, `${how} middle`), false);
      await pool.send(keep, [`${how} after`]);
      assert.equal(await isKept(pool, `${how} after`), true);
    });
  }

  test('a COMMIT whose answer is lost has an unknown outcome, and was kept or not as a whole', { timeout: 60_000 }, async (t) => {
    const { proxy, pool, close } = await setUp(1);
    t.after(close);
    // A constraint that is checked at the end makes the COMMIT itself take its time.
    await pool.send('CREATE TABLE slow (n int)');
    await pool.send(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN NULL; END'`);
    await pool.send(
      'CREATE CONSTRAINT TRIGGER at_end AFTER INSERT ON slow DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait()',
    );
    const under = timed(pool.transaction((tx) => tx.run('INSERT INTO slow VALUES (1)')));
    await pause(500);
    proxy.strike('reset');
    assert.equal((await under).trouble, 'lost');
  });

  test('a transaction that takes too long is ended, also when it never sends anything', { timeout: 60_000 }, async (t) => {
    const { pool, close } = await setUp(1);
    t.after(close);
    let late: Promise<unknown> = Promise.resolve();
    const { ms, trouble } = await timed(
      pool.transaction(async (tx) => {
        await tx.run('INSERT INTO kept VALUES ($1)', ['idle']);
        await new Promise((resolve) => setTimeout(resolve, limitsOf.everyday.transactionMs + 2_000).unref());
        late = tx.run('INSERT INTO kept VALUES ($1)', ['late']);
        await late;
      }),
    );
    assert.equal(trouble, 'unsent');
    assert.ok(ms < limitsOf.everyday.transactionMs + 2_000, `ended after ${ms} ms`);
    // What the steps still send reaches no server, least of all outside of their transaction.
    await pause(2_500);
    await assert.rejects(late, (error) => error instanceof ConnectionLost || error instanceof NeverCommitted);
    assert.deepEqual([await isKept(pool, 'idle'), await isKept(pool, 'late')], [false, false]);
  });

  test('a server that cannot be reached refuses within the limit to connect, and is found again', {
    timeout: 60_000,
  }, async (t) => {
    const { proxy, pool, close } = await setUp();
    t.after(close);
    proxy.next = 'stall';
    const silent = await timed(Promise.all([pool.send('SELECT 1'), pool.send('SELECT 1')]));
    assert.equal(silent.trouble, 'unsent');
    assert.ok(silent.ms <= CONNECT_MS_MAX + 3_000, `refused after ${silent.ms} ms`);
    proxy.next = 'reset';
    await pause(150);
    assert.equal((await timed(pool.send('SELECT 1'))).trouble, 'unsent');
    proxy.next = 'pass';
    await pause(150);
    assert.equal((await timed(pool.send('SELECT 1'))).trouble, 'none');
  });

  test('of several hosts the one that answers is found', async () => {
    const there = new URL(database.url);
    const url = database.url.replace(there.host, `127.0.0.1:9,${there.host}`);
    const pool = openPool({ url });
    assert.equal((await pool.read('SELECT 1')).length, 1);
    await pool.close();
  });

  test('many statements share few connections and transactions have theirs alone', async (t) => {
    const { proxy, pool, close } = await setUp(2);
    t.after(close);
    const add = (n: number) =>
      pool.transaction(async (tx) => {
        const [row] = await tx.run<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
        await tx.run('INSERT INTO kept VALUES ($1)', [`many ${n}`]);
        const [again] = await tx.run<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
        assert.equal(again?.id, row?.id);
      });
    const ones = Array.from({ length: 300 }, async (_, n) => {
      const [row] = await pool.send<{ n: string }>('SELECT ?1::text AS n', [String(n)]);
      assert.equal(row?.n, String(n));
    });
    await Promise.all([...ones, ...Array.from({ length: 40 }, (_, n) => add(n))]);
    assert.equal(proxy.strike('cut'), 2);
  });

  test('a step that failed unseen is not called committed', async () => {
    const pool = openPool({ url: database.url, poolMax: 1 });
    const blind = pool.transaction(async (tx) => {
      await tx.run('INSERT INTO kept VALUES ($1)', ['blind']);
      await tx.run('SELECT 1 / 0').catch(() => {});
    });
    await assert.rejects(blind, NeverCommitted);
    assert.equal(await isKept(pool, 'blind'), false);
    await pool.close();
  });

  test('closing is bounded although the server is silent', { timeout: 60_000 }, async () => {
    const { proxy, pool } = await setUp(1);
    await pool.send('SELECT 1');
    proxy.strike('stall');
    const asked = timed(pool.send('SELECT 1'));
    const { ms } = await timed(pool.close());
    assert.ok(ms < 8_000, `closed after ${ms} ms`);
    assert.equal((await asked).trouble, 'lost');
    assert.equal((await timed(pool.send('SELECT 1'))).trouble, 'unsent');
    await proxy.close();
  });

  test('a pool counts its busy and idle connections, and who waits', async () => {
    const pool = openPool({ url: database.url, poolMax: 1 });
    assert.deepEqual(pool.figures(), { busy: 0, idle: 0, waiting: 0 });
    const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
    const holding = pool.transaction(async () => {
      begin();
      await isHeld;
    });
    await hasBegun;
    const waiting = [pool.read('SELECT 1'), pool.transaction(async () => {})];
    assert.deepEqual(pool.figures(), { busy: 1, idle: 0, waiting: 2 });
    release();
    await Promise.all([holding, ...waiting]);
    assert.deepEqual(pool.figures(), { busy: 0, idle: 1, waiting: 0 });
    await pool.close();
  });
});
