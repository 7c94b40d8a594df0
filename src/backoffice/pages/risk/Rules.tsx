import { Button, NumberInput, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useMemo, useState } from 'react';
import type { RiskChecked, RiskMode, RiskRules, RuleView } from '../../../spec/answers/risk.ts';
import { problemText } from '../../app/api.ts';
import { useMay, useScope } from '../../app/me.ts';
import { useApiCommand, useApiQuery } from '../../app/useApi.ts';
import { Disclosure } from '../../kit/Code.tsx';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { Empty } from '../../kit/Empty.tsx';
import { PageHead, Section, Unloaded } from '../../kit/Page.tsx';
import { Status } from '../../kit/Status.tsx';
import { riskTexts } from '../../texts/risk.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useLanguage, useTexts } from '../../texts/texts.ts';
import { Backtest } from './Backtest.tsx';
import {
  type Draft,
  draftOf,
  isSame,
  modeIn,
  modes,
  newRule,
  rulesIn,
  type SwitchName,
  switches,
  type Words,
  withMember,
  withRules,
} from './draft.ts';
import { RuleCard } from './RuleCard.tsx';

const CHECK_MS = 350;

/** The risk rules of the chosen entity: edited, checked while one types, tried on the past, saved. */
export function Rules(): ReactNode {
  const t = useTexts(riskTexts);
  const language = useLanguage();
  const { entityId } = useScope();
  const { data, error, refetch } = useApiQuery('readRiskRules', { entityId, language });
  if (!data || data.entityId !== entityId) return <Unloaded title={t.rules} says={t.rulesSays} error={error} retry={refetch} />;
  return <Editor key={entityId} rules={data} />;
}

/** Unsaved changes and the revision they are based on; null: none. */
type Begun = { readonly draft: Draft; readonly revision: number } | null;

function Editor({ rules }: { readonly rules: RiskRules }): ReactNode {
  const t = useTexts(riskTexts);
  const shell = useTexts(shellTexts);
  const isReadOnly = !useMay('risk', rules.entityId);
  const [begun, setBegun] = useState<Begun>(null);
  const draft = begun?.draft ?? draftOf(rules);
  const isDirty = begun !== null && !isSame(begun.draft, draftOf(rules));
  const change = (next: Draft) => setBegun({ draft: next, revision: begun?.revision ?? rules.revision });
  const checked = useChecked(rules.entityId, draft);
  const { run, isRunning, problem, reset } = useApiCommand('saveRiskRules', {
    says: t.rulesSaved,
    onDone: () => setBegun(null),
    isQuiet: true,
  });
  const discard = () => {
    setBegun(null);
    reset();
  };
  const isOvertaken = begun !== null && isDirty && begun.revision !== rules.revision;
  const save = () => run({ values: { entityId: rules.entityId, risk: draft, revision: begun?.revision ?? rules.revision } });
  return (
    <>
      <PageHead title={t.rules} says={isReadOnly ? t.readOnly : t.rulesSays}>
        {isDirty && <Status tone="warn">{t.unsaved}</Status>}
        {isDirty && (
          <Button variant="default" onClick={discard}>
            {t.discard}
          </Button>
        )}
        {!isReadOnly && (
          <Button onClick={save} loading={isRunning} disabled={!isDirty || checked.faults.length > 0 || isOvertaken}>
            {t.saveRules}
          </Button>
        )}
      </PageHead>
      <div role="status" aria-live="polite">
        {checked.faults.length > 0 && <p className="fault">{t.faults(checked.faults.length)}</p>}
        {checked.faults
          .filter(({ place }) => !/^rules\.[0-9]+$/.test(place))
          .map(({ place, says }) => (
            <p key={`${place} ${says}`} className="fault" lang="en">
              {place} {says}
            </p>
          ))}
        {isOvertaken && <p className="fault">{t.overtaken}</p>}
        {problem && <p className="fault">{problemText(problem, shell)}</p>}
      </div>
      <RuleSettings rules={rules} draft={draft} isReadOnly={isReadOnly} onChange={change} />
      <OwnRules rules={rules} draft={draft} checked={checked} isReadOnly={isReadOnly} onChange={change} />
      <Backtest entityId={rules.entityId} draft={draft} isSound={checked.faults.length === 0} canBeTried={rules.canBeTried} />
      <OtherRules rules={rules} draft={draft} isReadOnly={isReadOnly} onChange={change} />
    </>
  );
}

const nothing: RiskChecked = { faults: [], words: [] };

/** The server's check of a draft: its faults, and its rules in words. */
function useChecked(entityId: string, draft: Draft): RiskChecked {
  const language = useLanguage();
  const [settled] = useDebouncedValue(draft, CHECK_MS);
  const { data } = useApiQuery('checkRiskRules', { entityId, risk: settled, language });
  return data ?? nothing;
}

type PartProps = {
  readonly rules: RiskRules;
  readonly draft: Draft;
  readonly isReadOnly: boolean;
  readonly onChange: (draft: Draft) => void;
};

function OwnRules({ rules, draft, checked, isReadOnly, onChange }: PartProps & { readonly checked: RiskChecked }): ReactNode {
  const t = useTexts(riskTexts);
  const own = rulesIn(draft);
  const names = useMemo(() => rules.names.map(({ name }) => name), [rules.names]);
  const taken = [...own, ...rules.rules.map(({ rule }) => rule)].map(({ id }) => id);
  const add = () => onChange(withRules(draft, [...own, newRule(taken, t.newSays)]));
  return (
    <Section
      title={t.ownRules}
      actions={
        !isReadOnly && (
          <Button variant="default" onClick={add}>
            {t.addRule}
          </Button>
        )
      }
    >
      {own.length === 0 && <p className="muted">{t.noOwnRules}</p>}
      <div className="stack">
        {own.map((rule, at) => (
          <RuleCard
            // biome-ignore lint/suspicious/noArrayIndexKey: its name changes while it is typed
            key={at}
            rule={rule}
            faults={checked.faults.filter(({ place }) => place === `rules.${at}`)}
            words={checked.words[at] ?? null}
            names={names}
            isReadOnly={isReadOnly}
            onChange={(next) => onChange(withRules(draft, own.with(at, next)))}
            onRemove={() => onChange(withRules(draft, own.toSpliced(at, 1)))}
          />
        ))}
      </div>
    </Section>
  );
}

const tones = { on: 'good', shadow: 'warn', off: 'quiet' } as const;
const froms = { builtIn: 'fromBuiltIn', inherited: 'fromInherited', own: 'fromOwn' } as const;

const columnsIn = (t: Words, copy: ((rule: RuleView) => void) | null): readonly Column<RuleView>[] => [
  { id: 'rule', header: t.rule, isFixed: true, cell: ({ rule }) => <code>{rule.id}</code>, sortBy: ({ rule }) => rule.id },
  {
    id: 'meaning',
    header: t.description,
    cell: ({ rule, words }) => (
      <span className="rule-meaning" title={rule.when}>
        {words ? `${words.when} ${words.gives}` : rule.says}
      </span>
    ),
  },
  { id: 'mode', header: t.ruleMode, cell: ({ rule }) => <Status tone={tones[rule.mode]}>{t[rule.mode]}</Status> },
  { id: 'from', header: t.from, cell: ({ from }) => t[froms[from]] },
  ...(copy
    ? [
        {
          id: 'copy',
          header: '',
          cell: (seen: RuleView) => (
            <Button variant="subtle" size="compact-sm" onClick={() => copy(seen)} aria-label={t.changeHereOf(seen.rule.id)}>
              {t.changeHere}
            </Button>
          ),
        },
      ]
    : []),
];

/** Built-in and inherited rules that are not overridden. */
function OtherRules({ rules, draft, isReadOnly, onChange }: PartProps): ReactNode {
  const t = useTexts(riskTexts);
  const own = rulesIn(draft);
  const others = rules.rules.filter(({ from, rule }) => from !== 'own' && own.every(({ id }) => id !== rule.id));
  const copy = isReadOnly ? null : ({ rule }: RuleView) => onChange(withRules(draft, [...own, rule]));
  const columns = columnsIn(t, copy);
  return (
    <Section title={t.otherRules}>
      <DataTable
        name="riskRules"
        label={t.otherRules}
        rows={others}
        columns={columns}
        keyOf={({ rule }) => rule.id}
        empty={<Empty title={t.noRules} />}
      />
    </Section>
  );
}

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
        <ModeSelect {...props} name="mode" label={t.riskChecks} usual="on" />
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
