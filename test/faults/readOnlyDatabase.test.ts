import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreOutOfOrder } from '../../src/payments/storeErrors.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { commit, payment } from '../contract/storeFixtures.ts';
import { testDatabase } from '../postgres.ts';
import { card, isApproved, pay, read } from './client.ts';
import { openRawDatabase } from './database.ts';
import { createGateway, readiness } from './gatewayProcess.ts';

/** As a standby is: everything can be read and nothing written. New connections see it so from then on. */
async function readOnly(url: string, is: boolean): Promise<void> {
  const raw = openRawDatabase(url, '');
  await raw.rows('SET default_transaction_read_only = off');
  const [row] = await raw.rows('SELECT current_database() AS name');
  await raw.rows(`ALTER DATABASE "${row?.name}" SET default_transaction_read_only = ${is ? 'on' : 'off'}`);
  await raw.close();
}

test('a database that can only be read: a store opens on it, reads, and says that it cannot write', async (t) => {
  const database = await testDatabase();
  t.after(async () => {
    await database.drop();
  });
  const made = payment();
  const first = await openPostgresStore({ url: database.url });
  for (const isThorough of [true, false]) await first.tryWrite(isThorough);
  assert.deepEqual(await first.commit(commit(made, 0)), { is: 'kept' });
  await first.close();
  await readOnly(database.url, true);
  const store = await openPostgresStore({ url: database.url });
  assert.deepEqual(await store.payment(made.merchantId, made.id), made);
  for (const isThorough of [true, false]) {
    await assert.rejects(
      store.tryWrite(isThorough),
      (error: Error) => error instanceof StoreOutOfOrder && /25006/.test(error.message),
    );
  }
  await assert.rejects(store.commit(commit(payment(), 0)), StoreOutOfOrder);
  await store.close();
});

test('a gateway starts on a database that can only be read, answers reads and is not ready', { timeout: 120_000 }, async (t) => {
  const database = await testDatabase();
  const gateway = await createGateway({ databaseUrl: database.url });
  t.after(async () => {
    await gateway.kill();
    await database.drop();
  });
  await gateway.start();
  const order = { fields: { paymentType: 'DB', amount: '12.00', currency: 'EUR', ...card } };
  const paid = await pay(gateway.url, order);
  assert.ok(isApproved(paid), paid.text);
  await gateway.end('SIGTERM');
  await readOnly(database.url, true);
  await gateway.startUnready();
  assert.equal((await read(gateway.url, paid.body?.id ?? '')).body?.id, paid.body?.id);
  const refused = await pay(gateway.url, order);
  assert.deepEqual([refused.status, refused.body?.result?.code], [503, '800.800.800']);
  const problems = ['the database can be read only: it is a standby, or was set so'];
  assert.deepEqual(await readiness(gateway.url), { status: 503, text: JSON.stringify({ status: 'not ready', problems }) });
  assert.equal((await gateway.end('SIGTERM')).code, 0);
  await readOnly(database.url, false);
  await gateway.start();
  assert.ok(isApproved(await pay(gateway.url, order)));
});
