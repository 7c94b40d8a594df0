import { Button } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import type { WebhookShown } from '../../../spec/answers/webhooks.ts';
import { useMay, useMe, useScope } from '../../app/me.ts';
import { useAsk } from '../../app/useAsk.ts';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { Empty } from '../../kit/Empty.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { Status } from '../../kit/Status.tsx';
import { When } from '../../kit/When.tsx';
import { useTexts } from '../../texts/texts.ts';
import { webhookTexts } from '../../texts/webhooks.ts';
import { AddWebhook } from './AddWebhook.tsx';
import { stateTones, typesText, type Words } from './words.ts';

const columnsIn = (t: Words, nameOf: (id: string) => string): readonly Column<WebhookShown>[] => [
  { id: 'name', header: t.name, isFixed: true, cell: ({ name }) => name, sortBy: ({ name }) => name },
  {
    id: 'state',
    header: t.state,
    cell: ({ state }) => <Status tone={stateTones[state]}>{t[state]}</Status>,
    sortBy: ({ state }) => state,
  },
  { id: 'url', header: t.url, cell: ({ url }) => <code>{url}</code>, sortBy: ({ url }) => url },
  { id: 'types', header: t.types, cell: ({ types }) => typesText(t, types) },
  { id: 'entity', header: t.entity, cell: ({ entityId }) => nameOf(entityId), sortBy: ({ entityId }) => nameOf(entityId) },
  { id: 'changed', header: t.changed, cell: ({ changedAt }) => <When at={changedAt} />, sortBy: ({ changedAt }) => changedAt },
];

/** The webhooks of the chosen entity and of those below it. */
export function Webhooks(): ReactNode {
  const t = useTexts(webhookTexts);
  const { entityId } = useScope();
  const { gatewayUrl, entities } = useMe();
  const may = useMay('webhooks');
  const [isAdding, setAdding] = useState(false);
  const { data, error, refetch } = useAsk('listWebhooks', { entityId, below: true }, { everyMs: 15_000 });
  const columns = useMemo(() => {
    const names = new Map(entities.map(({ id, name }) => [id, name]));
    return columnsIn(t, (id) => names.get(id) ?? id);
  }, [t, entities]);
  const fields = JSON.stringify({ entityId, name: 'Orders', url: 'https://shop.example/hook' });
  const curl = `curl ${gatewayUrl}/admin/v1/webhooks -H 'Authorization: Bearer …' -H 'Content-Type: application/json' -d '${fields}'`;
  return (
    <>
      <PageHead title={t.title} says={t.says}>
        {may && <Button onClick={() => setAdding(true)}>{t.add}</Button>}
      </PageHead>
      <DataTable
        name="webhooks"
        label={t.title}
        rows={data?.webhooks}
        columns={columns}
        keyOf={({ id }) => id}
        to={({ id }) => `/webhooks/${id}`}
        problem={error}
        retry={() => void refetch()}
        empty={<Empty title={t.none} says={t.noneSays} curl={curl} />}
      />
      <AddWebhook isOpen={isAdding} entityId={entityId} onClose={() => setAdding(false)} />
    </>
  );
}
