import { Button, FileButton, Progress } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, type ReactNode, useCallback, useState } from 'react';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { ExceptionKind, FileCounts, SettlementLine, SettlementShown } from '../../../spec/answers/settlement.ts';
import { addressOf, isProblem, type Problem, problemOf, problemText, unreached } from '../../app/api.ts';
import { useMay, useMe, useScope } from '../../app/me.ts';
import { useAddress } from '../../app/navigation.ts';
import { sessionWatch } from '../../app/session.ts';
import { useApiList, useApiQuery } from '../../app/useApi.ts';
import type { Column } from '../../kit/DataTable.tsx';
import { Id } from '../../kit/Id.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { Facts, PageHead, Section, Unloaded } from '../../kit/Page.tsx';
import { PageLink } from '../../kit/PageLink.tsx';
import { Status, type Tone } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { settlementTexts } from '../../texts/settlement.ts';
import { shellTexts } from '../../texts/shell.ts';
import { localeOf, useLanguage, useTexts } from '../../texts/texts.ts';

const columnsIn = (t: Words, nameOf: (id: string) => string): readonly Column<SettlementShown>[] => [
  { id: 'name', header: t.name, isFixed: true, isLong: true, cell: ({ name }) => name, sortBy: ({ name }) => name },
  { id: 'state', header: t.state, cell: ({ state }) => <Status tone={fileTones[state]}>{fileState(t, state)}</Status> },
  { id: 'lines', header: t.lines, isNumber: true, cell: ({ lines }) => lines, sortBy: ({ lines }) => lines },
  { id: 'matched', header: t.matched, isNumber: true, cell: (file) => <Count file={file} of="MATCHED" /> },
  { id: 'open', header: t.exceptions, isNumber: true, cell: (file) => <Count file={file} of="open" /> },
  { id: 'format', header: t.format, isHidden: true, cell: ({ format }) => format },
  { id: 'entity', header: t.entity, cell: ({ entityId }) => nameOf(entityId) },
  {
    id: 'brought',
    header: t.brought,
    cell: ({ createdAt }) => <Timestamp at={createdAt} />,
    sortBy: ({ createdAt }) => createdAt,
  },
];

/** The results of matching a file. They are loaded file by file: to add them up for all files would be slow. */
function Count({ file, of }: { readonly file: SettlementShown; readonly of: keyof FileCounts }): ReactNode {
  const { data } = useApiQuery('readSettlement', {}, { places: { id: file.id }, isWanted: file.state === 'kept' });
  return data?.id === file.id ? (data.count?.[of] ?? null) : null;
}

const SHOWN = 20;
const READING_MS = 2_000;

/** Settlement files of the chosen entity and of those below it. */
export function Settlement(): ReactNode {
  const t = useTexts(settlementTexts);
  const { entityId } = useScope();
  const { entities } = useMe();
  const may = useMay('settlement');
  const list = useApiList(
    'listSettlements',
    { entityId, limit: SHOWN },
    { rowsOf: ({ settlements }) => settlements, everyMs: 15_000 },
  );
  const isReading = list.rows?.some(({ state }) => state === 'reading') ?? false;
  useApiList(
    'listSettlements',
    { entityId, limit: SHOWN },
    { rowsOf: ({ settlements }) => settlements, everyMs: READING_MS, isWanted: isReading },
  );
  const names = new Map(entities.map(({ id, name }) => [id, name]));
  return (
    <ListPage
      name="settlements"
      title={t.settlementFiles}
      says={t.says}
      notice={may && <Upload entityId={entityId} />}
      list={list}
      columns={columnsIn(t, (id) => names.get(id) ?? id)}
      keyOf={({ id }) => id}
      to={({ id }) => `/settlement/files/${id}`}
      empty={{ title: t.none, says: t.noneSays }}
    />
  );
}

type Sending = { readonly name: string; readonly share: number | null };

/** Uploads files one after the other, because two files of one PSP are never read concurrently. */
function useUpload(entityId: string) {
  const t = useTexts(settlementTexts);
  const { close } = useTexts(shellTexts);
  const client = useQueryClient();
  const [sending, setSending] = useState<Sending | null>(null);
  const [problem, setProblem] = useState<{ readonly name: string; readonly problem: Problem } | null>(null);
  const send = async (files: readonly File[]) => {
    setProblem(null);
    for (const file of files) {
      setSending({ name: file.name, share: 0 });
      try {
        const { is, count } = await upload(file, entityId, (share) => setSending({ name: file.name, share }));
        const [matched, open] = [String(count?.MATCHED ?? 0), String(count?.open ?? 0)];
        const message = is === 'known' ? t.uploadKnown(file.name) : t.uploadKept(file.name, matched, open);
        notifications.show({ message, color: 'good', closeButtonProps: { 'aria-label': close } });
      } catch (error) {
        if (!isProblem(error)) throw error;
        setProblem({ name: file.name, problem: error });
        break;
      }
    }
    setSending(null);
    void client.invalidateQueries();
  };
  return { send, sending, problem };
}

/** Where files are dropped or chosen. */
export function Upload({ entityId }: { readonly entityId: string }): ReactNode {
  const t = useTexts(settlementTexts);
  const { send, sending, problem } = useUpload(entityId);
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!sending) void send([...event.dataTransfer.files]);
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <section
      className="dropzone"
      aria-label={t.upload}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {sending ? (
        <Sent sending={sending} />
      ) : (
        <>
          <p className="dropzone-title">{t.dropHere}</p>
          <p className="muted">{t.dropSays}</p>
          <FileButton multiple onChange={(files) => void send(files)} inputProps={{ 'aria-label': t.upload }}>
            {(props) => <Button {...props}>{t.upload}</Button>}
          </FileButton>
        </>
      )}
      {problem && <Refused {...problem} />}
    </section>
  );
}

function Sent({ sending: { name, share } }: { readonly sending: Sending }): ReactNode {
  const t = useTexts(settlementTexts);
  const says = share === null ? t.reading(name) : t.uploading(name);
  return (
    <div role="status" className="stack">
      <p>{says}</p>
      <Progress value={share === null ? 100 : share * 100} animated={share === null} aria-label={says} />
    </div>
  );
}

/** Every fault with its line, so that the file can be corrected in one go. */
function Refused({ name, problem }: { readonly name: string; readonly problem: Problem }): ReactNode {
  const shell = useTexts(shellTexts);
  const faults = Object.entries(problem.faults);
  return (
    <div role="alert" className="fault">
      <p>
        {name}
        {': '}
        {faults.length > 1 ? problem.message : problemText(problem, shell)}
      </p>
      {faults.length > 1 && (
        <ul>
          {faults.map(([place, message]) => (
            <li key={place}>{shell.fault(place, message)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** How far a file is: `null` when all of it has arrived and is being read. */
type OnSent = (share: number | null) => void;

/** Uploads a file. XMLHttpRequest is used because it reports progress. */
function upload(file: File, entityId: string, onSent: OnSent): Promise<AdminAnswer<'bringSettlement'>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', addressOf('bringSettlement', { entityId, name: file.name.replace(/[/\\]/g, '-').slice(0, 200) }));
    request.setRequestHeader('X-Turnpike-Csrf', sessionWatch.csrf());
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(loaded < total ? loaded / total : null));
    request.addEventListener('error', () => reject(unreached()));
    request.addEventListener('load', () => {
      if (request.status === 200) {
        sessionWatch.seen();
        resolve(JSON.parse(request.responseText) as AdminAnswer<'bringSettlement'>);
        return;
      }
      if (request.status === 401) sessionWatch.lost();
      problemOf(new Response(request.responseText, { status: request.status })).then(reject, reject);
    });
    request.send(file);
  });
}

export type Words = (typeof settlementTexts)['en'];

export const NOTE_MAX = 64;

const kindOf = ({ exception }: Pick<SettlementLine, 'exception'>): ExceptionKind | 'unmatched' => exception ?? 'unmatched';

/** Why a line was not matched, in a word or two, and in a sentence. */
export const kindText = (t: Words, line: Pick<SettlementLine, 'exception'>): string => t[`kind.${kindOf(line)}`];
export const kindSays = (t: Words, line: Pick<SettlementLine, 'exception'>): string => t[`kindSays.${kindOf(line)}`];

/** The amount as it moves the account: a file states the direction beside it. */
export const signedAmount = ({ amount, cashflow }: Pick<SettlementLine, 'amount' | 'cashflow'>): string =>
  cashflow === 'NEG' && !amount.startsWith('-') ? `-${amount}` : amount;

export const fileTones: Readonly<Record<SettlementShown['state'], Tone>> = { reading: 'accent', kept: 'good', refused: 'bad' };

export const fileState = (t: Words, state: SettlementShown['state']): string =>
  ({ reading: t.stateReading, kept: t.stateKept, refused: t.rejected })[state];

/** A settlement day such as 2031-10-02, formatted. It is a calendar day without a time zone. */
export function useDay(): (day: string) => string {
  const locale = localeOf(useLanguage());
  return useCallback(
    (day) => {
      const at = new Date(`${day}T00:00:00Z`);
      return Number.isNaN(at.getTime())
        ? day
        : new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(at);
    },
    [locale],
  );
}

/** One file of an acquirer: how its lines were matched, or why it was refused. */
export function SettlementFile(): ReactNode {
  const t = useTexts(settlementTexts);
  const { id = '' } = useAddress().params;
  const { data, error, refetch } = useApiQuery('readSettlement', {}, { places: { id }, everyMs: 5_000 });
  const back = { to: '/settlement', label: t.settlementFiles };
  if (data) return <Shown file={data} />;
  return <Unloaded title={t.name} back={back} error={error} retry={refetch} />;
}

function Shown({ file }: { readonly file: SettlementShown }): ReactNode {
  const t = useTexts(settlementTexts);
  const { entities } = useMe();
  return (
    <>
      <PageHead
        title={file.name}
        says={<Status tone={fileTones[file.state]}>{fileState(t, file.state)}</Status>}
        back={{ to: '/settlement', label: t.settlementFiles }}
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
          [t.exceptions, count.open > 0 && <PageLink to="/settlement/exceptions">{t.toExceptions}</PageLink>],
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
