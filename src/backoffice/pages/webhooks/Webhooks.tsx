import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { WebhookShown, WebhookWithKey } from '../../../spec/answers/webhooks.ts';
import { useMay, useMe, useScope } from '../../app/me.ts';
import { useAddress } from '../../app/navigation.ts';
import { useApiCommand, useApiList } from '../../app/useApi.ts';
import type { Column } from '../../kit/DataTable.tsx';
import { Dialog, OnceDialog } from '../../kit/Dialog.tsx';
import { Copyable } from '../../kit/Id.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { useTexts } from '../../texts/texts.ts';
import { webhookTexts } from '../../texts/webhooks.ts';
import { WebhookForm } from './WebhookForm.tsx';
import { stateTones, typesText, type Words } from './words.ts';

const columnsIn = (t: Words, nameOf: (id: string) => string): readonly Column<WebhookShown>[] => [
  { id: 'name', header: t.name, isFixed: true, cell: ({ name }) => name, sortBy: ({ name }) => name },
  {
    id: 'state',
    header: t.state,
    cell: ({ state }) => <Status tone={stateTones[state]}>{t[state]}</Status>,
    sortBy: ({ state }) => state,
  },
  { id: 'url', header: t.url, isLong: true, cell: ({ url }) => <code>{url}</code>, sortBy: ({ url }) => url },
  { id: 'types', header: t.events, isLong: true, cell: ({ types }) => typesText(t, types) },
  { id: 'entity', header: t.entity, cell: ({ entityId }) => nameOf(entityId), sortBy: ({ entityId }) => nameOf(entityId) },
  {
    id: 'changed',
    header: t.lastUpdated,
    cell: ({ changedAt }) => <Timestamp at={changedAt} />,
    sortBy: ({ changedAt }) => changedAt,
  },
];

/** The webhooks of the chosen entity and of those below it. */
export function Webhooks(): ReactNode {
  const t = useTexts(webhookTexts);
  const { entityId } = useScope();
  const { gatewayUrl, entities } = useMe();
  const may = useMay('webhooks');
  const [isAdding, setAdding] = useState(false);
  const list = useApiList('listWebhooks', { entityId, below: true }, { rowsOf: ({ webhooks }) => webhooks, everyMs: 15_000 });
  const names = new Map(entities.map(({ id, name }) => [id, name]));
  const fields = JSON.stringify({ entityId, name: 'Orders', url: 'https://shop.example/hook' });
  const curl = `curl ${gatewayUrl}/admin/v1/webhooks -H 'Authorization: Bearer …' -H 'Content-Type: application/json' -d '${fields}'`;
  return (
    <ListPage
      name="webhooks"
      title={t.webhooks}
      says={t.says}
      actions={may && <Button onClick={() => setAdding(true)}>{t.add}</Button>}
      list={list}
      columns={columnsIn(t, (id) => names.get(id) ?? id)}
      keyOf={({ id }) => id}
      to={({ id }) => `/webhooks/${id}`}
      empty={{ title: t.none, says: t.noneSays, curl }}
    >
      <AddWebhook isOpen={isAdding} entityId={entityId} onClose={() => setAdding(false)} />
    </ListPage>
  );
}

/** Creates a webhook, then shows its key once. */
function AddWebhook({
  isOpen,
  entityId,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly entityId: string;
  readonly onClose: () => void;
}): ReactNode {
  const t = useTexts(webhookTexts);
  const { go } = useAddress();
  const [made, setMade] = useState<WebhookWithKey | null>(null);
  const { run, isRunning, problem, reset } = useApiCommand('createWebhook', {
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
      <Dialog isOpen={isOpen} title={t.add} onClose={leave}>
        <WebhookForm
          act={t.create}
          problem={problem}
          isRunning={isRunning}
          onSend={(fields) => run({ values: { entityId, ...fields } })}
          onClose={leave}
        />
      </Dialog>
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

/** A new key, shown once, so only its button closes the dialog. */
export function FreshKey({ secret, onClose }: { readonly secret: string | null; readonly onClose: () => void }): ReactNode {
  const t = useTexts(webhookTexts);
  return (
    <OnceDialog isOpen={secret !== null} title={t.keyTitle} onClose={onClose}>
      <div className="stack">
        <p>{t.keySays}</p>
        <Copyable text={secret ?? ''} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t.keyKept}</Button>
        </Group>
      </div>
    </OnceDialog>
  );
}
