import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { DeliveryDetail, DeliveryShown, WebhookDetail } from '../../../spec/answers/webhooks.ts';
import { useMay } from '../../app/me.ts';
import { useApiCommand, useApiList, useApiQuery } from '../../app/useApi.ts';
import { Json } from '../../kit/Code.tsx';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { ConfirmButton, DetailDrawer } from '../../kit/Dialog.tsx';
import { Empty, LoadError } from '../../kit/Empty.tsx';
import { type Filter, Filters, instantText, useFilters } from '../../kit/Filters.tsx';
import { Id } from '../../kit/Id.tsx';
import { Facts } from '../../kit/Page.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timeline, type TimelineEvent, Timestamp } from '../../kit/Timestamp.tsx';
import { useTexts } from '../../texts/texts.ts';
import { webhookTexts } from '../../texts/webhooks.ts';
import { deliveryTones, outcomeText, type Words } from './words.ts';

const states = ['due', 'delivered', 'dead'] as const;

const columnsIn = (t: Words): readonly Column<DeliveryShown>[] => [
  { id: 'happened', header: t.time, isFixed: true, cell: ({ happenedAt }) => <Timestamp at={happenedAt} /> },
  { id: 'state', header: t.state, cell: ({ state }) => <Status tone={deliveryTones[state]}>{t[state]}</Status> },
  { id: 'event', header: t.event, cell: ({ type, action }) => <code>{action === null ? type : `${type} ${action}`}</code> },
  { id: 'outcome', header: t.outcome, cell: (delivery) => outcomeText(t, delivery) },
  { id: 'tries', header: t.attempts, isNumber: true, cell: ({ tries }) => tries.length },
  { id: 'next', header: t.nextTry, cell: ({ nextTryAt }) => <Timestamp at={nextTryAt} /> },
  { id: 'transaction', header: t.transaction, isHidden: true, cell: ({ transactionId }) => <code>{transactionId}</code> },
];

const filtersIn = (t: Words): readonly Filter[] => [
  { name: 'state', label: t.state, choices: states.map((value) => ({ value, label: t[value] })) },
  { name: 'from', label: t.from, type: 'datetime-local' },
  { name: 'to', label: t.to, type: 'datetime-local' },
];

/** The deliveries of a webhook, sent and due. */
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

/** How often the panel is refreshed, and how often after a resend. */
const [EVERY_MS, RESENT_MS] = [5_000, 1_000];

type Opened = { readonly webhook: WebhookDetail; readonly deliveryId: string | null; readonly onClose: () => void };

/** One delivery: its tries and its payload. */
function Delivery({ webhook, deliveryId, onClose }: Opened): ReactNode {
  const t = useTexts(webhookTexts);
  return (
    <DetailDrawer isOpen={deliveryId !== null} title={t.delivery} onClose={onClose}>
      {deliveryId !== null && <Details webhook={webhook} deliveryId={deliveryId} />}
    </DetailDrawer>
  );
}

function Details({ webhook, deliveryId }: { readonly webhook: WebhookDetail; readonly deliveryId: string }): ReactNode {
  const t = useTexts(webhookTexts);
  const may = useMay('webhooks', webhook.entityId);
  const places = { id: webhook.id, delivery: deliveryId };
  const [isResent, setResent] = useState(false);
  const { data, error, refetch } = useApiQuery('readDelivery', {}, { places, everyMs: isResent ? RESENT_MS : EVERY_MS });
  const { run, isRunning } = useApiCommand('resendDeliveries', {
    says: ({ count }) => t.resent(String(count)),
    onDone: () => setResent(true),
  });
  if (!data) return error && <LoadError problem={error} retry={() => void refetch()} />;
  return (
    <div className="stack">
      <Outcome delivery={data} />
      <Facts
        facts={[
          [t.event, <code key="event">{data.action === null ? data.type : `${data.type} ${data.action}`}</code>],
          [t.transaction, <Id key="id" id={data.transactionId} isShort {...linkOf(data)} />],
          [t.time, <Timestamp key="at" at={data.happenedAt} hasSeconds />],
          [t.eventId, <Id key="event-id" id={data.eventId} isShort />],
        ]}
      />
      {may && (
        <div>
          <Button loading={isRunning} onClick={() => run({ values: { ids: [data.id] }, places: { id: webhook.id } })}>
            {t.resend}
          </Button>
        </div>
      )}
      <h3>{t.attempts}</h3>
      {data.tries.length === 0 ? (
        <p className="muted">{t.noAttempts}</p>
      ) : (
        <Timeline label={t.attempts} events={eventsOf(t, data)} />
      )}
      <h3>{t.body}</h3>
      {data.body === null ? <p className="muted">{t.bodyGone}</p> : <Json value={data.body} label={t.body} />}
    </div>
  );
}

/** The state of the delivery: the receiver's answer and the next try. The payment's result is on the payment's page. */
function Outcome({ delivery }: { readonly delivery: DeliveryDetail }): ReactNode {
  const t = useTexts(webhookTexts);
  const { state, nextTryAt, tries } = delivery;
  const outcome = outcomeText(t, delivery);
  const isFailing = state !== 'delivered' && tries.length > 0;
  return (
    <section className="delivery-outcome" aria-label={t.outcome}>
      <Status tone={isFailing ? 'bad' : deliveryTones[state]}>{t[isFailing && state === 'due' ? 'failing' : state]}</Status>
      <p>
        {outcome}
        {outcome !== null && state !== 'delivered' && '. '}
        {state === 'due' && nextTryAt && (
          <>
            {t.nextAttemptAt} <Timestamp at={nextTryAt} hasSeconds />
          </>
        )}
        {state === 'dead' && t.gaveUp}
      </p>
    </section>
  );
}

const linkOf = ({ type, transactionId }: DeliveryDetail) => (type === 'PAYMENT' ? { to: `/payments/${transactionId}` } : {});

const eventsOf = (t: Words, { tries }: DeliveryDetail): readonly TimelineEvent[] =>
  tries.toReversed().map(({ at, status, ms, why }) => ({
    key: at,
    at,
    title: why === null ? t.attemptOk(String(status), String(ms)) : t.attemptBad(why, String(ms)),
    tone: why === null ? 'good' : 'bad',
  }));
