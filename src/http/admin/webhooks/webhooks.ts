import type { Fault } from '../../../form/checked.ts';
import type { AdminValues } from '../../../spec/admin/admin.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { WebhookDetail, WebhookShown, WebhookTested, WebhookWithKey } from '../../../spec/answers/webhooks.ts';
import { HOUR_MS } from '../../../spec/time.ts';
import type { AttemptResult } from '../../../webhooks/prepareDispatch.ts';
import { type Delivery, eventTypes, type Webhook } from '../../../webhooks/webhook.ts';
import { updateWebhook } from '../../../webhooks/webhookState.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../transport/reply.ts';
import { type AuthorizedAdmin, authorizeEntity, authorizeWebhook, faulty, noSuch } from '../authorize.ts';
import { type CommandResult, command, query } from '../command.ts';

/** The most webhooks of one entity, not counting those above and below it. */
const WEBHOOKS_MAX = 20;
const UNTIL_HOURS = 24;

/** The members that single endpoints add to a webhook. */
type Added = Partial<Pick<WebhookDetail, 'deliveries'> & Pick<WebhookWithKey, 'key'> & Pick<WebhookTested, 'test'>>;

const shown = ({ replies }: Pick<Services, 'replies'>, webhook: Webhook, more: Added = {}): Reply =>
  replies.json(200, { ...webhookShown(webhook), ...more } satisfies WebhookShown & Added, { entityId: webhook.entityId });

const urlFault = ({ webhooks }: Pick<Services, 'webhooks'>, url: string | undefined): Fault | null => {
  const message = url === undefined ? null : webhooks.addressFault(url);
  return message === null ? null : { name: 'url', value: url ?? null, message };
};

/** Lists the webhooks of an entity. */
export const listWebhooks = query(
  'listWebhooks',
  authorizeEntity,
  async ({ webhooks, replies, directory }: Pick<Services, 'directory' | 'replies' | 'webhooks'>, { entity, values }) => {
    const merchants = new Set(values.below ? directory.idsBelow(entity.id) : [entity.id]);
    const own = (await webhooks.store.webhooks()).filter(({ entityId }) => merchants.has(entityId));
    return replies.json(200, { webhooks: own.map(webhookShown) } satisfies AdminAnswer<'listWebhooks'>, { entityId: entity.id });
  },
);

/** Creates a webhook. */
export const createWebhook = command('createWebhook', authorizeEntity, create);

async function create(
  services: Pick<Services, 'replies' | 'webhooks' | 'world'>,
  { entity, values }: AuthorizedAdmin<'createWebhook', null>,
): Promise<CommandResult> {
  const { store } = services.webhooks;
  const refused = (fault: Fault): CommandResult => ({ reply: faulty(services, entity.id, fault), objectId: null });
  const misplaced = urlFault(services, values.url);
  if (misplaced) return refused(misplaced);
  const own = (await store.webhooks()).filter(({ entityId }) => entityId === entity.id);
  if (own.length >= WEBHOOKS_MAX) {
    return refused({ name: 'entityId', value: entity.id, message: `has ${WEBHOOKS_MAX} webhooks already; remove one first` });
  }
  const { webhook, hex } = await insertWebhook(services, entity.id, values);
  return { reply: shown(services, webhook, { key: hex }), objectId: webhook.id };
}

type NewWebhook = Pick<AdminValues<'createWebhook'>, 'name' | 'url' | 'types' | 'fields' | 'wrapper' | 'key'>;

/** Creates a webhook with its key; nothing is sent until it has been tested. */
export async function insertWebhook(
  { webhooks, world }: Pick<Services, 'webhooks' | 'world'>,
  entityId: string,
  values: NewWebhook,
) {
  const { store, keys } = webhooks;
  const [id, now] = [world.ids.next(), world.clock.now()];
  const { key, hex } = await keys.make({ id, entityId }, now, values.key);
  const webhook: Webhook = {
    id,
    entityId,
    name: values.name,
    url: values.url,
    types: values.types ?? eventTypes,
    fields: values.fields ?? 'ALL',
    wrapper: values.wrapper ?? 'NONE',
    state: 'unproven',
    why: null,
    keys: [key],
    failingSince: null,
    createdAt: now,
    changedAt: now,
    revision: 1,
  };
  await store.addWebhook(webhook).catch(async (error: unknown) => {
    await keys.forget(webhook);
    throw error;
  });
  return { webhook, hex };
}

/** Reads a webhook. */
export const readWebhook = query(
  'readWebhook',
  authorizeWebhook,
  async (services: Pick<Services, 'replies' | 'webhooks'>, { resource: webhook }) =>
    shown(services, webhook, { deliveries: await services.webhooks.store.countDeliveries(webhook.id) }),
);

const UNTRIED = 'it has another address now, which has to answer a test delivery';

/** A new address is untested: events wait for it, as for a paused webhook. */
const readdressed = (state: Webhook['state']): Partial<Webhook> =>
  state === 'active' || state === 'paused' ? { state: 'paused', why: UNTRIED, failingSince: null } : {};

/** Changes a webhook; fields that are not sent stay. */
export const changeWebhook = command(
  'changeWebhook',
  authorizeWebhook,
  async (services: Pick<Services, 'replies' | 'webhooks' | 'world'>, { resource, values }): Promise<CommandResult> => {
    const misplaced = urlFault(services, values.url);
    if (misplaced) return { reply: faulty(services, resource.entityId, misplaced), objectId: resource.id };
    const now = services.world.clock.now();
    if (Object.keys(values).length === 0) return { reply: shown(services, resource), objectId: resource.id };
    return kept(services, resource, (webhook) => ({
      ...webhook,
      ...values,
      ...(values.url !== undefined && values.url !== webhook.url && readdressed(webhook.state)),
      changedAt: now,
    }));
  },
);

/** Switches a webhook off. Due deliveries stay, and are sent when it is on again in time. */
export const switchOffWebhook = command(
  'switchOffWebhook',
  authorizeWebhook,
  (services: Pick<Services, 'replies' | 'webhooks' | 'world'>, { resource }): Promise<CommandResult> => {
    const now = services.world.clock.now();
    return kept(services, resource, (webhook) =>
      webhook.state === 'off'
        ? webhook
        : { ...webhook, state: 'off', why: 'it was switched off by hand', failingSince: null, changedAt: now },
    );
  },
);

async function kept(
  services: Pick<Services, 'replies' | 'webhooks'>,
  resource: Webhook,
  change: (webhook: Webhook) => Webhook,
): Promise<CommandResult> {
  const webhook = await updateWebhook(services.webhooks.store, resource, change);
  return { reply: webhook ? shown(services, webhook) : noSuch(services, 'webhook'), objectId: resource.id };
}

/** Removes a webhook and its keys. */
export const removeWebhook = command(
  'removeWebhook',
  authorizeWebhook,
  async (services: Pick<Services, 'replies' | 'webhooks'>, { resource }): Promise<CommandResult> => {
    const { store, keys } = services.webhooks;
    const isRemoved = await store.removeWebhook(resource.id);
    await keys.forget(resource);
    const reply = isRemoved
      ? services.replies.json(200, { id: resource.id, removed: true } satisfies AdminAnswer<'removeWebhook'>, {
          entityId: resource.entityId,
        })
      : noSuch(services, 'webhook');
    return { reply, objectId: resource.id };
  },
);

/** Sends a test delivery, which switches a webhook on. A receiver that fails it is a result of the test and no error of the request. */
export const testWebhook = command(
  'testWebhook',
  authorizeWebhook,
  async (services: Pick<Services, 'replies' | 'webhooks'>, { resource }): Promise<CommandResult> => {
    const { webhook, tried } = await services.webhooks.activate(resource);
    const reply = webhook ? shown(services, webhook, { test: testShown(tried) }) : noSuch(services, 'webhook');
    return { reply, objectId: resource.id };
  },
);

/** Rotates the key of a webhook. */
export const rotateWebhookKey = command(
  'rotateWebhookKey',
  authorizeWebhook,
  async (services: Pick<Services, 'forMerchant' | 'replies' | 'webhooks'>, { resource, values }): Promise<CommandResult> => {
    const { untilHours = UNTIL_HOURS, key } = values;
    // Signatures and the life of their keys use real time.
    const { now } = services.forMerchant(null).world.clock;
    const rotation = { now: now(), untilMs: untilHours * HOUR_MS, ...(key !== undefined && { hex: key }) };
    const rotated = await services.webhooks.keys.rotate(resource, rotation);
    const reply = rotated ? shown(services, rotated.webhook, { key: rotated.hex }) : noSuch(services, 'webhook');
    return { reply, objectId: resource.id };
  },
);

/** Webhooks and deliveries as the administration API shows them. Instants have the format of query parameters. */

const instant = (ms: number): string => new Date(ms).toISOString();
const maybe = (ms: number | null): string | null => (ms === null ? null : instant(ms));

const UNTESTED = 'it receives nothing until a test delivery succeeds';

/** A webhook; of its keys only when they were made and until when they sign. */
const webhookShown = ({ id, entityId, name, url, types, fields, wrapper, state, why, ...webhook }: Webhook) => ({
  id,
  entityId,
  name,
  url,
  types,
  fields,
  wrapper,
  state,
  why: state === 'unproven' ? UNTESTED : why,
  failingSince: maybe(webhook.failingSince),
  keys: webhook.keys.map((key) => ({ id: key.id, createdAt: instant(key.createdAt), until: maybe(key.until) })),
  createdAt: instant(webhook.createdAt),
  changedAt: instant(webhook.changedAt),
});

/** `eventId` is what the receiver sees as `webhook-id`. */
export const deliveryShown = ({ id, event, state, dueAt, tries, createdAt }: Delivery) => ({
  id,
  eventId: event.id,
  type: event.type,
  action: event.action,
  code: event.code,
  transactionId: event.transactionId ?? event.subjectId,
  entityId: event.entityId,
  state,
  happenedAt: instant(event.createdAt),
  createdAt: instant(createdAt),
  nextTryAt: state === 'due' ? instant(dueAt) : null,
  endedAt: state === 'due' ? null : instant(dueAt),
  tries: tries.map(({ at, status, ms, why }) => ({ at: instant(at), status, ms, why })),
});

/** The result of a test delivery. */
const testShown = ({ status, ms, why }: AttemptResult) => ({ delivered: why === null, status, ms, why });
