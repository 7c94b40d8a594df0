import { type Amount, amountText, minorUnits } from '../../../money/amount.ts';
import { digitsOf } from '../../../spec/currencies.ts';
import { type LanguageCode, languageCalled, rightToLeft } from '../../../spec/languages.ts';
import { ar } from './labels/ar.ts';
import { bg } from './labels/bg.ts';
import { cs } from './labels/cs.ts';
import { da } from './labels/da.ts';
import { de } from './labels/de.ts';
import { el } from './labels/el.ts';
import { en } from './labels/en.ts';
import { es } from './labels/es.ts';
import { fi } from './labels/fi.ts';
import { fr } from './labels/fr.ts';
import { hu } from './labels/hu.ts';
import { it } from './labels/it.ts';
import { ja } from './labels/ja.ts';
import { ko } from './labels/ko.ts';
import type { Labels } from './labels/labels.ts';
import { nb } from './labels/nb.ts';
import { nl } from './labels/nl.ts';
import { pl } from './labels/pl.ts';
import { pt } from './labels/pt.ts';
import { ro } from './labels/ro.ts';
import { ru } from './labels/ru.ts';
import { sk } from './labels/sk.ts';
import { sl } from './labels/sl.ts';
import { sv } from './labels/sv.ts';
import { tr } from './labels/tr.ts';
import { zh } from './labels/zh.ts';

/** A language of the pages; `tag` is for browsers, `locale` formats amounts and times. */
export type Language = {
  readonly tag: string;
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  readonly labels: Labels;
};

function pageLanguage(code: LanguageCode, labels: Labels, { tag = code, locale = tag }: Partial<Language> = {}): Language {
  return { tag, locale, direction: rightToLeft.has(code) ? 'rtl' : 'ltr', labels };
}

/** The languages of document 1, hosted payment widget. */
export const languages = {
  en: pageLanguage('en', en, { locale: 'en-GB' }),
  de: pageLanguage('de', de),
  fr: pageLanguage('fr', fr),
  es: pageLanguage('es', es),
  it: pageLanguage('it', it),
  nl: pageLanguage('nl', nl),
  da: pageLanguage('da', da),
  fi: pageLanguage('fi', fi),
  sv: pageLanguage('sv', sv),
  tr: pageLanguage('tr', tr),
  ja: pageLanguage('ja', ja),
  sl: pageLanguage('sl', sl),
  pt: pageLanguage('pt', pt, { locale: 'pt-PT' }),
  pl: pageLanguage('pl', pl),
  cs: pageLanguage('cs', cs),
  hu: pageLanguage('hu', hu),
  bg: pageLanguage('bg', bg),
  ro: pageLanguage('ro', ro),
  ru: pageLanguage('ru', ru),
  zh: pageLanguage('zh', zh, { tag: 'zh-Hans' }),
  el: pageLanguage('el', el),
  nb: pageLanguage('nb', nb),
  sk: pageLanguage('sk', sk),
  ar: pageLanguage('ar', ar),
  ko: pageLanguage('ko', ko),
} as const satisfies Readonly<Partial<Record<LanguageCode, Language>>>;

const ofCodes: Readonly<Partial<Record<LanguageCode, Language>>> = languages;

/** Separate from the codes of requests: SE is Swedish in a request, but `se` of a browser is Northern Sami. */
const ofBrowsers: ReadonlyMap<string, Language> = new Map<string, Language>([
  ...Object.entries(languages),
  ['no', languages.nb],
  ['nn', languages.nb],
]);

const PREFERENCE = /^([a-z]{1,8})(?:-[a-z0-9]{1,8})*\s*(?:;\s*q\s*=\s*(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?$/;

/** The best supported language of an Accept-Language header; invalid parts are ignored. */
function preferred(text: string): Language | null {
  let best: Language | null = null;
  let most = 0;
  for (const part of text.toLowerCase().split(',')) {
    const [, primary = '', quality = '1'] = PREFERENCE.exec(part.trim()) ?? [];
    const language = ofBrowsers.get(primary);
    if (language === undefined || Number(quality) <= most) continue;
    best = language;
    most = Number(quality);
  }
  return best;
}

/** The language for a shopper: of the request, else of the browser, else English. */
export function languageFor(requested: string | null, accepted: string): Language {
  const named = languageCalled(requested ?? '');
  return (named && ofCodes[named]) ?? preferred(accepted) ?? languages.en;
}

/** Exact for any amount. Uses the currency's decimals unless the amount has more: 92.50 yen are not shown as 93. */
export function writtenAmount({ locale }: Language, amount: Amount, currency: string): string {
  const own = digitsOf(currency);
  if (own === undefined) return `${amountText(amount)} ${currency}`;
  const digits = minorUnits(amount, own) === undefined ? 2 : own;
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(amountText(amount) as Intl.StringNumericLiteral);
}

/** In UTC with its name: without a script the reader's time zone is unknown. */
export function writtenTime({ locale }: Language, at: number): string {
  const format = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  });
  return format.format(at);
}
