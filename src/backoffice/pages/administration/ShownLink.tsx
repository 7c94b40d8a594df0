import { Alert, Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LinkView } from '../../../spec/answers/users.ts';
import { Facts } from '../../kit/Facts.tsx';
import { Copyable } from '../../kit/Id.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { useTexts } from '../../texts/texts.ts';
import { userTexts } from '../../texts/users.ts';

/** An invitation link. It is shown once, so only the button closes the dialog. */
export function ShownLink({ link, onClose }: { readonly link: LinkView | null; readonly onClose: () => void }): ReactNode {
  const t = useTexts(userTexts);
  return (
    <Modal
      opened={link !== null}
      onClose={onClose}
      title={t.link}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      size="lg"
    >
      {link && (
        <div className="stack once">
          <Alert color="warn" variant="light">
            {t.linkSays(link.user.name)}
          </Alert>
          <Copyable text={link.link} />
          <Facts
            facts={[
              [t.email, link.user.email],
              [t.linkUntil, <Timestamp key="until" at={link.until} hasSeconds />],
            ]}
          />
          <Button onClick={onClose}>{t.linkKept}</Button>
        </div>
      )}
    </Modal>
  );
}
