import { Progress } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FileCounts, SettlementShown } from '../../../spec/answers/settlement.ts';
import { useAddress } from '../../app/address.ts';
import { useMe } from '../../app/me.ts';
import { useApiQuery } from '../../app/useApi.ts';
import { LoadError } from '../../kit/Empty.tsx';
import { Facts, Section } from '../../kit/Facts.tsx';
import { Id } from '../../kit/Id.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { PageLink } from '../../kit/PageLink.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { settlementTexts } from '../../texts/settlement.ts';
import { useTexts } from '../../texts/texts.ts';
import { fileState, fileTones } from './words.ts';

/** One file of an acquirer: what was made of it, or what is wrong with it. */
export function SettlementFile(): ReactNode {
  const t = useTexts(settlementTexts);
  const { id = '' } = useAddress().params;
  const { data, error, refetch } = useApiQuery('readSettlement', {}, { places: { id }, everyMs: 5_000 });
  const back = { to: '/settlement', label: t.back };
  if (data) return <Shown file={data} />;
  return (
    <>
      <PageHead title={t.name} back={back} />
      {error && <LoadError problem={error} retry={() => void refetch()} />}
    </>
  );
}

function Shown({ file }: { readonly file: SettlementShown }): ReactNode {
  const t = useTexts(settlementTexts);
  const { entities } = useMe();
  return (
    <>
      <PageHead
        title={file.name}
        says={<Status tone={fileTones[file.state]}>{fileState(t, file.state)}</Status>}
        back={{ to: '/settlement', label: t.back }}
      />
      {file.count && <Counts count={file.count} />}
      <Facts
        facts={[
          [t.brought, <Timestamp key="at" at={file.createdAt} hasSeconds />],
          [t.format, file.format],
          [t.lines, file.lines],
          [t.entity, entities.find(({ id }) => id === file.entityId)?.name ?? file.entityId],
          ['ID', <Id key="id" id={file.id} />],
          [t.digest, <Id key="digest" id={file.digest} isShort />],
        ]}
      />
      {file.state === 'refused' && (
        <Messages title={t.faults} says={t.faultsMore(String(file.faultCount))} messages={file.faults} />
      )}
      {file.notes && file.notes.length > 0 && (
        <Messages title={t.notes} says={t.notesSays(String(file.noteCount ?? file.notes.length))} messages={file.notes} />
      )}
    </>
  );
}

const statuses = ['MATCHED', 'MULTIPLE_MATCHES', 'NOT_MATCHED'] as const;

function Counts({ count }: { readonly count: FileCounts }): ReactNode {
  const t = useTexts(settlementTexts);
  const all = statuses.reduce((sum, status) => sum + count[status], 0);
  const done = all - count.open;
  const says = t.progressOf(String(done), String(all));
  return (
    <div className="stack file-counts">
      <Progress value={all === 0 ? 100 : (done / all) * 100} aria-label={says} color={count.open === 0 ? 'good' : 'accent'} />
      <Facts
        facts={[
          [t.progress, says],
          ...statuses.map((status) => [t[status], String(count[status])] as const),
          [t.open, count.open > 0 && <PageLink to="/settlement/exceptions">{t.toExceptions}</PageLink>],
        ]}
      />
    </div>
  );
}

type MessagesGiven = { readonly title: string; readonly says: string; readonly messages: SettlementShown['faults'] };

function Messages({ title, says, messages }: MessagesGiven): ReactNode {
  const t = useTexts(settlementTexts);
  return (
    <Section title={title}>
      <p>{says}</p>
      <ul>
        {messages.map(({ line, message }) => (
          <li key={`${line} ${message}`}>{line === 0 ? t.faultFile(message) : t.faultLine(String(line), message)}</li>
        ))}
      </ul>
    </Section>
  );
}
