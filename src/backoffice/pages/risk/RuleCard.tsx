import { Button, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RiskFault, RiskRule, RuleWords } from '../../../spec/answers/risk.ts';
import { riskTexts } from '../../texts/risk.ts';
import { useTexts } from '../../texts/texts.ts';
import { pieces } from './draft.ts';

export type RuleCardProps = {
  readonly rule: RiskRule;
  readonly faults: readonly RiskFault[];
  readonly words: RuleWords;
  readonly names: readonly string[];
  readonly isReadOnly: boolean;
  readonly onChange: (rule: RiskRule) => void;
  readonly onRemove: () => void;
};

const verdicts = ['accept', 'review', 'challenge', 'decline'] as const;
const ruleModes = ['on', 'shadow', 'off'] as const;

/** An editor for one rule, with its explanation below. */
export function RuleCard(props: RuleCardProps): ReactNode {
  const { rule, isReadOnly, onChange } = props;
  const t = useTexts(riskTexts);
  return (
    <fieldset className="rule-card" disabled={isReadOnly}>
      <legend className="rule-name">{rule.id}</legend>
      <div className="rule-row">
        <TextInput label={t.name} value={rule.id} onChange={(event) => onChange({ ...rule, id: event.currentTarget.value })} />
        <TextInput
          label={t.description}
          value={rule.says}
          onChange={(event) => onChange({ ...rule, says: event.currentTarget.value })}
        />
      </div>
      <Condition {...props} />
      <Consequence {...props} />
    </fieldset>
  );
}

/** The action of the rule. */
function Consequence({ rule, isReadOnly, onChange, onRemove }: RuleCardProps): ReactNode {
  const t = useTexts(riskTexts);
  const { gives } = rule;
  const give = (changes: Partial<RiskRule['gives']>) => onChange({ ...rule, gives: { ...gives, ...changes } });
  return (
    <div className="rule-row rule-gives">
      <Select
        label={t.verdict}
        data={verdicts.map((value) => ({ value, label: t[value] }))}
        value={gives.verdict}
        allowDeselect={false}
        onChange={(value) => onChange({ ...rule, gives: givesOf(gives, value as RiskRule['gives']['verdict']) })}
      />
      <NumberInput
        label={t.score}
        value={gives.score ?? 0}
        allowDecimal={false}
        onChange={(value) => give({ score: Number(value) || 0 })}
      />
      {gives.verdict === 'decline' && (
        <TextInput
          label={t.resultCode}
          placeholder="100.400.319"
          value={gives.code ?? ''}
          onChange={(event) => onChange({ ...rule, gives: withCode(gives, event.currentTarget.value) })}
        />
      )}
      <Select
        label={t.ruleMode}
        data={ruleModes.map((value) => ({ value, label: t[value] }))}
        value={rule.mode}
        allowDeselect={false}
        onChange={(value) => onChange({ ...rule, mode: value as RiskRule['mode'] })}
      />
      {!isReadOnly && (
        <Button
          variant="subtle"
          color="bad"
          className="rule-remove"
          onClick={onRemove}
          aria-label={`${t.removeRule}: ${rule.id}`}
        >
          {t.removeRule}
        </Button>
      )}
    </div>
  );
}

/** A code goes with a decline alone. */
function givesOf({ score }: RiskRule['gives'], verdict: RiskRule['gives']['verdict']): RiskRule['gives'] {
  return { verdict, ...(score !== undefined && { score }) };
}

function withCode({ code: _, ...others }: RiskRule['gives'], code: string): RiskRule['gives'] {
  return code === '' ? others : { ...others, code };
}

function Condition({ rule, faults, words, names, isReadOnly, onChange }: RuleCardProps): ReactNode {
  const t = useTexts(riskTexts);
  const faultTexts = faults.map(({ character, says }) => (character === null ? says : t.atCharacter(character, says)));
  const insert = (piece: string | null) =>
    piece !== null && onChange({ ...rule, when: `${rule.when.trimEnd()} ${piece}`.trimStart() });
  return (
    <div className="rule-when">
      <Textarea
        label={t.when}
        classNames={{ input: 'mono' }}
        value={rule.when}
        autosize
        minRows={1}
        maxRows={8}
        spellCheck={false}
        error={faultTexts.length > 0 ? <span lang="en">{faultTexts.join(' ')}</span> : null}
        onChange={(event) => onChange({ ...rule, when: event.currentTarget.value })}
      />
      {!isReadOnly && (
        <Select
          label={t.insert}
          data={[...pieces, ...names]}
          value={null}
          searchable
          maxDropdownHeight={260}
          onChange={insert}
          clearable={false}
        />
      )}
      {words && (
        <p className="rule-words">
          {words.when} {words.gives}
        </p>
      )}
    </div>
  );
}
