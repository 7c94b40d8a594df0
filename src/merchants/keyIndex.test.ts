import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createKeyIndex, doubled, hashOf } from './keyIndex.ts';

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

/** Ids as other gateways give them: what the n-th one is, by its 32 digits. */
const numbered = (before: string, at: number, behind = ''): string =>
  `${before}${at.toString(16).padStart(32 - before.length - behind.length, '0')}${behind}`;
const families: Readonly<Record<string, (at: number) => string>> = {
  'count up': (at) => numbered('', at),
  'count up before a digit': (at) => numbered('', at, '7'),
  'count up in the first eight digits': (at) => numbered('', at, '0'.repeat(24)),
  'count up in the second eight digits': (at) => numbered('8'.repeat(8), at, '0'.repeat(16)),
  'count up in the third eight digits': (at) => numbered('f'.repeat(16), at, '0'.repeat(8)),
  'are of two kinds that count up': (at) => numbered(at % 2 === 0 ? 'c' : 'd', at >> 1),
  'are of sixteen kinds that count up': (at) => numbered((at % 16).toString(16).padEnd(12, '5'), at >> 4),
  'have the same eight digits twice': (at) => at.toString(16).padStart(8, '0').repeat(2).padStart(32, 'a'),
};
for (const [name, keyOf] of Object.entries(families)) {
  test(`keys that ${name} take places of their own, as random ones do`, () => {
    const COUNT = 16_384;
    const places = new Set<number>();
    for (let at = 0; at < COUNT; at += 1) {
      const words = Int32Array.from([0, 8, 16, 24], (from) => Number.parseInt(keyOf(at).slice(from, from + 8), 16));
      places.add(hashOf(words, 0) & (2 * COUNT - 1));
    }
    // Random keys take 0.79 places each where there are two for each.
    assert.ok(places.size > 0.7 * COUNT, `${places.size} places`);
  });
}

test('a hundred thousand keys of two kinds that count up are added while random ones are', () => {
  const msOf = (keys: readonly string[]): number => {
    const index = createKeyIndex();
    const before = process.threadCpuUsage();
    for (const key of keys) index.add(key);
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  };
  const random = Array.from({ length: 100_000 }, (_, at) => createHash('md5').update(`${at}`).digest('hex'));
  const counting = Array.from({ length: 100_000 }, (_, at) => numbered(at % 2 === 0 ? 'c' : 'd', at >> 1));
  const limit = 10 * msOf(random);
  const taken = msOf(counting);
  assert.ok(taken < limit, `${taken} of ${limit} µs`);
});

test('a doubled list has the same numbers, and room for as many more', () => {
  assert.deepEqual(doubled(Int32Array.of(1, -2, 3)), Int32Array.of(1, -2, 3, 0, 0, 0));
  assert.deepEqual(doubled(Uint8Array.of(255)), Uint8Array.of(255, 0));
});
