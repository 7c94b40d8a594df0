import type { ReactNode } from 'react';
import { localeOf, useLanguage } from '../texts/texts.ts';
import type { Column } from './DataTable.tsx';

/** An amount as text: `92.00` and `EUR` → `€92.00`. `Intl` formats the decimal string itself, so no float is involved. */
export function moneyText(amount: string, currency: string, locale: string): string {
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount as Intl.StringNumericLiteral);
  } catch {
    return `${amount} ${currency}`;
  }
}

export const useMoneyText = (): ((amount: string, currency: string) => string) => {
  const locale = localeOf(useLanguage());
  return (amount, currency) => moneyText(amount, currency, locale);
};

/** An amount of the API, such as `92.00`, in its currency. */
export function Money({ amount, currency }: { readonly amount: string; readonly currency: string }): ReactNode {
  return <span className="money">{useMoneyText()(amount, currency)}</span>;
}

type Sum = { readonly amount: string | null; readonly currency: string | null };

/** The column of amounts. `of` returns the part of a row that has its amount. */
export const amountColumn = <Row,>(header: string, of: (row: Row) => Sum | null): Column<Row> => ({
  id: 'amount',
  header,
  isNumber: true,
  cell: (row) => {
    const { amount, currency } = of(row) ?? { amount: null, currency: null };
    return amount !== null && currency !== null && <Money amount={amount} currency={currency} />;
  },
});

/** `5` and `5,5` as the API has amounts: `5.00`, `5.50`. Anything else is sent unchanged, and the server refuses it with a reason. */
export function decimal(text: string): string {
  const [, whole, cents = ''] = /^\s*([0-9]{1,10})(?:[.,]([0-9]{0,2}))?\s*$/.exec(text) ?? [];
  return whole === undefined ? text.trim() : `${whole}.${cents.padEnd(2, '0')}`;
}
