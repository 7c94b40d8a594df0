import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { stages } from './stage.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test('the stages are those of the table in decisions/0086', () => {
  const rows = [...read('decisions/0086-stages.md').matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, name, work]) => [name, work]);
  assert.deepEqual(rows, Object.entries(stages));
});

test('a payment waits at the end of each stage but the last, in their order', () => {
  const ends = ['src/http/api/pay.ts', 'src/payments/take.ts'].flatMap((path) =>
    [...read(path).matchAll(/await endOf\('(\w+)'\)/g)].map(([, name]) => name),
  );
  assert.deepEqual(ends, Object.keys(stages).slice(0, -1));
});
