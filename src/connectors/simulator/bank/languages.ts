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

/** A language that the pages speak; `tag` names it to browsers, `locale` writes its amounts and times. */
export type Language = {
  readonly tag: string;
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  readonly labels: Labels;
};

function spoken(code: LanguageCode, labels: Labels, { tag = code, locale = tag }: Partial<Language> = {}): Language {
  return { tag, locale, direction: rightToLeft.has(code) ? 'rtl' : 'ltr', labels };
}

/** The languages of document 1, hosted payment widget. */
export const languages = {
  en: spoken('en', en, { locale: 'en-GB' }),
  de: spoken('de', de),
  fr: spoken('fr', fr),
  es: spoken('es', es),
  it: spoken('it', it),
  nl: spoken('nl', nl),
  da: spoken('da', da),
  fi: spoken('fi', fi),
  sv: spoken('sv', sv),
  tr: spoken('tr', tr),
  ja: spoken('ja', ja),
  sl: spoken('sl', sl),
  pt: spoken('pt', pt, { locale: 'pt-PT' }),
  pl: spoken('pl', pl),
  cs: spoken('cs', cs),
  hu: spoken('hu', hu),
  bg: spoken('bg', bg),
  ro: spoken('ro', ro),
  ru: spoken('ru', ru),
  zh: spoken('zh', zh, { tag: 'zh-Hans' }),
  el: spoken('el', el),
  nb: spoken('nb', nb),
  sk: spoken('sk', sk),
  ar: spoken('ar', ar),
  ko: spoken('ko', ko),
} as const satisfies Readonly<Partial<Record<LanguageCode, Language>>>;

const ofCodes: Readonly<Partial<Record<LanguageCode, Language>>> = languages;

/** Kept apart: SE is Swedish in a request, but a browser that says `se` asks for Northern Sami. */
const ofBrowsers: ReadonlyMap<string, Language> = new Map<string, Language>([
  ...Object.entries(languages),
  ['no', languages.nb],
  ['nn', languages.nb],
]);

const PREFERENCE = /^([a-z]{1,8})(?:-[a-z0-9]{1,8})*\s*(?:;\s*q\s*=\s*(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?$/;

/** The best of ours by an Accept-Language text; whatever in it cannot be read is passed over. */
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

/** The language for a shopper: what the request named, else what his browser likes most, else English. */
export function languageFor(requested: string | null, accepted: string): Language {
  const named = languageCalled(requested ?? '');
  return (named && ofCodes[named]) ?? preferred(accepted) ?? languages.en;
}

/** Exact in any size. With the currency's own decimals, unless the amount has more: 92.50 yen are not shown as 93. */
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

/** In UTC and saying so: without a script nobody knows the reader's own clock. */
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
