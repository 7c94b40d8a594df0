import { type Amount, amountText, minorUnits } from '../../../money/amount.ts';
import { digitsOf } from '../../../spec/currencies.ts';
import { type LanguageCode, languageCalled, rightToLeft } from '../../../spec/languages.ts';
import { messages } from './labels/messages.ts';
import { type Translated, words } from './labels/words.ts';

/** The message of a page: by the state of the payment, or by the way it is paid. */
export type MessageKey = keyof typeof messages;

/** Every text of the simulated bank in one language. */
export type Labels = Readonly<Record<keyof typeof words, string>> &
  Readonly<Record<MessageKey, { readonly title: string; readonly text: string }>>;

/** A language of the pages; `tag` is for browsers, `locale` formats amounts and times. */
export type Language = {
  readonly tag: string;
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  readonly labels: Labels;
};

type BankLanguage = keyof Translated;

/** The languages whose tag is not their code, or whose locale is not their tag. */
const exceptions: Readonly<Partial<Record<BankLanguage, { readonly tag?: string; readonly locale?: string }>>> = {
  en: { locale: 'en-GB' },
  pt: { locale: 'pt-PT' },
  zh: { tag: 'zh-Hans' },
};

function pageLanguage(code: BankLanguage): Language {
  const { tag = code, locale = tag } = exceptions[code] ?? {};
  const labels = {
    ...Object.fromEntries(Object.entries(words).map(([key, text]) => [key, text[code]])),
    ...Object.fromEntries(
      Object.entries(messages).map(([key, { title, text }]) => [key, { title: title[code], text: text[code] }]),
    ),
  };
  return { tag, locale, direction: rightToLeft.has(code) ? 'rtl' : 'ltr', labels: labels as Labels };
}

export const languages = Object.fromEntries(
  (Object.keys(words.simulator) as BankLanguage[]).map((code) => [code, pageLanguage(code)]),
) as Readonly<Record<BankLanguage, Language>>;

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
