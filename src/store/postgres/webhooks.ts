import { latestFor, SKEW_MS_MAX } from '../../merchants/merchantFilter.ts';
import type { WebhookStore } from '../../webhooks/ports.ts';
import type { Delivery, OutboxEvent } from '../../webhooks/webhook.ts';
import { DELETE_PORTION } from '../tables/statements.ts';
import {
  boundsOf,
  byDueAt,
  type CountRow,
  checkWebhook,
  countsOf,
  type DeliveryRow,
  deliveryCells,
  deliveryColumns,
  deliveryOf,
  type EventRow,
  eventOf,
  listCells,
  type RedeliveredRow,
  redeliverInPortions,
  type WebhookRow,
  webhookCells,
  webhookOf,
  webhookReads,
  webhookWrites,
} from '../tables/webhooks.ts';
import { postgresClaims, postgresOnlyReads, postgresRedelivery, postgresTogether } from './claimStatements.ts';
import type { Pool } from './pool.ts';
import { rowsFrom, transact } from './transact.ts';
import { deleteInPortions, write } from './write.ts';

/** Webhooks, outbox events and deliveries in PostgreSQL. */
export const postgresWebhooks = (pool: Pool): WebhookStore => ({
  webhooks: async () => (await pool.read<WebhookRow>(webhookReads.webhooks)).map(webhookOf),
  addWebhook: async (webhook) => {
    checkWebhook(webhook, true);
    await transact(pool, async (step) => {
      await step(webhookWrites.addWebhook, webhookCells(webhook));
      await step(webhookWrites.noteEarlierEvents, [webhook.id]);
    });
  },
  saveWebhook: async (webhook) => {
    checkWebhook(webhook, false);
    return (await write(pool, webhookWrites.saveWebhook, webhookCells(webhook))) > 0;
  },
  removeWebhook: (id) => removeWebhook(pool, id),
  ...deliveriesIn(pool),
  delivery: async (webhookId, id) => {
    const [row] = await pool.read<DeliveryRow>(webhookReads.delivery, [id]);
    return row?.webhook_id === webhookId ? deliveryOf(row) : null;
  },
  deliveries: async (query) => {
    const rows =
      query.state === undefined
        ? pool.read<DeliveryRow>(postgresOnlyReads.deliveries, listCells(query))
        : pool.read<DeliveryRow>(webhookReads.deliveriesIn, [...listCells(query), query.state]);
    return (await rows).map(deliveryOf);
  },
  countDeliveries: async (webhookId) => countsOf(await pool.read<CountRow>(webhookReads.countDeliveries, [webhookId])),
  nextDeliveryAt: async (merchantId) => {
    const [row] = await pool.read<{ readonly number: string | null }>(webhookReads.nextDeliveryAt, [merchantId]);
    return row?.number == null ? null : Number(row.number);
  },
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

function deliveriesIn(pool: Pool): Pick<WebhookStore, Moving> {
  return {
    pendingEvents: async (merchants, limit) => {
      const rows =
        merchants.kind === 'only'
          ? pool.read<EventRow>(postgresOnlyReads.pendingEventsOf, [merchants.merchantId, limit])
          : pool.read<EventRow>(postgresOnlyReads.pendingEvents, [JSON.stringify(merchants.merchantIds), limit]);
      return (await rows).map(eventOf);
    },
    saveFanOut: (events, deliveries) => saveFanOut(pool, events, deliveries),
    passEvents: (merchants, limit) =>
      merchants.kind === 'only'
        ? write(pool, postgresTogether.passEventsOf, [merchants.merchantId, limit])
        : write(pool, postgresTogether.passEvents, [JSON.stringify(merchants.merchantIds), limit]),
    claimDeliveries: async ({ now, until, limit, each, skip, merchants }) => {
      const cells = [now, until, limit, each, JSON.stringify(skip)] as const;
      const rows =
        merchants.kind === 'only'
          ? rowsFrom<DeliveryRow>(pool, postgresClaims.claimDeliveriesOf, [...cells, merchants.merchantId])
          : rowsFrom<DeliveryRow>(pool, postgresClaims.claimDeliveries, [...cells, JSON.stringify(merchants.merchantIds)]);
      return (await rows).map(deliveryOf).sort(byDueAt);
    },
    saveDeliveries: async (deliveries, counted = []) => {
      const rows = jsonOf(deliveries, counted);
      await transact(pool, async (step) => {
        await step(postgresTogether.settle, [rows]);
        await step(postgresTogether.lineUp, [rows]);
      });
    },
    redeliver: async ({ webhookId, state, from, to, ids }, dueAt) => {
      const cells = [webhookId, dueAt, ...boundsOf(from, to)] as const;
      if (!ids) {
        return redeliverInPortions(state, DELETE_PORTION, (one, behind) =>
          rowsFrom<RedeliveredRow>(pool, postgresRedelivery.redeliver, [...cells, one, ...behind, DELETE_PORTION]),
        );
      }
      return transact(pool, async (step) => {
        let sum = 0;
        for (const id of ids.toSorted()) sum += await step(postgresRedelivery.redeliverOne, [...cells, id, state ?? null]);
        return sum;
      });
    },
    correctMisdatedDeliveries: async ({ now, merchants }) => {
      const cells = [now, now + SKEW_MS_MAX, latestFor('delivery', now)] as const;
      const rows =
        merchants.kind === 'only'
          ? rowsFrom(pool, postgresClaims.correctMisdatedDeliveriesOf, [...cells, merchants.merchantId])
          : rowsFrom(pool, postgresClaims.correctMisdatedDeliveries, [...cells, JSON.stringify(merchants.merchantIds)]);
      return (await rows).length;
    },
    deleteEvents: async (before) => {
      await write(pool, webhookWrites.deleteEarlierEvents, []);
      return (
        (await deleteInPortions(pool, webhookWrites.deleteDeliveries, before)) +
        (await deleteInPortions(pool, webhookWrites.deleteEvents, before))
      );
    },
  };
}

const byId = (one: Delivery, other: Delivery): number => (one.id < other.id ? -1 : 1);

function jsonOf(deliveries: readonly Delivery[], lines: readonly (string | null)[] = []): string {
  const lineOf = new Map(deliveries.map(({ id }, index) => [id, lines[index] ?? null]));
  const rows = deliveries.toSorted(byId).map((one) => {
    const cells = deliveryCells(one);
    return { ...Object.fromEntries(deliveryColumns.map((name, index) => [name, cells[index]])), line: lineOf.get(one.id) };
  });
  return JSON.stringify(rows);
}

const byName = (one: OutboxEvent, other: OutboxEvent): number =>
  one.merchantId === other.merchantId ? (one.id < other.id ? -1 : 1) : one.merchantId < other.merchantId ? -1 : 1;

async function saveFanOut(pool: Pool, events: readonly OutboxEvent[], deliveries: readonly Delivery[]): Promise<void> {
  const names = JSON.stringify(events.toSorted(byName).map(({ merchantId, id }) => ({ merchant_id: merchantId, id })));
  if (deliveries.length === 0) {
    await write(pool, postgresTogether.fanOutEvents, [names]);
    return;
  }
  const rows = jsonOf(deliveries);
  await transact(pool, async (step) => {
    await step(postgresTogether.fanOutEvents, [names]);
    await step(postgresTogether.addDeliveries, [rows]);
    await step(postgresTogether.lineUp, [rows]);
  });
}

/** Deletes most deliveries first, in portions; then the webhook and the rest in one transaction. */
async function removeWebhook(pool: Pool, id: string): Promise<boolean> {
  while ((await write(pool, webhookWrites.clearWebhook, [id, DELETE_PORTION])) === DELETE_PORTION) {}
  return transact(pool, async (step) => {
    // The webhook first: this waits for transactions that add deliveries to it, and none can add afterwards.
    const removed = await step(webhookWrites.removeWebhook, [id]);
    await step(webhookWrites.clearWebhook, [id, Number.MAX_SAFE_INTEGER]);
    await step(webhookWrites.forgetEarlierEvents, [id]);
    return removed > 0;
  });
}
