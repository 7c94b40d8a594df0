import { Button } from '@mantine/core';
import { type ReactNode, useCallback, useState } from 'react';
import type { AuditProof, AuditShown, NoticeView } from '../../spec/answers/users.ts';
import { addressOf } from '../app/api.ts';
import { choosable, useMe, useScope } from '../app/me.ts';
import { useApiCommand, useApiList, useApiQuery } from '../app/useApi.ts';
import { type Column, DataTable } from '../kit/DataTable.tsx';
import { DetailDrawer } from '../kit/Dialog.tsx';
import { Empty } from '../kit/Empty.tsx';
import { type Filter, instantText, useFilters } from '../kit/Filters.tsx';
import { Id } from '../kit/Id.tsx';
import { ListPage } from '../kit/ListPage.tsx';
import { Facts, PageHead, Trail } from '../kit/Page.tsx';
import { ResultCode, Status, type Tone } from '../kit/Status.tsx';
import { Timestamp, useDateText } from '../kit/Timestamp.tsx';
import { administrationTexts } from '../texts/administration.ts';
import { auditActionTexts, auditTexts, noticeTexts } from '../texts/audit.ts';
import { localeOf, useLanguage, useTexts } from '../texts/texts.ts';
import { useNodeName } from './users/roleNames.ts';

const columnsIn = (
  t: Words,
  { who, entityName }: { readonly who: (entry: AuditShown) => string; readonly entityName: (id: string | null) => string },
): readonly Column<AuditShown>[] => [
  { id: 'when', header: t.time, isFixed: true, cell: ({ at }) => <Timestamp at={at} /> },
  { id: 'who', header: t.user, cell: (entry) => <span title={entry.whoName}>{who(entry)}</span> },
  { id: 'what', header: t.action, isFixed: true, cell: ({ what }) => <Action what={what} /> },
  { id: 'on', header: t.entity, cell: ({ entityId }) => entityName(entityId) },
  { id: 'object', header: t.object, isHidden: true, cell: ({ objectId }) => objectId && <code>{objectId}</code> },
  { id: 'from', header: t.ipAddress, cell: ({ from }) => <code>{from}</code> },
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
    { name: 'who', label: t.user, placeholder: t.filterWhoHint },
    { name: 'what', label: t.action, choices: Object.entries(actions).map(([value, label]) => ({ value, label })) },
    {
      name: 'result',
      label: t.result,
      choices: (['done', 'refused', 'failed'] as const).map((value) => ({ value, label: t[value] })),
    },
    { name: 'about', label: t.entity, choices: entities.map(({ id, name }) => ({ value: id, label: name })) },
    { name: 'objectId', label: t.filterObject },
    { name: 'from', label: t.filterFrom, type: 'datetime-local' },
    { name: 'to', label: t.to, type: 'datetime-local' },
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
      empty={{ title: t.noEntries, says: t.noneSays }}
    >
      <Entry entry={opened} onClose={() => setOpened(null)} />
    </ListPage>
  );
}

/** The result of the last verification. */
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

/** Everything that one entry says. */
export function Entry({ entry, onClose }: { readonly entry: AuditShown | null; readonly onClose: () => void }): ReactNode {
  const t = useTexts(auditTexts);
  return (
    <DetailDrawer isOpen={entry !== null} title={entry ? t.entryTitle(String(entry.number)) : ''} onClose={onClose} size="md">
      {entry && <Details entry={entry} />}
    </DetailDrawer>
  );
}

/** The result of a refused sign-in is a word, not a result code. */
const isCode = (text: string): boolean => /^\d{3}\.\d{3}\.\d{3}$/.test(text);

function Details({ entry }: { readonly entry: AuditShown }): ReactNode {
  const t = useTexts(auditTexts);
  const { entities } = useMe();
  const name = entities.find(({ id }) => id === entry.entityId)?.name;
  return (
    <Facts
      facts={[
        [t.time, <Timestamp key="when" at={entry.at} hasSeconds />],
        [t.result, <Outcome key="result" entry={entry} />],
        [
          t.resultCode,
          entry.outcome === 'refused' && (isCode(entry.result) ? <ResultCode code={entry.result} isFull /> : entry.result),
        ],
        [t.action, <Action key="what" what={entry.what} />],
        [t.operation, <code key="operation">{entry.what}</code>],
        [t.user, entry.whoName || entry.who],
        [t.by, kindOf(t, entry.by)],
        [t.ipAddress, entry.from && <code>{entry.from}</code>],
        [t.entity, name ?? (entry.entityId && <Id id={entry.entityId} />)],
        [t.object, entry.objectId && <Id id={entry.objectId} />],
        [t.node, entry.node],
        [t.note, entry.note],
        [t.previous, entry.previous && <Id id={entry.previous} isShort />],
        [t.hash, <Id key="hash" id={entry.hash} isShort />],
      ]}
    />
  );
}

const tones: Readonly<Record<AuditShown['outcome'], Tone>> = { done: 'good', refused: 'warn', failed: 'bad' };

/** The outcome of an action. */
export function Outcome({ entry }: { readonly entry: Pick<AuditShown, 'outcome'> }): ReactNode {
  const t = useTexts(auditTexts);
  return <Status tone={tones[entry.outcome]}>{t[entry.outcome]}</Status>;
}

/** The label of an audited action; the name of the endpoint or command where it has none. */
export function Action({ what }: { readonly what: string }): ReactNode {
  const label = useTexts(auditActionTexts)[what];
  return label === undefined ? <code>{what}</code> : <span title={what}>{label}</span>;
}

export type Words = (typeof auditTexts)['en'];

/** The type of actor. */
export const kindOf = (t: Words, by: string): string =>
  ({
    user: t.user,
    token: t.byToken,
    operator: t.byOperator,
    command: t.byCommand,
    system: t.bySystem,
    nobody: t.unknown,
  })[by] ?? by;

/** The name of the actor without the e-mail, which is shown on hover and in the detail. */
export const useWho = (t: Words): ((entry: AuditShown) => string) =>
  useCallback(
    ({ by, who, whoName }) => {
      if (whoName !== '') return whoName.replace(/ <.*>$/, '');
      return by === 'command' && who !== '' ? who : kindOf(t, by);
    },
    [t],
  );

type NoticeWords = (typeof noticeTexts)['en'];

const noticeColumns = (t: NoticeWords, audit: Words, nodeName: (entityId: string) => string): readonly Column<NoticeView>[] => [
  { id: 'when', header: t.when, isFixed: true, cell: ({ at }) => <Timestamp at={at} /> },
  {
    id: 'what',
    header: t.action,
    isFixed: true,
    cell: ({ what, isRead }) => (
      <>
        <Action what={what} /> {!isRead && <Status tone="accent">{t.isNew}</Status>}
      </>
    ),
  },
  { id: 'who', header: t.user, cell: ({ by, whoName }) => (whoName === '' ? kindOf(audit, by) : whoName) },
  { id: 'on', header: t.entity, cell: ({ entityId }) => nodeName(entityId) },
  { id: 'from', header: t.from, cell: ({ from }) => <code>{from}</code> },
  { id: 'object', header: t.object, isHidden: true, cell: ({ objectId }) => objectId && <code>{objectId}</code> },
];

/** Changes of webhooks, tokens and keys by other users. */
export function Notices(): ReactNode {
  const t = useTexts(noticeTexts);
  const audit = useTexts(auditTexts);
  const shared = useTexts(administrationTexts);
  const nodeName = useNodeName();
  const { data, error, refetch } = useApiQuery('listNotices', {}, { everyMs: 15_000 });
  const { run, isRunning } = useApiCommand('readNotices');
  const newest = data?.notices[0]?.number;
  return (
    <>
      <Trail steps={[shared.administration, t.title]} />
      <PageHead title={t.title} says={t.says}>
        <Button
          variant="default"
          loading={isRunning}
          disabled={newest === undefined || data?.unread === 0}
          onClick={() => newest !== undefined && run({ values: { number: newest } })}
        >
          {t.read}
        </Button>
      </PageHead>
      <DataTable
        name="notices"
        label={t.title}
        rows={data?.notices}
        columns={noticeColumns(t, audit, nodeName)}
        keyOf={({ number }) => String(number)}
        problem={error}
        retry={() => void refetch()}
        empty={<Empty title={t.none} says={t.noneSays} />}
      />
    </>
  );
}
