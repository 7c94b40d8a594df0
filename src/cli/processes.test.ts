import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { compileCache, programWords } from '../../test/programs.ts';
import { sandbox, sandboxRows } from '../merchants/sandbox.ts';
import { openSqliteStore } from '../store/sqlite/sqliteStore.ts';

/** Commands as processes, on the database of a sandbox: what a pipe and a missing file do to them. */

const folder = mkdtempSync(join(tmpdir(), 'turnpike-processes-'));
after(() => rmSync(folder, { recursive: true }));
const master = randomBytes(32).toString('hex');
const store = await openSqliteStore({ dataDir: folder });
await store.insertAccounts(sandboxRows(0));
await store.close();

type Ended = { readonly code: number | null; readonly err: string };

/** `isUnread`: the reader of the output is gone before a line has come, like that of `| true`. */
function run(words: readonly string[], { isUnread }: { readonly isUnread: boolean }): Promise<Ended> {
  const child = spawn(process.execPath, [...programWords('src/cli/main.ts'), ...words], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: compileCache,
      DATA_DIR: folder,
      MASTER_KEY: master,
    },
  });
  if (isUnread) child.stdout.destroy();
  else child.stdout.resume();
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, err })));
}

for (const words of [['--help'], ['scenarios'], ['keys'], ['audit', '--csv'], ['users'], ['doctor', '--help']])
  test(`${words.join(' ')}: a reader that leaves early is no fault`, async () => {
    const { code, err } = await run(words, { isUnread: true });
    assert.equal(code, 0, err);
    assert.doesNotMatch(err, /EPIPE|\n {4}at /);
  });

const absent = join(folder, 'no-such-file');
const entity = ['--entity', sandbox.demoShop.merchantId];
const account = [...entity, '--name', 'one', '--connector', 'stripe'];
const naming: readonly (readonly string[])[] = [
  ['reconciliation-setup', ...entity, '--file', absent],
  ['reconciliation-setup', ...entity, '--key', absent],
  ['account', ...account, '--secret', `secretKey=${absent}`],
  ['risk-rules', ...entity, '--set', absent],
  ['backtest', ...entity, '--rules', absent],
  ['scenarios', 'log', '--file', absent],
  ['webhooks', 'list', '--token-file', absent],
  ['clock', '--token-file', absent],
  ['listen', '--token-file', absent],
];
for (const words of naming)
  test(`${words[0]} ${words.at(-2)}: a file that is not there is named in a line, without a stack`, async () => {
    const { code, err } = await run(words, { isUnread: false });
    assert.ok(code === 1 || code === 2, `${code}`);
    assert.ok(err.includes(absent), err);
    assert.doesNotMatch(err, /\n {4}at /);
  });
