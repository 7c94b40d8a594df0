import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findProgram, skipWithout } from '../debian.ts';
import { startPgBouncer } from '../pgbouncer.ts';
import { testDatabase } from '../postgres.ts';
import { runContract } from './pooled.ts';

/** Some of the contract by way of PgBouncer in transaction mode; pooler.long.test.ts has all of it, and with a newer PgBouncer. */

const skip = await skipWithout('pgbouncer');
const files = ['test/contract/sweepClaims.test.ts', 'test/contract/calls.test.ts', 'test/contract/ledger.test.ts'];

test('PgBouncer of the distribution: claims, calls and the books of the store hold in transaction mode', { skip }, async (t) => {
  const { url: server, drop } = await testDatabase();
  const bouncer = await startPgBouncer(findProgram('pgbouncer') ?? '', server);
  t.after(async () => {
    await bouncer.close();
    await drop();
  });
  const pooler = bouncer.through(server.replace(new URL(server).pathname, '/DATABASE'));
  const template = process.env.TEST_SCHEMA_DATABASE_URL;
  const { pass, fail, failures } = await runContract(files, { pooler, server, ...(template !== undefined && { template }) });
  assert.equal(fail, 0, failures);
  assert.ok(pass >= 15, `${pass} tests`);
  // The sessions of the store did not go around it.
  assert.ok((await bouncer.transactions()) > 50);
});
