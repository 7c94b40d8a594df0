import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import type { WebhookDetail } from '../../../spec/answers/webhooks.ts';
import { useMay, useMe } from '../../app/me.ts';
import { useAddress } from '../../app/navigation.ts';
import { useApiCommand, useApiQuery } from '../../app/useApi.ts';
import { ConfirmCommand, Dialog } from '../../kit/Dialog.tsx';
import { Id } from '../../kit/Id.tsx';
import { Icon } from '../../kit/icons.tsx';
import { Facts, PageHead, Section, Unloaded } from '../../kit/Page.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp, useDateText } from '../../kit/Timestamp.tsx';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';
import { webhookTexts } from '../../texts/webhooks.ts';
import { Deliveries, ResendFailed } from './Deliveries.tsx';
import { WebhookForm } from './WebhookForm.tsx';
import { FreshKey } from './Webhooks.tsx';
import { stateTones, typesText } from './words.ts';

/** One webhook: its state, its actions and its deliveries. */
export function Webhook(): ReactNode {
  const t = useTexts(webhookTexts);
  const { id = '' } = useAddress().params;
  const { data, error, refetch } = useApiQuery('readWebhook', {}, { places: { id }, everyMs: 10_000 });
  const back = { to: '/webhooks', label: t.webhooks };
  if (!data) return <Unloaded title={t.webhooks} back={back} error={error} retry={refetch} />;
  return <Shown webhook={data} />;
}

function Shown({ webhook }: { readonly webhook: WebhookDetail }): ReactNode {
  const t = useTexts(webhookTexts);
  const may = useMay('webhooks', webhook.entityId);
  return (
    <>
      <PageHead
        title={webhook.name}
        says={<Status tone={stateTones[webhook.state]}>{t[webhook.state]}</Status>}
        back={{ to: '/webhooks', label: t.webhooks }}
      >
        {may && <WebhookActions webhook={webhook} />}
      </PageHead>
      {webhook.state === 'unproven' && <Untested webhook={webhook} may={may} />}
      <About webhook={webhook} />
      <Section title={t.deliveries} actions={<ResendFailed webhook={webhook} />}>
        <Deliveries webhook={webhook} />
      </Section>
    </>
  );
}

/** A webhook gets no events before a successful test: the page says so, with the button beside it. */
function Untested({ webhook, may }: { readonly webhook: WebhookDetail; readonly may: boolean }): ReactNode {
  const t = useTexts(webhookTexts);
  return (
    <div className="notice" role="status">
      <p>{t.untested}</p>
      {may && <TestButton webhook={webhook} />}
    </div>
  );
}

function About({ webhook }: { readonly webhook: WebhookDetail }): ReactNode {
  const t = useTexts(webhookTexts);
  const { entities } = useMe();
  const dateText = useDateText();
  const { keys, types, fields, wrapper, why, failingSince, createdAt, changedAt, url, entityId, id, state } = webhook;
  const keyText = ({ createdAt: since, until }: (typeof keys)[number]) =>
    [t.keySince(dateText(since)), ...(until === null ? [] : [t.keyUntil(dateText(until))])].join(', ');
  return (
    <Facts
      facts={[
        [t.url, <code key="url">{url}</code>],
        [t.reason, state === 'unproven' ? null : why],
        [t.failingSince, failingSince && <Timestamp at={failingSince} hasSeconds />],
        [t.events, typesText(t, types)],
        [t.fields, t[`fields${fields}`]],
        [t.wrapper, t[`wrapper${wrapper}`]],
        [t.entity, entities.find((one) => one.id === entityId)?.name ?? entityId],
        [t.keys, keys.map(keyText).join('; ')],
        [t.createdAt, <Timestamp key="created" at={createdAt} hasSeconds />],
        [t.lastUpdated, <Timestamp key="changed" at={changedAt} hasSeconds />],
        ['ID', <Id key="id" id={id} />],
      ]}
    />
  );
}

type OpenDialog = 'change' | 'rotate' | 'switchOff' | 'remove';

/** The actions on a webhook. */
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
  const { run, isRunning, problem } = useApiCommand('changeWebhook', { says: t.saved, onDone: onClose, isQuiet: true });
  return (
    <Dialog isOpen={isOpen} title={t.change} onClose={onClose}>
      <WebhookForm
        webhook={webhook}
        act={t.change}
        problem={problem}
        isRunning={isRunning}
        onSend={(fields) => run({ values: fields, places: { id: webhook.id } })}
        onClose={onClose}
      />
    </Dialog>
  );
}
