import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAsk } from '../../app/useAsk.ts';
import { Trouble } from '../../kit/Empty.tsx';
import { Facts } from '../../kit/Facts.tsx';
import { Id } from '../../kit/Id.tsx';
import { Disclosure, Json } from '../../kit/Json.tsx';
import { ResultCode } from '../../kit/ResultCode.tsx';
import { When } from '../../kit/When.tsx';
import { developerTexts } from '../../texts/developer.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';
import { Verdict } from './Inbox.tsx';

type Props = { readonly inboxId: string; readonly messageId: string | null; readonly onClose: () => void };

/** A message of the inbox: opened first, then as it came. */
export function InboxMessage({ inboxId, messageId, onClose }: Props): ReactNode {
  const t = useTexts(developerTexts);
  const shell = useTexts(shellTexts);
  const places = { id: inboxId, message: messageId ?? '' };
  const { data, error } = useAsk('readInboxMessage', {}, { places, isWanted: messageId !== null });
  return (
    <Drawer
      opened={messageId !== null}
      onClose={onClose}
      position="right"
      size="lg"
      title={t.message}
      closeButtonProps={{ 'aria-label': shell.close }}
    >
      {error && <Trouble problem={error} />}
      {data && (
        <div className="dev-stack">
          <Facts
            facts={[
              [t.time, <When key="time" at={data.at} isExact />],
              [t.signature, <Verdict key="signature" verdict={data.verdict} />],
              [t.answered, data.answered ?? t.late],
              [t.code, data.code && <ResultCode code={data.code} />],
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
    </Drawer>
  );
}
