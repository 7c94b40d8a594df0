import { Button, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { Copyable } from '../../kit/Id.tsx';
import { useTexts } from '../../texts/texts.ts';
import { webhookTexts } from '../../texts/webhooks.ts';

/** A key that was just made. It is gone when this is closed, so nothing but the button closes it. */
export function FreshKey({ secret, onClose }: { readonly secret: string | null; readonly onClose: () => void }): ReactNode {
  const t = useTexts(webhookTexts);
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title={t.keyTitle}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <div className="stack">
        <p>{t.keySays}</p>
        <Copyable text={secret ?? ''} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t.keyKept}</Button>
        </Group>
      </div>
    </Modal>
  );
}
