import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Generated, generated, makeGenerated } from './generated.ts';

const root = join(import.meta.dirname, '..');
const box = mkdtempSync(join(tmpdir(), 'generated-'));
after(() => rmSync(box, { recursive: true }));

for (const one of generated) {
  test(`${one.folder} is what ${one.generator} makes; every npm command of the tools makes it anew`, async () => {
    for (const [name, text] of Object.entries(await one.make()))
      assert.ok(readFileSync(join(root, one.folder, name), 'utf8') === text, name);
  });
}

const [input, target] = [join(box, 'input.txt'), join(box, 'made')];
let made = 0;
const one: Generated = {
  folder: 'made',
  generator: 'scripts/reach.ts',
  reads: [join('..', '..', '..', '..', '..', '..', '..', '..', input)],
  make: async () => {
    made += 1;
    return { 'upper.ts': readFileSync(input, 'utf8').toUpperCase(), 'same.ts': 'same' };
  },
};

test('files are made when an input has changed, and only then; a file that stays the same keeps its time', async () => {
  writeFileSync(input, 'one');
  assert.deepEqual(await makeGenerated(one, target), ['upper.ts', 'same.ts', '.inputs']);
  const { mtimeNs } = statSync(join(target, 'same.ts'), { bigint: true });
  assert.deepEqual(await makeGenerated(one, target), []);
  assert.equal(made, 1);
  writeFileSync(input, 'two');
  assert.deepEqual(await makeGenerated(one, target), ['upper.ts', '.inputs']);
  assert.equal(readFileSync(join(target, 'upper.ts'), 'utf8'), 'TWO');
  assert.equal(statSync(join(target, 'same.ts'), { bigint: true }).mtimeNs, mtimeNs);
  assert.deepEqual(readdirSync(target).toSorted(), ['.inputs', 'same.ts', 'upper.ts']);
  rmSync(join(target, 'same.ts'));
  assert.deepEqual(await makeGenerated(one, target), ['same.ts'], 'a file that was removed');
});

test('a generator that fails leaves the files and says which it was', async () => {
  writeFileSync(input, 'three');
  const broken: Generated = { ...one, make: () => Promise.reject(new Error('no such row')) };
  await assert.rejects(makeGenerated(broken, target), /no such row/);
  assert.equal(readFileSync(join(target, 'upper.ts'), 'utf8'), 'TWO');
});

test('two commands that make them together leave whole files', async () => {
  const folder = join(box, 'together');
  const script = `
    const { generated, makeGenerated } = await import(${JSON.stringify(join(root, 'scripts/generated.ts'))});
    await makeGenerated(generated[0], ${JSON.stringify(folder)});`;
  const start = () => spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  const codes = await Promise.all([start(), start()].map((child) => once(child, 'exit')));
  assert.deepEqual(codes, [
    [0, null],
    [0, null],
  ]);
  const texts = await (generated[0] as Generated).make();
  assert.deepEqual(readdirSync(folder).toSorted(), ['.inputs', ...Object.keys(texts)].toSorted());
  for (const [name, text] of Object.entries(texts)) assert.ok(readFileSync(join(folder, name), 'utf8') === text, name);
});
