import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeForm } from './client.ts';

test('nested fields, lists and flags are encoded; what is undefined is left out', () => {
  const form = { a: 1n, b: { c: { d: 'x y&=' }, e: undefined }, f: ['g', 'h'], i: true, j: {} };
  assert.equal(decodeURIComponent(encodeForm(form).replaceAll('+', ' ')), 'a=1&b[c][d]=x y&=&f[]=g&f[]=h&i=true');
});
