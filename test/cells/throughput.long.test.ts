import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type OpenedDatabases, openDatabases } from '../../src/store/cells/openDatabases.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import type { Store } from '../../src/store/store.ts';
import { connectTo } from '../contract/freshDatabases.ts';
import { commit, commitWithEffects, idempotencyKeyOf, NOW, nextId, payment } from '../contract/storeFixtures.ts';
import { sized } from '../long.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';

/** What cells cost and bring, in processor time of the servers: it does not depend on what else the machine does. */

const PAYMENTS = sized({ quick: 2_048, assure: 4_096, reliability: 20_480 });
const ROUNDS = 3;
/** Payments under way at once, for each cell: a cell is loaded alike, alone or beside another. */
const AT_ONCE = 64;
const MERCHANTS = 8;
/** Two cells carry so much more than one. */
const GAIN_MIN = 1.7;
/** One payment after the other, in turns without and with the fence: what else the machine does meets both alike. */
const TURNS = sized({ quick: 500, assure: 2_000, reliability: 5_000 });
/** The median with the fence is at most so many times that without. */
const LATENCY_MAX = 2;

let servers: readonly [PostgresServer, PostgresServer];
before(async () => {
  // The first server has the databases of earlier rounds too: it would clean them up during later ones.
  const settings = { autovacuum: 'off' };
  servers = [await startPostgres({ fsync: false, settings }), await startPostgres({ fsync: false, settings })];
});
after(async () => {
  for (const server of servers) await server.kill();
});

/** Milliseconds that a process has run, exactly: the ticks of `stat` are samples, and some hundred of them differ by a tenth. */
function msOf(pid: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}

const parentOf = (pid: string): string => {
  try {
    return (
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1] ?? ''
    );
  } catch {
    return '';
  }
};

/** The processor time of the living processes of a server. Its sessions live as long as the store that is measured. */
function msOfServer({ dataDir }: PostgresServer): number {
  const [pid = ''] = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return [pid, ...children].reduce((sum, one) => sum + msOf(one), 0);
}

async function payMany(store: Store, merchantIds: readonly string[], atOnce: number): Promise<void> {
  for (let done = 0; done < PAYMENTS; done += atOnce) {
    const some = Array.from({ length: atOnce }, (_, at) => {
      const made = payment({ merchantId: merchantIds[at % merchantIds.length] as string, createdAt: NOW + done });
      return commitWithEffects(store, commit(made, 0, { idempotencyKey: idempotencyKeyOf(made.id) }));
    });
    for (const { is } of await Promise.all(some)) assert.equal(is, 'kept');
  }
}

let made = 0;
async function databaseOn(server: PostgresServer): Promise<string> {
  made += 1;
  const sql = connectTo(server.url());
  await sql.unsafe(`CREATE DATABASE measured_${made}`).finally(() => sql.end());
  return server.url(`measured_${made}`);
}

/** Milliseconds of both servers while a store takes payments of eight merchants. */
async function measured(store: Store, cells = 1): Promise<readonly [number, number]> {
  const merchantIds = Array.from({ length: MERCHANTS }, nextId);
  // Placed one after the other, evenly.
  for (const merchantId of merchantIds) await store.commit(commit(payment({ merchantId }), 0));
  const began = servers.map(msOfServer);
  await payMany(store, merchantIds, AT_ONCE * cells);
  const [first = 0, second = 0] = servers.map((server, at) => msOfServer(server) - (began[at] ?? 0));
  return [first, second];
}

const cellsOn = async (east: PostgresServer | null): Promise<OpenedDatabases> => {
  const databaseUrl = await databaseOn(servers[0]);
  const more = east ? [{ name: 'east', url: await databaseOn(east) }] : [];
  return openDatabases({ databaseUrl, cells: [{ name: 'main', url: null }, ...more] });
};

test('two cells carry at least 1.7 times the payments of one, by the processor time of the busier server', {
  timeout: 900_000,
}, async (t) => {
  let [alone, one, main, east] = [0, 0, 0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    const single = await openPostgresStore({ url: await databaseOn(servers[0]) });
    alone += (await measured(single))[0];
    await single.close();
    const cell = await cellsOn(null);
    one += (await measured(cell.store))[0];
    await cell.store.close();
    const two = await cellsOn(servers[1]);
    const [first, second] = await measured(two.store, 2);
    main += first;
    east += second;
    await two.store.close();
  }
  const busier = Math.max(main, east);
  const count = PAYMENTS * ROUNDS;
  const each = (ms: number): string => ((ms * 1_000) / count).toFixed(0);
  t.diagnostic(`${count} payments: ${each(alone)} µs of the server without cells, ${each(one)} µs with the fence of one cell`);
  t.diagnostic(`two cells: ${each(main)} and ${each(east)} µs of their servers, ${(one / busier).toFixed(2)} times one cell`);
  assert.ok(one / busier >= GAIN_MIN, `${one} ms of one cell, ${busier} of the busier of two`);
});

const percentile = (sorted: readonly number[], share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;

test('the fence of a cell makes a payment alone at most twice as long', { timeout: 300_000 }, async (t) => {
  const single = await openPostgresStore({ url: await databaseOn(servers[0]) });
  const cell = await cellsOn(null);
  const merchantId = nextId();
  const stores = { without: single, with: cell.store };
  const took = { without: [] as number[], with: [] as number[] };
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const which of turn % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
      const made = payment({ merchantId, createdAt: NOW + turn });
      const change = commit(made, 0, { idempotencyKey: idempotencyKeyOf(made.id) });
      const began = performance.now();
      assert.equal((await commitWithEffects(stores[which], change)).is, 'kept');
      // The first ones open connections and place the merchant.
      if (turn >= TURNS / 10) took[which].push(performance.now() - began);
    }
  }
  await single.close();
  await cell.store.close();
  const [without, fenced] = [took.without, took.with].map((some) => some.sort((one, other) => one - other)) as [
    number[],
    number[],
  ];
  const shown = (sorted: readonly number[]): string =>
    `${percentile(sorted, 0.5).toFixed(2)} ms median, ${percentile(sorted, 0.95).toFixed(2)} ms p95`;
  t.diagnostic(`${without.length} payments each, one at a time: ${shown(without)} without the fence, ${shown(fenced)} with it`);
  assert.ok(percentile(fenced, 0.5) <= LATENCY_MAX * percentile(without, 0.5), `${shown(without)}; ${shown(fenced)}`);
});
