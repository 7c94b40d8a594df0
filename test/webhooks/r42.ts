import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { attendedNow } from '../attended.ts';
import { createAdministrator } from '../http/administrator.ts';
import { createClient } from '../http/client.ts';
import { payloadIn } from './fixture.ts';
import { type Manner, type Receiver, startReceiver } from './receiver.ts';

/** R42: many receivers, some of them dead, and events at a steady rate. */

export type Hook = { readonly id: string; readonly receiver: Receiver; readonly manner: Manner };

export type Webhooks = {
  readonly hooks: readonly Hook[];
  /** Those with a receiver that accepts deliveries. */
  readonly well: readonly Hook[];
  /** When each payment was requested, by its id. */
  readonly askedAt: Map<string, number>;
  close(): void;
};

const WELL: readonly Manner[] = ['ok', 'slow'];

/** Adds a webhook for each manner through the administration API; a receiver behaves so after its test delivery. */
export async function startWebhooks(url: string, manners: readonly Manner[], now: () => number): Promise<Webhooks> {
  const admin = createAdministrator(url);
  const hooks: Hook[] = [];
  for (const manner of manners) {
    const receiver = await startReceiver(now);
    const made = await admin.create({ url: receiver.url, name: `${manner} ${hooks.length}` });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    receiver.keys = [Buffer.from(made.body.key, 'hex')];
    assert.equal((await admin.test(made.id)).body.state, 'active');
    receiver.heard.length = 0;
    receiver.accepted.length = 0;
    receiver.manner = manner;
    hooks.push({ id: made.id, receiver, manner });
  }
  return {
    hooks,
    well: hooks.filter(({ manner }) => WELL.includes(manner)),
    askedAt: new Map(),
    close: () => {
      for (const { receiver } of hooks) receiver.close();
    },
  };
}

/** Requests payments at a steady rate without waiting for answers, and returns the ids of those that were taken. */
export async function pay(
  webhooks: Webhooks,
  asked: { readonly url: () => string; readonly count: number; readonly perSecond: number },
) {
  const { url, count, perSecond } = asked;
  const began = performance.now();
  const taken: string[] = [];
  const open: Promise<void>[] = [];
  for (let at = 0; at < count; at += 1) {
    const waitMs = began + (at * 1_000) / perSecond - performance.now();
    if (waitMs > 1) await pause(waitMs);
    const sentAt = attendedNow();
    const one = async (): Promise<void> => {
      const { status, id } = await createClient(url()).pay();
      if (status !== 200) return;
      webhooks.askedAt.set(id, sentAt);
      taken.push(id);
    };
    // A payment that a killed gateway did not answer need not have an event.
    open.push(one().catch(() => {}));
  }
  await Promise.all(open);
  return taken;
}

/** The payments that a receiver has accepted. Asserts signatures, and one event id for each payment. */
export function heardBy({ receiver }: Hook): ReadonlySet<string> {
  const ids = new Map<string, string>();
  for (const one of receiver.accepted) {
    assert.equal(one.verdict, 'good');
    if (one.text === null) continue;
    const { type, payload } = payloadIn(one);
    if (type !== 'PAYMENT') continue;
    const before = ids.get(payload.id) ?? one.id;
    assert.equal(one.id, before, `the event of ${payload.id} has two ids`);
    ids.set(payload.id, before);
  }
  return new Set(ids.keys());
}

/** The p99 of the time from a payment request to the first try at each healthy receiver, in milliseconds. */
export function firstTries({ well, askedAt }: Webhooks): { readonly p99: number; readonly count: number } {
  const times: number[] = [];
  for (const { receiver } of well) {
    const seen = new Set<string>();
    for (const { at, text } of receiver.heard) {
      const { type, payload } = payloadIn({ text });
      const sentAt = askedAt.get(payload?.id);
      if (type !== 'PAYMENT' || seen.has(payload.id) || sentAt === undefined) continue;
      seen.add(payload.id);
      times.push(at - sentAt);
    }
  }
  times.sort((one, other) => one - other);
  return { p99: Math.round(times[Math.ceil(times.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY), count: times.length };
}

/** Waits until `isSo`, or for `withinMs` as this process sees time pass (test/attended.ts). */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs: number): Promise<void> {
  const began = attendedNow();
  while (!(await isSo()) && attendedNow() - began < withinMs) await pause(50);
}
