import { Button, MultiSelect, NumberInput, Select, TagsInput, TextInput, UnstyledButton } from '@mantine/core';
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
import { AccountName, stateOf } from './Accounts.tsx';
import { methodText, moved, ruleText, withCondition, withName, withOtherwise, withShare } from './draft.ts';

type RuleItemProps = Pick<FieldsProps, 'rule' | 'account' | 'onChange'> & {
  /** From 1. */
  readonly number: number;
  readonly fault: string | null;
  readonly isLast: boolean;
  readonly isOpen: boolean;
  readonly isReadOnly: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
};

/** A rule in plain words, and its fields while it is changed. */
export function RuleItem(props: RuleItemProps): ReactNode {
  const { number, rule, account, fault, isOpen, isReadOnly, onChange } = props;
  const t = useTexts(routingTexts);
  const locale = localeOf(useLanguage());
  const stopped = rule.to.filter((name) => stateOf(account, name).says !== 'on');
  return (
    <li className="routing-rule" data-faulty={fault !== null || undefined}>
      <div className="routing-head">
        <span className="routing-number" aria-hidden="true">
          {number}
        </span>
        <div className="routing-words">
          {rule.name !== undefined && <strong>{rule.name}</strong>}
          <p>{ruleText(rule, t, locale)}</p>
          {stopped.length > 0 && (
            <p className="routing-stopped">
              {stopped.map((name) => (
                <AccountName key={name} account={account} name={name} />
              ))}
            </p>
          )}
          {fault !== null && (
            <p className="fault" role="alert" lang="en">
              {fault.replaceAll(/rule [0-9]+: /g, '')}
            </p>
          )}
        </div>
        {!isReadOnly && <Actions {...props} />}
      </div>
      {isOpen && <RuleFields rule={rule} account={account} onChange={onChange} label={t.rule(number)} />}
    </li>
  );
}

function Actions({ number, isLast, isOpen, onOpen, onMove, onRemove }: RuleItemProps): ReactNode {
  const t = useTexts(routingTexts);
  const what = t.rule(number);
  return (
    <div className="routing-acts">
      <MoveButtons what={what} isFirst={number === 1} isLast={isLast} onMove={onMove} />
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={() => onOpen(!isOpen)}
        aria-expanded={isOpen}
        aria-label={isOpen ? t.closeOf(number) : t.editOf(number)}
      >
        {isOpen ? t.close : t.edit}
      </Button>
      <UnstyledButton className="copy" aria-label={t.removeOf(what)} onClick={onRemove}>
        <Icon name="close" size={14} />
      </UnstyledButton>
    </div>
  );
}

type FieldsProps = {
  readonly label: string;
  readonly rule: RoutingRule;
  readonly account: AccountView;
  /** `field`: the changed field. Consecutive changes of one field are undone together. */
  readonly onChange: (rule: RoutingRule, field: string) => void;
};

const NAME_MAX = 100;
const LISTED_MAX = 60;
const cardTypes = ['CREDIT', 'DEBIT', 'PREPAID'];
const brandNames = Object.keys(brands);
const currencyNames = [...currencies.keys()].toSorted();

/** The fields of a rule. */
function RuleFields(props: FieldsProps): ReactNode {
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

/** The value of a list field, and its change. */
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

type MoveProps = {
  /** The name of the moved item, for screen readers. */
  readonly what: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onMove: (by: -1 | 1) => void;
};

/** Up and down. At an end the button stays and does nothing, so that the focus stays too. */
function MoveButtons({ what, isFirst, isLast, onMove }: MoveProps): ReactNode {
  const t = useTexts(routingTexts);
  return (
    <>
      <UnstyledButton className="copy" aria-label={t.upOf(what)} aria-disabled={isFirst} onClick={() => !isFirst && onMove(-1)}>
        <Icon name="up" size={14} />
      </UnstyledButton>
      <UnstyledButton className="copy" aria-label={t.downOf(what)} aria-disabled={isLast} onClick={() => !isLast && onMove(1)}>
        <Icon name="down" size={14} />
      </UnstyledButton>
    </>
  );
}
