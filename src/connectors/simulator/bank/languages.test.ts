import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../test/anyCharacter.ts';
import { amountText } from '../../../money/amount.ts';
import { currencies } from '../../../spec/currencies.ts';
import { languageCalled } from '../../../spec/languages.ts';
import { type Language, languageFor, languages, writtenAmount, writtenTime } from './languages.ts';

const { en, de, ar, ja, fr } = languages;

/** Document 1, hosted payment widget: the languages of its labels, by its own codes. */
const widget = 'en de fr es it nl dk fi se tr ja sl pt pl cz hu bg ro ru cn gr no sk ar ko'.split(' ');

test('the languages of the widget are spoken, each written as browsers know it', () => {
  assert.deepEqual(Object.keys(languages), widget.map(languageCalled));
  const tags = Object.values(languages).map(({ tag, locale }) => [tag, locale]);
  assert.equal(new Set(tags.map(([tag]) => tag)).size, widget.length);
  for (const [tag = '', locale = ''] of tags) {
    assert.equal(Intl.DateTimeFormat.supportedLocalesOf([locale]).length, 1, locale);
    assert.equal(new Intl.Locale(locale).language, new Intl.Locale(tag).language);
  }
});

test('only Arabic runs from right to left', () => {
  const turned = Object.entries(languages).filter(([, { direction }]) => direction === 'rtl');
  assert.deepEqual(
    turned.map(([code]) => code),
    ['ar'],
  );
});

const chosen: readonly (readonly [requested: string | null, accepted: string, tag: string])[] = [
  // The language of the request comes first, by the API's own codes and by ISO 639.
  ['DE', 'fr', 'de'],
  ['DK', 'fr', 'da'],
  ['DA', 'fr', 'da'],
  ['SE', 'fr', 'sv'],
  ['SV', 'fr', 'sv'],
  ['CZ', 'fr', 'cs'],
  ['CS', 'fr', 'cs'],
  ['GR', 'fr', 'el'],
  ['EL', 'fr', 'el'],
  ['CN', 'fr', 'zh-Hans'],
  ['ZH', 'fr', 'zh-Hans'],
  ['NO', 'fr', 'nb'],
  ['NB', 'fr', 'nb'],
  ['NN', 'fr', 'nb'],
  ['KO', '', 'ko'],
  // A language we do not speak leaves it to the browser.
  ['HE', 'fr', 'fr'],
  ['XX', '', 'en'],
  ['', 'ja', 'ja'],
  ['__proto__', 'ja', 'ja'],
  // The browser's preferred language among ours; the first of equals.
  [null, '', 'en'],
  [null, 'de', 'de'],
  [null, 'de-AT', 'de'],
  [null, 'DE-at', 'de'],
  [null, 'pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
  [null, 'zh-Hant-TW', 'zh-Hans'],
  [null, 'no', 'nb'],
  [null, 'nn-NO, en;q=0.5', 'nb'],
  [null, 'he, ar;q=0.4, en;q=0.3', 'ar'],
  [null, 'en;q=0.2, fi;q=0.9, sv;q=0.8', 'fi'],
  [null, 'fr;q=0.5,it;q=0.5', 'fr'],
  [null, 'es ; q = 0.7 , nl;q=0.701', 'nl'],
  [null, 'fr;q=0, de;q=0.001', 'de'],
  [null, 'fr;q=0', 'en'],
  [null, '*', 'en'],
  [null, '*;q=0.9, hu;q=0.1', 'hu'],
  // Northern Sami is not Swedish; the API's own codes mean nothing in a browser.
  [null, 'se', 'en'],
  [null, 'cz, dk, cn, gr', 'en'],
  // Unreadable parts are ignored.
  [null, 'fr;q=2, de', 'de'],
  [null, 'fr;q=0.1234, de;q=0.1', 'de'],
  [null, 'fr;q=-1,de', 'de'],
  [null, 'fr;level=1, de', 'de'],
  [null, 'fr_FR, de;q=0.1', 'de'],
  [null, ',,;q=1,=,-de,de-,, it', 'it'],
  [null, '<script>, "de", ko', 'ko'],
];

for (const [requested, accepted, tag] of chosen) {
  test(`request ${requested}, browser "${accepted}": ${tag}`, () => {
    assert.equal(languageFor(requested, accepted).tag, tag);
  });
}

test('any text of a browser is answered with a language, in time that grows with its length only', () => {
  fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => languageFor(null, text) !== undefined));
  for (const piece of [',', ' ', 'a-', 'de', ';q=0.', '-a;', 'de;q=1,', '\t;', 'q =']) {
    const startedAt = performance.now();
    languageFor(null, piece.repeat(100_000));
    languageFor(null, `de${piece.repeat(100_000)}x`);
    const took = performance.now() - startedAt;
    assert.ok(took < 2_000, `${JSON.stringify(piece)} took ${took} ms`);
  }
});

const NBSP = '\u00a0';

const amounts: readonly (readonly [amount: bigint, currency: string, language: Language, written: string])[] = [
  [9200n, 'EUR', en, '€92.00'],
  [9200n, 'EUR', de, `92,00${NBSP}€`],
  [123456789n, 'EUR', fr, `1\u202f234\u202f567,89${NBSP}€`],
  [9200n, 'EUR', ar, `\u200f92.00${NBSP}€`],
  [120000n, 'JPY', ja, '￥1,200'],
  [120000n, 'JPY', de, `1.200${NBSP}¥`],
  // Half a yen cannot be paid, but neither is it rounded away.
  [9250n, 'JPY', en, 'JP¥92.50'],
  [9200n, 'KWD', en, `KWD${NBSP}92.000`],
  [9250n, 'KWD', de, `92,500${NBSP}KWD`],
  // ISO gives them decimals that are no longer in daily use.
  [9250n, 'IQD', en, `IQD${NBSP}92.500`],
  [9250n, 'LBP', en, `LBP${NBSP}92.50`],
  [0n, 'EUR', en, '€0.00'],
  [1n, 'EUR', en, '€0.01'],
  [999_999_999_999_999n, 'EUR', en, '€9,999,999,999,999.99'],
  [123_456_789_012_345_678_901n, 'EUR', de, `1.234.567.890.123.456.789,01${NBSP}€`],
  [9200n, 'XX1', en, '92.00 XX1'],
];

for (const [amount, currency, language, written] of amounts) {
  test(`${amount} hundredths of ${currency} in ${language.tag}`, () => {
    assert.equal(writtenAmount(language, amount, currency), written);
  });
}

test('no digit of an amount is lost or rounded, in any currency and language', () => {
  const digits = (text: string) => text.replace(/[^0-9]/g, '');
  fc.assert(
    fc.property(
      fc.bigInt(0n, 10n ** 15n),
      fc.constantFrom(...currencies.keys()),
      fc.constantFrom(...Object.values(languages)),
      (amount, currency, language) => {
        const written = digits(writtenAmount(language, amount, currency));
        const exact = digits(amountText(amount));
        const isWhole = amount % 100n === 0n;
        const expected = currencies.get(currency) === 3 ? `${exact}0` : exact;
        assert.equal(written, currencies.get(currency) === 0 && isWhole ? exact.slice(0, -2) : expected);
      },
    ),
  );
});

test('times are in UTC and say so', () => {
  const at = Date.UTC(2026, 10, 15, 1, 20);
  assert.equal(writtenTime(en, at), '15 Nov 2026, 01:20 UTC');
  assert.equal(writtenTime(de, at), '15. Nov. 2026, 01:20 UTC');
  for (const language of Object.values(languages)) {
    const written = writtenTime(language, at);
    for (const part of ['15', '2026', '20', 'UTC']) assert.ok(written.includes(part), `${language.tag}: ${written}`);
  }
});
