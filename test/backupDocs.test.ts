import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import { createClient } from './http/client.ts';
import { MASTER_KEY, startGateway } from './http/gateway.ts';
import { compileCache, programWords } from './programs.ts';

/** The commands of docs/backup.md, run by a shell as they stand there. */
const folder = mkdtempSync(join(tmpdir(), 'turnpike-backup-docs-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const words = [process.execPath, ...programWords('src/cli/main.ts')].map((word) => `'${word}'`).join(' ');
writeFileSync(join(folder, 'npx'), `#!/bin/sh\nshift\nexec ${words} "$@"\n`);
chmodSync(join(folder, 'npx'), 0o755);
writeFileSync(join(folder, 'master.key'), MASTER_KEY.toString('hex'), { mode: 0o600 });

test('the guide leads from a database to a proven backup and a recovered database', async () => {
  const gateway = await startGateway({ store: await openSqliteStore({ dataDir: join(folder, 'data') }), isQuiet: true });
  await createClient(gateway.url).pay();
  await gateway.close();
  const guide = readFileSync(join(import.meta.dirname, '..', 'docs', 'backup.md'), 'utf8');
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  assert.equal(blocks.length, 3);
  const child = spawn('/bin/sh', ['-c', `set -e\n${blocks.join('\n')}`], {
    cwd: folder,
    env: {
      PATH: `${folder}:${process.env.PATH ?? ''}`,
      MASTER_KEY_FILE: join(folder, 'master.key'),
      NODE_COMPILE_CACHE: compileCache,
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece) => {
      said += piece;
    });
  assert.equal(await new Promise((done) => child.on('close', done)), 0, said);
  assert.match(said, /^turnpike-\d{8}T\d{6}Z\.backup +[\d.]+ kB +\d+ s$/m);
  assert.match(said, /is good: \d+ s old, [\d.]+ kB; 1 payments, 1 postings/);
  assert.match(said, /is restored into .*turnpike\.db: it is as it was on /);
  assert.match(said, /^The books are in order: 1 postings/m);
});
