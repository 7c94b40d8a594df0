import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { attendedNow } from '../attended.ts';
import { createAdministrator } from '../http/administrator.ts';
import { createClient } from '../http/client.ts';
import { type Manner, type Receiver, startReceiver } from './receiver.ts';
import { told } from './stage.ts';

/** R42: many receivers, some of them dead, and events at a steady rate. */

export type Hook = { readonly id: string; readonly receiver: Receiver; readonly manner: Manner };

export type Town = {
  readonly hooks: readonly Hook[];
  /** Of those that are well. */
  readonly well: readonly Hook[];
  /** When each payment was asked for, by its id. */
  readonly askedAt: Map<string, number>;
  close(): void;
};

const WELL: readonly Manner[] = ['ok', 'slow'];

/** Sets up a webhook for each manner, through the administration of the gateway; what they do begins after their test delivery. */
export async function buildTown(url: string, manners: readonly Manner[], now: () => number): Promise<Town> {
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

/** Asks for so many payments a second, whatever becomes of the answers; answers the ids of those that were taken. */
export async function pay(town: Town, asked: { readonly url: () => string; readonly count: number; readonly perSecond: number }) {
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
      town.askedAt.set(id, sentAt);
      taken.push(id);
    };
    // A payment that a killed gateway did not answer is not one that a merchant waits for news of.
    open.push(one().catch(() => {}));
  }
  await Promise.all(open);
  return taken;
}

/** Which of the payments a receiver has taken in, each with all its news under one id, signed and opened. */
export function heardBy({ receiver }: Hook): ReadonlySet<string> {
  const ids = new Map<string, string>();
  for (const one of receiver.accepted) {
    assert.equal(one.verdict, 'good');
    if (one.text === null) continue;
    const { type, payload } = told(one);
    if (type !== 'PAYMENT') continue;
    const before = ids.get(payload.id) ?? one.id;
    assert.equal(one.id, before, `the news of ${payload.id} has two ids`);
    ids.set(payload.id, before);
  }
  return new Set(ids.keys());
}

/** The p99 of the time from asking for a payment to the first try of each receiver that is well, in milliseconds. */
export function firstTries({ well, askedAt }: Town): { readonly p99: number; readonly count: number } {
  const times: number[] = [];
  for (const { receiver } of well) {
    const seen = new Set<string>();
    for (const { at, text } of receiver.heard) {
      const { type, payload } = told({ text });
      const sentAt = askedAt.get(payload?.id);
      if (type !== 'PAYMENT' || seen.has(payload.id) || sentAt === undefined) continue;
      seen.add(payload.id);
      times.push(at - sentAt);
    }
  }
  times.sort((one, other) => one - other);
  return { p99: Math.round(times[Math.ceil(times.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY), count: times.length };
}

/** Waits until it is so, or until it has taken too long as this process sees it. */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs: number): Promise<void> {
  const began = attendedNow();
  while (!(await isSo()) && attendedNow() - began < withinMs) await pause(50);
}
