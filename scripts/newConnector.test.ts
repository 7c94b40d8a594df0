import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeConnector } from './newConnector.ts';

const root = join(import.meta.dirname, '..');

test('a new connector is a folder and a line in the registry, works immediately, and changes nothing else', () => {
  const copy = mkdtempSync(join(tmpdir(), 'connector-'));
  try {
    for (const part of ['src', 'test', 'scripts', 'package.json', 'tsconfig.json'])
      cpSync(join(root, part), join(copy, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const made = makeConnector(copy, 'tryout');
    assert.deepEqual(made, [
      'src/connectors/tryout/tryout.ts',
      'src/connectors/tryout/codes.ts',
      'test/connectors/tryout/server.ts',
      'test/connectors/tryout/contract.test.ts',
      'docs/connectors/tryout.md',
      'src/connectors/registry.ts',
    ]);
    const before = readFileSync(join(root, 'src/connectors/registry.ts'), 'utf8').split('\n');
    const after = readFileSync(join(copy, 'src/connectors/registry.ts'), 'utf8').split('\n');
    assert.equal(after.length, before.length + 1, 'one import more');
    const script = `
      import { connectorKinds } from './src/connectors/registry.ts';
      import { tryConnector } from './test/connectors/contract.ts';
      import { tryoutUnderTest } from './test/connectors/tryout/server.ts';
      import { readFileSync } from 'node:fs';
      import { connectorPages } from './scripts/connectorPages.ts';
      const [page] = connectorPages('.', [connectorKinds.get('tryout')]);
      const isPageCurrent = page.text === readFileSync(page.path, 'utf8') && page.text.includes('insufficient_funds');
      const { differences, begun } = await tryConnector(tryoutUnderTest, { payments: 40, seed: 3 });
      console.log(JSON.stringify({ isListed: connectorKinds.has('tryout'), differences, begun, isPageCurrent }));
      process.exit(0);`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: copy, encoding: 'utf8' });
    assert.deepEqual(JSON.parse(printed.trim().split('\n').at(-1) ?? ''), {
      isListed: true,
      differences: [],
      begun: 44,
      isPageCurrent: true,
    });
    assert.throws(() => makeConnector(copy, 'tryout'), /already/);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

for (const name of ['', 'Acme', 'a', 'a/b', 'x'.repeat(33)]) {
  test(`no connector is called ${JSON.stringify(name)}`, () => {
    assert.throws(() => makeConnector(root, name), /the name must be/);
  });
}
