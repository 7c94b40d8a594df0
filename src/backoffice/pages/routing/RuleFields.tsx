import { MultiSelect, NumberInput, Select, TagsInput, TextInput, UnstyledButton } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import type { AccountView } from '../../../spec/answers/account.ts';
import { brands } from '../../../spec/cards/brands.ts';
import { countries } from '../../../spec/countries.ts';
import { currencies } from '../../../spec/currencies.ts';
import { methods } from '../../../spec/paymentTypes.ts';
import { type RoutingRule, routingOtherwise } from '../../../spec/routing.ts';
import { Icon } from '../../kit/icons.tsx';
import { routingTexts } from '../../texts/routing.ts';
import { localeOf, useLanguage, useTexts } from '../../texts/texts.ts';
import { AccountName } from './Accounts.tsx';
import { moved, withCondition, withName, withOtherwise, withShare } from './draft.ts';
import { MoveButtons } from './MoveButtons.tsx';
import { methodText } from './ruleText.ts';

export type FieldsProps = {
  readonly label: string;
  readonly rule: RoutingRule;
  readonly account: AccountView;
  /** `field`: what was changed. Changes of one field in a row are undone at once. */
  readonly onChange: (rule: RoutingRule, field: string) => void;
};

const NAME_MAX = 100;
const LISTED_MAX = 60;
const cardTypes = ['CREDIT', 'DEBIT', 'PREPAID'];
const brandNames = Object.keys(brands);
const currencyNames = [...currencies.keys()].toSorted();

/** The fields of a rule. */
export function RuleFields(props: FieldsProps): ReactNode {
  const { rule, label, onChange } = props;
  const t = useTexts(routingTexts);
  return (
    <fieldset className="routing-fields" aria-label={label}>
      <div className="routing-grid">
        <TextInput
          label={t.name}
          value={rule.name ?? ''}
          maxLength={NAME_MAX}
          data-autofocus
          onChange={(event) => onChange(withName(rule, event.currentTarget.value), 'name')}
        />
        <NumberInput
          label={t.share}
          description={t.shareHint}
          value={rule.share ?? ''}
          clampBehavior="none"
          hideControls
          onChange={(value) => onChange(withShare(rule, value === '' ? null : Number(value)), 'share')}
        />
      </div>
      <PaymentFields {...props} />
      <CardFields {...props} />
      <Targets {...props} />
    </fieldset>
  );
}

/** The name of a condition that is a list. */
type ListName = 'methods' | 'brands' | 'currencies' | 'bins' | 'cardCountries' | 'cardTypes';

/** What a field of a list shows and changes. */
function useList({ rule, onChange }: Pick<FieldsProps, 'rule' | 'onChange'>) {
  const t = useTexts(routingTexts);
  return (name: ListName) => {
    const value = [...(rule.when?.[name] ?? [])];
    return {
      label: t[name],
      value,
      placeholder: value.length === 0 ? t.any : '',
      onChange: (list: string[]) => onChange(withCondition(rule, name, list), name),
    };
  };
}

function PaymentFields({ rule, onChange }: FieldsProps): ReactNode {
  const t = useTexts(routingTexts);
  const list = useList({ rule, onChange });
  const choices = Object.keys(methods).map((value) => ({ value, label: methodText(t, value) }));
  const amount = (name: 'amountFrom' | 'amountTo') => (
    <TextInput
      label={t[name]}
      value={rule.when?.[name] ?? ''}
      placeholder="10.00"
      inputMode="decimal"
      onChange={(event) => onChange(withCondition(rule, name, event.currentTarget.value), name)}
    />
  );
  return (
    <div className="routing-grid">
      <MultiSelect {...list('methods')} data={choices} searchable />
      <MultiSelect {...list('brands')} data={brandNames} searchable limit={LISTED_MAX} />
      <MultiSelect {...list('currencies')} data={currencyNames} searchable limit={LISTED_MAX} />
      <div className="routing-amounts">
        {amount('amountFrom')}
        {amount('amountTo')}
      </div>
    </div>
  );
}

function CardFields({ rule, onChange }: FieldsProps): ReactNode {
  const t = useTexts(routingTexts);
  const list = useList({ rule, onChange });
  const locale = localeOf(useLanguage());
  const choices = useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: 'region' });
    return countries.map(([value]) => ({ value, label: `${value} ${names.of(value) ?? ''}` }));
  }, [locale]);
  return (
    <div className="routing-grid">
      <TagsInput {...list('bins')} description={t.binsHint} data={[]} />
      <MultiSelect {...list('cardCountries')} data={choices} searchable limit={LISTED_MAX} />
      <TagsInput {...list('cardTypes')} data={cardTypes} />
    </div>
  );
}

/** The accounts of a rule in their order. */
function Targets({ rule, account, onChange }: FieldsProps): ReactNode {
  const t = useTexts(routingTexts);
  const { to } = rule;
  const set = (next: readonly string[], step: string) => onChange({ ...rule, to: next }, `to ${step}`);
  return (
    <fieldset className="routing-targets">
      <legend>{t.to}</legend>
      <ol>
        {to.map((name, at) => (
          <li key={name}>
            <AccountName account={account} name={name} />
            <span className="routing-acts">
              <MoveButtons
                what={name}
                isFirst={at === 0}
                isLast={at === to.length - 1}
                onMove={(by) => set(moved(to, at, by), `move ${name} ${by} ${at}`)}
              />
              <UnstyledButton
                className="copy"
                aria-label={t.removeOf(name)}
                onClick={() => set(to.toSpliced(at, 1), `remove ${name}`)}
              >
                <Icon name="close" size={14} />
              </UnstyledButton>
            </span>
          </li>
        ))}
      </ol>
      <Select
        label={t.addAccount}
        data={choicesFor(account, rule)}
        value={null}
        searchable
        onChange={(name) => name !== null && set([...to, name], `add ${name}`)}
      />
      <Select
        label={t.otherwise}
        description={t.otherwiseHint}
        data={routingOtherwise.map((value) => ({ value, label: t[`otherwise.${value}`] }))}
        value={rule.otherwise ?? 'channel'}
        allowDeselect={false}
        onChange={(value) => value !== null && onChange(withOtherwise(rule, value), 'otherwise')}
      />
    </fieldset>
  );
}

const choicesFor = ({ connectors }: AccountView, { to }: RoutingRule): string[] =>
  connectors.filter((name) => !to.includes(name));
