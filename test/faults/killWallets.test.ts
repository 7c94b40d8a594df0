import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyLong } from '../long.ts';
import { testDatabase } from '../postgres.ts';
import { assertPaidOnce, describeWallets, runWallets, type WalletAccount, type WalletRun } from './wallets.ts';

const sizes = [
  { waves: 1, tokens: 12, skip: false, timeout: 280_000 },
  { waves: 20, tokens: 45, skip: onlyLong, timeout: 1_800_000 },
] as const;

async function onPostgres(run: Omit<WalletRun, 'databaseUrl' | 'nodes'>): Promise<WalletAccount> {
  const database = await testDatabase();
  try {
    return await runWallets({ ...run, databaseUrl: database.url, nodes: 2 });
  } finally {
    await database.drop();
  }
}

for (const { skip, timeout, ...size } of sizes) {
  const many = `${size.waves * size.tokens} wallet tokens`;
  test(`PostgreSQL, two nodes, one killed: each of ${many} pays once, and none is lost`, { skip, timeout }, async (t) => {
    const account = await onPostgres({ ...size, seed: 21 });
    t.diagnostic(describeWallets('PostgreSQL', account));
    assertPaidOnce(account);
    assert.ok(account.kills === size.waves && account.approved >= account.tokens / 2, JSON.stringify(account));
  });

  test(`SQLite, the node killed: each of ${many} pays once, and none is lost`, { skip, timeout }, async (t) => {
    const account = await runWallets({ ...size, databaseUrl: null, nodes: 1, seed: 22 });
    t.diagnostic(describeWallets('SQLite', account));
    assertPaidOnce(account);
    assert.ok(account.kills === size.waves && account.approved >= account.tokens / 2, JSON.stringify(account));
  });
}

test('the control: a gateway that remembers used tokens in its memory is found', { timeout: 280_000 }, async (t) => {
  const account = await runWallets({ waves: 1, tokens: 12, databaseUrl: null, nodes: 1, seed: 23, planted: 'tokens in memory' });
  t.diagnostic(describeWallets('tokens in memory', account));
  assert.ok(account.doubled.length > 0, 'no token paid twice: the tests beside this one prove nothing');
});
