import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/** The sheets of the back office style only classes that a page uses. */

const office = join(import.meta.dirname, '..', 'src', 'backoffice');
const textsOf = (pattern: string): string =>
  globSync(pattern, { cwd: office })
    .map((path) => readFileSync(join(office, path), 'utf8'))
    .join('\n');

/** Every word of a string of the sources: class names, and much else. */
const words = new Set(
  [...textsOf('**/*.{ts,tsx}').matchAll(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g)].flatMap(([text]) => text.split(/[^\w-]+/)),
);

/** The classes of the selectors; a comment or a declaration has none. */
const classes = new Set(
  [
    ...textsOf('styles/*.css')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .matchAll(/([^{};]+)\{/g),
  ].flatMap(([, selector = '']) => [...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = '']) => name)),
);

test('no sheet styles a class that no page uses', () => {
  assert.ok(classes.size > 200, `only ${classes.size} classes were seen`);
  const foreign = [...classes].filter((name) => name.startsWith('u-') || name.startsWith('mantine-'));
  const dead = [...classes].filter((name) => !words.has(name) && !foreign.includes(name));
  assert.deepEqual(dead, []);
});
