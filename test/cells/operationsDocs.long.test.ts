import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { dropUnused } from '../contract/freshDatabases.ts';
import { compileCache, programWords } from '../programs.ts';
import { fillMerchant, twoCells } from './movingFixtures.ts';

/** The commands of the section about cells in docs/operations.md, run by a shell as they stand there. */
const folder = mkdtempSync(join(tmpdir(), 'turnpike-cells-docs-'));
after(() => rmSync(folder, { recursive: true, force: true }));
after(dropUnused);

const words = [process.execPath, ...programWords('src/cli/main.ts')].map((word) => `'${word}'`).join(' ');
writeFileSync(join(folder, 'npx'), `#!/bin/sh\nshift\nexec ${words} "$@"\n`);
chmodSync(join(folder, 'npx'), 0o755);

test('the section leads a merchant to another cell and back', { timeout: 180_000 }, async (t) => {
  const gateway = await twoCells(t);
  const merchantId = await fillMerchant(gateway);
  const guide = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'operations.md'), 'utf8');
  const [, section = ''] = guide.split('\n## Cells\n');
  const blocks = [...(section.split('\n## ')[0] ?? '').matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  assert.equal(blocks.length, 2);
  const child = spawn('/bin/sh', ['-c', `set -e\n${blocks.join('\n')}`], {
    cwd: folder,
    env: {
      PATH: `${folder}:${process.env.PATH ?? ''}`,
      NODE_COMPILE_CACHE: compileCache,
      DATABASE_URL: gateway.urls.main,
      CELLS: `main=control east=${gateway.urls.east}`,
      MASTER_KEY: '5eed'.repeat(16),
      MERCHANT: merchantId,
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece) => {
      said += piece;
    });
  assert.equal(await new Promise((done) => child.on('close', done)), 0, said);
  assert.match(said, /^main +in order +1 +\d+\neast +in order +0 +0$/m);
  assert.match(
    said,
    /^The merchant lives in the cell east\.\nIts writes were stopped for \d+ ms\.\nThe merchant lives in the cell east\.$/m,
  );
  assert.match(said, /^The books are in order/m);
  assert.match(said, /The merchant lives in the cell main\.\nIts writes were stopped for \d+ ms\.$/m);
  assert.equal((await gateway.control.placementsOf([merchantId]))[0]?.cell, 'main');
});
