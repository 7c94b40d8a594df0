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

const PAYMENTS = sized({ quick: 500, assure: 4_000, reliability: 20_000 });
const ROUNDS = 3;
const AT_ONCE = 64;
const MERCHANTS = 8;
/** Two cells carry so much more than one. */
const GAIN_MIN = 1.7;

let servers: readonly [PostgresServer, PostgresServer];
before(async () => {
  servers = [await startPostgres({ fsync: false }), await startPostgres({ fsync: false })];
});
after(async () => {
  for (const server of servers) await server.kill();
});

/** Ticks of a process, and those of its children that have ended. */
function ticksOf(pid: string): { readonly parent: string; readonly own: number; readonly ended: number } | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return { parent: String(parent), own: user + system, ended: endedUser + endedSystem };
  } catch {
    return null;
  }
}

/** The processor time of all processes of a server, in ticks of 10 ms. */
function ticksOfServer({ dataDir }: PostgresServer): number {
  const [pid = ''] = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
  const main = ticksOf(pid);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => ticksOf(name) ?? []);
  const living = children.filter(({ parent }) => parent === pid).reduce((sum, { own }) => sum + own, 0);
  return (main?.own ?? 0) + (main?.ended ?? 0) + living;
}

async function payMany(store: Store, merchantIds: readonly string[]): Promise<void> {
  for (let done = 0; done < PAYMENTS; done += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, at) => {
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

/** Ticks of both servers while a store takes payments of eight merchants. */
async function measured(store: Store): Promise<readonly [number, number]> {
  const merchantIds = Array.from({ length: MERCHANTS }, nextId);
  // Placed one after the other, evenly.
  for (const merchantId of merchantIds) await store.commit(commit(payment({ merchantId }), 0));
  const began = servers.map(ticksOfServer);
  await payMany(store, merchantIds);
  const [first = 0, second = 0] = servers.map((server, at) => ticksOfServer(server) - (began[at] ?? 0));
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
  let [alone, one, busier] = [0, 0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    const single = await openPostgresStore({ url: await databaseOn(servers[0]) });
    alone += (await measured(single))[0];
    await single.close();
    const cell = await cellsOn(null);
    one += (await measured(cell.store))[0];
    await cell.store.close();
    const two = await cellsOn(servers[1]);
    busier += Math.max(...(await measured(two.store)));
    await two.store.close();
  }
  const count = PAYMENTS * ROUNDS;
  const each = (ticks: number): string => ((ticks * 10_000) / count).toFixed(0);
  t.diagnostic(`${count} payments: ${each(alone)} µs of the server without cells, ${each(one)} µs with the fence of one cell`);
  t.diagnostic(`two cells: ${each(busier)} µs of the busier server, ${(one / busier).toFixed(2)} times one cell`);
  assert.ok(one / busier >= GAIN_MIN, `${one} ticks of one cell, ${busier} of the busier of two`);
});
