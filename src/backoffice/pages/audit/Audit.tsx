import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AuditProof, AuditShown } from '../../../spec/answers/users.ts';
import { addressOf } from '../../app/api.ts';
import { choosable, useMe, useScope } from '../../app/me.ts';
import { useApiCommand, useApiList } from '../../app/useApi.ts';
import type { Column } from '../../kit/DataTable.tsx';
import { type Filter, instantText, useFilters } from '../../kit/Filters.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp, useDateText } from '../../kit/Timestamp.tsx';
import { auditTexts } from '../../texts/audit.ts';
import { auditActionTexts } from '../../texts/auditActions.ts';
import { localeOf, useLanguage, useTexts } from '../../texts/texts.ts';
import { Action } from './Action.tsx';
import { Entry } from './Entry.tsx';
import { Outcome } from './Outcome.tsx';
import { useWho, type Words } from './words.ts';

const columnsIn = (
  t: Words,
  { who, entityName }: { readonly who: (entry: AuditShown) => string; readonly entityName: (id: string | null) => string },
): readonly Column<AuditShown>[] => [
  { id: 'when', header: t.when, isFixed: true, cell: ({ at }) => <Timestamp at={at} /> },
  { id: 'who', header: t.who, cell: (entry) => <span title={entry.whoName}>{who(entry)}</span> },
  { id: 'what', header: t.what, isFixed: true, cell: ({ what }) => <Action what={what} /> },
  { id: 'on', header: t.on, cell: ({ entityId }) => entityName(entityId) },
  { id: 'object', header: t.object, isHidden: true, cell: ({ objectId }) => objectId && <code>{objectId}</code> },
  { id: 'from', header: t.from, cell: ({ from }) => <code>{from}</code> },
  { id: 'result', header: t.result, cell: (entry) => <Outcome entry={entry} /> },
  { id: 'node', header: t.node, isHidden: true, cell: ({ node }) => node },
  { id: 'number', header: t.number, isNumber: true, cell: ({ number }) => number },
];

type FilterParts = {
  readonly actions: Readonly<Record<string, string>>;
  readonly entities: readonly { readonly id: string; readonly name: string }[];
};

function filtersIn(t: Words, { actions, entities }: FilterParts): readonly Filter[] {
  return [
    { name: 'who', label: t.filterWho, placeholder: t.filterWhoHint },
    { name: 'what', label: t.filterWhat, choices: Object.entries(actions).map(([value, label]) => ({ value, label })) },
    {
      name: 'result',
      label: t.filterResult,
      choices: (['done', 'refused', 'failed'] as const).map((value) => ({ value, label: t[value] })),
    },
    { name: 'about', label: t.filterAbout, choices: entities.map(({ id, name }) => ({ value: id, label: name })) },
    { name: 'objectId', label: t.filterObject },
    { name: 'from', label: t.filterFrom, type: 'datetime-local' },
    { name: 'to', label: t.filterTo, type: 'datetime-local' },
  ];
}

/** The audit log. Reading it is audited, so the page loads it once and does not poll. */
export function Audit(): ReactNode {
  const t = useTexts(auditTexts);
  const me = useMe();
  const { entityId } = useScope();
  const actions = useTexts(auditActionTexts);
  const filters = filtersIn(t, { actions, entities: choosable(me) });
  const { from, to, ...chosen } = useFilters(filters);
  const values = { entityId, ...chosen, from: instantText(from), to: instantText(to) };
  const who = useWho(t);
  const [opened, setOpened] = useState<AuditShown | null>(null);
  const names = new Map(me.entities.map(({ id, name }) => [id, name]));
  const { run, isRunning, answer, problem } = useApiCommand('verifyAudit');
  return (
    <ListPage
      name="audit"
      title={t.title}
      says={t.says}
      actions={
        <Button onClick={() => run({ values: { entityId } })} loading={isRunning}>
          {t.verify}
        </Button>
      }
      csv={{ href: addressOf('exportAudit', values) }}
      filters={filters}
      notice={<Proof proof={problem ? undefined : answer} isRunning={isRunning} />}
      list={useApiList('listAudit', values, { rowsOf: ({ entries }) => entries })}
      columns={columnsIn(t, { who, entityName: (id) => (id === null ? '' : (names.get(id) ?? id)) })}
      keyOf={({ number }) => String(number)}
      onOpen={setOpened}
      empty={{ title: t.none, says: t.noneSays }}
    >
      <Entry entry={opened} onClose={() => setOpened(null)} />
    </ListPage>
  );
}

/** What the last verification found. */
function Proof({ proof, isRunning }: { readonly proof: AuditProof | undefined; readonly isRunning: boolean }): ReactNode {
  const t = useTexts(auditTexts);
  const dateText = useDateText();
  const locale = localeOf(useLanguage());
  if (isRunning) return <p role="status">{t.verifying}</p>;
  if (!proof) return null;
  const number = (value: number) => new Intl.NumberFormat(locale).format(value);
  const at = dateText(proof.at, true);
  return (
    <div role="status" className="audit-proof" data-ok={proof.ok || undefined}>
      <Status tone={proof.ok ? 'good' : 'bad'}>
        {proof.ok ? t.verified(number(proof.head.number), at) : t.broken(number(proof.found), at)}
      </Status>
      {!proof.ok && proof.findings.length === 0 && <p>{t.brokenElsewhere}</p>}
      {proof.findings.length > 0 && (
        <ul>
          {proof.findings.map(({ number: entry, says }) => (
            <li key={`${entry} ${says}`}>{entry === null ? says : `${t.atEntry(number(entry))}: ${says}`}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
