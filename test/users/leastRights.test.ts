import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { card } from '../faults/client.ts';
import { openRawDatabase } from '../faults/database.ts';
import { reportFigure } from '../figures.ts';
import { createClient, DEMO } from '../http/client.ts';
import { startGateway } from '../http/gateway.ts';
import { testDatabase } from '../postgres.ts';

/** A gateway whose role at PostgreSQL may change rows and nothing else (R44). */

const ROLE = `gateway_${process.pid}`;
const page = readFileSync(join(import.meta.dirname, '../../docs/postgresql.md'), 'utf8');
/** The statements of the page, for a role of this test. */
const grants = (/## A role without DDL[\s\S]*?```\n([\s\S]*?)```/.exec(page)?.[1] ?? '')
  .replaceAll('turnpike_gateway', ROLE)
  .replace(/PASSWORD '…'/, '')
  .replaceAll('FOR ROLE turnpike ', '');

const forbidden = [
  'CREATE TABLE mine (id int)',
  'ALTER TABLE payment ADD COLUMN mine int',
  'ALTER TABLE audit_entry DISABLE TRIGGER ALL',
  'DROP TABLE payment',
  'TRUNCATE payment',
  'CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
  'CREATE SCHEMA mine',
  "UPDATE migration SET name = 'mine'",
];

test('PostgreSQL: with the rights of docs/postgresql.md a gateway starts and pays, and can change no table', async (t) => {
  const database = await testDatabase();
  const owner = openRawDatabase(database.url, '');
  const url = database.url.replace(/\/\/[^@/]*@/, `//${ROLE}@`);
  t.after(async () => {
    await owner.rows(`DROP OWNED BY ${ROLE}`).then(() => owner.rows(`DROP ROLE ${ROLE}`));
    await owner.close();
    await database.drop();
  });
  await (await openPostgresStore({ url: database.url })).close();
  for (const statement of grants.split(';').filter((text) => text.trim() !== '')) await owner.rows(statement);

  const gateway = await startGateway({ store: await openPostgresStore({ url }) });
  try {
    const shop = createClient(gateway.url, DEMO);
    const fields = { ...card, amount: '9.00', currency: 'EUR', paymentType: 'PA' };
    const { id, code } = await shop.send('POST', '/v1/payments', fields);
    assert.equal(code, '000.100.110');
    const captured = await shop.send('POST', `/v1/payments/${id}`, { amount: '9.00', currency: 'EUR', paymentType: 'CP' });
    assert.equal(captured.code, '000.100.110');
    assert.deepEqual(await gateway.services.health.problems(), []);
    for (const { name } of gateway.jobs) await gateway.work(name);
    assert.deepEqual(
      gateway.lines.filter((line) => line.includes('permission denied')),
      [],
    );
  } finally {
    await gateway.close();
  }
  const asGateway = openRawDatabase(url, '');
  t.after(() => asGateway.close());
  for (const statement of forbidden)
    await assert.rejects(asGateway.rows(statement), /permission denied|must be owner/, statement);
  reportFigure('R44', 'forbidden statements', forbidden.length);

  // A newer program finds an older schema: the role cannot bring it up to date, and says who can.
  await owner.rows('DELETE FROM migration WHERE number = (SELECT max(number) FROM migration)');
  await assert.rejects(openPostgresStore({ url }), /older version[\s\S]*may not change[\s\S]*role that owns/);
});

test('control: the owner of the tables may do all that', async (t) => {
  const database = await testDatabase();
  await (await openPostgresStore({ url: database.url })).close();
  const owner = openRawDatabase(database.url, '');
  t.after(async () => {
    await owner.close();
    await database.drop();
  });
  // Each in a transaction that is taken back: one does not hinder the next.
  for (const statement of forbidden.filter((text) => !/^(?:DROP|TRUNCATE)/.test(text)))
    await owner.rows(`BEGIN; ${statement}; ROLLBACK`);
});
