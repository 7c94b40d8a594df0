import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { findProgram, skipWithout } from '../debian.ts';
import { buildNewest, startPgBouncer, versionOf } from '../pgbouncer.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { runContract } from './pooled.ts';

/** The contract of the store by way of PgBouncer in transaction mode: the distribution's, and one that keeps prepared statements. */

const root = join(import.meta.dirname, '../..');
const skip = await skipWithout('pgbouncer');
const newest = await buildNewest(root);

let server: PostgresServer;
before(async () => {
  server = await startPostgres({ fsync: false });
});

/** The files of the contract, less those that need no store. */
const files = globSync('test/contract/*.test.ts', { cwd: root })
  .filter((file) => !/connector|freshDatabases|pooler|\.long\./.test(file))
  .sort();

const programs = [
  { name: 'of the distribution', program: findProgram('pgbouncer'), skip },
  { name: 'that keeps prepared statements', program: newest.program, skip: newest.skip },
];
for (const { name, program, skip: why } of programs) {
  test(`PgBouncer ${name}: the contract of the store holds in transaction mode`, { timeout: 1_800_000, skip: why }, async (t) => {
    assert.ok(program);
    const bouncer = await startPgBouncer(program, server.url());
    t.after(() => bouncer.close());
    const { pass, fail, failures } = await runContract(files, {
      pooler: bouncer.through(server.url('DATABASE')),
      server: server.url(),
    });
    t.diagnostic(
      `PgBouncer ${await versionOf(program)}: ${pass} tests passed, ${fail} failed, ${await bouncer.transactions()} transactions`,
    );
    assert.equal(fail, 0, failures);
    assert.ok(pass > 300, `${pass} tests`);
    // The sessions of the store did not go around it.
    assert.ok((await bouncer.transactions()) > 1_000);
  });
}
