import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../postgres.ts';
import { isLong } from './killRun.ts';
import { assertPaidOnce, describeWallets, runWallets, type WalletAccount, type WalletRun } from './wallets.ts';

const timeout = isLong ? 1_800_000 : 280_000;
const size = isLong ? { waves: 25, tokens: 45 } : { waves: 2, tokens: 18 };

async function onPostgres(run: Omit<WalletRun, 'databaseUrl' | 'nodes'>): Promise<WalletAccount> {
  const database = await testDatabase();
  try {
    return await runWallets({ ...run, databaseUrl: database.url, nodes: 2 });
  } finally {
    await database.drop();
  }
}

test('PostgreSQL, two nodes, one killed: a wallet token pays once, and none is lost', { timeout }, async (t) => {
  const account = await onPostgres({ ...size, seed: 21 });
  t.diagnostic(describeWallets('PostgreSQL', account));
  assertPaidOnce(account);
  assert.ok(account.kills === size.waves && account.approved >= account.tokens / 2, JSON.stringify(account));
});

test('SQLite, the node killed: a wallet token pays once, and none is lost', { timeout }, async (t) => {
  const account = await runWallets({ ...size, databaseUrl: null, nodes: 1, seed: 22 });
  t.diagnostic(describeWallets('SQLite', account));
  assertPaidOnce(account);
  assert.ok(account.kills === size.waves && account.approved >= account.tokens / 2, JSON.stringify(account));
});

test('the control: a gateway that remembers used tokens in its memory is found', { timeout }, async (t) => {
  const account = await runWallets({ waves: 1, tokens: 12, databaseUrl: null, nodes: 1, seed: 23, planted: 'tokens in memory' });
  t.diagnostic(describeWallets('tokens in memory', account));
  assert.ok(account.doubled.length > 0, 'no token paid twice: the tests beside this one prove nothing');
});
