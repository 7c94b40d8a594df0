import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/** R27: a secret that somebody sent is compared with the right one by `timingSafeEqual`. */

const root = join(import.meta.dirname, '../..');
const SECRET = '[A-Za-z.]*(?:[tT]oken|[sS]ignature|[sS]ecret|[pP]assword|\\b[mM]ac|Mac|[hH]mac)';
/** A comparison with a word, a number, or nothing gives nothing away. */
const PLAIN = new RegExp(`(?<![A-Za-z.'])${SECRET} [!=]== (?!null|undefined|true|false|'|"|[0-9])[A-Za-z]`, 'g');

/** Files in which both sides come from one place, so that nobody learns anything. */
const OWN: readonly RegExp[] = [/^src\/(?:backoffice|widget|demo|cli|client|testing|site)\//, /^src\/connectors\/simulator\//];

const comparisonsIn = (text: string): readonly string[] =>
  text
    .replace(/\/\*[\s\S]*?\*\/|(?<=\s)\/\/.*$/gm, '')
    .split('\n')
    .filter((line) => line.search(PLAIN) >= 0);

test('no secret is compared character by character', () => {
  const files = globSync('src/**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts') && !OWN.some((own) => own.test(file)),
  );
  assert.ok(files.length > 500);
  assert.deepEqual(
    files.flatMap((file) => comparisonsIn(readFileSync(join(root, file), 'utf8')).map((line) => `${file}: ${line.trim()}`)),
    [],
  );
});

test('control: such a comparison is found, and one with nothing is not', () => {
  for (const line of ['if (kept.step.token !== token) return;', 'return signature === expected;', 'x = hmac === sent'])
    assert.equal(comparisonsIn(line).length, 1, line);
  for (const line of ['if (token === undefined) return;', "kind === 'token'", 'secret !== null', 'isToken(x) === y'])
    assert.equal(comparisonsIn(line).length, 0, line);
});
