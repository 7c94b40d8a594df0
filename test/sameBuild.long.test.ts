import assert from 'node:assert/strict';
import { appendFileSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { packRelease } from './packageFixture.ts';

/** Two builds of the package are the same, byte for byte (R43). */

const folder = mkdtempSync(join(tmpdir(), 'turnpike-builds-'));
const builds = ['one', 'two'].map((name) => join(folder, name)) as [string, string];
after(() => rmSync(folder, { recursive: true, force: true }));
before(async () => {
  for (const build of builds) await packRelease(build);
});

const filesOf = (build: string): readonly string[] =>
  globSync('**', { cwd: build, dot: true } as object)
    .filter((name) => statSync(join(build, String(name))).isFile())
    .map(String)
    .sort();

function differences([one, two]: readonly [string, string]): readonly string[] {
  const names = [...new Set([...filesOf(one), ...filesOf(two)])];
  const bytes = (build: string, name: string): Buffer | null => {
    try {
      return readFileSync(join(build, name));
    } catch {
      return null;
    }
  };
  return names.filter((name) => {
    const [first, second] = [bytes(one, name), bytes(two, name)];
    return first === null || second === null || !first.equals(second);
  });
}

test('two builds of the package are the same in every byte, the packed file and its checksums included', () => {
  assert.ok(filesOf(builds[0]).some((name) => name.endsWith('.tgz')));
  assert.deepEqual(differences(builds), []);
});

test('control: one byte more in one file of a build is found', () => {
  appendFileSync(join(builds[1], 'package/LICENSE'), '\n');
  assert.deepEqual(differences(builds), ['package/LICENSE']);
});
