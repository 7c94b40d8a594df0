import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageCodes } from '../../spec/languages.ts';
import { type ShopWords, shopWords } from './words.ts';

/** Words that are the same in another language, or a name. */
const borrowed: Readonly<Record<string, readonly (keyof ShopWords)[]>> = {
  es: ['total'],
  fr: ['total'],
  pt: ['total'],
  ro: ['total', 'card'],
};

test('the shop speaks every language, and none is left in English', () => {
  for (const code of languageCodes) {
    const words = shopWords[code];
    assert.deepEqual(Object.keys(words), Object.keys(shopWords.en), code);
    for (const [key, text] of Object.entries(words)) {
      assert.ok(text.trim().length > 0, `${code}.${key}`);
      const isBorrowed = borrowed[code]?.includes(key as keyof ShopWords) ?? false;
      if (code !== 'en') assert.equal(text === shopWords.en[key as keyof ShopWords], isBorrowed, `${code}.${key}: ${text}`);
    }
  }
});
