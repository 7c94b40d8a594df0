import { type ReactNode, useState } from 'react';
import type { DeliveryShown, WebhookDetail } from '../../../spec/answers/webhooks.ts';
import { useMay } from '../../app/me.ts';
import { useApiList } from '../../app/useApi.ts';
import { ConfirmButton } from '../../kit/ConfirmButton.tsx';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { Empty } from '../../kit/Empty.tsx';
import { type Filter, Filters, instantText, useFilters } from '../../kit/Filters.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { useTexts } from '../../texts/texts.ts';
import { webhookTexts } from '../../texts/webhooks.ts';
import { Delivery } from './Delivery.tsx';
import { deliveryTones, outcomeText, type Words } from './words.ts';

const states = ['due', 'delivered', 'dead'] as const;

const columnsIn = (t: Words): readonly Column<DeliveryShown>[] => [
  { id: 'happened', header: t.happened, isFixed: true, cell: ({ happenedAt }) => <Timestamp at={happenedAt} /> },
  { id: 'state', header: t.state, cell: ({ state }) => <Status tone={deliveryTones[state]}>{t[state]}</Status> },
  { id: 'event', header: t.event, cell: ({ type, action }) => <code>{action === null ? type : `${type} ${action}`}</code> },
  { id: 'outcome', header: t.outcome, cell: (delivery) => outcomeText(t, delivery) },
  { id: 'tries', header: t.tries, isNumber: true, cell: ({ tries }) => tries.length },
  { id: 'next', header: t.nextTry, cell: ({ nextTryAt }) => <Timestamp at={nextTryAt} /> },
  { id: 'transaction', header: t.transaction, isHidden: true, cell: ({ transactionId }) => <code>{transactionId}</code> },
];

const filtersIn = (t: Words): readonly Filter[] => [
  { name: 'state', label: t.filterState, choices: states.map((value) => ({ value, label: t[value] })) },
  { name: 'from', label: t.filterFrom, type: 'datetime-local' },
  { name: 'to', label: t.filterTo, type: 'datetime-local' },
];

/** What was sent to a webhook, or will be. */
export function Deliveries({ webhook }: { readonly webhook: WebhookDetail }): ReactNode {
  const t = useTexts(webhookTexts);
  const filters = filtersIn(t);
  const { from, to, ...chosen } = useFilters(filters);
  const values = { ...chosen, from: instantText(from), to: instantText(to) };
  const list = useApiList('listDeliveries', values, {
    places: { id: webhook.id },
    rowsOf: ({ deliveries }) => deliveries,
    everyMs: 10_000,
  });
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <>
      <p className="muted delivery-counts">
        {states.map((one) => t.countOf(String(webhook.deliveries[one]), t[one].toLocaleLowerCase())).join(' · ')}
      </p>
      <Filters filters={filters} />
      <DataTable
        name="deliveries"
        label={t.deliveries}
        columns={columnsIn(t)}
        keyOf={({ id }) => id}
        onOpen={({ id }) => setOpened(id)}
        empty={<Empty title={t.noDeliveries} says={t.noDeliveriesSays} />}
        {...list}
      />
      <Delivery webhook={webhook} deliveryId={opened} onClose={() => setOpened(null)} />
    </>
  );
}

/** Resends all failed and pending deliveries. */
export function ResendFailed({ webhook }: { readonly webhook: WebhookDetail }): ReactNode {
  const t = useTexts(webhookTexts);
  const may = useMay('webhooks', webhook.entityId);
  const { due, dead } = webhook.deliveries;
  if (!may || due + dead === 0) return null;
  return (
    <ConfirmButton
      endpoint="resendDeliveries"
      request={{ values: { failed: true }, places: { id: webhook.id } }}
      title={t.resendFailed}
      label={t.resendFailed}
      size="xs"
      isDangerous={false}
      says={({ count }) => t.resent(String(count))}
    >
      {t.resendFailedSays}
    </ConfirmButton>
  );
}
