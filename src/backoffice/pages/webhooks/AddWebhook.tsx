import { Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { WebhookWithKey } from '../../../spec/answers/webhooks.ts';
import { useAddress } from '../../app/address.ts';
import { useAct } from '../../app/useAsk.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';
import { webhookTexts } from '../../texts/webhooks.ts';
import { FreshKey } from './FreshKey.tsx';
import { WebhookForm } from './WebhookForm.tsx';

/** A new webhook, and then its key: once. */
export function AddWebhook({
  isOpen,
  entityId,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly entityId: string;
  readonly onClose: () => void;
}): ReactNode {
  const t = useTexts(webhookTexts);
  const { close } = useTexts(shellTexts);
  const { go } = useAddress();
  const [made, setMade] = useState<WebhookWithKey | null>(null);
  const { run, isRunning, problem, reset } = useAct('createWebhook', {
    says: t.created,
    isQuiet: true,
    onDone: (webhook) => {
      onClose();
      setMade(webhook);
    },
  });
  const leave = () => {
    reset();
    onClose();
  };
  return (
    <>
      <Modal opened={isOpen} onClose={leave} title={t.add} closeButtonProps={{ 'aria-label': close }}>
        <WebhookForm
          act={t.create}
          problem={problem}
          isRunning={isRunning}
          onSend={(fields) => run({ values: { entityId, ...fields } })}
          onClose={leave}
        />
      </Modal>
      <FreshKey
        secret={made?.key ?? null}
        onClose={() => {
          const id = made?.id;
          setMade(null);
          reset();
          if (id !== undefined) go(`/webhooks/${id}`);
        }}
      />
    </>
  );
}
