import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type LanguageCode, languageCodes } from '../../spec/languages.ts';
import { allTexts } from '../allTexts.ts';
import { isRtl } from '../languages.ts';
import { type ErrorKey, errorKeys, places, type TextKey, type Texts, textKeys } from '../texts.ts';
import { en } from './en.ts';

type Key = TextKey | ErrorKey;

const textsOf = ({ labels, errors }: Texts): readonly (readonly [key: Key, text: string])[] =>
  [...Object.entries(labels), ...Object.entries(errors)] as [Key, string][];

const buttons: readonly TextKey[] = [
  'applyNow',
  'cancel',
  'learnMore',
  'nextStep',
  'submit',
  'payAmount',
  'storeOnly',
  'payWith',
  'continueWith',
  'showOtherPaymentMethods',
  'useOtherCard',
  'removeCard',
  'removeYes',
  'keepIt',
  'tryAgain',
  'close',
  'working',
  'backToShop',
  'continueToShop',
  'keepGoing',
  'cancelPayment',
];

/** Texts that may run over a line or two; all others are labels, headings and states. */
const sentences: readonly TextKey[] = [
  'cvvHint',
  'cvvHintAmex',
  'cvvHintMaestro',
  'removeQuestion',
  'expiredHint',
  'unavailable',
  'networkTrouble',
  'walletUnavailable',
  'invoiceTerms',
  'prepaymentHint',
  'redirectHint',
  'storeOnlyHint',
  'mandateHint',
  'resultSuccess',
  'resultStored',
  'resultPending',
  'resultDeclined',
  'resultDeclinedFunds',
  'resultDeclinedCard',
  'resultDeclinedAuth',
  'resultCancelled',
  'resultError',
  'stillWorking',
  'cancelQuestion',
];
const headlines: readonly TextKey[] = ['removed', 'expired', 'testMode'];

function longest(key: Key): number {
  if ((errorKeys as readonly Key[]).includes(key)) return 120;
  if ((buttons as readonly Key[]).includes(key)) return 30;
  if (key === 'mandateHint') return 280;
  if ((sentences as readonly Key[]).includes(key)) return 160;
  return (headlines as readonly Key[]).includes(key) ? 60 : 40;
}

/** The word is the same as in English. Everything else that equals English was forgotten. */
const same: Readonly<Partial<Record<LanguageCode, readonly Key[]>>> = {
  de: ['bankName', 'pin', 'optional'],
  es: ['pin'],
  it: ['pin'],
  nl: ['bankName'],
  da: ['bankName'],
  sv: ['bankName'],
  nb: ['bankName'],
  ja: ['pin'],
  sl: ['pin'],
  pt: ['pin'],
  pl: ['bankName', 'pin'],
  cs: ['pin'],
  sk: ['pin'],
  hu: ['bankName'],
  ro: ['pin'],
  el: ['pin', 'email'],
  // Month and year are typed from left to right there too; Arabic words would show them turned round.
  ar: ['mmyy', 'ddmmyyyy'],
};
const sameEverywhere: readonly Key[] = ['accountIban', 'accountBic'];

test('there is a file for every language and no other', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => !name.endsWith('.test.ts'));
  assert.deepEqual(files.toSorted(), languageCodes.map((code) => `${code}.ts`).toSorted());
  assert.deepEqual(Object.keys(allTexts), languageCodes);
});

test('no key is listed twice, and a key is either a label or an error', () => {
  const keys: readonly Key[] = [...textKeys, ...errorKeys];
  assert.equal(new Set(keys).size, keys.length);
});

for (const [code, texts] of Object.entries(allTexts) as [LanguageCode, Texts][]) {
  const all = textsOf(texts);
  const those = (isSo: (text: string, key: Key) => boolean) => all.filter(([key, text]) => isSo(text, key));

  test(`${code}: every text is there, and none besides`, () => {
    assert.deepEqual(Object.keys(texts.labels), textKeys);
    assert.deepEqual(Object.keys(texts.errors), errorKeys);
  });

  test(`${code}: the places are those of the contract, each once`, () => {
    const wanted = new Map<string, readonly string[]>(Object.entries(places));
    for (const [key, text] of all) {
      const found = [...text.matchAll(/\{(\w*)\}/g)].map(([, place]) => place);
      assert.deepEqual(found.toSorted(), wanted.get(key)?.toSorted() ?? [], key);
      assert.equal(text.replace(/\{\w+\}/g, '').search(/[{}]/), -1, `${key}: ${text}`);
    }
  });

  test(`${code}: nothing was left in English`, () => {
    if (code === 'en') return;
    const english = new Map(textsOf(en));
    const equal = those((text, key) => text === english.get(key)).map(([key]) => key);
    assert.deepEqual(equal.toSorted(), [...sameEverywhere, ...(same[code] ?? [])].toSorted());
  });

  test(`${code}: texts are clean`, () => {
    assert.deepEqual(
      those((text) => text !== text.trim() || text === '' || / {2}/.test(text)),
      [],
      'blanks',
    );
    assert.deepEqual(
      those((text) => /\.\.|…./.test(text)),
      [],
      'dots',
    );
    assert.deepEqual(
      those((text) => /[!！¡]/.test(text)),
      [],
      'shouting',
    );
    assert.deepEqual(
      those((text) => /["'`<>&]/.test(text)),
      [],
      'typewriter quotes, markup',
    );
    assert.deepEqual(
      those((text) => text !== text.normalize('NFC')),
      [],
      'composed letters',
    );
    assert.deepEqual(
      those((text) => /[0-9]{3}\.[0-9]{3}|[\u0660-\u0669\u06f0-\u06f9]/.test(text)),
      [],
      'codes, other digits',
    );
  });

  test(`${code}: sentences end, labels, buttons and errors do not`, () => {
    const endings = code === 'el' ? /[.;]$/ : /[.。?？؟]$/;
    const isSentence = (key: Key) => (sentences as readonly Key[]).includes(key);
    assert.deepEqual(
      those((text, key) => isSentence(key) && !endings.test(text)),
      [],
    );
    assert.deepEqual(
      those((text, key) => !isSentence(key) && key !== 'cvvHelp' && key !== 'expiresSoon' && endings.test(text)),
      [],
    );
  });

  test(`${code}: texts fit where they stand`, () => {
    const wide = those((text, key) => text.length > longest(key)).map(([key, text]) => `${key} ${text.length}: ${text}`);
    assert.deepEqual(wide, []);
  });

  test(`${code}: written in its own letters`, () => {
    const own: Partial<Record<LanguageCode, RegExp>> = {
      bg: /\p{Script=Cyrillic}/u,
      ru: /\p{Script=Cyrillic}/u,
      be: /\p{Script=Cyrillic}/u,
      el: /\p{Script=Greek}/u,
      ar: /\p{Script=Arabic}/u,
      ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
      ko: /\p{Script=Hangul}/u,
      zh: /\p{Script=Han}/u,
    };
    const letters = own[code] ?? /\p{Script=Latin}/u;
    const exempt: readonly Key[] = [...sameEverywhere, ...(same[code] ?? [])];
    assert.deepEqual(
      those((text, key) => !exempt.includes(key) && !letters.test(text)),
      [],
    );
    // A letter of another alphabet that only looks right.
    const mixed = /[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin}|\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]/u;
    assert.deepEqual(
      those((text) => mixed.test(text)),
      [],
    );
    // Apart from names and formats, no Latin word stands in a language of other letters, and no foreign alphabet in a Latin one.
    const foreign = own[code]
      ? /\p{Script=Latin}{2,}/u
      : /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Han}\p{Script=Hangul}]/u;
    const names = /\{\w+\}|name@example\.com|IBAN|BIC|CVV|SEPA|PIN|QR|ID|Email|email|[DMY]{2,4}/g;
    assert.deepEqual(
      those((text) => foreign.test(text.replace(names, ''))),
      [],
    );
  });

  test(`${code}: what a shopper types is told as the placeholder shows it`, () => {
    if (!isRtl(code)) assert.ok(texts.errors.birthDateError.includes(texts.labels.ddmmyyyy));
    assert.match(texts.labels.mmyy, /^\S+ \/ \S+$/);
  });

  test(`${code}: what is on offer can be told apart`, () => {
    const { removeYes, keepIt, cancel, tryAgain, useOtherCard, givenName, surname, resultDeclinedCard, resultDeclined } =
      texts.labels;
    for (const pair of [
      [removeYes, keepIt],
      [texts.labels.keepGoing, texts.labels.cancelPayment],
      [texts.errors.cardNumberShortError, texts.errors.cardNumberError],
      [texts.errors.cardNumberShortError, texts.errors.cardNumberEmptyError],
      [cancel, tryAgain],
      [useOtherCard, tryAgain],
      [givenName, surname],
      [texts.labels.paymentModeMobile, texts.labels.paymentModeQrcode],
      [resultDeclinedCard, resultDeclined],
    ])
      assert.notEqual(pair[0], pair[1]);
  });

  test(`${code}: small enough to wait for`, (context) => {
    const plain = JSON.stringify(texts);
    const packed = gzipSync(plain).length;
    context.diagnostic(`${code} ${Buffer.byteLength(plain)} bytes, gzip ${packed}`);
    assert.ok(packed <= 4096, `${packed}`);
  });
}
