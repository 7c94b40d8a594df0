import type { OpenedVault } from '../../src/vault/vault.ts';
import { exampleWebhook } from '../../src/webhooks/examples.ts';
import { createWebhookKeys } from '../../src/webhooks/keys.ts';
import type { Post } from '../../src/webhooks/prepareDispatch.ts';
import { type EventType, eventTypes, type Webhook } from '../../src/webhooks/webhook.ts';
import { bytesFrom } from './chance.ts';
import type { Store } from './chronicle.ts';
import { type EventWatch, PSP } from './eventWatch.ts';
import { createTimers, cross, isOver, type Life } from './machine.ts';
import { channels } from './shops.ts';
import { brief, Injected, note, type Sim, START, strikes } from './sim.ts';

/** How a receiver behaves. */
const MANNERS = ['ok', 'slow', 'error', 'busy', 'gone', 'redirect', 'reset', 'hang'] as const;
export type Manner = (typeof MANNERS)[number];

export type Receiver = {
  readonly webhookId: string;
  readonly entityId: string;
  readonly manner: Manner;
  /** From then on it is well. */
  readonly until: number;
  readonly keys: Uint8Array[];
  /** When it was called first. */
  calledAt: number | null;
  /** The gateway has received its 410. */
  isGone: boolean;
};

/** All receivers of webhooks. */
export type Endpoints = {
  readonly receivers: readonly Receiver[];
  /** Reports of the gateway about webhooks that fail. */
  readonly notices: { readonly webhookId: string; readonly state: Webhook['state'] }[];
  build(store: Store, vault: OpenedVault): Promise<void>;
  /** As they are kept. */
  webhooks(): Promise<readonly Webhook[]>;
  /** The way to them from one life of a node. */
  post(life: Life): Post;
  /** Wakes the dispatchers. */
  onEvents(life: Life, look: () => void): void;
  /** One of them sees it, or two at once. */
  wake(): void;
};

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

const statuses: Readonly<Partial<Record<Manner, number>>> = {
  ok: 200,
  slow: 202,
  error: 500,
  busy: 429,
  gone: 410,
  redirect: 302,
};

export function createEndpoints(sim: Sim, watch: EventWatch): Endpoints {
  const { chance, scheduler, weather } = sim;
  const receivers = new Map<string, Receiver>();
  let store: Store | null = null;
  const lookers: { readonly life: Life; readonly look: () => void }[] = [];
  const living = () => lookers.filter(({ life }) => !isOver(life)).map(({ look }) => look);
  return {
    get receivers() {
      return [...receivers.values()];
    },
    notices: [],
    async build(built, vault) {
      store = built;
      const ids = { next: () => chance.hex(32) };
      const keys = createWebhookKeys({ store: built, vault, ids, random: bytesFrom(chance) });
      for (const place of placesOf(sim)) {
        const { webhook: started, receiver, isMeantToHear } = place;
        const made = await keys.make(started, START);
        await built.addWebhook({ ...started, keys: [made.key] });
        receiver.keys.push(Buffer.from(made.hex, 'hex'));
        receivers.set(started.url, receiver);
        const { webhookId, entityId, manner } = receiver;
        const isWell = manner === 'ok';
        watch.listen({
          webhookId,
          entityId,
          types: started.types,
          isMeantToHear,
          isWell,
          keys: receiver.keys,
          isGone: () => receiver.isGone,
        });
        note(sim, `webhook ${brief(webhookId)} of ${entityId}: ${manner} for ${receiver.until - START} ms`);
      }
    },
    webhooks: async () => store?.webhooks() ?? [],
    post: (life) => {
      const timers = createTimers(sim, life);
      return (url, { body, headers }, { withinMs }) => {
        const receiver = receivers.get(url);
        if (!receiver) return Promise.reject(new Error('nobody lives there'));
        const isLost = strikes(sim, weather.clientLoss / 2, ['receiver: request lost', 'webhook']);
        const isUnheard = !isLost && strikes(sim, weather.clientLoss / 2, ['receiver: answer lost', 'webhook']);
        const slowMs = mannerOf(receiver, scheduler.now()) === 'slow' ? chance.below(12_000) : 0;
        const effect = async () => {
          if (isLost) throw new Injected('nobody was reached');
          const now = scheduler.now();
          const manner = mannerOf(receiver, now);
          const status = statuses[manner] ?? null;
          watch.heard(receiver.webhookId, { body, headers, isTaken: status !== null && status < 300 });
          sim.tally.hit(`receiver: ${manner}`, 'webhook');
          note(sim, `${life.machine.name} tells ${brief(receiver.webhookId)} ${brief(headers['webhook-id'] ?? '')}: ${manner}`);
          receiver.calledAt ??= now;
          if (manner === 'gone' && !isUnheard && sim.isHealed) receiver.isGone = true;
          if (manner === 'hang') return new Promise<never>(() => {});
          if (status === null || isUnheard) throw new Injected('ECONNRESET');
          return { status, retryAfter: manner === 'busy' ? '120' : null };
        };
        const wireMs = () => chance.between(5, 200);
        return timers.within(
          withinMs,
          cross(sim, life, { operation: 'webhook', thereMs: wireMs(), backMs: wireMs() + slowMs, effect }),
        );
      };
    },
    onEvents: (life, look) => void lookers.push({ life, look }),
    wake() {
      for (let times = chance.hits(0.3) ? 2 : 1; times > 0; times -= 1) chance.pick(living())?.();
    },
  };
}

const mannerOf = ({ manner, until }: Receiver, now: number): Manner => (now < until ? manner : 'ok');

type Subscription = { readonly webhook: Webhook; readonly receiver: Receiver; readonly isMeantToHear: boolean };

/** How long one of them is dead. */
const DEAD_MS = { hour: 0, day: DAY_MS, week: 6 * DAY_MS, month: 31 * DAY_MS } as const;

/** One above all who is always well, and one on each of several levels who is not; one of these may be dead for long. */
function placesOf({ chance, weather }: Sim): readonly Subscription[] {
  const [first, , last] = channels;
  if (!first || !last || weather.webhooks === null) return [];
  const healed = START + weather.chaosMs;
  const deadUntil = START + DEAD_MS[weather.webhooks];
  const some = chance.pick<readonly EventType[]>([eventTypes, eventTypes, ['PAYMENT'], ['REGISTRATION', 'SCHEDULE']]);
  const trouble = () => chance.pick(MANNERS);
  const wellAt = () => healed + (chance.hits(0.5) ? chance.below(HOUR_MS) : 0);
  const dead =
    weather.webhooks === 'hour'
      ? []
      : [place(chance.pick([first, last]).entityId, ['PAYMENT'], chance.pick(['reset', 'error', 'hang']), deadUntil)];
  function place(entityId: string, types: readonly EventType[], manner: Manner, until: number): Subscription {
    const id = chance.hex(32);
    const webhook = exampleWebhook({
      id,
      entityId,
      types,
      url: `https://shop.example/${id}`,
      createdAt: START,
      changedAt: START,
      wrapper: chance.pick(['NONE', 'JSON']),
      fields: chance.pick(['ALL', 'NON_CUSTOMER_DATA']),
    });
    const isMeantToHear = manner !== 'gone';
    const receiver: Receiver = {
      webhookId: id,
      entityId,
      manner,
      until: isMeantToHear ? until : Infinity,
      keys: [],
      calledAt: null,
      isGone: false,
    };
    return { webhook, receiver, isMeantToHear };
  }
  return [
    place(PSP, eventTypes, 'ok', healed),
    place(first.merchantId, some, trouble(), wellAt()),
    place(last.merchantId, eventTypes, trouble(), wellAt()),
    ...(chance.hits(0.5) ? [place(first.entityId, eventTypes, trouble(), wellAt())] : []),
    ...dead,
  ];
}
