import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AuditShown } from '../../../spec/answers/users.ts';
import { useMe } from '../../app/me.ts';
import { Facts } from '../../kit/Facts.tsx';
import { Id } from '../../kit/Id.tsx';
import { ResultCode } from '../../kit/ResultCode.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { auditTexts } from '../../texts/audit.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';
import { Action } from './Action.tsx';
import { Outcome } from './Outcome.tsx';
import { kindOf } from './words.ts';

/** Everything that one entry says. */
export function Entry({ entry, onClose }: { readonly entry: AuditShown | null; readonly onClose: () => void }): ReactNode {
  const t = useTexts(auditTexts);
  const { close } = useTexts(shellTexts);
  return (
    <Drawer
      opened={entry !== null}
      onClose={onClose}
      position="right"
      title={entry ? t.entryTitle(String(entry.number)) : ''}
      closeButtonProps={{ 'aria-label': close }}
    >
      {entry && <Details entry={entry} />}
    </Drawer>
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
        [t.when, <Timestamp key="when" at={entry.at} hasSeconds />],
        [t.result, <Outcome key="result" entry={entry} />],
        [
          t.code,
          entry.outcome === 'refused' && (isCode(entry.result) ? <ResultCode code={entry.result} isFull /> : entry.result),
        ],
        [t.what, <Action key="what" what={entry.what} />],
        [t.operation, <code key="operation">{entry.what}</code>],
        [t.who, entry.whoName || entry.who],
        [t.by, kindOf(t, entry.by)],
        [t.from, entry.from && <code>{entry.from}</code>],
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
