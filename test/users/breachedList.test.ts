import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { InvalidBreachedList, openBreachedList } from '../../src/users/breachedList.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-breached-'));
after(() => rmSync(folder, { recursive: true }));

const fileOf = (name: string, lines: readonly string[], end = '\n'): string => {
  const path = join(folder, name);
  writeFileSync(path, lines.join(end));
  return path;
};
const hashes = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => hash('sha1', `lost ${at}`, 'hex').toUpperCase()).sort();

for (const count of [1, 2, 3, 10, 1_000]) {
  for (const [what, dress, end] of [
    ['bare', (line: string) => line, '\n'],
    ['with how often', (line: string) => `${line}:${line.charCodeAt(0) ** 3}`, '\n'],
    ['as another system writes it', (line: string) => `${line.toLowerCase()}:7`, '\r\n'],
  ] as const) {
    test(`of ${count}, ${what}: every one is found, and no other`, async () => {
      const isLost = await openBreachedList(fileOf(`${count}${what}`, hashes(count).map(dress), end));
      for (let at = 0; at < count; at += Math.ceil(count / 50)) assert.equal(await isLost(`lost ${at}`), true, String(at));
      for (let at = 0; at < 50; at += 1) assert.equal(await isLost(`kept ${at}`), false, String(at));
    });
  }
}

test('a file that is no such list is refused', async () => {
  await assert.rejects(openBreachedList(fileOf('words', ['password', 'letmein'])), InvalidBreachedList);
  await assert.rejects(openBreachedList(fileOf('empty', [])), InvalidBreachedList);
  await assert.rejects(openBreachedList(join(folder, 'nowhere')), /cannot be read \(ENOENT\)/);
});
