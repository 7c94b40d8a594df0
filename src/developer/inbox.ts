import type { Timers } from '../payments/ports.ts';
import type { Clock } from '../spec/time.ts';
import type { DocumentStore, StoredDocument } from '../users/documents.ts';
import type { WebhookKeys } from '../webhooks/keys.ts';
import type { Post } from '../webhooks/prepareDispatch.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import { decryptPayload, type Signed, type Verdict, verify } from '../webhooks/wireFormat.ts';

/** A receiver of webhooks inside the test environment. Messages are stored as received: encrypted. */
export type Inbox = {
  readonly id: string;
  readonly entityId: string;
  readonly webhookId: string;
  readonly url: string;
  /** The reply to every message. */
  readonly answers: '200' | '500' | 'slow';
  readonly createdAt: number;
};

export type InboxMessage = {
  readonly id: string;
  readonly inboxId: string;
  readonly at: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly answered: number | null;
};

/** A message, verified and decrypted with the keys of its webhook. `text`: null when no key decrypts it. */
export type DecryptedMessage = InboxMessage & { readonly verdict: Verdict; readonly text: string | null };

/** The limit of messages of one inbox, enforced every so often. */
export const MESSAGES_MAX = 500;
const TRIM_EVERY = 25;
const AT_ONCE = 100;
const [INBOX, MESSAGE] = ['inbox', 'inboxMessage'] as const;
const INBOX_PATH = /\/sandbox\/inbox\/([0-9a-f]{32})$/;

export const inboxUrl = (origin: string, id: string): string => `${origin}/sandbox/inbox/${id}`;

export type InboxNeeds = {
  readonly store: DocumentStore;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly ids: { next(): string };
};

export interface InboxService {
  /** Of an entity; null when it has none. */
  of(entityId: string): Promise<Inbox | null>;
  find(id: string): Promise<Inbox | null>;
  /** Saves a new inbox; false when the entity has one already. */
  add(inbox: Inbox): Promise<boolean>;
  setAnswers(id: string, answers: Inbox['answers']): Promise<Inbox | null>;
  /** With the whole request. */
  remove(id: string): Promise<void>;
  /** The newest first. */
  messages(inboxId: string, page: { readonly after?: string; readonly limit: number }): Promise<readonly InboxMessage[]>;
  message(inboxId: string, id: string): Promise<InboxMessage | null>;
  /** Takes a message for one of the inboxes, as its webhook would be called; null: the address is none of theirs. */
  readonly receive: (...sent: Parameters<Post>) => Promise<Awaited<ReturnType<Post>> | null>;
}

const bodyOf = <Body>(document: StoredDocument | null): Body | null => (document === null ? null : (document.body as Body));

/** Stores inboxes and their messages as documents. */
export function createInboxes({ store, timers, clock, ids }: InboxNeeds): InboxService {
  const counted = new Map<string, number>();
  const find = async (id: string) => bodyOf<Inbox>(await store.document(INBOX, id));
  const page = (inboxId: string, limit: number, before?: { readonly at: number; readonly id: string }) =>
    store.documents({ collection: MESSAGE, ownerId: inboxId, limit, ...(before && { before }) });

  /** Deletes all messages but the newest `keep`. */
  async function trim(inboxId: string, keep: number): Promise<void> {
    let [seen, before]: [number, { readonly at: number; readonly id: string } | undefined] = [0, undefined];
    for (let documents = await page(inboxId, AT_ONCE); documents.length > 0; documents = await page(inboxId, AT_ONCE, before)) {
      const surplus = documents.slice(Math.max(0, keep - seen));
      await store.saveDocuments(
        surplus.map(({ collection, id, revision }) => ({ collection, id, revision, isDeleted: true }) as const),
      );
      seen += documents.length;
      before = documents.at(-1);
    }
  }

  async function save(message: InboxMessage): Promise<void> {
    const { id, inboxId, at } = message;
    await store.saveDocuments([{ collection: MESSAGE, id, ownerId: inboxId, at, revision: 1, body: message }]);
    const count = (counted.get(inboxId) ?? 0) + 1;
    counted.set(inboxId, count);
    if (count % TRIM_EVERY === 0) await trim(inboxId, MESSAGES_MAX);
  }

  return {
    of: async (entityId) => bodyOf<Inbox>((await store.documents({ collection: INBOX, ownerId: entityId, limit: 1 }))[0] ?? null),
    find,
    add: (inbox) =>
      store.saveDocuments([
        { collection: INBOX, id: inbox.id, ownerId: inbox.entityId, at: inbox.createdAt, revision: 1, body: inbox },
      ]),
    async setAnswers(id, answers) {
      const document = await store.document(INBOX, id);
      if (document === null) return null;
      const inbox: Inbox = { ...(document.body as Inbox), answers };
      const isSaved = await store.saveDocuments([{ ...document, revision: document.revision + 1, body: inbox }]);
      return isSaved ? inbox : find(id);
    },
    async remove(id) {
      const document = await store.document(INBOX, id);
      if (document) await store.saveDocuments([{ collection: INBOX, id, revision: document.revision, isDeleted: true }]);
      await trim(id, 0);
    },
    async messages(inboxId, { after, limit }) {
      const last = after === undefined ? null : bodyOf<InboxMessage>(await store.document(MESSAGE, after));
      return (await page(inboxId, limit, last ?? undefined)).map(({ body }) => body as InboxMessage);
    },
    async message(inboxId, id) {
      const message = bodyOf<InboxMessage>(await store.document(MESSAGE, id));
      return message?.inboxId === inboxId ? message : null;
    },
    async receive(url, { body, headers }, { withinMs }) {
      const inbox = await find(INBOX_PATH.exec(url)?.[1] ?? '');
      // The id of a foreign inbox gives no access through an address of one's own.
      if (inbox?.url !== url) return null;
      const answered = inbox.answers === 'slow' ? null : Number(inbox.answers);
      await save({ id: ids.next(), inboxId: inbox.id, at: clock.now(), headers, body, answered });
      return answered === null ? timers.within(withinMs, new Promise<never>(() => {})) : { status: answered, retryAfter: null };
    },
  };
}

/** Decrypts a message with the keys that were valid when it arrived. */
export async function decryptMessage(
  keys: Pick<WebhookKeys, 'read'>,
  webhook: Webhook | null,
  message: InboxMessage,
): Promise<DecryptedMessage> {
  const valid = webhook === null ? [] : await keys.read(webhook, message.at);
  const { headers, body } = message;
  const of = (name: string): string => headers[name] ?? '';
  const signed = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, of(name)]),
  ) as Signed;
  const received = { body, iv: of('X-Initialization-Vector'), tag: of('X-Authentication-Tag') };
  const texts = valid.map((key) => decryptPayload(received, key));
  return {
    ...message,
    verdict: verify(signed, { body, keys: valid, now: message.at }),
    text: texts.find((text) => text !== null) ?? null,
  };
}
