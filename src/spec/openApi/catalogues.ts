import { brands } from '../cards/brands.ts';
import { methods } from '../methods.ts';
import { adviceTexts } from '../resultCodes/advice.ts';
import { resultGroups } from '../resultCodes/groups.ts';
import type { Meaning } from '../resultCodes.ts';
import type { Json, JsonObject } from './schemas.ts';

/** The public catalogues: result codes and brands. */

const text: JsonObject = { type: 'string' };
const whole = (properties: Readonly<Record<string, Json>>): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});
const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items });
const oneOfWords = (words: Iterable<string>): JsonObject => ({ type: 'string', enum: [...words] });
const meanings: Readonly<Record<Meaning, true>> = {
  approved: true,
  pending: true,
  declined: true,
  refused: true,
  chargeback: true,
};

/** Every result code, the groups with their patterns, and the texts for shoppers in every language. */
export function resultCodesSchema(code: JsonObject): JsonObject {
  const entry = whole({
    code,
    description: text,
    class: oneOfWords(Object.keys(meanings)),
    group: { type: ['string', 'null'], enum: [...Object.keys(resultGroups), null] },
    http: { type: 'integer' },
    advice: oneOfWords(Object.keys(adviceTexts)),
    adviceText: text,
    retry: whole({
      otherAccount: {
        ...oneOfWords(['unsent', 'declined', 'no']),
        description:
          'Whether the gateway asks another account of the channel. unsent: the issuer was not asked. declined: unless the request can be used only once.',
      },
      again: { ...oneOfWords(['later', 'advised', 'never']), description: 'advised: only when the issuer names a time.' },
      afterDays: { type: 'integer', description: 'A retry is at least so many days later.' },
      triesMax: { type: 'integer', description: 'Tries of the same payment, the first one included.' },
    }),
    shopperTextId: { type: 'string', description: 'The key of the text in shopperTexts.' },
    shopperText: { type: 'string', description: 'The text in the language of the request, by default English.' },
  });
  return whole({
    resultCodes: listOf(entry),
    groups: listOf(whole({ name: text, pattern: { type: 'string', description: 'A regular expression for codes.' } })),
    shopperTexts: { type: 'object', additionalProperties: { type: 'object', additionalProperties: text } },
  });
}

/** Every brand. New brands may come at any time. */
export function brandsSchema(): JsonObject {
  const wordsOrNull: JsonObject = { type: ['array', 'null'], items: text };
  const entry = whole({
    brand: { type: 'string', pattern: '^[A-Za-z0-9_]{1,32}$', examples: Object.keys(brands).slice(0, 3) },
    name: { type: 'string', description: 'The name as people write it.' },
    method: oneOfWords(Object.keys(methods)),
    methodName: text,
    account: oneOfWords(['card', 'bankAccount', 'virtualAccount', 'giftCard', 'wallet', 'none']),
    workflow: oneOfWords(['sync', 'async']),
    paidBy: { type: ['string', 'null'], enum: ['slip', 'invoice', null] },
    cvvLength: { type: ['integer', 'null'] },
    countries: { ...wordsOrNull, description: 'ISO 3166-1; null: no limit is known.' },
    currencies: { ...wordsOrNull, description: 'ISO 4217; null: no limit is known.' },
    requiredParameters: { ...listOf(text), description: 'What a payment must carry; a|b is either of two.' },
  });
  return whole({ brands: listOf(entry) });
}
