import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../postgres.ts';
import { card, isApproved, pay, refer } from './client.ts';
import { openRawDatabase, type RawDatabase } from './database.ts';
import { createGateway } from './gatewayProcess.ts';

/** A copy of a capture or refund under another id and with another amount: what a manual mistake or a bug would insert. */
const insertion = (of: string, id: string, amount: number) => `
  INSERT INTO payment (merchant_id, id, family_id, entity_id, referenced_id, payment_type, industry_practice, state, amount, currency,
    created_at, due_at, merchant_transaction_id, short_id, fingerprint, version, revision, data, sealed)
  SELECT merchant_id, '${id}', family_id, entity_id, referenced_id, payment_type, industry_practice, state, ${amount}, currency,
    created_at, due_at, merchant_transaction_id, short_id, fingerprint, version, revision, data, sealed
  FROM payment WHERE id = '${of}'`;

const freshId = (n: number) => `f${String(n).padStart(31, '0')}`;

for (const store of ['postgres', 'sqlite'] as const) {
  test(`${store}: the database itself refuses an overrun`, { timeout: 60_000 }, async (t) => {
    const database = store === 'postgres' ? await testDatabase() : null;
    const gateway = await createGateway(database ? { databaseUrl: database.url } : {});
    let raw: RawDatabase | null = null;
    t.after(async () => {
      await raw?.close();
      await gateway.kill();
      await database?.drop();
    });
    await gateway.start();
    const done = async (paymentType: string, amount: string, reference?: string): Promise<string> => {
      const fields = { paymentType, amount, currency: 'EUR', ...(reference === undefined && card) };
      const reply = await (reference === undefined ? pay(gateway.url, { fields }) : refer(gateway.url, reference, { fields }));
      assert.ok(isApproved(reply), reply.text);
      return reply.body?.id ?? '';
    };
    const authorised = await done('PA', '100.00');
    const captured = await done('CP', '60.00', authorised);
    const refunded = await done('RF', '50.00', captured);
    raw = openRawDatabase(database?.url ?? null, gateway.dataDir);
    const refuse = (statement: string, why: RegExp) => assert.rejects(raw?.rows(statement) ?? Promise.resolve(), why);
    await refuse(insertion(captured, freshId(1), 4_001), /balance_overrun/);
    await refuse(insertion(refunded, freshId(2), 1_001), /balance_overrun/);
    await refuse(`UPDATE payment SET amount = 1 WHERE id = '${captured}'`, /payment_money_fixed/);
    await refuse(`DELETE FROM payment WHERE id = '${captured}'`, /payment_no_delete/);
    // The control: an amount that fits is accepted, so the sum was refused and not the statement.
    await raw.rows(insertion(captured, freshId(3), 4_000));
    await refuse(insertion(captured, freshId(4), 1), /balance_overrun/);
    await gateway.end('SIGTERM');
  });
}

test('postgres: of two raw transactions that fit alone but not together one is refused', { timeout: 60_000 }, async (t) => {
  const database = await testDatabase();
  const gateway = await createGateway({ databaseUrl: database.url });
  const connections = [openRawDatabase(database.url, ''), openRawDatabase(database.url, '')];
  t.after(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    await gateway.kill();
    await database.drop();
  });
  await gateway.start();
  const fields = { paymentType: 'PA', amount: '100.00', currency: 'EUR', ...card };
  const root = (await pay(gateway.url, { fields })).body?.id ?? '';
  const capture =
    (await refer(gateway.url, root, { fields: { paymentType: 'CP', amount: '30.00', currency: 'EUR' } })).body?.id ?? '';
  for (const level of ['READ COMMITTED', 'REPEATABLE READ']) {
    await Promise.all(connections.map((connection) => connection.rows(`BEGIN ISOLATION LEVEL ${level}`)));
    await Promise.all(connections.map((connection) => connection.rows('SELECT count(*) FROM payment')));
    const ends = await Promise.allSettled(
      connections.map(async (connection, at) => {
        await connection.rows(
          insertion(capture, freshId(at + (level === 'READ COMMITTED' ? 10 : 20)), level === 'READ COMMITTED' ? 4_000 : 2_000),
        );
        await connection.rows('COMMIT');
      }),
    );
    await Promise.all(connections.map((connection) => connection.rows('ROLLBACK')));
    assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected'], level);
  }
});
