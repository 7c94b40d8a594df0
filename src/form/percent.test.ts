import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { unescaped } from './percent.ts';

/** What the engine's own function makes of a text. */
function expected(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

const hex = fc.constantFrom(...'0123456789abcdefABCDEF');
const pieces = fc.oneof(
  fc.constantFrom(
    '%',
    '%%',
    '%2',
    '%g0',
    '%0g',
    '%+1',
    '%2+',
    '% 1',
    '%\u00b9\u00b9',
    '%@0',
    '%0@',
    '%/0',
    '%0/',
    '%:0',
    '%0:',
    '%`0',
    '%0`',
  ),
  fc.constantFrom('%C0%80', '%E0%80%80', '%ED%A0%80', '%F4%90%80%80', '%80', '%7F', '%00', '%C3%A9', '%F0%9F%98%80', '%E2%82'),
  fc.tuple(hex, hex).map(([high, low]) => `%${high}${low}`),
  fc.string({ unit: 'binary-ascii', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.constantFrom('+', '\u00e9', '\u{1f600}', '\ud800'),
);

test('a text is decoded as the engine decodes it, and refused where it refuses it', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const text = parts.join('');
      assert.equal(unescaped(text), expected(text));
    }),
    { numRuns: 3_000 },
  );
});

test('every escape of one byte is decoded as the engine decodes it', () => {
  for (let byte = 0; byte < 256; byte += 1) {
    const digits = byte.toString(16).padStart(2, '0');
    for (const sent of [`%${digits}`, `%${digits.toUpperCase()}`]) assert.equal(unescaped(`a${sent}b`), expected(`a${sent}b`));
  }
});

test('every pair of characters behind a percent sign is read as the engine reads it', () => {
  for (let high = 0; high < 128; high += 1) {
    for (let low = 0; low < 128; low += 1) {
      const text = `%${String.fromCharCode(high)}${String.fromCharCode(low)}`;
      assert.equal(unescaped(text), expected(text), JSON.stringify(text));
    }
  }
});

test('a text of any length is decoded', () => {
  for (const length of [0, 1, 12, 13, 255, 256, 257, 5_000]) {
    const text = 'x'.repeat(length);
    assert.equal(unescaped(text), text);
    assert.equal(unescaped(`${text}%41`), `${text}A`);
    assert.equal(unescaped(`${text}%4`), undefined);
  }
});
