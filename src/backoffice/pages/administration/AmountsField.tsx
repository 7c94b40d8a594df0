import { Button, Select, TextInput, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { amountOf, amountText } from '../../../money/amount.ts';
import { currencies } from '../../../spec/currencies.ts';
import { Icon } from '../../kit/icons.tsx';
import { administrationTexts } from '../../texts/administration.ts';
import { useTexts } from '../../texts/texts.ts';

/** Amounts by currency, as typed. The key '' is the row whose currency is not chosen yet. */
export type Amounts = Readonly<Record<string, string>>;

const names = [...currencies.keys()].toSorted();
const amountIn = (text: string): bigint | undefined => amountOf(text.trim().replace(',', '.'));

export const isComplete = (amounts: Amounts): boolean =>
  Object.entries(amounts).every(([currency, text]) => currency !== '' && amountIn(text) !== undefined);

/** Complete amounts as the API takes them: `5,5` → `5.50`. */
export const amountsSent = (amounts: Amounts): Amounts =>
  Object.fromEntries(Object.entries(amounts).map(([currency, text]) => [currency, amountText(amountIn(text) ?? 0n)]));

type Props = {
  readonly label: string;
  readonly value: Amounts;
  readonly onChange: (amounts: Amounts) => void;
  readonly error: string | undefined;
  /** The user has tried to save: missing values are marked. */
  readonly isTried: boolean;
};

/** Asks for a currency and an amount in each row. */
export function AmountsField({ label, value, onChange, error, isTried }: Props): ReactNode {
  const t = useTexts(administrationTexts);
  const rows = Object.entries(value);
  const free = names.filter((name) => !Object.hasOwn(value, name));
  const replace = (key: string, [currency, text]: readonly [string, string]) =>
    onChange(Object.fromEntries(rows.map(([name, typed]) => (name === key ? [currency, text] : [name, typed]))));
  return (
    <fieldset className="setting-table">
      <legend>{label}</legend>
      {rows.map(([currency, text], nth) => (
        // The position stays when the currency of a row changes, and with it the focus.
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are not reordered
        <div key={nth} className="amount-line">
          <Select
            label={t.currency}
            data={currency === '' ? free : [currency, ...free]}
            value={currency === '' ? null : currency}
            onChange={(name) => name !== null && replace(currency, [name, text])}
            searchable
            limit={50}
            allowDeselect={false}
            error={isTried && currency === '' ? t.currencyMissing : null}
          />
          <TextInput
            label={t.amount}
            value={text}
            inputMode="decimal"
            placeholder="500.00"
            onChange={(event) => replace(currency, [currency, event.currentTarget.value])}
            error={isTried && amountIn(text) === undefined ? t.amountMissing : null}
          />
          <UnstyledButton
            className="copy"
            aria-label={t.removeRow(currency === '' ? t.amount : currency)}
            onClick={() => onChange(Object.fromEntries(rows.filter((_, other) => other !== nth)))}
          >
            <Icon name="close" size={14} />
          </UnstyledButton>
        </div>
      ))}
      {!Object.hasOwn(value, '') && (
        <div>
          <Button variant="default" size="xs" onClick={() => onChange({ ...value, '': '' })}>
            {t.addAmount}
          </Button>
        </div>
      )}
      {error && <p className="fault">{error}</p>}
    </fieldset>
  );
}
