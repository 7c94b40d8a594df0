import type { Fault } from '../../../form/checked.ts';
import type { AdminValues } from '../../../spec/admin/admin.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import { maskPayload, withoutPersonalData } from '../../../spec/masking.ts';
import type { RedeliveryRequest } from '../../../webhooks/ports.ts';
import type { Delivery, Webhook } from '../../../webhooks/webhook.ts';
import type { Services } from '../../services.ts';
import { authorizeWebhook, noSuch } from '../authorize.ts';
import { type CommandResult, command, query } from '../command.ts';
import { deliveryShown } from './webhooks.ts';

const PAGE = 50;

/** Lists deliveries, the newest first, a page at a time. */
export const listDeliveries = query(
  'listDeliveries',
  authorizeWebhook,
  async (services: Pick<Services, 'replies' | 'webhooks'>, { resource, values }) => {
    const { store } = services.webhooks;
    const { after: afterId, limit = PAGE, ...which } = values;
    const after = afterId === undefined ? null : await store.delivery(resource.id, afterId);
    if (afterId !== undefined && !after) {
      const fault: Fault = { name: 'after', value: afterId, message: 'is not among the deliveries of this webhook' };
      return services.replies.result('200.300.404', resource.entityId, { faults: [fault] });
    }
    // One more than the page holds shows whether there is another page.
    const found = await store.deliveries({ webhookId: resource.id, ...which, limit: limit + 1, ...(after && { after }) });
    const page = found.slice(0, limit);
    const next = found.length > limit ? (page.at(-1)?.id ?? null) : null;
    return services.replies.json(200, { deliveries: page.map(deliveryShown), next } satisfies AdminAnswer<'listDeliveries'>, {
      entityId: resource.entityId,
    });
  },
);

/** Reads a delivery, with the payload that would be sent now. */
export const readDelivery = query(
  'readDelivery',
  authorizeWebhook,
  async (services: Pick<Services, 'replies' | 'webhooks'>, { resource }, request) => {
    const delivery = await services.webhooks.store.delivery(resource.id, request.path.split('/').at(-1) ?? '');
    if (!delivery) return noSuch(services, 'delivery');
    const body = await bodyOf(services, resource, delivery);
    return services.replies.json(200, { ...deliveryShown(delivery), body } satisfies AdminAnswer<'readDelivery'>, {
      entityId: resource.entityId,
    });
  },
);

async function bodyOf(
  { webhooks }: Pick<Services, 'webhooks'>,
  { fields }: Webhook,
  { event }: Delivery,
): Promise<object | null> {
  const payload = await webhooks.payloadFor(event);
  return payload && maskPayload(fields === 'ALL' ? payload : withoutPersonalData(payload));
}

/** Sends deliveries again. */
export const resendDeliveries = command(
  'resendDeliveries',
  authorizeWebhook,
  async (services: Pick<Services, 'replies' | 'webhooks' | 'world'>, { resource, values }): Promise<CommandResult> => {
    const fault = choiceFault(values);
    if (fault) {
      return { reply: services.replies.result('200.300.404', resource.entityId, { faults: [fault] }), objectId: resource.id };
    }
    const { failed, ...which } = values;
    // Dead deliveries come last: once resent they are due, and would be counted twice.
    const wanted: readonly RedeliveryRequest[] = failed
      ? (['due', 'dead'] as const).map((state) => ({ webhookId: resource.id, ...which, state }))
      : [{ webhookId: resource.id, ...which }];
    let count = 0;
    for (const one of wanted) count += await services.webhooks.store.redeliver(one, services.world.clock.now());
    return {
      reply: services.replies.json(200, { count } satisfies AdminAnswer<'resendDeliveries'>, { entityId: resource.entityId }),
      objectId: resource.id,
    };
  },
);

/** To resend everything without a filter is never intended. */
function choiceFault(values: AdminValues<'resendDeliveries'>): Fault | null {
  const { ids, state, failed } = values;
  if (Object.keys(values).length === 0) return { name: 'ids', value: null, message: 'say which: ids, state, from, to or failed' };
  if (failed && (ids ?? state) !== undefined) return { name: 'failed', value: 'true', message: 'goes with from and to alone' };
  return null;
}
