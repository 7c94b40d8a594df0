import { type Amount, amountText } from '../money/amount.ts';
import { type LanguageCode, languageCalled } from '../spec/languages.ts';

/** The choices in the demo shop. They are in the address, so that a view can be shared. */
export type Choices = {
  readonly quantity: number;
  readonly currency: string;
  readonly language: LanguageCode;
  readonly style: (typeof styles)[number];
  readonly theme: (typeof themes)[number];
  /** Offers stored cards. */
  readonly stored: 'no' | 'yes';
  /** Offers to save the card. */
  readonly save: 'no' | 'yes';
  /** Where 3D Secure is shown. */
  readonly secure: 'frame' | 'tab';
  /** The ids of stored payment details to offer, from an earlier order. */
  readonly cards: readonly string[];
};

export const styles = ['card', 'plain', 'logos', 'none'] as const;
export const themes = ['auto', 'light', 'dark'] as const;
export const CARDS_MAX = 3;
const REGISTRATION_ID = /^[0-9a-f]{32}$/;

const oneOf = <Value extends string>(values: readonly Value[], text: string | null): Value =>
  values.find((value) => value === text) ?? (values[0] as Value);

/** Reads the query of a page. Invalid values are ignored. */
export function choicesOf(query: URLSearchParams, preferred: LanguageCode): Choices {
  const quantity = query.get('quantity') ?? '';
  return {
    quantity: /^[1-9]$/.test(quantity) ? Math.min(Number(quantity), QUANTITY_MAX) : 1,
    currency: oneOf(shopCurrencies, query.get('currency')),
    language: languageCalled(query.get('language') ?? '') ?? preferred,
    style: oneOf(styles, query.get('style')),
    theme: oneOf(themes, query.get('theme')),
    stored: oneOf(['no', 'yes'] as const, query.get('stored')),
    save: oneOf(['no', 'yes'] as const, query.get('save')),
    secure: oneOf(['frame', 'tab'] as const, query.get('secure')),
    cards: query
      .getAll('card')
      .filter((id) => REGISTRATION_ID.test(id))
      .slice(0, CARDS_MAX),
  };
}

/** As a query again, with some of it changed. */
export function queryOf(choices: Choices, changed: Partial<Choices> = {}): string {
  const { cards, ...single } = { ...choices, ...changed };
  const query = new URLSearchParams(Object.entries(single).map(([name, value]): [string, string] => [name, String(value)]));
  for (const id of cards) query.append('card', id);
  return query.toString();
}

/** The price of one item in each currency of the shop. */
const prices: Readonly<Record<string, Amount>> = {
  EUR: 2400n,
  USD: 2600n,
  GBP: 2100n,
  CHF: 2500n,
  SEK: 27900n,
  PLN: 10400n,
  TRY: 98000n,
  SAR: 9800n,
  JPY: 390000n,
};

export const shopCurrencies: readonly string[] = Object.keys(prices);
export const QUANTITY_MAX = 9;

/** The sum of an order. A currency that the shop does not know costs as much as euros would. */
export const totalOf = (currency: string, quantity: number): Amount => (prices[currency] ?? 2400n) * BigInt(quantity);

/** In the format of the language; digits as on a card. */
export const priceText = (amount: Amount, currency: string, locale: string): string =>
  // A decimal text is formatted exactly: no amount becomes a float on the way.
  new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amountText(amount) as `${number}`);
