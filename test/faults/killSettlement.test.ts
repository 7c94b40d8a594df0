import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyLong } from '../long.ts';
import { startPostgres } from '../postgres.ts';
import { assertKeptOnce, describeSettlements, runSettlements } from './settlements.ts';

const sizes = [
  { files: 2, lines: 2_100, skip: false, timeout: 280_000 },
  { files: 12, lines: 10_000, skip: onlyLong, timeout: 1_800_000 },
] as const;

for (const { skip, timeout, ...size } of sizes) {
  const what = `${size.files} files of ${size.lines} lines`;
  test(`PostgreSQL: gateway and server die while ${what} are read, matched and posted`, { skip, timeout }, async (t) => {
    const postgres = await startPostgres();
    t.after(() => postgres.stop('immediate'));
    const cutDatabase = async () => {
      await postgres.kill();
      await postgres.start();
    };
    const account = await runSettlements({ ...size, databaseUrl: postgres.url(), cutDatabase, seed: 31 });
    t.diagnostic(describeSettlements('PostgreSQL', account));
    assertKeptOnce(account);
    assert.ok(account.interrupted > 0, 'no kill came in time: this proves nothing');
  });

  test(`SQLite: the gateway dies while ${what} are read, matched and posted`, { skip, timeout }, async (t) => {
    const account = await runSettlements({ ...size, databaseUrl: null, cutDatabase: null, seed: 32 });
    t.diagnostic(describeSettlements('SQLite', account));
    assertKeptOnce(account);
    assert.ok(account.interrupted > 0, 'no kill came in time: this proves nothing');
  });
}

test('the control: a file that is kept after its first portion is found', { timeout: 280_000 }, async (t) => {
  const one = { files: 1, lines: 4_500, databaseUrl: null, cutDatabase: null, seed: 33 };
  const account = await runSettlements({ ...one, planted: 'kept in portions' });
  t.diagnostic(describeSettlements('kept in portions', account));
  assert.ok(account.half.length > 0, 'nothing was half: the tests beside this one prove nothing');
});
