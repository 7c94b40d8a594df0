import {
  Button,
  Checkbox,
  MultiSelect,
  NumberInput,
  Select,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { amountOf, amountText } from '../../../money/amount.ts';
import { brands } from '../../../spec/cards/brands.ts';
import { currencies } from '../../../spec/currencies.ts';
import { columnNames } from '../../../spec/reconciliation.ts';
import type { Control } from '../../../spec/settingRows.ts';
import { Icon } from '../../kit/icons.tsx';
import { type AdministrationWords, administrationTexts } from '../../texts/administration.ts';
import { useTexts } from '../../texts/texts.ts';

type FieldProps = {
  readonly control: Control;
  readonly label: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Faults by the name of a setting or of a part of it. */
  readonly faults: Readonly<Record<string, string | undefined>>;
  readonly name: string;
  /** The allowed values of a table; left out: any string. */
  readonly words?: readonly string[];
  /** The user has tried to save: missing values are marked. */
  readonly isTried?: boolean;
};

type Of<Is extends Control['is']> = Omit<FieldProps, 'control'> & { readonly control: Extract<Control, { readonly is: Is }> };

/** The initial value of a control without a setting. */
export function emptyOf(control: Control): unknown {
  if (control.is === 'flag') return false;
  if (control.is === 'list') return 'orNull' in control ? null : [];
  if (control.is === 'amounts') return { '': '' };
  if (control.is === 'table' || control.is === 'members') return {};
  return control.is === 'text' || control.is === 'timeZone' ? '' : null;
}

/** The field for a value, by the kind of control that the table of settings names. */
export function ControlField(props: FieldProps): ReactNode {
  const { control, label, value, onChange, faults, name } = props;
  const t = useTexts(administrationTexts);
  const error = faults[name];
  switch (control.is) {
    case 'flag':
      return (
        <Switch
          label={label}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
          error={error}
        />
      );
    case 'flagOrNull':
      return <MaybeFlag {...props} />;
    case 'timeZone':
      return <TimeZone {...props} />;
    case 'choice':
      return (
        <Select
          label={label}
          data={control.words.map((word) => ({ value: word, label: wordOf(t, word) }))}
          value={typeof value === 'string' ? value : null}
          onChange={onChange}
          error={error}
        />
      );
    case 'number':
      return (
        <NumberInput
          label={label}
          value={typeof value === 'number' ? value : ''}
          onChange={(typed) => onChange(typed === '' ? undefined : Number(typed))}
          min={control.least}
          max={control.most}
          allowDecimal={false}
          clampBehavior="none"
          error={error}
        />
      );
    case 'list':
      return <List {...props} control={control} />;
    case 'table':
      return <Table {...props} control={control} />;
    case 'amounts':
      return (
        <AmountsField
          label={label}
          value={(value ?? {}) as Amounts}
          onChange={onChange}
          error={error}
          isTried={props.isTried ?? false}
        />
      );
    case 'members':
      return <Members {...props} control={control} />;
    default:
      return <Text {...props} isLong={control.is === 'text' && control.isLong === true} />;
  }
}

function Text({ label, value, onChange, faults, name, isLong }: FieldProps & { readonly isLong: boolean }): ReactNode {
  const shared = {
    label,
    value: typeof value === 'string' ? value : '',
    error: faults[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => onChange(event.currentTarget.value),
  };
  return isLong ? (
    <Textarea autosize minRows={3} maxRows={10} classNames={{ input: 'mono' }} {...shared} />
  ) : (
    <TextInput {...shared} />
  );
}

function MaybeFlag({ label, value, onChange, faults, name }: FieldProps): ReactNode {
  const t = useTexts(administrationTexts);
  const words = { true: t.yes, false: t.no, null: t.testOnly };
  return (
    <Select
      label={label}
      data={Object.entries(words).map(([word, text]) => ({ value: word, label: text }))}
      value={String(value ?? null)}
      onChange={(word) => onChange(JSON.parse(word ?? 'null'))}
      allowDeselect={false}
      error={faults[name]}
    />
  );
}

function TimeZone({ label, value, onChange, faults, name }: FieldProps): ReactNode {
  const zones = useMemo(() => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])], []);
  return (
    <Select
      label={label}
      data={zones}
      value={typeof value === 'string' && value !== '' ? value : null}
      onChange={(zone) => onChange(zone ?? undefined)}
      searchable
      limit={50}
      error={faults[name]}
    />
  );
}

const known = { brand: Object.keys(brands), currency: [...currencies.keys()].toSorted(), column: [...columnNames], text: [] };

function List({ control, label, value, onChange, faults, name }: Of<'list'>): ReactNode {
  const t = useTexts(administrationTexts);
  const list = Array.isArray(value) ? (value as string[]) : [];
  const isAll = control.orNull === true && value === null;
  const shared = { label, value: list, onChange, error: faults[name], disabled: isAll };
  return (
    <div className="stack">
      {control.orNull && (
        <Checkbox label={t.everything} checked={isAll} onChange={(event) => onChange(event.currentTarget.checked ? null : [])} />
      )}
      {control.of === 'currency' || control.of === 'column' ? (
        <MultiSelect {...shared} data={known[control.of]} searchable limit={50} />
      ) : (
        <TagsInput {...shared} data={known[control.of]} description={t.listHint} />
      )}
    </div>
  );
}

function Table({ control, label, value, onChange, faults, name, words }: Of<'table'>): ReactNode {
  const t = useTexts(administrationTexts);
  const table = (value ?? {}) as Readonly<Record<string, string>>;
  const free = control.keys.filter((key) => !Object.hasOwn(table, key));
  const without = (key: string) => Object.fromEntries(Object.entries(table).filter(([other]) => other !== key));
  return (
    <fieldset className="setting-table">
      <legend>{label}</legend>
      {Object.entries(table).map(([key, text]) => (
        <div key={key} className="setting-line">
          {words ? (
            <Select label={key} data={words} value={text} onChange={(word) => onChange({ ...table, [key]: word ?? '' })} />
          ) : (
            <TextInput label={key} value={text} onChange={(event) => onChange({ ...table, [key]: event.currentTarget.value })} />
          )}
          <UnstyledButton className="copy" aria-label={t.removeRow(key)} onClick={() => onChange(without(key))}>
            <Icon name="close" size={14} />
          </UnstyledButton>
        </div>
      ))}
      {free.length > 0 && (
        <Select
          label={t.add}
          data={free}
          value={null}
          searchable
          limit={50}
          placeholder={t.key}
          onChange={(key) => key !== null && onChange({ ...table, [key]: '' })}
        />
      )}
      {faults[name] && <p className="fault">{faults[name]}</p>}
    </fieldset>
  );
}

/** Nothing in a field: the member is left out. */
const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0);

function Members({ control, value, onChange, faults, name }: Of<'members'>): ReactNode {
  const t = useTexts(administrationTexts);
  const words = t as unknown as Readonly<Record<string, string>>;
  const members = (value ?? {}) as Readonly<Record<string, unknown>>;
  const set = (member: string, to: unknown) => {
    const others = Object.fromEntries(Object.entries(members).filter(([other]) => other !== member));
    onChange(isBlank(to) ? others : { ...others, [member]: to });
  };
  return (
    <div className="stack">
      {Object.entries(control.members).map(([member, { control: own, isNeeded }]) => (
        <ControlField
          key={member}
          control={own}
          label={`${words[`member.${member}`] ?? member}${isNeeded ? ` (${t.needed})` : ''}`}
          value={members[member] ?? emptyOf(own)}
          onChange={(to) => set(member, to)}
          faults={faults}
          name={`${name}.${member}`}
        />
      ))}
      {faults[name] && <p className="fault">{faults[name]}</p>}
      {Object.keys(members).length > 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => onChange({})}>
          {t.nothing}
        </Button>
      )}
    </div>
  );
}

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
function AmountsField({ label, value, onChange, error, isTried }: Props): ReactNode {
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

const SHOWN_MAX = 60;
const LISTED_MAX = 6;

/** The word for a choice, where there is one of our own. */
function wordOf(t: AdministrationWords, word: string): string {
  const words = t as unknown as Readonly<Record<string, string>>;
  return words[`word.${word}`] ?? word;
}

const short = (text: string): string => (text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text);

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** A short form of a value; the editor shows it in full. */
export function shownValue(control: Control, value: unknown, t: AdministrationWords): string {
  if (control.is === 'list' && 'orNull' in control && value === null) return t.everything;
  if (control.is === 'flagOrNull' && value === null) return t.testOnly;
  if (isEmpty(value)) return control.is === 'list' ? t.nothing : t.unset;
  if (value === null) return t.nothing;
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  if (typeof value === 'string') return control.is === 'choice' ? wordOf(t, value) : short(value);
  if (Array.isArray(value) && control.is === 'list') {
    const more = value.length - LISTED_MAX;
    return value.slice(0, LISTED_MAX).join(', ') + (more > 0 ? ` +${more}` : '');
  }
  if (control.is === 'table' || control.is === 'amounts') {
    return short(
      Object.entries(value as Readonly<Record<string, string>>)
        .map(([key, text]) => `${key}: ${text}`)
        .join(', '),
    );
  }
  if (control.is === 'members') {
    const { kind = '', host = '' } = value as Readonly<Record<string, string>>;
    return `${wordOf(t, kind)} ${host}`;
  }
  return short(JSON.stringify(value));
}
