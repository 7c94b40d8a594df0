import { NumberInput, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RiskMode, RiskRules } from '../../../spec/answers/risk.ts';
import { Section } from '../../kit/Facts.tsx';
import { Disclosure } from '../../kit/Json.tsx';
import { riskTexts } from '../../texts/risk.ts';
import { useTexts } from '../../texts/texts.ts';
import { type Draft, modeIn, modes, type SwitchName, switches, withMember } from './draft.ts';

type SettingsProps = {
  readonly rules: RiskRules;
  readonly draft: Draft;
  readonly isReadOnly: boolean;
  readonly onChange: (draft: Draft) => void;
};

const INHERIT = '';

/** A switch that says what would be inherited. */
function ModeSelect({
  name,
  label,
  usual,
  ...props
}: SettingsProps & { readonly name: string; readonly label: string; readonly usual: RiskMode }): ReactNode {
  const t = useTexts(riskTexts);
  const { draft, rules, isReadOnly, onChange } = props;
  const above = modeIn(rules.inherited, name) ?? usual;
  return (
    <Select
      label={label}
      disabled={isReadOnly}
      allowDeselect={false}
      data={[{ value: INHERIT, label: t.inherit(t[above]) }, ...modes.map((value) => ({ value, label: t[value] }))]}
      value={modeIn(draft, name) ?? INHERIT}
      onChange={(value) => onChange(withMember(draft, name, value === INHERIT || value === null ? undefined : value))}
    />
  );
}

const levels = ['challenge', 'review', 'decline'] as const;

/** Mode, thresholds and the switches of the built-in checks. */
export function RuleSettings(props: SettingsProps): ReactNode {
  const t = useTexts(riskTexts);
  const { rules, draft, isReadOnly, onChange } = props;
  const mode = modeIn(draft, 'mode') ?? modeIn(rules.inherited, 'mode') ?? 'on';
  const thresholds = { ...rules.thresholds, ...(draft.thresholds as object | undefined) };
  const set = (level: (typeof levels)[number], value: number | string) =>
    onChange(withMember(draft, 'thresholds', { ...thresholds, [level]: value === '' ? null : Number(value) }));
  return (
    <Section title={t.settings}>
      <div className="rule-row">
        <ModeSelect {...props} name="mode" label={t.mode} usual="on" />
        <fieldset className="thresholds" aria-label={t.thresholds}>
          {levels.map((level) => (
            <NumberInput
              key={level}
              label={t.atScore(t[level])}
              disabled={isReadOnly}
              allowDecimal={false}
              value={thresholds[level] ?? ''}
              onChange={(value) => set(level, value)}
            />
          ))}
        </fieldset>
      </div>
      <p className="muted rule-note">{mode === 'report' ? t.modeReportSays : mode === 'off' ? t.modeOffSays : t.modeOnSays}</p>
      <Disclosure label={t.builtIn}>
        <div className="rule-row">
          {Object.entries(switches).map(([name, usual]) => (
            <ModeSelect key={name} {...props} name={name} label={t[name as SwitchName]} usual={usual} />
          ))}
        </div>
      </Disclosure>
    </Section>
  );
}
