import { Button, NativeSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { InboxAnswers, InboxVerdict, InboxView, MessageView } from '../../../spec/answers/developer.ts';
import { useMay, useScope } from '../../app/me.ts';
import { useApiCommand, useApiQuery } from '../../app/useApi.ts';
import { Disclosure, Json } from '../../kit/Code.tsx';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { ConfirmButton, DetailDrawer } from '../../kit/Dialog.tsx';
import { Empty, LoadError } from '../../kit/Empty.tsx';
import { Id } from '../../kit/Id.tsx';
import { Facts, PageHead, Section } from '../../kit/Page.tsx';
import { PageLink } from '../../kit/PageLink.tsx';
import { ResultCode, ResultReason, Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { developerTexts } from '../../texts/developer.ts';
import { useTexts } from '../../texts/texts.ts';

type Words = (typeof developerTexts)['en'];

const FOLLOW_MS = 2_000;
const SHOWN_MAX = 100;

const verdicts = { good: ['good', 'verdictGood'], stale: ['warn', 'verdictStale'], forged: ['bad', 'verdictForged'] } as const;

/** Whether a message is ours, as a word and a dot. */
export function Verdict({ verdict }: { readonly verdict: InboxVerdict }): ReactNode {
  const t = useTexts(developerTexts);
  const [tone, word] = verdicts[verdict];
  return <Status tone={tone}>{t[word]}</Status>;
}

const columnsIn = (t: Words): readonly Column<MessageView>[] => [
  { id: 'time', header: t.time, cell: ({ at }) => <Timestamp at={at} /> },
  {
    id: 'what',
    header: t.event,
    isFixed: true,
    cell: ({ type, action }) => <code>{type === null ? t.unopened : [type, action].filter(Boolean).join(' ')}</code>,
  },
  { id: 'reason', header: t.reason, isLong: true, cell: ({ code }) => code && <ResultReason code={code} /> },
  {
    id: 'payment',
    header: t.payment,
    cell: ({ paymentId }) => paymentId && <Id id={paymentId} to={`/payments/${paymentId}`} isShort />,
  },
  { id: 'signature', header: t.signature, cell: ({ verdict }) => <Verdict verdict={verdict} /> },
  {
    id: 'answered',
    header: t.response,
    cell: ({ answered }) => <Status tone={answered === 200 ? 'good' : 'bad'}>{answered ?? t.late}</Status>,
  },
];

/** The receiver inside the sandbox. */
export function Inbox(): ReactNode {
  const t = useTexts(developerTexts);
  const { entity, entityId } = useScope();
  const may = useMay('calls');
  const { data, error, refetch } = useApiQuery('readInbox', { entityId, limit: SHOWN_MAX }, { everyMs: FOLLOW_MS });
  const open = useApiCommand('openInbox', { says: t.opened });
  const inbox = data?.inbox ?? null;
  return (
    <>
      <PageHead title={t.inbox} says={t.inboxSays}>
        {may && inbox && <Close inbox={inbox} />}
      </PageHead>
      {error && !data && <LoadError problem={error} retry={() => void refetch()} />}
      {data && inbox === null && (
        <Empty title={t.noInbox(entity.name)} says={t.noInboxSays}>
          {may && (
            <Button loading={open.isRunning} onClick={() => open.run({ values: { entityId } })}>
              {t.openInbox}
            </Button>
          )}
        </Empty>
      )}
      {inbox && <Opened inbox={inbox} messages={data?.messages} may={may} />}
    </>
  );
}

type OpenedProps = {
  readonly inbox: InboxView;
  readonly messages: readonly MessageView[] | undefined;
  readonly may: boolean;
};

function Opened({ inbox, messages, may }: OpenedProps): ReactNode {
  const t = useTexts(developerTexts);
  const columns = columnsIn(t);
  const [shown, setShown] = useState<string | null>(null);
  const change = useApiCommand('changeInbox');
  const choices: readonly { readonly value: InboxAnswers; readonly label: string }[] = [
    { value: '200', label: t.answers200 },
    { value: '500', label: t.answers500 },
    { value: 'slow', label: t.answersSlow },
  ];
  return (
    <>
      <Facts
        facts={[
          [t.url, <Id key="url" id={inbox.url} />],
          [
            t.webhook,
            <span key="webhook">
              <PageLink to={`/webhooks/${inbox.webhookId}`}>{t.webhookState(inbox.webhookState)}</PageLink>
            </span>,
          ],
        ]}
      />
      <NativeSelect
        mt="md"
        w={280}
        label={t.answers}
        data={[...choices]}
        value={inbox.answers}
        disabled={!may}
        onChange={(event) =>
          change.run({ values: { answers: event.currentTarget.value as InboxAnswers }, places: { id: inbox.id } })
        }
      />
      <Section title={t.messages}>
        <DataTable
          name="inbox"
          label={t.messages}
          rows={messages}
          columns={columns}
          keyOf={({ id }) => id}
          onOpen={({ id }) => setShown(id)}
          empty={<Empty title={t.noMessages} says={t.noMessagesSay} />}
        />
      </Section>
      <InboxMessage inboxId={inbox.id} messageId={shown} onClose={() => setShown(null)} />
    </>
  );
}

function Close({ inbox }: { readonly inbox: InboxView }): ReactNode {
  const t = useTexts(developerTexts);
  return (
    <ConfirmButton endpoint="closeInbox" request={{ places: { id: inbox.id } }} label={t.closeInbox} says={t.closed}>
      {t.closeSure}
    </ConfirmButton>
  );
}

type Props = { readonly inboxId: string; readonly messageId: string | null; readonly onClose: () => void };

/** A message of the inbox: opened first, then as it came. */
function InboxMessage({ inboxId, messageId, onClose }: Props): ReactNode {
  const t = useTexts(developerTexts);
  const places = { id: inboxId, message: messageId ?? '' };
  const { data, error } = useApiQuery('readInboxMessage', {}, { places, isWanted: messageId !== null });
  return (
    <DetailDrawer isOpen={messageId !== null} title={t.message} onClose={onClose}>
      {error && <LoadError problem={error} />}
      {data && (
        <div className="dev-stack">
          <Facts
            facts={[
              [t.time, <Timestamp key="time" at={data.at} hasSeconds />],
              [t.signature, <Verdict key="signature" verdict={data.verdict} />],
              [t.response, data.answered ?? t.late],
              [t.resultCode, data.code && <ResultCode code={data.code} />],
              [t.payment, data.paymentId && <Id id={data.paymentId} to={`/payments/${data.paymentId}`} />],
              ['webhook-id', <Id key="event" id={data.eventId} />],
            ]}
          />
          <h3>{t.decrypted}</h3>
          {data.opened === null ? <p className="muted">{t.noneOpened}</p> : <Json value={data.opened} label={t.decrypted} />}
          <Disclosure label={t.headers}>
            <Json value={data.headers} label={t.headers} />
          </Disclosure>
          <Disclosure label={t.body}>
            <Json value={data.body} label={t.body} />
          </Disclosure>
        </div>
      )}
    </DetailDrawer>
  );
}
