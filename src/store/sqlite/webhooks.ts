import { latestFor, SKEW_MS_MAX } from '../../merchants/merchantFilter.ts';
import type { WebhookStore } from '../../webhooks/ports.ts';
import type { Delivery } from '../../webhooks/webhook.ts';
import { DELETE_PORTION } from '../tables/statements.ts';
import {
  boundsOf,
  byDueAt,
  type CountRow,
  checkWebhook,
  countsOf,
  type DeliveryRow,
  deliveryCells,
  deliveryOf,
  type EventRow,
  eventOf,
  listCells,
  type RedeliveredRow,
  redeliverInPortions,
  type WebhookRow,
  webhookCells,
  webhookOf,
} from '../tables/webhooks.ts';
import type { WriteStep } from './jobs.ts';
import type { Reads } from './reads.ts';
import { deleteInPortions, write } from './registrations.ts';
import type { Writer } from './threads.ts';

/** Webhooks, outbox events and deliveries in SQLite. */
export const sqliteWebhooks = (read: Reads, writer: Writer): WebhookStore => ({
  webhooks: async () => read.all<WebhookRow>('webhooks').map(webhookOf),
  addWebhook: async (webhook) => {
    checkWebhook(webhook, true);
    await write(writer, ['addWebhook', ...webhookCells(webhook)], ['noteEarlierEvents', webhook.id]);
  },
  saveWebhook: async (webhook) => {
    checkWebhook(webhook, false);
    return (await write(writer, ['saveWebhook', ...webhookCells(webhook)])) > 0;
  },
  removeWebhook: (id) => removeWebhook(writer, id),
  ...deliveriesIn(read, writer),
  delivery: async (webhookId, id) => {
    const [row] = read.all<DeliveryRow>('delivery', id);
    return row?.webhook_id === webhookId ? deliveryOf(row) : null;
  },
  deliveries: async (query) => {
    const rows =
      query.state === undefined
        ? read.all<DeliveryRow>('deliveries', ...listCells(query))
        : read.all<DeliveryRow>('deliveriesIn', ...listCells(query), query.state);
    return rows.map(deliveryOf);
  },
  countDeliveries: async (webhookId) => countsOf(read.all<CountRow>('countDeliveries', webhookId)),
  nextDeliveryAt: async (merchantId) =>
    read.all<{ readonly number: number | null }>('nextDeliveryAt', merchantId)[0]?.number ?? null,
});

type Moving =
  | 'pendingEvents'
  | 'saveFanOut'
  | 'passEvents'
  | 'claimDeliveries'
  | 'saveDeliveries'
  | 'redeliver'
  | 'correctMisdatedDeliveries'
  | 'deleteEvents';

function deliveriesIn(read: Reads, writer: Writer): Pick<WebhookStore, Moving> {
  return {
    pendingEvents: async (merchants, limit) => {
      const rows =
        merchants.kind === 'only'
          ? read.all<EventRow>('pendingEventsOf', merchants.merchantId, limit)
          : read.all<EventRow>('pendingEvents', JSON.stringify(merchants.merchantIds), limit);
      return rows.map(eventOf);
    },
    saveFanOut: async (events, deliveries) => {
      await write(
        writer,
        ['fanOutEvents', JSON.stringify(events.map(({ merchantId, id }) => [merchantId, id]))],
        ...deliveries.map((one): WriteStep => ['addDelivery', ...deliveryCells(one)]),
        ...deliveries.map(lineUp),
      );
    },
    passEvents: (merchants, limit) =>
      merchants.kind === 'only'
        ? write(writer, ['passEventsOf', merchants.merchantId, limit])
        : write(writer, ['passEvents', JSON.stringify(merchants.merchantIds), limit]),
    claimDeliveries: async ({ now, until, limit, each, skip, merchants }) => {
      const cells = [now, until, limit, each, JSON.stringify(skip)] as const;
      const rows = await (merchants.kind === 'only'
        ? writer.rows<DeliveryRow>('claimDeliveriesOf', ...cells, merchants.merchantId)
        : writer.rows<DeliveryRow>('claimDeliveries', ...cells, JSON.stringify(merchants.merchantIds)));
      return rows.map(deliveryOf).sort(byDueAt);
    },
    saveDeliveries: async (deliveries, counted = []) => {
      const counting = deliveries.flatMap(({ id }, at): WriteStep[] => {
        const line = counted[at];
        return line ? [['countDelivery', id, line]] : [];
      });
      const settled = ({ id, state, dueAt, tries }: Delivery): WriteStep => [
        'settleDelivery',
        id,
        state,
        dueAt,
        JSON.stringify(tries),
      ];
      await write(writer, ...counting, ...deliveries.map(settled), ...deliveries.map(lineUp));
    },
    redeliver: async ({ webhookId, state, from, to, ids }, dueAt) => {
      const cells = [webhookId, dueAt, ...boundsOf(from, to)] as const;
      if (!ids) {
        return redeliverInPortions(state, DELETE_PORTION, (one, behind) =>
          writer.rows<RedeliveredRow>('redeliver', ...cells, one, ...behind, DELETE_PORTION),
        );
      }
      const found = await Promise.all(ids.map((id) => writer.rows('redeliverOne', ...cells, id, state ?? null)));
      return found.flat().length;
    },
    correctMisdatedDeliveries: async ({ now, merchants }) => {
      const cells = [now, now + SKEW_MS_MAX, latestFor('delivery', now)] as const;
      const rows = await (merchants.kind === 'only'
        ? writer.rows('correctMisdatedDeliveriesOf', ...cells, merchants.merchantId)
        : writer.rows('correctMisdatedDeliveries', ...cells, JSON.stringify(merchants.merchantIds)));
      return rows.length;
    },
    deleteEvents: async (before) => {
      await write(writer, ['deleteEarlierEvents']);
      return (
        (await deleteInPortions(writer, 'deleteDeliveries', before)) + (await deleteInPortions(writer, 'deleteEvents', before))
      );
    },
  };
}

/** After the deliveries themselves, so that it finds all of a subject in their places. */
const lineUp = ({ webhookId, event: { merchantId, subjectId, revision } }: Delivery): WriteStep => [
  'lineUp',
  webhookId,
  merchantId,
  subjectId,
  revision,
];

/** Most of what is on its way first, in portions; the webhook and the rest in one commit. */
async function removeWebhook(writer: Writer, id: string): Promise<boolean> {
  while ((await write(writer, ['clearWebhook', id, DELETE_PORTION])) === DELETE_PORTION) {}
  return (
    (await write(writer, ['clearWebhook', id, Number.MAX_SAFE_INTEGER], ['forgetEarlierEvents', id], ['removeWebhook', id])) > 0
  );
}
