import { brandCatalogue } from '../../spec/cards/brandCatalogue.ts';
import { languageCalled, languageCodes } from '../../spec/languages.ts';
import { adviceTexts } from '../../spec/resultCodes/advice.ts';
import { resultCodes as catalogue, type ResultCode, type ResultEntry, resultGroups } from '../../spec/resultCodes.ts';
import { allTexts } from '../../widget/allTexts.ts';
import { brandName } from '../../widget/runtime/forms/brandNames.ts';
import type { Request } from '../handler.ts';
import { shopperTextKey } from '../shopper/resultText.ts';
import { jsonHeaders, type Reply, unnamed } from '../transport/reply.ts';

const body = JSON.stringify({
  brands: brandCatalogue.map(({ brand, ...facts }) => ({ brand, name: brandName(brand), ...facts })),
});
const reply: Reply = { ...unnamed, status: 200, headers: jsonHeaders, body };

/** Every brand with its method, workflow, region and required parameters. Public. */
export const listBrands = (): Reply => reply;

const entries = Object.entries(catalogue) as [ResultCode, ResultEntry][];

const groups = Object.entries(resultGroups).map(([name, pattern]) => ({ name, pattern: pattern.source }));

/** The texts for shoppers by their id, in every language. */
function shopperTexts(): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const keys = [...new Set(entries.map(([code]) => shopperTextKey(code)))];
  const inAll = (key: (typeof keys)[number]) =>
    Object.fromEntries(languageCodes.map((code) => [code, allTexts[code].labels[key]]));
  return Object.fromEntries(keys.map((key) => [key, inAll(key)]));
}

function bodyIn(language: (typeof languageCodes)[number]): string {
  const resultCodes = entries.map(([code, { text, means, http, group, advice, retry }]) => {
    const key = shopperTextKey(code);
    return {
      code,
      description: text,
      class: means,
      group,
      http,
      advice,
      adviceText: adviceTexts[advice],
      retry,
      shopperTextId: key,
      shopperText: allTexts[language].labels[key],
    };
  });
  return JSON.stringify({ resultCodes, groups, shopperTexts: shopperTexts() });
}

/** By language, made when the first client asks for it: the catalogue is the same until the process ends. */
const replies = new Map<string, Reply>();

/**
 * Every result code with its class, advice for the merchant and text for the shopper, and the groups with their patterns. Public.
 * `language` is that of `shopperText`; an unknown one is English.
 */
export function resultCodes(_: unknown, request: Pick<Request, 'query'>): Reply {
  const language = languageCalled(new URLSearchParams(request.query).get('language') ?? '') ?? 'en';
  const reply = replies.get(language) ?? { ...unnamed, status: 200, headers: jsonHeaders, body: bodyIn(language) };
  replies.set(language, reply);
  return reply;
}
