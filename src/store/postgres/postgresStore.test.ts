import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { commit, payment } from '../../../test/contract/storeFixtures.ts';
import { type PostgresServer, startPostgres } from '../../../test/postgres.ts';
import { StoreOutOfOrder, UnknownOutcome } from '../../payments/storeErrors.ts';
import { migrationsOf, migrationTable } from '../migrate.ts';
import type { Store } from '../store.ts';
import { openPostgresStore } from './postgresStore.ts';

let server: PostgresServer;
let count = 0;
before(async () => {
  server = await startPostgres();
});
after(() => server.stop());

async function run(statement: string, database = 'postgres'): Promise<readonly Record<string, unknown>[]> {
  const sql = postgres(server.url(database), { max: 1, fetch_types: false, onnotice: () => {} });
  return sql.unsafe(statement).finally(() => sql.end());
}

async function freshDatabase(): Promise<string> {
  count += 1;
  await run(`CREATE DATABASE own_${count}`);
  return `own_${count}`;
}

test('nodes that start at the same time agree on the schema', async () => {
  const database = await freshDatabase();
  const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgresStore({ url: server.url(database) })));
  const outcomes = await Promise.all(stores.map((store) => store.commit(commit(payment(), 0))));
  assert.deepEqual(new Set(outcomes.map(({ is }) => is)), new Set(['kept']));
  const rows = await run('SELECT number FROM migration', database);
  assert.equal(rows.length, new Set(rows.map(({ number }) => number)).size);
  await Promise.all(stores.map((store) => store.close()));
});

test('a database to which a newer program has added is worked on, one from which it has taken is left alone', async () => {
  const database = await freshDatabase();
  await (await openPostgresStore({ url: server.url(database) })).close();
  await run("INSERT INTO migration VALUES (9998, 'tomorrow', 'then')", database);
  await (await openPostgresStore({ url: server.url(database) })).close();
  await run("INSERT INTO migration VALUES (9999, 'tomorrow-needs-9998', 'then')", database);
  await assert.rejects(openPostgresStore({ url: server.url(database) }), /schema 9999.*newer version of the program/);
});

test('a database at an earlier schema is brought up to date, and keeps what is in it', async () => {
  const database = await freshDatabase();
  await run(migrationTable, database);
  for (const { number, name, text } of migrationsOf('postgres').slice(0, 1)) {
    await run(text, database);
    await run(`INSERT INTO migration VALUES (${number}, '${name}', 'then')`, database);
  }
  await run("INSERT INTO entity (id, kind, name, settings) VALUES ('a', 'psp', 'A', '{}')", database);
  const store = await openPostgresStore({ url: server.url(database) });
  assert.deepEqual(await store.entities(), [{ id: 'a', kind: 'psp', parentId: null, name: 'A', settings: {}, revision: 1 }]);
  assert.deepEqual(await store.commit(commit(payment(), 0)), { is: 'kept' });
  await store.close();
});

test('lists that are emptied at once are counted too', async () => {
  const database = await freshDatabase();
  const store = await openPostgresStore({ url: server.url(database) });
  await store.putListEntry({ merchantId: 'm', list: 'block', kind: 'bin', value: '411111', expiresAt: null });
  const count = await store.listVersion();
  await run('TRUNCATE risk_list_entry', database);
  assert.ok((await store.listVersion()) > count);
  await assert.rejects(run('TRUNCATE risk_list_change', database), /counted upwards/);
  await store.close();
});

test('a database that forgets in a crash is not accepted, except as the control', async () => {
  const database = await freshDatabase();
  await run(`ALTER DATABASE ${database} SET synchronous_commit = off`);
  await assert.rejects(openPostgresStore({ url: server.url(database) }), /synchronous_commit/);
  await (await openPostgresStore({ url: server.url(database), durability: 'off' })).close();
});

test('a server that is not there is named in the error', async () => {
  await assert.rejects(openPostgresStore({ url: 'postgres://nobody@127.0.0.1:9/none' }), (error: Error) => {
    return error instanceof StoreOutOfOrder && /ECONNREFUSED/.test(error.message);
  });
});

test('errors carry nothing of the payment', async () => {
  const store = await openPostgresStore({ url: server.url(await freshDatabase()) });
  const change = payment({ fields: { 'customer.email': 'jane@example.com' } });
  await store.commit(commit(change, 0, { eventId: 'm' }));
  const again = commit(payment({ fields: change.fields }), 0, { eventId: 'm' });
  const error = await store.commit(again).catch((caught: Error) => caught);
  assert.ok(error instanceof Error);
  const everything = [error.message, error.stack, ...Object.getOwnPropertyNames(error).map((name) => Reflect.get(error, name))];
  assert.doesNotMatch(everything.join('\n'), /jane/);
  await store.close();
});

test('a query plan that was made while the tables were empty does not scan them when they are full', async () => {
  const store = await openPostgresStore({ url: server.url(await freshDatabase()), queues: 1 });
  for (let round = 0; round < 40; round += 1) {
    await Promise.all(Array.from({ length: 100 }, () => store.commit(commit(payment(), 0))));
  }
  const began = performance.now();
  for (let round = 0; round < 20; round += 1) await store.commit(commit(payment(), 0));
  assert.ok((performance.now() - began) / 20 < 60, `${(performance.now() - began) / 20} ms for one commit`);
  await store.close();
});

test('an idle store survives a restart without an error', async () => {
  const store = await openPostgresStore({ url: server.url(await freshDatabase()) });
  const change = payment();
  await store.commit(commit(change, 0));
  await server.stop('fast');
  await server.start();
  assert.deepEqual(await store.payment(change.merchantId, change.id), change);
  assert.deepEqual(await store.commit(commit(payment(), 0)), { is: 'kept' });
  await store.close();
});

type Outcome = { readonly id: string; readonly end: string };

async function commitUntil(store: Store, isOver: () => boolean, outcomes: Outcome[]): Promise<void> {
  while (!isOver()) {
    const change = payment();
    const end = await store.commit(commit(change, 0)).then(
      ({ is }) => is,
      (error: Error) => error.name,
    );
    outcomes.push({ id: change.id, end });
    await store.idempotencyKey('merchant', 'channel', change.id).catch(() => null);
    if (end !== 'kept') await pause(20);
  }
}

const blows: readonly (readonly [name: string, strike: () => Promise<void>])[] = [
  ['an immediate stop', () => server.stop('immediate')],
  ['kill -9', () => server.kill()],
];
for (const [name, strike] of blows) {
  test(`${name} under load: nothing acknowledged is lost, the rest is called by its name, and the store recovers alone`, async () => {
    const store = await openPostgresStore({ url: server.url(await freshDatabase()) });
    const outcomes: Outcome[] = [];
    let isOver = false;
    const callers = Array.from({ length: 32 }, () => commitUntil(store, () => isOver, outcomes));
    await pause(200);
    await strike();
    await server.start();
    const began = performance.now();
    while (
      (await store.ping().then(
        () => true,
        () => false,
      )) === false
    )
      await pause(20);
    assert.ok(performance.now() - began < 10_000);
    const before = outcomes.length;
    while (outcomes.length < before + 100) await pause(20);
    isOver = true;
    await Promise.all(callers);
    const asked = performance.now();
    await Promise.all(Array.from({ length: 64 }, () => store.ping()));
    assert.ok(performance.now() - asked < 3_000, 'a connection did not get over it');
    const there = await Promise.all(outcomes.map(async ({ id }) => (await store.payment('merchant', id)) !== null));
    const ends = Object.groupBy(
      outcomes.map((one, at) => ({ ...one, isThere: there[at] })),
      ({ end }) => end,
    );
    assert.deepEqual(
      ends.kept?.filter(({ isThere }) => !isThere),
      [],
    );
    assert.deepEqual(
      (ends[StoreOutOfOrder.name] ?? []).filter(({ isThere }) => isThere),
      [],
    );
    const known = ['kept', UnknownOutcome.name, StoreOutOfOrder.name];
    assert.ok((ends.kept?.length ?? 0) > 100);
    assert.deepEqual(
      Object.keys(ends).filter((end) => !known.includes(end)),
      [],
    );
    await store.close();
  });
}

test('a commit that is cut off while it is under way has an unknown outcome', async () => {
  const database = await freshDatabase();
  const store = await openPostgresStore({ url: server.url(database) });
  const blocker = postgres(server.url(database), { max: 1, fetch_types: false, onnotice: () => {} });
  await blocker.begin(async (tx) => {
    await tx.unsafe('LOCK TABLE payment IN EXCLUSIVE MODE');
    const waiting = assert.rejects(store.commit(commit(payment(), 0)), UnknownOutcome);
    const cut = () =>
      run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'turnpike' AND wait_event_type = 'Lock' AND datname = '${database}'`);
    while ((await cut()).length === 0) await pause(20);
    await waiting;
  });
  assert.deepEqual(await store.commit(commit(payment(), 0)), { is: 'kept' });
  await blocker.end();
  await store.close();
});
