import type { Log } from './http/log.ts';
import type { WebhookRoom } from './http/webhookRoom.ts';
import type { Directory } from './merchants/directory.ts';
import { everybody } from './merchants/whose.ts';
import { createOutbound } from './outbound/client.ts';
import type { Timers, World } from './payments/needs.ts';
import { noticeOf } from './payments/notice.ts';
import type { Vault } from './registrations/needs.ts';
import { createPieces, systemRandom } from './registrations/randomBytes.ts';
import type { Store } from './store/store.ts';
import { activate } from './webhooks/activate.ts';
import { addressFault } from './webhooks/address.ts';
import { createDeliverer, type DeliverNeeds } from './webhooks/deliver.ts';
import { createWebhookKeys, type WebhookKeys } from './webhooks/keys.ts';
import { spread } from './webhooks/spread.ts';
import { giveUp, remindersOf } from './webhooks/upkeep.ts';
import type { Webhook } from './webhooks/webhook.ts';
import { webhookJobs } from './workers/jobs.ts';
import type { Job } from './workers/loop.ts';

export type WebhookParts = {
  readonly world: World;
  readonly store: Store;
  readonly vault: Pick<Vault, 'ready' | 'seal' | 'open'>;
  readonly directory: Pick<Directory, 'entity'>;
  readonly timers: Timers;
  readonly log: Log;
  readonly buildNumber: string;
  /** Whom webhooks may be: `loopback` this machine too. */
  readonly reach: 'loopback' | 'public';
};

export type WebhookHouse = {
  readonly room: WebhookRoom;
  readonly jobs: readonly Job[];
  /** Begins no more calls, and gives those that are open a moment. */
  stop(): Promise<void>;
};

/** How long open calls are waited for at the end. What is not answered by then is sent again after the next start. */
const GRACE_MS = 4_000;
const IV_BYTES = 12;

/** Sends news to webhooks, and lets them be set up. */
export function furnishWebhooks(parts: WebhookParts): WebhookHouse {
  const { world, store, directory } = parts;
  const { clock, ids } = world;
  const keys = createWebhookKeys({ store, vault: parts.vault, ids, random: systemRandom });
  const needs = needsOf(parts, keys);
  const deliverer = createDeliverer(needs);
  const turn = { whose: everybody, clock };
  const room: WebhookRoom = {
    store,
    keys,
    activate: (webhook) => activate({ ...needs, store, ids }, webhook),
    noticeOf: needs.noticeOf,
    // Who calls only the public sends over TLS alone, as in live.
    addressFault: (url) => addressFault(url, parts.reach === 'public' ? 'live' : 'test'),
  };
  const jobs = webhookJobs({
    clock,
    store,
    spread: async () => {
      await spread({ store, ids, entity: directory.entity }, turn);
    },
    deliver: () => deliverer.run(turn),
    giveUp: async () => {
      await giveUp(store, turn);
    },
    remind: createReminder(parts),
  });
  return { room, jobs, stop: () => deliverer.stop(GRACE_MS) };
}

function needsOf({ world, store, timers, log, buildNumber, reach }: WebhookParts, keys: WebhookKeys): DeliverNeeds {
  return {
    store,
    clock: world.clock,
    timers,
    keys,
    post: createOutbound({ timers, reach }).post,
    noticeOf: (news) => noticeOf(world, news, { buildNumber }),
    iv: createPieces(IV_BYTES, systemRandom),
    chance,
    notice: (webhook, message) => warn(log, webhook, message),
  };
}

const DAY_MS = 86_400_000;

/** Says once a day, and after every start, which webhooks do not work. */
function createReminder({ world: { clock }, store, log }: WebhookParts): () => Promise<void> {
  const saidAt = new Map<string, number>();
  return async () => {
    const now = clock.now();
    const all = remindersOf(await store.webhooks(), now);
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
