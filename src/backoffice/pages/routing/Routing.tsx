import { Button, Select } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import type { AccountView } from '../../../spec/answers/account.ts';
import type { RoutingRule } from '../../../spec/routing.ts';
import { choosable, pathOf, useMay, useMe, useScope } from '../../app/me.ts';
import { useAddress } from '../../app/navigation.ts';
import { useApiCommand, useApiQuery } from '../../app/useApi.ts';
import { ConfirmButton } from '../../kit/Dialog.tsx';
import { Empty, LoadError } from '../../kit/Empty.tsx';
import { PageHead, Section } from '../../kit/Page.tsx';
import { Status } from '../../kit/Status.tsx';
import { useFieldErrors } from '../../kit/useForm.ts';
import { routingTexts } from '../../texts/routing.ts';
import { useTexts } from '../../texts/texts.ts';
import { useChangeMessage } from '../users/roleNames.ts';
import { Accounts, Rest } from './Accounts.tsx';
import { type Draft, draftOf, moved, rulesOf, stepOf, undone } from './draft.ts';
import { RoutingBacktest } from './RoutingBacktest.tsx';
import { RuleItem } from './RuleItem.tsx';

const SETTING = 'routing.rules';

/** The routing of the chosen channel: its rules, edited and saved, its accounts, and what takes the rest. */
export function Routing(): ReactNode {
  const t = useTexts(routingTexts);
  const { entity, entityId } = useScope();
  const isChannel = entity.kind === 'channel';
  const { data, error, refetch } = useApiQuery('readEntity', {}, { places: { id: entityId }, isWanted: isChannel });
  if (isChannel && data?.id === entityId) return <Editor key={entityId} account={data} />;
  return (
    <>
      <PageHead title={t.title} says={t.says} />
      {!isChannel && <ChannelPicker entityId={entityId} />}
      {isChannel && error && <LoadError problem={error} retry={() => void refetch()} />}
    </>
  );
}

/** In place of the rules, while the chosen entity is no channel. */
function ChannelPicker({ entityId }: { readonly entityId: string }): ReactNode {
  const t = useTexts(routingTexts);
  const me = useMe();
  const { set } = useAddress();
  const channels = choosable(me).filter(({ id, kind }) => kind === 'channel' && pathOf(me, id).includes(entityId));
  return (
    <Empty title={t.chooseChannel} says={t.chooseChannelSays}>
      <Select
        className="merchant-picker"
        label={t.channel}
        data={channels.map(({ id, name }) => ({ value: id, label: name }))}
        value={null}
        onChange={(entity) => entity !== null && set({ entity })}
        searchable
        limit={50}
        nothingFoundMessage={t.noChannels}
      />
    </Empty>
  );
}

const rulesIn = ({ settings }: AccountView): readonly RoutingRule[] => {
  const value = settings.find(({ name }) => name === SETTING)?.value;
  return Array.isArray(value) ? (value as readonly RoutingRule[]) : [];
};

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Saves a draft. A fault belongs to a rule as it was sent: a change of the rule takes it away. */
function useSave(account: AccountView, draft: Draft, onDone: () => void) {
  const t = useTexts(routingTexts);
  const [sent, setSent] = useState<readonly RoutingRule[]>([]);
  const says = useChangeMessage()(t.rulesSaved);
  const { run, isRunning, problem, reset } = useApiCommand('changeEntity', { says, onDone, isQuiet: true, isSensitive: true });
  const faultAt = (at: number) => problem?.faults[`${SETTING}.${at}`];
  const faults = new Map(sent.flatMap((rule, at) => (faultAt(at) === undefined ? [] : [[rule, faultAt(at) ?? ''] as const])));
  const faulty = draft.rules.filter(({ rule }) => faults.has(rule)).length;
  // After a conflict the present rules are loaded again.
  const { rest } = useFieldErrors(
    problem,
    sent.map((_, at) => `${SETTING}.${at}`),
  );
  const other = faults.size === 0 ? rest : null;
  const trouble = faulty > 0 ? t.faults(faulty) : other;
  const save = () => {
    const rules = rulesOf(draft);
    setSent(rules);
    run({ places: { id: account.id }, values: { revision: draft.revision, set: { [SETTING]: rules } } });
  };
  return { save, isRunning, reset, faults, trouble };
}

function Editor({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts(routingTexts);
  const maySettings = useMay('settings', account.id);
  const mayKeys = useMay('keys', account.id);
  const isReadOnly = !maySettings || !mayKeys;
  const [begun, setBegun] = useState<Draft | null>(null);
  const stored = rulesIn(account);
  const draft = begun ?? draftOf(stored, account.revision);
  const isDirty = begun !== null && !isSame(rulesOf(begun), stored);
  const isOvertaken = isDirty && draft.revision !== account.revision;
  const { save, isRunning, reset, faults, trouble } = useSave(account, draft, () => setBegun(null));
  const discard = () => {
    setBegun(null);
    reset();
  };
  return (
    <>
      <PageHead title={t.title} says={isReadOnly ? t.readOnly : t.says}>
        {isDirty && <Status tone="warn">{t.unsaved}</Status>}
        {begun !== null && begun.past.length > 0 && (
          <Button variant="default" onClick={() => setBegun(undone(begun))}>
            {t.undo}
          </Button>
        )}
        {isDirty && (
          <Button variant="default" onClick={discard}>
            {t.discard}
          </Button>
        )}
        {!isReadOnly && (
          <Button onClick={save} loading={isRunning} disabled={!isDirty || isOvertaken}>
            {t.saveRules}
          </Button>
        )}
      </PageHead>
      <div role="status" aria-live="polite">
        {isOvertaken && <p className="fault">{t.overtaken}</p>}
        {trouble !== null && !isOvertaken && <p className="fault">{trouble}</p>}
      </div>
      <Rules account={account} draft={draft} faults={faults} isReadOnly={isReadOnly} onChange={setBegun} />
      <RoutingBacktest account={account} rules={rulesOf(draft)} />
      <Rest account={account} />
      <Accounts account={account} />
    </>
  );
}

type RulesProps = {
  readonly account: AccountView;
  readonly draft: Draft;
  readonly faults: ReadonlyMap<RoutingRule, string>;
  readonly isReadOnly: boolean;
  readonly onChange: (draft: Draft) => void;
};

function Rules({ account, draft, faults, isReadOnly, onChange }: RulesProps): ReactNode {
  const t = useTexts(routingTexts);
  const [openKey, setOpenKey] = useState<string | null>(null);
  const made = useRef(0);
  const { rules } = draft;
  const add = () => {
    made.current += 1;
    const key = `new ${made.current}`;
    onChange(stepOf(draft, [...rules, { key, rule: { to: [] } }], `add ${key}`));
    setOpenKey(key);
  };
  const step = (next: typeof rules, label: string) => onChange(stepOf(draft, next, label));
  return (
    <Section
      title={t.rules}
      actions={
        !isReadOnly && (
          <Button variant="default" onClick={add}>
            {t.addRule}
          </Button>
        )
      }
    >
      <Source account={account} isReadOnly={isReadOnly} />
      {rules.length === 0 && <p className="muted">{t.noRules}</p>}
      <ol className="routing-rules">
        {rules.map(({ key, rule }, at) => (
          <RuleItem
            key={key}
            number={at + 1}
            rule={rule}
            account={account}
            fault={faults.get(rule) ?? null}
            isLast={at === rules.length - 1}
            isOpen={key === openKey && !isReadOnly}
            isReadOnly={isReadOnly}
            onOpen={(isOpen) => setOpenKey(isOpen ? key : null)}
            onChange={(next, field) => step(rules.with(at, { key, rule: next }), `${key} ${field}`)}
            onMove={(by) => step(moved(rules, at, by), `move ${key} ${draft.past.length}`)}
            onRemove={() => step(rules.toSpliced(at, 1), `remove ${key}`)}
          />
        ))}
      </ol>
    </Section>
  );
}

/** Where the rules are set, and the way back to inherited ones. */
function Source({ account, isReadOnly }: Pick<RulesProps, 'account' | 'isReadOnly'>): ReactNode {
  const t = useTexts(routingTexts);
  const source = account.settings.find(({ name }) => name === SETTING)?.source;
  if (source?.from === 'above') return <p className="muted routing-source">{t.sourceAbove(source.name)}</p>;
  if (source?.from !== 'own') return null;
  return (
    <p className="muted routing-source">
      {t.sourceOwn}{' '}
      {!isReadOnly && (
        <ConfirmButton
          endpoint="changeEntity"
          request={{ places: { id: account.id }, values: { revision: account.revision, inherit: [SETTING] } }}
          label={t.inherit}
          says={t.inherited}
          variant="subtle"
          size="compact-sm"
        >
          {t.inheritSays}
        </ConfirmButton>
      )}
    </p>
  );
}
