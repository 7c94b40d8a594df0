import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { languageCodes } from '../spec/languages.ts';
import { directionOf, isRtl, languageOf, localeOf } from './languages.ts';

/** Document 1, hosted payment widget, and the one that only the API's table has. */
const ofTheDocument = 'en de fr es it nl dk fi se tr ja sl pt pl cz hu bg ro ru cn gr no sk ar ko be'.split(' ');

test('every language of the document is one of ours, in its order', () => {
  assert.deepEqual(
    ofTheDocument.map((code) => languageOf(code)),
    languageCodes,
  );
});

const wishes: readonly (readonly [wish: string | undefined, code: string])[] = [
  // The API's own codes, and the codes of ISO 639.
  ['dk', 'da'],
  ['da', 'da'],
  ['se', 'sv'],
  ['sv', 'sv'],
  ['cz', 'cs'],
  ['cs', 'cs'],
  ['gr', 'el'],
  ['el', 'el'],
  ['cn', 'zh'],
  ['zh', 'zh'],
  ['no', 'nb'],
  ['nb', 'nb'],
  ['nn', 'nb'],
  ['be', 'be'],
  // Regions and scripts.
  ['de-AT', 'de'],
  ['de_CH', 'de'],
  ['pt_BR', 'pt'],
  ['pt-PT', 'pt'],
  ['zh-Hant', 'zh'],
  ['zh-Hant-TW', 'zh'],
  ['zh_CN', 'zh'],
  ['ar-SA', 'ar'],
  ['en-US', 'en'],
  ['cz-CZ', 'cs'],
  ['nn-NO', 'nb'],
  ['el_GR', 'el'],
  // Any case, and blanks around.
  ['DE', 'de'],
  ['Dk', 'da'],
  ['FR-fr', 'fr'],
  [' it ', 'it'],
  // None of ours.
  [undefined, 'en'],
  ['', 'en'],
  ['he', 'en'],
  ['deutsch', 'en'],
  ['-de', 'en'],
  ['__proto__', 'en'],
  ['constructor', 'en'],
];

for (const [wish, code] of wishes) {
  test(`a page that asks for ${JSON.stringify(wish)} is shown in ${code}`, () => assert.equal(languageOf(wish), code));
}

test('a page that asks for something else than a text is shown in English', () => {
  for (const wish of [null, 7, {}, []]) assert.equal(languageOf(wish as unknown as string), 'en');
});

test('any text is answered with a language and with a locale that Intl knows', () => {
  const tags = fc.oneof(
    fc.string(),
    fc.tuple(fc.constantFrom(...languageCodes), fc.string()).map(([code, rest]) => `${code}-${rest}`),
  );
  fc.assert(
    fc.property(tags, (wish) => {
      assert.ok(languageCodes.includes(languageOf(wish)));
      assert.equal(Intl.NumberFormat.supportedLocalesOf([localeOf(wish)]).length, 1);
    }),
  );
});

test('only Arabic runs from right to left', () => {
  assert.deepEqual(languageCodes.filter(isRtl), ['ar']);
  assert.equal(directionOf('ar'), 'rtl');
  assert.equal(directionOf('de'), 'ltr');
});

const NBSP = '\u00a0';
const written: readonly (readonly [wish: string | undefined, text: string])[] = [
  [undefined, '€1,234.50'],
  ['en', '€1,234.50'],
  ['de', `1.234,50${NBSP}€`],
  ['de-AT', `€${NBSP}1.234,50`],
  ['pt', `1234,50${NBSP}€`],
  ['pt_BR', `€${NBSP}1.234,50`],
  ['dk', `1.234,50${NBSP}€`],
  // Latin digits wherever the shop is.
  ['ar-EG', `\u200f1,234.50${NBSP}€`],
];

for (const [wish, text] of written) {
  test(`an amount where ${wish} is asked for`, () => {
    assert.equal(new Intl.NumberFormat(localeOf(wish), { style: 'currency', currency: 'EUR' }).format(1234.5), text);
  });
}
