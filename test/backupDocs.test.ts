import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import { createClient } from './http/client.ts';
import { MASTER_KEY, startGateway } from './http/gateway.ts';
import { compileCache, programWords } from './programs.ts';

/** The commands of docs/backup.md, run by a shell as they stand there, in a sandbox: its key is beside its data, and nothing is set. */
const folder = mkdtempSync(join(tmpdir(), 'turnpike-backup-docs-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const words = [process.execPath, ...programWords('src/cli/main.ts')].map((word) => `'${word}'`).join(' ');
writeFileSync(join(folder, 'npx'), `#!/bin/sh\nshift\nexec ${words} "$@"\n`);
chmodSync(join(folder, 'npx'), 0o755);
mkdirSync(join(folder, 'data'));
writeFileSync(join(folder, 'data', 'master.key'), MASTER_KEY.toString('hex'), { mode: 0o600 });

async function shell(script: string): Promise<{ readonly code: unknown; readonly said: string }> {
  const env = { PATH: `${folder}:${process.env.PATH ?? ''}`, NODE_COMPILE_CACHE: compileCache };
  const child = spawn('/bin/sh', ['-c', script], { cwd: folder, env });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece) => {
      said += piece;
    });
  return { code: await new Promise((done) => child.on('close', done)), said };
}

test('the guide leads from a database to a proven backup and a recovered database', async () => {
  const gateway = await startGateway({ store: await openSqliteStore({ dataDir: join(folder, 'data') }), isQuiet: true });
  await createClient(gateway.url).pay();
  await gateway.close();
  const guide = readFileSync(join(import.meta.dirname, '..', 'docs', 'backup.md'), 'utf8');
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  assert.equal(blocks.length, 4);
  const { code, said } = await shell(`set -e\n${blocks.join('\n')}`);
  assert.equal(code, 0, said);
  assert.match(said, /^turnpike-\d{8}T\d{6}Z\.backup +[\d.]+ kB +\d+ s$/m);
  assert.match(said, /is good: \d+ s old, [\d.]+ kB; 1 payment, 1 posting,/);
  assert.match(said, /is restored into .*turnpike\.db: it is as it was on /);
  assert.match(said, /^The books are in order: 1 posting with/m);
});

test('without the key, a restore says where it is and makes no key of its own', async () => {
  const { code, said } = await shell('DATA_DIR=./elsewhere npx turnpike restore --from ./backups');
  assert.equal(code, 1);
  assert.match(said, /MASTER_KEY_FILE/);
  assert.ok(!existsSync(join(folder, 'elsewhere', 'master.key')), 'a key was made');
});
