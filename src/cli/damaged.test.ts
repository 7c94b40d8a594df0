import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { compileCache, programWords } from '../../test/programs.ts';
import { sandbox, sandboxRows } from '../merchants/sandbox.ts';
import { openSqliteStore } from '../store/sqlite/sqliteStore.ts';
import { localMasters } from '../vault/masterKey.ts';
import { openVault } from '../vault/vault.ts';

const root = mkdtempSync(join(tmpdir(), 'turnpike-damaged-'));
after(() => rmSync(root, { recursive: true }));
const key = randomBytes(32);

/** A folder with a database in which one statement has done damage. */
async function damaged(statement: string): Promise<string> {
  const dataDir = mkdtempSync(join(root, 'data-'));
  const store = await openSqliteStore({ dataDir });
  await store.insertAccounts(sandboxRows(0));
  await openVault({ masters: localMasters(key, []), store, now: Date.now });
  await store.close();
  const database = new DatabaseSync(join(dataDir, 'turnpike.db'));
  database.exec(statement);
  database.close();
  return dataDir;
}

function run(dataDir: string, [program, ...words]: readonly ['src/main.ts' | 'src/cli/main.ts', ...string[]]) {
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: compileCache,
    PORT: '0',
    BACKOFFICE_PORT: 'off',
    DATA_DIR: dataDir,
  };
  const own = { ...env, MASTER_KEY: key.toString('hex') };
  const { status, stdout, stderr } = spawnSync(process.execPath, [...programWords(program), ...words], { env: own });
  return { status, text: `${stdout}${stderr}` };
}

const { channelId, merchantId } = sandbox.demoShop;
const rows = [
  [
    'a wrapped key',
    "UPDATE data_key SET wrapped = x'00'",
    /^the digest key 1 of gateway .* is damaged, .* npx turnpike restore/m,
  ],
  [
    'the settings of a channel',
    `UPDATE entity SET settings = '{oops' WHERE id = '${channelId}'`,
    new RegExp(`^entity ${channelId} \\(.*\\): the settings of this channel of ${merchantId} .* npx turnpike restore`, 'm'),
  ],
] as const;
for (const [what, statement, says] of rows) {
  test(`damaged: ${what}: the start and a command end with a sentence, without a trace`, async () => {
    const dataDir = await damaged(statement);
    for (const words of [['src/main.ts'], ['src/cli/main.ts', 'users', 'list']] as const) {
      const { status, text } = run(dataDir, words);
      assert.match(text, says);
      assert.equal(status, 1);
      assert.doesNotMatch(text, /\n\s+at |VaultRefused|SyntaxError/);
    }
  });
}

test('the control: without damage the same command ends well', async () => {
  assert.equal(run(await damaged('SELECT 1'), ['src/cli/main.ts', 'users', 'list']).status, 0);
});
