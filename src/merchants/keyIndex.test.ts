import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createKeyIndex, doubled } from './keyIndex.ts';

const idOf = (at: number): string => at.toString(16).padStart(32, '0');

test('every key has its own row, and a text that is none has no row', () => {
  const index = createKeyIndex();
  const COUNT = 1_000;
  for (let turn = 0; turn < 2; turn += 1) for (let at = 0; at < COUNT; at += 1) assert.equal(index.add(idOf(at * 2)), at);
  for (let at = 0; at < COUNT; at += 1) {
    assert.deepEqual([index.find(idOf(at * 2)), index.find(idOf(at * 2 + 1)), index.keyOf(at)], [at, -1, idOf(at * 2)]);
  }
  for (const text of [
    '',
    'x',
    'f'.repeat(31),
    'F'.repeat(32),
    'f'.repeat(33),
    `${'0'.repeat(31)}g`,
    `g${'0'.repeat(31)}`,
    'ÿ'.repeat(32),
    'Ā'.repeat(32),
    '۱'.repeat(32),
  ])
    assert.deepEqual([index.find(text), index.add(text)], [-1, -1], text);
  assert.equal(index.size(), COUNT);
});

test('keys of random digits keep their rows while the index grows', () => {
  const index = createKeyIndex();
  const keys = Array.from({ length: 1_000 }, (_, at) => createHash('sha256').update(`${at}`).digest('hex').slice(0, 32));
  for (const [at, key] of keys.entries()) {
    assert.deepEqual([index.find(key), index.add(key), index.find(key), index.find(keys[at >> 1] ?? '')], [-1, at, at, at >> 1]);
  }
  assert.deepEqual(
    keys.map((key, at) => [index.find(key), index.keyOf(at)]),
    keys.map((key, at) => [at, key]),
  );
});

test('the key of zeros is found in no index that does not have it, however the index has grown', () => {
  const index = createKeyIndex();
  for (let at = 1; at <= 300; at += 1) {
    assert.equal(index.add(idOf(at)), at - 1);
    assert.equal(index.find(idOf(0)), -1, `${at} keys`);
  }
  assert.deepEqual([index.add(idOf(0)), index.find(idOf(0))], [300, 300]);
});

test('keys that differ in one digit are different keys, whichever it is', () => {
  const index = createKeyIndex();
  const FIRST = '0123456789abcdef'.repeat(2);
  const keys = [FIRST];
  for (let at = 0; at < 32; at += 1) {
    const digit = ((at + 1) % 16).toString(16);
    keys.push(`${FIRST.slice(0, at)}${digit}${FIRST.slice(at + 1)}`);
  }
  assert.equal(new Set(keys).size, 33);
  assert.deepEqual(
    keys.map((key) => index.add(key)),
    keys.map((_, at) => at),
  );
  assert.deepEqual(
    keys.map((_, at) => index.keyOf(at)),
    keys,
  );
  assert.deepEqual([index.size(), index.find('f'.repeat(32))], [33, -1]);
});

test('a doubled list has the same numbers, and room for as many more', () => {
  assert.deepEqual(doubled(Int32Array.of(1, -2, 3)), Int32Array.of(1, -2, 3, 0, 0, 0));
  assert.deepEqual(doubled(Uint8Array.of(255)), Uint8Array.of(255, 0));
});
