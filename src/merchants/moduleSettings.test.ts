import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inheritTables } from './moduleSettings.ts';

test('a table of settings grows downwards, and everything else is replaced', () => {
  const above = { own: { a: 1, b: 2 }, channel: 'x', list: [1] };
  assert.deepEqual(inheritTables(above, {}), above);
  assert.deepEqual(inheritTables(above, { own: { b: 3, c: 4 } }), { ...above, own: { a: 1, b: 3, c: 4 } });
  assert.deepEqual(inheritTables(above, { channel: 'y', list: [2] }), { ...above, channel: 'y', list: [2] });
  assert.deepEqual(inheritTables(above, { own: 7, channel: { z: 1 } }), { own: 7, channel: { z: 1 }, list: [1] });
});
