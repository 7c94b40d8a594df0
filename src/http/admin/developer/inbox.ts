import {
  decryptMessage,
  type Inbox,
  type InboxMessage,
  type InboxService,
  inboxUrl,
  MESSAGES_MAX,
} from '../../../developer/inbox.ts';
import { isRecord } from '../../../runtime/json.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { InboxPageView, InboxView, MessageDetailView, MessageView } from '../../../spec/answers/developer.ts';
import type { Webhook } from '../../../webhooks/webhook.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../transport/reply.ts';
import { authorizeEntity, authorizeObject, noSuch } from '../authorize.ts';
import { type CommandResult, command, query } from '../command.ts';
import { insertWebhook } from '../webhooks/webhooks.ts';
import { gatewayAt } from './tools.ts';

/** The webhook inbox of the test environment. */

const LIMIT = 50;
const instant = (ms: number): string => new Date(ms).toISOString();

const inLive = ({ replies }: Pick<Services, 'replies'>, entityId: string): Reply =>
  replies.result('700.400.580', entityId, { status: 404, remark: 'live has no inbox' });

const webhookOf = async ({ webhooks }: Pick<Services, 'webhooks'>, { webhookId }: Inbox): Promise<Webhook | null> =>
  (await webhooks.store.webhooks()).find(({ id }) => id === webhookId) ?? null;

async function shownInbox(services: Pick<Services, 'webhooks'>, inbox: Inbox): Promise<InboxView> {
  const { id, entityId, webhookId, url, answers, createdAt } = inbox;
  const state = (await webhookOf(services, inbox))?.state ?? 'gone';
  return { id, entityId, webhookId, webhookState: state, url, answers, createdAt: instant(createdAt) };
}

const textIn = (event: unknown, ...path: readonly string[]): string | null => {
  const found = path.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : null), event);
  return typeof found === 'string' ? found : null;
};

/** The decrypted payload; null where it cannot be opened. */
function eventOf(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

async function shownMessage(
  { webhooks }: Pick<Services, 'webhooks'>,
  webhook: Webhook | null,
  message: InboxMessage,
): Promise<MessageDetailView> {
  const { id, at, headers, body, answered, verdict, text } = await decryptMessage(webhooks.keys, webhook, message);
  const event = eventOf(text);
  return {
    id,
    at: instant(at),
    verdict,
    answered,
    type: textIn(event, 'type'),
    action: textIn(event, 'action'),
    code: textIn(event, 'payload', 'result', 'code'),
    paymentId: textIn(event, 'type') === 'PAYMENT' ? textIn(event, 'payload', 'id') : null,
    eventId: headers['webhook-id'] ?? '',
    headers,
    body,
    opened: event === null ? null : JSON.stringify(event, null, 2),
  };
}

function short({ headers: _, body: __, opened: ___, ...message }: MessageDetailView): MessageView {
  return message;
}

/** Reads the inbox of an entity, and what it received. */
export const readInbox = query(
  'readInbox',
  authorizeEntity,
  async (services: Pick<Services, 'developer' | 'replies' | 'webhooks'>, { entity, values }) => {
    const { inboxes } = services.developer;
    if (inboxes === null) return inLive(services, entity.id);
    const inbox = await inboxes.of(entity.id);
    const limit = Math.min(values.limit ?? LIMIT, MESSAGES_MAX);
    const after = values.after === undefined ? {} : { after: values.after };
    const found = inbox ? await inboxes.messages(inbox.id, { ...after, limit }) : [];
    const webhook = inbox && (await webhookOf(services, inbox));
    const messages = await Promise.all(found.map(async (message) => short(await shownMessage(services, webhook, message))));
    const body: InboxPageView = {
      inbox: inbox && (await shownInbox(services, inbox)),
      messages,
      next: found.length === limit ? (found.at(-1)?.id ?? null) : null,
    };
    return services.replies.json(200, body, { entityId: entity.id });
  },
);

/** Opens an inbox: a webhook like any other, whose address is served by this process. */
export const openInbox = command(
  'openInbox',
  authorizeEntity,
  async (
    services: Pick<Services, 'developer' | 'publicUrl' | 'replies' | 'trust' | 'users' | 'webhooks' | 'world'>,
    { entity },
    request,
  ): Promise<CommandResult> => {
    const { developer, world, webhooks } = services;
    const { inboxes } = developer;
    if (inboxes === null) return { reply: inLive(services, entity.id), objectId: null };
    const known = await inboxes.of(entity.id);
    if (known)
      return {
        reply: services.replies.json(200, (await shownInbox(services, known)) satisfies AdminAnswer<'openInbox'>, {
          entityId: entity.id,
        }),
        objectId: known.id,
      };
    const id = world.ids.random();
    const url = inboxUrl(gatewayAt(services, request), id);
    const { webhook } = await insertWebhook(services, entity.id, { name: 'Inbox', url });
    const createdAt = world.clock.now();
    const inbox: Inbox = { id, entityId: entity.id, webhookId: webhook.id, url, answers: '200', createdAt };
    await inboxes.add(inbox);
    await webhooks.activate(webhook);
    return {
      reply: services.replies.json(200, (await shownInbox(services, inbox)) satisfies AdminAnswer<'changeInbox'>, {
        entityId: entity.id,
      }),
      objectId: id,
    };
  },
);

const authorizeInbox = authorizeObject({
  what: 'inbox',
  find: async ({ developer }, id): Promise<Inbox | null> => (await developer.inboxes?.find(id)) ?? null,
  entityIdOf: ({ entityId }) => entityId,
});

/** The service exists wherever an inbox was found. */
const inboxesOf = ({ developer }: Pick<Services, 'developer'>): InboxService => developer.inboxes as InboxService;

/** Chooses the reply of an inbox. */
export const changeInbox = command(
  'changeInbox',
  authorizeInbox,
  async (services: Pick<Services, 'developer' | 'replies' | 'webhooks'>, { resource, values }): Promise<CommandResult> => {
    const inbox = await inboxesOf(services).setAnswers(resource.id, values.answers);
    const reply = inbox
      ? services.replies.json(200, (await shownInbox(services, inbox)) satisfies AdminAnswer<'changeInbox'>, {
          entityId: inbox.entityId,
        })
      : noSuch(services, 'inbox');
    return { reply, objectId: resource.id };
  },
);

/** Removes an inbox, with its webhook. */
export const closeInbox = command(
  'closeInbox',
  authorizeInbox,
  async (services: Pick<Services, 'developer' | 'replies' | 'webhooks'>, { resource }): Promise<CommandResult> => {
    const { store, keys } = services.webhooks;
    const webhook = await webhookOf(services, resource);
    if (webhook) {
      await store.removeWebhook(webhook.id);
      await keys.forget(webhook);
    }
    await inboxesOf(services).remove(resource.id);
    return {
      reply: services.replies.json(200, { id: resource.id, removed: true } satisfies AdminAnswer<'closeInbox'>, {
        entityId: resource.entityId,
      }),
      objectId: resource.id,
    };
  },
);

/** Reads one request to the inbox, as it came and decrypted. */
export const readInboxMessage = query(
  'readInboxMessage',
  authorizeInbox,
  async (services: Pick<Services, 'developer' | 'replies' | 'webhooks'>, { resource: inbox }, request) => {
    const message = await inboxesOf(services).message(inbox.id, request.path.split('/').at(-1) ?? '');
    if (message === null) return noSuch(services, 'message');
    const body: AdminAnswer<'readInboxMessage'> = await shownMessage(services, await webhookOf(services, inbox), message);
    return services.replies.json(200, body, { entityId: inbox.entityId });
  },
);
