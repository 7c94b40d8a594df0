import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSepaId, isSepaText, sepaText } from './characters.ts';

const texts: readonly (readonly [string, string])[] = [
  ['Müller & Söhne GmbH', 'Mueller + Soehne GmbH'],
  ['Straße 5', 'Strasse 5'],
  ['Ångström', 'Angstroem'],
  ['José Núñez', 'Jose Nunez'],
  ['Łukasz Żółć', 'Lukasz Zolc'],
  ['Ørsted Æbelø', 'Orsted AEbelo'],
  ['Şükrü Çelik', 'Suekrue Celik'],
  ['Ștefan Țurcanu', 'Stefan Turcanu'],
  ['Παπαδόπουλος', 'Papadopoylos'],
  ['Иван Петров', 'Ivan Petrov'],
  ['Đorđe', 'Dorde'],
  ['Ann\tExample\r\nLtd', 'Ann Example Ltd'],
  ['a\u00A0b', 'a b'],
  ['O’Brien "Bob"', "O'Brien 'Bob'"],
  ['ann@example.com', 'ann(at)example.com'],
  ['<script>', '(script)'],
  ['日本', '..'],
  ['ﬁne', 'fine'],
  ['e\u0301', 'e'],
  ['100 %', '100 .'],
  ['  a  b  ', 'a b'],
  ['', ''],
];

test('texts are transliterated into the characters of the SEPA', () => {
  for (const [text, expected] of texts) assert.equal(sepaText(text, 70), expected);
});

test('a text is cut after it was transliterated, and ends without a blank', () => {
  assert.equal(sepaText('ääää', 5), 'aeaea');
  assert.equal(sepaText('abcd efgh', 5), 'abcd');
  assert.equal(sepaText('😀'.repeat(50), 10), '..........');
});

test('every character of the first plane becomes a text that banks accept', () => {
  for (let code = 1; code < 0xffff; code += 1) {
    const text = sepaText(`a${String.fromCharCode(code)}b`, 70);
    assert.ok(isSepaText(text, 70), `${code.toString(16)}: ${text}`);
    assert.equal(sepaText(text, 70), text);
  }
});

test('a reference has no slash or blank at its ends and no two slashes', () => {
  const good = ['A', 'Mandate-A', '0190a1b2c3d4e5f60718293a4b5c6d7e', 'a/b', "a+b?c:(d).,'", 'a b', 'x'.repeat(35)];
  const bad = ['', '/a', 'a/', 'a//b', ' a', 'a ', 'x'.repeat(36), 'ä', 'a&b', 'a_b', 'a\nb'];
  assert.deepEqual(
    good.filter((text) => !isSepaId(text)),
    [],
  );
  assert.deepEqual(
    bad.filter((text) => isSepaId(text)),
    [],
  );
});
