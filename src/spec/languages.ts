/**
 * The languages shoppers are spoken to in: the 25 of document 1 and Belarusian, by ISO 639-1, with the other codes that mean
 * the same. The API's own codes are countries for some of them, and both kinds are seen on real pages.
 */
export const languages = {
  en: [],
  de: [],
  fr: [],
  es: [],
  it: [],
  nl: [],
  da: ['dk'],
  fi: [],
  sv: ['se'],
  tr: [],
  ja: [],
  sl: [],
  pt: [],
  pl: [],
  cs: ['cz'],
  hu: [],
  bg: [],
  ro: [],
  ru: [],
  zh: ['cn'],
  el: ['gr'],
  // One text for both written forms: readers of Nynorsk read Bokmål.
  nb: ['no', 'nn'],
  sk: [],
  ar: [],
  ko: [],
  be: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type LanguageCode = keyof typeof languages;

/** In the order of the document. */
export const languageCodes = Object.keys(languages) as readonly LanguageCode[];

const codeOf: ReadonlyMap<string, LanguageCode> = new Map(
  languageCodes.flatMap((code) => [code, ...languages[code]].map((name): [string, LanguageCode] => [name, code])),
);

/** The language of a tag such as `de`, `pt_BR`, `zh-Hant-TW`, `DK` asks for; region and script are read over. Undefined: none of ours. */
export function languageCalled(tag: string): LanguageCode | undefined {
  const [primary = ''] = tag.trim().split(/[-_]/, 1);
  return codeOf.get(primary.toLowerCase());
}

/** The languages that run from right to left. */
export const rightToLeft: ReadonlySet<LanguageCode> = new Set(['ar']);
