import { Button, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../../kit/icons.tsx';
import { routingTexts } from '../../texts/routing.ts';
import { localeOf, useLanguage, useTexts } from '../../texts/texts.ts';
import { AccountName, stateOf } from './Accounts.tsx';
import { MoveButtons } from './MoveButtons.tsx';
import { type FieldsProps, RuleFields } from './RuleFields.tsx';
import { ruleText } from './ruleText.ts';

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
