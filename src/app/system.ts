import { randomFillSync } from 'node:crypto';
import type { Ids, Timers } from '../payments/ports.ts';
import type { Clock } from '../spec/time.ts';

/** The system clock, timers and randomness. All other code receives them, so that a test can pass its own. */
export const clock: Clock = { now: () => Date.now() };

/** Milliseconds since the start of the process, by a monotonic clock. */
export const elapsed = (): number => performance.now();

export const timers: Timers = {
  within(ms, promise) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('late')), ms);
      promise.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  },
};

/** Resolves after `ms`, or earlier when the signal aborts; never rejects. A pending sleep does not keep the process alive. */
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

/** Yields to other tasks of the event loop. */
export const rest = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const POOL_BYTES = 8_192;
const TIME_BYTES = 6;
const RANDOM_BYTES = 10;

/** Ids from the system's randomness, read in blocks: a system call for every id would cost more than the id. */
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
    const start = reserve(bytes);
    return pool.toString('hex', start, start + bytes);
  };
  return {
    next: () => {
      const start = reserve(TIME_BYTES + RANDOM_BYTES);
      pool.writeUIntBE(now(), start, TIME_BYTES);
      return pool.toString('hex', start, start + TIME_BYTES + RANDOM_BYTES);
    },
    random: () => hex(16),
    short: () => {
      const digits = String(pool.readUIntBE(reserve(6), 6) % 1_000_000_000_000).padStart(12, '0');
      return `${digits.slice(0, 4)}.${digits.slice(4, 8)}.${digits.slice(8)}`;
    },
  };
}

/** A random number from 0 to 1. */
export function randomFraction(): number {
  const bytes = Buffer.alloc(4);
  randomFillSync(bytes);
  return bytes.readUInt32LE() / 2 ** 32;
}
