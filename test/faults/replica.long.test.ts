import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { elapsed } from '../../src/app/system.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { openPostgresStore, openReplica } from '../../src/store/postgres/postgresStore.ts';
import { createReplica, type ReplicaSource } from '../../src/store/replica.ts';
import type { Store } from '../../src/store/store.ts';
import { createClient } from '../http/client.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { openRawDatabase } from './database.ts';

/** The back office reads lists and statistics from a real standby, and from the primary when it is away or behind. */

const OPERATOR = 'operator-of-the-replica-test.0123456789';
const LAG_MS_MAX = 2_000;

let [primary, standby]: PostgresServer[] = [];
let [store, source, gateway]: [Store?, ReplicaSource?, TestGateway?] = [];

async function ask(server: PostgresServer | undefined, statement: string): Promise<void> {
  const raw = openRawDatabase(server?.url() ?? '', '');
  await raw.rows(statement).finally(() => raw.close());
}

before(async () => {
  primary = await startPostgres({ fsync: false });
  await (await openPostgresStore({ url: primary.url() })).close();
  await primary.stop();
  standby = await startPostgres({ fsync: false, files: primary.dataDir, follows: Number(new URL(primary.url()).port) });
  await primary.start();
  store = await openPostgresStore({ url: primary.url() });
  source = openReplica(standby.url(), primary.url());
  const replica = createReplica(store, source, { now: elapsed, lagMsMax: LAG_MS_MAX, log: { warn: () => {} } });
  gateway = await startGateway({ store, replica, operatorToken: OPERATOR, isQuiet: true });
});
after(async () => {
  await gateway?.close();
  await source?.close();
  await store?.close();
  await Promise.all([primary, standby].map((server) => server?.stop('immediate')));
});

type Listed = { readonly ids: readonly string[]; readonly age: string | null };

async function list(): Promise<Listed> {
  const url = `${gateway?.backOfficeUrl}/admin/v1/payments?entityId=${sandbox.demoShop.merchantId}`;
  const reply = await fetch(url, { headers: { authorization: `Bearer ${OPERATOR}` } });
  assert.equal(reply.status, 200, await reply.clone().text());
  const { payments } = (await reply.json()) as { readonly payments: readonly { readonly id: string }[] };
  return { ids: payments.map(({ id }) => id), age: reply.headers.get('x-turnpike-data-age') };
}

/** Lists until it is as expected; every list meanwhile is right too, or as old as it says. */
async function until(isReached: (listed: Listed) => boolean): Promise<Listed> {
  for (;;) {
    const listed = await list();
    if (isReached(listed)) return listed;
    await pause(100);
  }
}

test('lists come from the standby, say their age, and never lack what is older', { timeout: 240_000 }, async () => {
  const shop = createClient(gateway?.url ?? '');
  const first = (await shop.pay()).id;
  await until(({ ids, age }) => age !== null && ids.includes(first));

  await ask(standby, 'SELECT pg_wal_replay_pause()');
  const second = (await shop.pay()).id;
  // While the standby is recent enough it lacks the payment; then the primary is read.
  const { age } = await until(({ ids }) => ids.includes(second));
  assert.equal(age, null, 'a standby that replays nothing cannot have it');

  await ask(standby, 'SELECT pg_wal_replay_resume()');
  await until((listed) => listed.age !== null && listed.ids.includes(second));

  await standby?.stop('immediate');
  const third = (await shop.pay()).id;
  assert.equal((await until(({ ids }) => ids.includes(third))).age, null);
  for (let times = 0; times < 5; times += 1) assert.ok((await list()).ids.includes(third));

  await standby?.start();
  await until((listed) => listed.age !== null && listed.ids.includes(third));
});
