import type { World } from '../../src/payments/ports.ts';
import { payloadFor } from '../../src/payments/webhook/payload.ts';
import type { OpenedVault } from '../../src/vault/vault.ts';
import { type DispatcherNeeds as BaseDispatcherNeeds, createDispatcher } from '../../src/webhooks/dispatch.ts';
import { type FanOutNeeds, fanOut } from '../../src/webhooks/fanOut.ts';
import { expireDeliveries, isDelivered } from '../../src/webhooks/handleDispatch.ts';
import { createWebhookKeys, type WebhookKeys } from '../../src/webhooks/keys.ts';
import type { Webhook } from '../../src/webhooks/webhook.ts';
import { type Activation, activate } from '../../src/webhooks/webhookState.ts';
import { bytesFrom } from './chance.ts';
import type { Store } from './chronicle.ts';
import type { Endpoints } from './endpoints.ts';
import { PSP } from './eventWatch.ts';
import { isOver, type Life, operations } from './machine.ts';
import { channelOf } from './shops.ts';
import { type Sim, START } from './sim.ts';
import { blame, turnsOf } from './work.ts';

/** What the code that tells merchants lives in; the planted bugs put themselves in between here. */
export type DispatcherNeeds = BaseDispatcherNeeds & FanOutNeeds & { readonly store: Store };

/** The webhooks room of one life of a node. */
export type SimulatedDispatcher = {
  readonly store: Store;
  readonly keys: WebhookKeys;
  activate(webhook: Webhook): Promise<Activation>;
};

type Built = {
  readonly world: World;
  readonly store: Store;
  readonly vault: OpenedVault;
  readonly endpoints: Endpoints;
  readonly plant: (needs: DispatcherNeeds) => DispatcherNeeds;
};

/** Furnishes it, and tells what there is to tell as long as this life lasts. */
export function startDispatcher(sim: Sim, life: Life, { world, store, vault, endpoints, plant }: Built): SimulatedDispatcher {
  const { chance } = sim;
  const { clock, timers, ids } = world;
  const random = bytesFrom(chance);
  const keys = createWebhookKeys({ store, vault, ids, random });
  const iv = () => {
    const bytes = new Uint8Array(12);
    random(bytes);
    return bytes;
  };
  const needs = plant({
    store,
    clock,
    timers,
    keys,
    ids,
    iv,
    post: endpoints.post(life),
    payloadFor: (event) => payloadFor(world, event, { buildNumber: 'simulation' }),
    chance: () => chance.below(1_000) / 1_000,
    onDisabled: ({ id, state }) => endpoints.notices.push({ webhookId: id, state }),
    entity: (id) => ({ path: [id, channelOf(id)?.merchantId ?? '', PSP] }),
  });
  keepTelling(sim, life, { needs, endpoints });
  return { store, keys, activate: (webhook) => activate({ ...needs, ids }, webhook) };
}

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
/** As often as the running gateway looks. */
const LOOK_MS = 250;

/**
 * Spreads and delivers when something has happened, as soon as the running gateway would; what would be looked for in vain is left out, and
 * looked for the more seldom the longer the trouble is over.
 */
function keepTelling(
  sim: Sim,
  life: Life,
  { needs, endpoints }: { readonly needs: DispatcherNeeds; readonly endpoints: Endpoints },
): void {
  const { chance, scheduler } = sim;
  // A run does not wait for long calls. The running gateway looks soon after them, and the next event of a payment may be due.
  const post: DispatcherNeeds['post'] = async (...call) => {
    const answer = await needs.post(...call);
    if (isDelivered(answer.status)) hasTold = true;
    if (hasTold && !isBusy && !isOver(life)) {
      off();
      again();
    }
    return answer;
  };
  const deliverer = createDispatcher({ ...needs, post });
  let [waitMs, isBusy, isWoken, isCalled, hasTold] = [LOOK_MS, false, false, false, false];
  let off = () => {};
  const tell = async () => {
    const isForEvents = isCalled;
    isCalled = false;
    for (const merchants of turnsOf(sim)) {
      const turn = { merchants, clock: needs.clock };
      const count = await fanOut(needs, turn);
      if (count > 0 || !isForEvents) await deliverer.run(turn);
      if (scheduler.now() - START > 2 * DAY_MS) await expireDeliveries(needs.store, turn);
    }
  };
  const look = async () => {
    if (isOver(life)) return;
    isBusy = true;
    if (life.machine.pausedUntil <= scheduler.now()) await operations.run('webhook', tell).catch(blame(sim));
    isBusy = false;
    if (isWoken) waitMs = LOOK_MS;
    isWoken = false;
    again();
  };
  const again = () => {
    const longest = Math.min(6 * HOUR_MS, Math.max(MINUTE_MS, (scheduler.now() - START - sim.weather.chaosMs) / 6));
    const isSoon = hasTold;
    hasTold = false;
    off = scheduler.daemon(chance.between(1, isSoon ? LOOK_MS : waitMs), look);
    if (!isSoon) waitMs = Math.min(longest, waitMs * 6);
  };
  endpoints.onEvents(life, () => {
    waitMs = LOOK_MS;
    isCalled = true;
    if (isBusy) {
      isWoken = true;
      return;
    }
    off();
    again();
  });
  again();
}
