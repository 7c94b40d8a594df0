import type { InboxService } from '../developer/inbox.ts';
import type { WebhookService } from '../http/admin/ports.ts';
import type { Log } from '../http/server/log.ts';
import type { Clocks } from '../merchants/clocks.ts';
import type { Directory } from '../merchants/directory.ts';
import { createOutbound } from '../outbound/client.ts';
import type { Timers, World } from '../payments/ports.ts';
import { payloadFor } from '../payments/webhook/payload.ts';
import { type Clock, DAY_MS } from '../spec/time.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../vault/ports.ts';
import { createPieces, systemRandom } from '../vault/randomBytes.ts';
import { activate } from '../webhooks/activate.ts';
import { addressFault } from '../webhooks/address.ts';
import { createDispatcher, type DispatcherNeeds, type DispatchScope } from '../webhooks/dispatch.ts';
import { fanOut } from '../webhooks/fanOut.ts';
import { createWebhookKeys, type WebhookKeys } from '../webhooks/keys.ts';
import { abandonOverdue, reminders } from '../webhooks/upkeep.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import { clockScopes } from '../workers/clockScopes.ts';
import { webhookJobs } from '../workers/jobs.ts';
import type { Job } from '../workers/loop.ts';

export type WebhookParts = {
  readonly world: World;
  readonly worldOf: (merchantId: string | null) => World;
  readonly clocks: Clocks;
  readonly store: Store;
  readonly vault: Pick<Vault, 'ready' | 'seal' | 'open'>;
  readonly directory: Pick<Directory, 'entity'>;
  readonly timers: Timers;
  readonly log: Log;
  readonly buildNumber: string;
  /** Whom webhooks may be: `loopback` this machine too. */
  readonly reach: 'loopback' | 'public';
  /** Receivers inside the test environment, which are told without a socket. */
  readonly inboxes?: Pick<InboxService, 'take'> | null;
  /** What webhooks are made to say in the test environment. */
  readonly receiver?: DispatcherNeeds['scenarioReply'];
};

export type WebhookModule = {
  readonly service: WebhookService;
  readonly jobs: readonly Job[];
  /** Spreads and delivers what one merchant has to be told, and waits for the answers; answers how often somebody was called. */
  readonly dispatchFor: (merchantId: string) => Promise<number>;
  /** Reads the webhooks again. */
  readonly refresh: () => Promise<void>;
  /** Begins no more calls, and gives those that are open a moment. */
  stop(): Promise<void>;
};

/** How long open calls are waited for at the end. What is not answered by then is sent again after the next start. */
const GRACE_MS = 4_000;
const IV_BYTES = 12;

/** Sends news to webhooks, and lets them be set up. */
export function createWebhookModule(parts: WebhookParts): WebhookModule {
  const { world, store, directory, clocks } = parts;
  const { ids } = world;
  const keys = createWebhookKeys({ store, vault: parts.vault, ids, random: systemRandom });
  const needs = needsOf(parts, keys);
  const deliverer = createDispatcher(needs);
  const clockOf = ({ entityId }: Webhook) => clocks.of(directory.entity(entityId)?.merchantId ?? null);
  const turns = () => clockScopes(clocks).map(({ merchantId, merchants }) => ({ merchants, clock: clocks.of(merchantId) }));
  const fanOutFor = (turn: DispatchScope) => fanOut({ store, ids, entity: directory.entity }, turn);
  const service: WebhookService = {
    store,
    keys,
    activate: (webhook) => activate({ ...needs, store, ids, ownClock: clockOf(webhook) }, webhook),
    payloadFor: needs.payloadFor,
    // Who calls only the public sends over TLS alone, as in live.
    addressFault: (url) => addressFault(url, parts.reach === 'public' ? 'live' : 'test'),
  };
  const jobs = webhookJobs({
    clock: { now: clocks.earliest },
    store,
    fanOut: async () => {
      for (const turn of turns()) await fanOutFor(turn);
    },
    dispatch: async () => {
      for (const turn of turns()) await deliverer.run(turn);
    },
    correctMisdated: async () => {
      for (const { merchants, clock } of turns()) await store.correctMisdatedDeliveries({ now: clock.now(), merchants });
    },
    abandonOverdue: async () => {
      for (const turn of turns()) await abandonOverdue(store, turn);
    },
    reportFailing: createReminder(parts, clockOf),
  });
  const tell = async (merchantId: string): Promise<number> => {
    const turn = { merchants: { only: merchantId }, clock: clocks.of(merchantId) };
    await fanOutFor(turn);
    const count = await deliverer.run(turn);
    await deliverer.finish(merchantId);
    return count;
  };
  return { service, jobs, dispatchFor: tell, refresh: deliverer.refresh, stop: () => deliverer.stop(GRACE_MS) };
}

function needsOf(parts: WebhookParts, keys: WebhookKeys): DispatcherNeeds {
  const { world, worldOf, directory, store, timers, log, buildNumber, reach, receiver, inboxes } = parts;
  const { post } = createOutbound({ timers, reach });
  return {
    store,
    clock: world.clock,
    timers,
    keys,
    post: inboxes ? async (...sent) => (await inboxes.take(...sent)) ?? post(...sent) : post,
    payloadFor: (news) => payloadFor(worldOf(news.merchantId), news, { buildNumber }),
    iv: createPieces(IV_BYTES, systemRandom),
    chance,
    onDisabled: (webhook, message) => warn(log, webhook, message),
    ...(receiver && { scenarioReply: receiver }),
    isShared: ({ entityId }) => (directory.entity(entityId)?.merchantId ?? null) === null,
  };
}

/** Says once a day, and after every start, which webhooks do not work. */
function createReminder(
  { world: { clock }, store, log }: WebhookParts,
  clockOf: (webhook: Webhook) => Clock,
): () => Promise<void> {
  const saidAt = new Map<string, number>();
  return async () => {
    const now = clock.now();
    const all = (await store.webhooks()).flatMap((webhook) => reminders([webhook], clockOf(webhook).now()));
    for (const [id] of saidAt) if (!all.some(({ webhook }) => webhook.id === id)) saidAt.delete(id);
    for (const { webhook, message } of all) {
      if (now - (saidAt.get(webhook.id) ?? Number.NEGATIVE_INFINITY) < DAY_MS) continue;
      saidAt.set(webhook.id, now);
      warn(log, webhook, message);
    }
  };
}

const warn = (log: Log, { id, entityId, name, state }: Webhook, message: string): void =>
  log.warn({ webhookId: id, entityId, name, state }, `a webhook does not work: ${message}`);

const CHANCES = 2 ** 32;

/** A number from 0 to 1, by chance. */
function chance(): number {
  const bytes = Buffer.alloc(4);
  systemRandom(bytes);
  return bytes.readUInt32LE() / CHANCES;
}
