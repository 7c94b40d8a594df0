import { type Inbox, type InboxMessage, type InboxRoom, inboxUrl, MESSAGES_MAX, openMessage } from '../../../developer/inbox.ts';
import type { SeenInbox, SeenInboxPage, SeenMessage, SeenMessageDetail } from '../../../spec/answers/developer.ts';
import { isRecord } from '../../../spec/json.ts';
import type { Webhook } from '../../../webhooks/webhook.ts';
import type { Reply } from '../../server/reply.ts';
import type { Request } from '../../server/request.ts';
import type { Rooms } from '../../services.ts';
import { type Acted, acting, enterEntity, enterThing, looking, noSuch } from '../authorize.ts';
import { setUp } from '../webhooks.ts';
import { gatewayAt } from './origin.ts';

/** The webhook inbox of the test environment. */

const LIMIT = 50;
const instant = (ms: number): string => new Date(ms).toISOString();

const inLive = ({ respond }: Rooms, entityId: string): Reply =>
  respond.result('700.400.580', entityId, { status: 404, remark: 'live has no inbox' });

const webhookOf = async ({ webhooks }: Rooms, { webhookId }: Inbox): Promise<Webhook | null> =>
  (await webhooks.store.webhooks()).find(({ id }) => id === webhookId) ?? null;

async function shownInbox(rooms: Rooms, inbox: Inbox): Promise<SeenInbox> {
  const { id, entityId, webhookId, url, answers, createdAt } = inbox;
  const state = (await webhookOf(rooms, inbox))?.state ?? 'gone';
  return { id, entityId, webhookId, webhookState: state, url, answers, createdAt: instant(createdAt) };
}

const textIn = (event: unknown, ...path: readonly string[]): string | null => {
  const found = path.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : null), event);
  return typeof found === 'string' ? found : null;
};

/** What a receiver reads in it; nothing where it cannot be opened. */
function eventOf(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

async function shownMessage({ webhooks }: Rooms, webhook: Webhook | null, message: InboxMessage): Promise<SeenMessageDetail> {
  const { id, at, headers, body, answered, verdict, text } = await openMessage(webhooks.keys, webhook, message);
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

function short({ headers: _, body: __, opened: ___, ...message }: SeenMessageDetail): SeenMessage {
  return message;
}

/** Reads the inbox of an entity, and what came to it. */
export const readInbox = looking('readInbox', enterEntity, async (rooms, { entity, values }) => {
  const { inboxes } = rooms.developer;
  if (inboxes === null) return inLive(rooms, entity.id);
  const inbox = await inboxes.of(entity.id);
  const limit = Math.min(values.limit ?? LIMIT, MESSAGES_MAX);
  const after = values.after === undefined ? {} : { after: values.after };
  const found = inbox ? await inboxes.messages(inbox.id, { ...after, limit }) : [];
  const webhook = inbox && (await webhookOf(rooms, inbox));
  const messages = await Promise.all(found.map(async (message) => short(await shownMessage(rooms, webhook, message))));
  const body: SeenInboxPage = {
    inbox: inbox && (await shownInbox(rooms, inbox)),
    messages,
    next: found.length === limit ? (found.at(-1)?.id ?? null) : null,
  };
  return rooms.respond.json(200, body, { entityId: entity.id });
});

/** Opens an inbox: a webhook like any other, whose address is answered in here. */
export const openInbox = acting('openInbox', enterEntity, async (rooms, { entity }, request): Promise<Acted> => {
  const { developer, world, webhooks } = rooms;
  const { inboxes } = developer;
  if (inboxes === null) return { reply: inLive(rooms, entity.id), objectId: null };
  const known = await inboxes.of(entity.id);
  if (known)
    return { reply: rooms.respond.json(200, await shownInbox(rooms, known), { entityId: entity.id }), objectId: known.id };
  const id = world.ids.random();
  const url = inboxUrl(gatewayAt(rooms, request), id);
  const { webhook } = await setUp(rooms, entity.id, { name: 'Inbox', url });
  const createdAt = world.clock.now();
  const inbox: Inbox = { id, entityId: entity.id, webhookId: webhook.id, url, answers: '200', createdAt };
  await inboxes.add(inbox);
  await webhooks.activate(webhook);
  return { reply: rooms.respond.json(200, await shownInbox(rooms, inbox), { entityId: entity.id }), objectId: id };
});

const enterInbox = <Name extends 'changeInbox' | 'closeInbox' | 'readInboxMessage'>(
  rooms: Rooms,
  request: Request,
  endpoint: Name,
) =>
  enterThing(rooms, request, {
    endpoint,
    what: 'inbox',
    find: async (id) => (await rooms.developer.inboxes?.find(id)) ?? null,
    entityIdOf: ({ entityId }: Inbox) => entityId,
  });

/** Whoever has found an inbox is where there are some. */
const roomOf = ({ developer }: Rooms): InboxRoom => developer.inboxes as InboxRoom;

/** Chooses what it answers. */
export const changeInbox = acting('changeInbox', enterInbox, async (rooms, { thing, values }): Promise<Acted> => {
  const inbox = await roomOf(rooms).setAnswers(thing.id, values.answers);
  const reply = inbox
    ? rooms.respond.json(200, await shownInbox(rooms, inbox), { entityId: inbox.entityId })
    : noSuch(rooms, 'inbox');
  return { reply, objectId: thing.id };
});

/** Removes it, with its webhook. */
export const closeInbox = acting('closeInbox', enterInbox, async (rooms, { thing }): Promise<Acted> => {
  const { store, keys } = rooms.webhooks;
  const webhook = await webhookOf(rooms, thing);
  if (webhook) {
    await store.removeWebhook(webhook.id);
    await keys.forget(webhook);
  }
  await roomOf(rooms).remove(thing.id);
  return { reply: rooms.respond.json(200, { id: thing.id, removed: true }, { entityId: thing.entityId }), objectId: thing.id };
});

/** Reads one message as it came, and opened. */
export const readInboxMessage = looking('readInboxMessage', enterInbox, async (rooms, { thing: inbox }, request) => {
  const message = await roomOf(rooms).message(inbox.id, request.path.split('/').at(-1) ?? '');
  if (message === null) return noSuch(rooms, 'message');
  const body = await shownMessage(rooms, await webhookOf(rooms, inbox), message);
  return rooms.respond.json(200, body, { entityId: inbox.entityId });
});
