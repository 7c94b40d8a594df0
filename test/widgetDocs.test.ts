import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/** The page about the widget says what the sources say: no option, hook or variable too many or too few. */

const root = join(import.meta.dirname, '..');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = textOf('docs/widget.md');
const options = textOf('src/widget/options.ts');

const part = (name: string): string => page.split(`<!-- ${name} -->`)[1]?.split(`<!-- /${name} -->`)[0] ?? '';
const namesIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] as string).sort();
/** Members at the first level of a type. */
const members = (type: string): readonly string[] =>
  namesIn(new RegExp(`export type ${type} = \\{([\\s\\S]*?)\\n\\}`).exec(options)?.[1] ?? '', /^ {2}readonly (\w+)\?:/gm);

test('the sources were read', () => {
  assert.ok(members('Options').length >= 40 && members('Hooks').length >= 25);
});

test('every option is in the table, and nothing else', () => {
  assert.deepEqual(namesIn(part('options'), /^\| `(\w+)`/gm), members('Options'));
});

test('every hook is in the table, and nothing else', () => {
  const rows = part('hooks')
    .split('\n')
    .map((line) => line.split('|')[1] ?? '');
  assert.deepEqual(namesIn(rows.join('\n'), /`(\w+)`/g), members('Hooks'));
});

test('every variable of the theme is named, and nothing else', () => {
  const declared = new Set(namesIn(textOf('src/widget/styles/shared/tokens.css'), /^\s+--([\w-]+):/gm));
  assert.deepEqual(namesIn(part('variables'), /`--([\w-]+)`/g), [...declared].sort());
});

test('every address in the page is one of the gateway', () => {
  const endpoints = textOf('src/spec/endpoints.ts');
  const paths = new Set(namesIn(page, /(\/v1\/(?:static\/)?[A-Za-z]+(?:\.[a-z.]+)?)/g));
  assert.ok(paths.size >= 3);
  for (const path of paths) assert.ok(endpoints.includes(`'${path}'`), path);
});
