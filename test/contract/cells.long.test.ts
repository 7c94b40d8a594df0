import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { runFiles } from './pooled.ts';

/** The contract of the store on three databases, each merchant in one of them. */

const root = join(import.meta.dirname, '../..');
let server: PostgresServer;
before(async () => {
  server = await startPostgres({ fsync: false });
});

/** The files of the contract, less those that need no store. */
const files = globSync('test/contract/*.test.ts', { cwd: root })
  .filter((file) => !/connector|freshDatabases|pooler|cells|\.long\./.test(file))
  .sort();

test('the contract of the store holds on three cells', { timeout: 1_800_000 }, async (t) => {
  // The database with the schema, where there is one, is on another server.
  const own = { TEST_DATABASE_URL: server.url(), TEST_SCHEMA_DATABASE_URL: undefined };
  const { pass, fail, failures } = await runFiles(files, { TEST_CELLS: 'yes', ...own });
  t.diagnostic(`${pass} tests passed, ${fail} failed`);
  assert.equal(fail, 0, failures);
  assert.ok(pass > 300, `${pass} tests`);
});
