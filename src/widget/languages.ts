import { type LanguageCode, languageCalled, rightToLeft } from '../spec/languages.ts';

/** The language for what a page asks for, by any code for it and with any region; English where it is none of ours. */
export function languageOf(wish: string | undefined): LanguageCode {
  // Pages are not type-checked: no value of `locale` may stop the form.
  return (typeof wish === 'string' ? languageCalled(wish) : undefined) ?? 'en';
}

/** Whether a language runs from right to left. Digits of cards and amounts do not. */
export const isRtl = (code: LanguageCode): boolean => rightToLeft.has(code);

/** The value of a `dir` attribute. */
export const directionOf = (code: LanguageCode): 'ltr' | 'rtl' => (isRtl(code) ? 'rtl' : 'ltr');

/**
 * The locale that formats a language's amounts and dates. The region that the shop named decides, so that en-US and de-CH look as they do
 * there; digits are always Latin, as on the card.
 */
export function localeOf(wish: string | undefined): string {
  const code = languageOf(wish);
  const region = typeof wish === 'string' ? /[-_]([a-z]{2})$/i.exec(wish.trim())?.[1] : undefined;
  const own = code === 'en' ? 'en-GB' : code === 'pt' ? 'pt-PT' : code;
  return `${region === undefined ? own : `${code}-${region.toUpperCase()}`}-u-nu-latn`;
}

/** An amount of the wire as the shopper's language writes it. */
export function amountTextOf(amount: string | null, currency: string | null, locale: string | undefined): string {
  if (amount === null || currency === null) return '';
  try {
    const format = new Intl.NumberFormat(localeOf(locale), { style: 'currency', currency });
    return format.format(amount as Intl.StringNumericLiteral);
  } catch {
    return `${amount} ${currency}`;
  }
}
