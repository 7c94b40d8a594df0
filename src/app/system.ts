import { randomFillSync } from 'node:crypto';
import type { Attempt, Connector, Ids, PaymentStore, PendingSecrets, Timers, World } from '../payments/ports.ts';
import { createCountedEvents } from '../payments/riskMemory/counted.ts';
import type { RegistrationStore } from '../registrations/ports.ts';
import type { Clock } from '../spec/time.ts';
import type { Vault } from '../vault/ports.ts';
import type { Wallets } from '../wallets/ports.ts';

/** The real time, chance and waiting. Everything else is given these, so that a test can give it others. */
export const clock: Clock = { now: () => Date.now() };

/** Milliseconds that have passed since the start: nobody sets this clock. */
export const elapsed = (): number => performance.now();

export const timers: Timers = {
  within(ms, promise) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('late')), ms);
      promise.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  },
};

/** Waits, or less when the signal says so; never rejects. A wait alone does not keep the process alive. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms).unref();
    signal?.addEventListener('abort', done);
  });
}

/** Lets others have the processor. */
export const rest = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const POOL_BYTES = 8_192;
const TIME_DIGITS = 12;
const RANDOM_BYTES = 10;

/** Ids from the system's randomness, fetched by the block: a call for every id would cost more than the id. */
export function createIds(now: () => number): Ids {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  const reserve = (bytes: number): number => {
    if (used + bytes > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    used += bytes;
    return used - bytes;
  };
  const hex = (bytes: number): string => {
    const at = reserve(bytes);
    return pool.toString('hex', at, at + bytes);
  };
  return {
    next: () => now().toString(16).padStart(TIME_DIGITS, '0') + hex(RANDOM_BYTES),
    random: () => hex(16),
    short: () => {
      const digits = String(pool.readUIntBE(reserve(6), 6) % 1_000_000_000_000).padStart(12, '0');
      return `${digits.slice(0, 4)}.${digits.slice(4, 8)}.${digits.slice(8)}`;
    },
  };
}

const HELD_MAX = 100_000;

/** What is held for open authentications, each by its merchant's time, the oldest given up first: a flood must not fill the memory. */
export function createPendingSecrets(clock: Clock, clockOf: (merchantId: string) => Clock = () => clock): PendingSecrets {
  const entries = new Map<string, { readonly attempt: Attempt; readonly until: number }>();
  const isOver = ({ attempt, until }: { readonly attempt: Attempt; readonly until: number }): boolean =>
    until <= clockOf(attempt.payment.merchantId).now();
  return {
    put(paymentId, attempt, until) {
      entries.delete(paymentId);
      entries.set(paymentId, { attempt, until });
      const [oldest] = entries.size > HELD_MAX ? entries.keys() : [];
      if (oldest !== undefined) entries.delete(oldest);
    },
    get(paymentId) {
      const entry = entries.get(paymentId);
      return entry && !isOver(entry) ? entry.attempt : null;
    },
    drop: (paymentId) => {
      entries.delete(paymentId);
    },
    ids() {
      // Asked for every second: what is over goes then, wherever it stands.
      for (const [id, entry] of entries) if (isOver(entry)) entries.delete(id);
      return [...entries.values()].map(({ attempt: { payment } }) => ({ merchantId: payment.merchantId, paymentId: payment.id }));
    },
  };
}

/** The World of a running gateway: real time and chance around the given store, vault, wallets and connectors. */
export function createWorld<Store extends PaymentStore & RegistrationStore, Safe extends Vault>(parts: {
  readonly store: Store;
  readonly deriveEffects: World['deriveEffects'];
  readonly vault: Safe;
  readonly wallets: Wallets;
  readonly connectors: readonly Connector[];
  readonly alarm: World['alarm'];
  readonly risk: World['risk'];
  readonly told?: World['countedEvents'];
  readonly channel: World['channel'];
}): World & { readonly store: Store; readonly vault: Safe } {
  const connectors = new Map(parts.connectors.map((connector) => [connector.name, connector]));
  return {
    clock,
    ids: createIds(clock.now),
    timers,
    store: parts.store,
    deriveEffects: parts.deriveEffects,
    vault: parts.vault,
    wallets: parts.wallets,
    alarm: parts.alarm,
    risk: parts.risk,
    countedEvents: parts.told ?? createCountedEvents(clock),
    channel: parts.channel,
    threeDS: null,
    pendingSecrets: createPendingSecrets(clock),
    connector: (name) => connectors.get(name) ?? null,
  };
}
