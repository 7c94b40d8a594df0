import assert from 'node:assert/strict';
import { after } from 'node:test';
import { createIds, timers as realTimers } from '../../src/app/system.ts';
import { allMerchants } from '../../src/merchants/merchantFilter.ts';
import { createOutbound } from '../../src/outbound/client.ts';
import { exampleCommit, examplePayment } from '../../src/payments/examples.ts';
import type { Payment, Phase } from '../../src/payments/payment.ts';
import type { NewOutboxEvent, Timers } from '../../src/payments/ports.ts';
import { payloadFor } from '../../src/payments/webhook/payload.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { localMaster } from '../../src/vault/masterKey.ts';
import { createPieces, systemRandom } from '../../src/vault/randomBytes.ts';
import { openVault } from '../../src/vault/vault.ts';
import { createDispatcher, type DispatcherNeeds } from '../../src/webhooks/dispatch.ts';
import { exampleWebhook } from '../../src/webhooks/examples.ts';
import { fanOut } from '../../src/webhooks/fanOut.ts';
import { createWebhookKeys } from '../../src/webhooks/keys.ts';
import type { Webhook } from '../../src/webhooks/webhook.ts';
import { type Receiver, startReceiver } from './receiver.ts';

export const T = 1_790_000_000_000;
const MERCHANT = examplePayment().merchantId;

/** A time-out of fifteen seconds is half a second here: for receivers that hang. For others a busy machine would look like one. */
export const quick: Timers = { within: (ms, promise) => realTimers.within(ms / 30, promise) };

/** Webhooks on a memory store, delivered over real sockets, with a clock that only the test moves. */
export async function createFixture(timers: Timers = realTimers) {
  const clock = { at: T, now: () => clock.at };
  const store = createMemoryStore();
  const ids = createIds(clock.now);
  const vault = await openVault({ masters: [localMaster(Buffer.alloc(32, 7))], store, now: clock.now });
  const keys = createWebhookKeys({ store, vault, ids, random: systemRandom });
  const alerts: string[] = [];
  const needs: DispatcherNeeds = {
    store,
    clock,
    timers: realTimers,
    keys,
    post: createOutbound({ timers, reach: 'loopback' }).post,
    payloadFor: (event) => payloadFor({ store, vault, channel: () => null, alarm: assert.fail }, event, { buildNumber: 'build' }),
    iv: createPieces(12, systemRandom),
    chance: () => 0.5,
    onDisabled: (webhook, message) => alerts.push(`${webhook.name}: ${message}`),
  };
  const turn = { merchants: allMerchants, clock };
  let deliverer = createDispatcher(needs);
  const deliver = async (): Promise<void> => {
    await fanOut({ store, ids, entity: () => null }, turn);
    await deliverer.run(turn);
    await deliverer.idle();
  };
  return {
    clock,
    store,
    ids,
    keys,
    needs,
    turn,
    alerts,
    deliver,
    /** Replaces the dispatcher, as a new process would: what was only in memory is lost. */
    restart() {
      deliverer = createDispatcher(needs);
    },
    /** Moves the clock from one due delivery to the next, delivering each, until the instant. */
    async goOnUntil(until: number): Promise<void> {
      for (;;) {
        await deliver();
        const next = await store.nextDeliveryAt(MERCHANT);
        if (next === null || next > until || clock.at >= until) break;
        // Deliveries of a webhook that is not active stay due.
        clock.at = next > clock.at ? next : clock.at + 900_000;
      }
      clock.at = Math.max(clock.at, until);
    },
    /** Starts a receiver and adds an active webhook for it. */
    async receiver(given: Partial<Webhook> = {}): Promise<Receiver & { readonly webhook: Webhook }> {
      const receiver = await startReceiver(clock.now);
      after(() => receiver.close());
      const started = exampleWebhook({ id: ids.next(), url: receiver.url, ...given });
      const made = await keys.make(started, clock.now());
      const webhook = { ...started, keys: [made.key] };
      await store.addWebhook(webhook);
      receiver.keys = [Buffer.from(made.hex, 'hex')];
      return Object.assign(receiver, { webhook });
    },
    /** Commits a payment with its outbox event: a new payment, or the next phase of one. */
    async happen(before: Payment | null = null, phase: Phase = { at: 'final', code: '000.100.110' }): Promise<Payment> {
      const payment = before
        ? { ...before, phase, revision: before.revision + 1, movedAt: clock.now() }
        : examplePayment({ id: ids.next(), phase, createdAt: clock.now(), movedAt: clock.now() });
      const code = phase.at === 'final' ? phase.code : '000.200.000';
      const event: NewOutboxEvent = { id: ids.next(), type: 'PAYMENT', action: null, code };
      const version = payment.revision - 1;
      assert.equal((await store.commit(exampleCommit(payment, { version, event }))).is, 'kept');
      return payment;
    },
    webhookNow: async (id: string): Promise<Webhook | undefined> => (await store.webhooks()).find((one) => one.id === id),
  };
}

/** The webhook payload in a received delivery. */
export const payloadIn = ({ text }: { readonly text: string | null }) => JSON.parse(text ?? 'null');
