import { type Amount, amountText } from '../money/amount.ts';

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
