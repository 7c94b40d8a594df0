import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { amountText } from '../../money/amount.ts';
import { countries } from '../countries.ts';
import { currencies } from '../currencies.ts';
import { mapKeys, sections } from '../parameters.ts';
import type { Format } from '../row.ts';
import { appUrl } from './addresses.ts';
import { date, timestamp } from './dates.ts';
import {
  AN,
  amount10,
  checkbox,
  flag,
  lines,
  listOf,
  money8,
  money10,
  money13,
  N,
  nameLetters,
  oneOf,
  percentage,
} from './formats.ts';

const reads = <Value>(format: Format<Value>, text: string): Value | undefined =>
  format.pattern.test(text) ? format.parse(text) : undefined;

const inUse = new Map<string, Format<unknown>>(
  Object.entries(sections).flatMap(([section, { rows }]) =>
    Object.entries(rows).map(([name, row]): [string, Format<unknown>] => [`${section} ${name}`, row.format]),
  ),
);
for (const [name, format] of Object.entries(mapKeys)) inUse.set(`the key of ${name}`, format);

test('every format in use passes its good texts and refuses its bad ones', () => {
  const wrong: string[] = [];
  for (const [name, format] of inUse) {
    if (format.good.length === 0 || format.bad.length < 3) wrong.push(`${name}: too few samples`);
    for (const text of format.good)
      if (reads(format, text) === undefined) wrong.push(`${name} refuses ${JSON.stringify(text.slice(0, 60))}`);
    for (const text of format.bad)
      if (reads(format, text) !== undefined) wrong.push(`${name} passes ${JSON.stringify(text.slice(0, 60))}`);
    if ([...format.good, ...format.bad].some((text) => text === '' || !text.isWellFormed()))
      wrong.push(`${name}: a sample no form can carry`);
  }
  assert.deepEqual(wrong, []);
});

test('a closed format takes nothing that its pattern refuses', () => {
  const closed = [...inUse].filter(([, { isClosed }]) => isClosed);
  assert.ok(closed.length > 50, String(closed.length));
  const samples = [...inUse.values()].flatMap(({ good, bad, values = [] }) => [...good, ...bad, ...values]);
  const texts = new Set([...samples, ...currencies.keys(), ...countries.flat()]);
  for (const [name, { parse, pattern }] of closed) {
    for (const text of texts) assert.ok(parse(text) === undefined || pattern.test(text), `${name}: ${JSON.stringify(text)}`);
  }
});

test('every pattern is anchored, reads code points, and has no quantifier within a quantifier', () => {
  for (const [name, { pattern }] of inUse) {
    assert.ok(pattern.source.startsWith('^') && pattern.source.endsWith('$'), name);
    assert.equal(pattern.flags, 'u', name);
    assert.doesNotMatch(pattern.source.replace(/\[(?:\\.|[^\]\\])*\]/g, 'c'), /[+*]\)[+*{]/, name);
  }
});

/** The reply's table: a message has at most so many characters. */
const MESSAGE_LENGTH_MAX = 255;

test('every message says the rule in words and shows no pattern', () => {
  for (const [name, { message, values = [] }] of inUse) {
    assert.match(message, /^must be [^\\^$*?{}[\]|]+[^.]$/u, name);
    assert.ok(message.length <= MESSAGE_LENGTH_MAX, `${name}: ${message.length} characters, at most ${MESSAGE_LENGTH_MAX}`);
    // A list that is too long for a message ends with the number of the others.
    const [, list = '', others] = /^must be one of (.*) and (\d+) others$/.exec(message) ?? [];
    if (others !== undefined) assert.equal(list.split(', ').length + Number(others), values.length, name);
    else for (const value of values) if (!/^(?:1|0|on|off)$/.test(value)) assert.ok(message.includes(value), `${name}: ${value}`);
  }
  assert.equal(AN(8, 255).message, 'must be 8 to 255 characters on one line');
  assert.equal(N(4, 4).message, 'must be 4 digits');
  assert.equal(N(1, 1).message, 'must be 1 digit');
});

test('no pattern takes more than linear time on a long text', () => {
  const long = ['1', 'a', ' ', '.', '1.', 'PA,', '-', 'https://a', '\u0301'].map((piece) => piece.repeat(50_000));
  const patterns = new Set([...inUse.values()].map(({ pattern }) => pattern.source));
  const before = process.cpuUsage();
  for (const source of patterns) {
    const pattern = new RegExp(source, 'u');
    for (const text of long) pattern.test(`${text}\u0000`);
  }
  const spentMs = process.cpuUsage(before).user / 1000;
  assert.ok(spentMs < 3000, `${spentMs} ms for ${patterns.size} patterns`);
});

test('an unpaired surrogate, a control character or a turned direction is no text', () => {
  for (const format of [AN(1, 10), lines(1, 10), nameLetters('A', 1, 10)]) {
    for (const text of ['\uD800', 'a\uDC00b', '\u0000', '\u007F', '\u0085', '\u202A', '\u2069'])
      assert.equal(reads(format, text), undefined);
  }
  for (const text of ['a\tb', 'a\nb', 'a\r\nb']) {
    assert.equal(reads(AN(1, 10), text), undefined);
    assert.equal(reads(lines(1, 10), text), text);
  }
});

test('lengths count code points', () => {
  assert.equal(reads(AN(1, 3), '𝄞𝄞𝄞'), '𝄞𝄞𝄞');
  assert.equal(reads(AN(1, 3), '𝄞𝄞𝄞𝄞'), undefined);
  assert.equal(reads(AN(3, 5), '𝄞𝄞'), undefined);
});

test('digits are ASCII digits', () => {
  for (const text of ['\uFF11\uFF12\uFF13', '\u0661\u0662\u0663', '१२३', '1 2']) assert.equal(reads(N(1, 8), text), undefined);
});

const amounts: readonly (readonly [Format<bigint>, string, bigint | undefined])[] = [
  [amount10, '92', 9200n],
  [amount10, '92.00', 9200n],
  [amount10, '9999999999.99', 999_999_999_999n],
  [amount10, '10000000000', undefined],
  [amount10, '92.5', undefined],
  [money10, '92', undefined],
  [money10, '0.01', 1n],
  [money8, '12345678', 1_234_567_800n],
  [money8, '123456789.00', undefined],
  [money13, '9999999999999.99', 999_999_999_999_999n],
  [money13, '10000000000000.00', undefined],
];

for (const [format, text, amount] of amounts) {
  test(`${text} as ${format.label} is ${amount ?? 'refused'}`, () => assert.equal(reads(format, text), amount));
}

test('every amount of ten digits is read as it is written', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 999_999_999_999n), (amount) => {
      assert.equal(reads(money10, amountText(amount)), amount);
    }),
  );
});

test('a date passes exactly when the calendar has it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1900, max: 2099 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      (y, m, d) => {
        const text = `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`;
        const instant = new Date(Date.UTC(y, m - 1, d));
        const exists = instant.getUTCMonth() === m - 1 && instant.getUTCDate() === d;
        assert.equal(reads(date, text) !== undefined, exists, text);
        assert.equal(reads(timestamp, `${text} 23:59:59`) !== undefined, exists, text);
      },
    ),
  );
});

test('flags are booleans; only a check box may also say on or 1', () => {
  assert.deepEqual(
    ['true', 'false', '1', 'on'].map((text) => reads(flag, text)),
    [true, false, undefined, undefined],
  );
  assert.deepEqual(
    ['true', 'false', '1', '0', 'on', 'off', 'yes'].map((text) => reads(checkbox, text)),
    [true, false, true, false, true, false, undefined],
  );
});

test('an enumeration names its words when it refuses, a list splits at commas', () => {
  assert.equal(oneOf('M or F', ['M', 'F']).message, 'must be one of M, F');
  assert.deepEqual(reads(listOf('list', ['PA', 'DB']), 'PA, DB'), ['PA', 'DB']);
  assert.equal(reads(listOf('list', ['PA', 'DB']), 'PA,XX'), undefined);
});

test('a percentage ends at 100', () => {
  assert.equal(reads(percentage, '100.00'), '100.00');
  assert.equal(reads(percentage, '100.01'), undefined);
});

test('the shopper is never sent to a script', () => {
  const scripts = ['javascript:', 'JAVASCRIPT:', 'jAvAsCrIpT:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'view-source:'];
  for (const scheme of scripts) assert.equal(reads(appUrl('url'), `${scheme}//shop.example/%0aalert(1)`), undefined);
});
