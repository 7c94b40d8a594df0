import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guides } from '../src/site/snippets/guides.ts';
import { testSnippets } from './snippets.ts';

testSnippets(['curl', 'node', 'php', 'python', 'ruby']);

test('a guide keeps every variable before it uses it', () => {
  for (const { page, steps: all } of guides) {
    const known = new Set(['entityId']);
    for (const { id, path, form, json, keeps } of all) {
      const used = [path, ...Object.values({ ...form, ...json })].flatMap((text) => text.match(/(?<=\{)\w+(?=\})/g) ?? []);
      assert.deepEqual(
        used.filter((name) => !known.has(name)),
        [],
        `${page} ${id}`,
      );
      for (const name of Object.keys(keeps ?? {})) known.add(name);
    }
  }
});
