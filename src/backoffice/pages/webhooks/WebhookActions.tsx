import { Button, Menu, Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import type { WebhookDetail } from '../../../spec/answers/webhooks.ts';
import { useAddress } from '../../app/address.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { ConfirmCommand } from '../../kit/ConfirmButton.tsx';
import { Icon } from '../../kit/icons.tsx';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';
import { webhookTexts } from '../../texts/webhooks.ts';
import { FreshKey } from './FreshKey.tsx';
import { WebhookForm } from './WebhookForm.tsx';

type OpenDialog = 'change' | 'rotate' | 'switchOff' | 'remove';

/** What can be done with a webhook. */
export function WebhookActions({ webhook }: { readonly webhook: WebhookDetail }): ReactNode {
  const t = useTexts(webhookTexts);
  const [asked, setAsked] = useState<OpenDialog | null>(null);
  const close = () => setAsked(null);
  const [key, setKey] = useState<string | null>(null);
  const { go } = useAddress();
  const request = { places: { id: webhook.id } };
  const dialog = (name: OpenDialog) => ({ isOpen: asked === name, onClose: close });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="down" size={12} />}>
            {t.more}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(['change', 'rotate'] as const).map((act) => (
            <Menu.Item key={act} onClick={() => setAsked(act)}>
              {t[act]}
            </Menu.Item>
          ))}
          <Menu.Item disabled={webhook.state === 'off'} onClick={() => setAsked('switchOff')}>
            {t.switchOff}
          </Menu.Item>
          <Menu.Item color="bad" onClick={() => setAsked('remove')}>
            {t.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {webhook.state !== 'unproven' && <TestButton webhook={webhook} />}
      <Change webhook={webhook} isOpen={asked === 'change'} onClose={close} />
      <ConfirmCommand
        {...dialog('rotate')}
        endpoint="rotateWebhookKey"
        request={request}
        label={t.rotate}
        says={t.rotated}
        isDangerous={false}
        onDone={(rotated) => setKey(rotated.key)}
      >
        {t.rotateSays}
      </ConfirmCommand>
      <ConfirmCommand
        {...dialog('switchOff')}
        endpoint="switchOffWebhook"
        request={request}
        label={t.switchOff}
        says={t.switchedOff}
      >
        {t.switchOffSays}
      </ConfirmCommand>
      <ConfirmCommand
        {...dialog('remove')}
        endpoint="removeWebhook"
        request={request}
        label={t.remove}
        says={t.removed(webhook.name)}
        typed={webhook.name}
        onDone={() => go('/webhooks')}
      >
        {t.removeSays}
      </ConfirmCommand>
      <FreshKey secret={key} onClose={() => setKey(null)} />
    </>
  );
}

type Asking = { readonly webhook: WebhookDetail; readonly isOpen: boolean; readonly onClose: () => void };

/** Sends the test delivery, and shows its result. */
export function TestButton({ webhook: { id } }: { readonly webhook: WebhookDetail }): ReactNode {
  const t = useTexts(webhookTexts);
  const { close } = useTexts(shellTexts);
  const { run, isRunning } = useApiCommand('testWebhook', {
    onDone: ({ test }) =>
      notifications.show({
        closeButtonProps: { 'aria-label': close },
        ...(test.delivered
          ? { message: t.tested(String(test.status), String(test.ms)), color: 'good' }
          : { message: t.testFailed(test.why ?? ''), color: 'bad', role: 'alert' }),
      }),
  });
  return (
    <Button onClick={() => run({ places: { id } })} loading={isRunning}>
      {t.test}
    </Button>
  );
}

function Change({ webhook, isOpen, onClose }: Asking): ReactNode {
  const t = useTexts(webhookTexts);
  const { close } = useTexts(shellTexts);
  const { run, isRunning, problem } = useApiCommand('changeWebhook', { says: t.changeSaved, onDone: onClose, isQuiet: true });
  return (
    <Modal opened={isOpen} onClose={onClose} title={t.change} closeButtonProps={{ 'aria-label': close }}>
      <WebhookForm
        webhook={webhook}
        act={t.change}
        problem={problem}
        isRunning={isRunning}
        onSend={(fields) => run({ values: fields, places: { id: webhook.id } })}
        onClose={onClose}
      />
    </Modal>
  );
}
