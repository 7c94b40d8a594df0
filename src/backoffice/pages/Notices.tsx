import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { NoticeView } from '../../spec/answers/users.ts';
import { useApiCommand, useApiQuery } from '../app/useApi.ts';
import { type Column, DataTable } from '../kit/DataTable.tsx';
import { Empty } from '../kit/Empty.tsx';
import { PageHead, Trail } from '../kit/PageHead.tsx';
import { Status } from '../kit/Status.tsx';
import { Timestamp } from '../kit/Timestamp.tsx';
import { administrationTexts } from '../texts/administration.ts';
import { auditTexts, noticeTexts } from '../texts/audit.ts';
import { useTexts } from '../texts/texts.ts';
import { Action, type Words as AuditWords, kindOf } from './Audit.tsx';
import { useNodeName } from './users/roleNames.ts';

type Words = (typeof noticeTexts)['en'];

const columnsIn = (t: Words, audit: AuditWords, nodeName: (entityId: string) => string): readonly Column<NoticeView>[] => [
  { id: 'when', header: t.when, isFixed: true, cell: ({ at }) => <Timestamp at={at} /> },
  {
    id: 'what',
    header: t.what,
    isFixed: true,
    cell: ({ what, isRead }) => (
      <>
        <Action what={what} /> {!isRead && <Status tone="accent">{t.isNew}</Status>}
      </>
    ),
  },
  { id: 'who', header: t.who, cell: ({ by, whoName }) => (whoName === '' ? kindOf(audit, by) : whoName) },
  { id: 'on', header: t.on, cell: ({ entityId }) => nodeName(entityId) },
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
        columns={columnsIn(t, audit, nodeName)}
        keyOf={({ number }) => String(number)}
        problem={error}
        retry={() => void refetch()}
        empty={<Empty title={t.none} says={t.noneSays} />}
      />
    </>
  );
}
