import { Button, FileButton, Progress } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, type ReactNode, useState } from 'react';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import { addressOf } from '../../app/api.ts';
import { isProblem, type Problem, problemOf, unreached } from '../../app/problem.ts';
import { problemText } from '../../app/problemText.ts';
import { sessionWatch } from '../../app/session.ts';
import { settlementTexts } from '../../texts/settlement.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';

type Sending = { readonly name: string; readonly share: number | null };

/** Files, one after the other: two of one PSP are never read at once. */
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

/** Every fault with its line: a file is mended at all places at once. */
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
