import type { Timers } from '../payments/ports.ts';
import { StoreOutOfOrder, UnknownOutcome } from '../payments/storeErrors.ts';
import { createSlots } from '../runtime/slots.ts';
import { MINUTE_MS } from '../spec/time.ts';
import { LATE } from './errors.ts';
import type { Store } from './store.ts';

/** Far longer than any database needs: the driver gives up sooner, so that only calls that it forgets to settle are given up here. */
const CALL_MS_MAX = 60_000;
/** The longest transaction of a gateway: it books a settlement file of a million lines. */
export const TRANSACTION_MS_MAX = 15 * MINUTE_MS;
/** For calls that go through a table in batches, or book a settlement file. */
export const LONG_MS_MAX = TRANSACTION_MS_MAX + CALL_MS_MAX;
const LONG = /^(?:delete|clear|remove|trim|insertAccounts|redeliver|keepFile|dropFile)/;
/** The end has a bound of its own, see app/process/shutdown.ts. Figures are answered immediately. */
const UNBOUNDED: readonly string[] = ['close', 'connections'];

/** A call that was begun and is not answered yet. `at`: its slot; null once it was answered or cut off. */
type Pending = { readonly cutOff: () => void; period: number; at: number | null };

/**
 * Cuts off calls after one to two times `msMax`. All calls under way share one timer: a timer for each would cost more than the call's own
 * work on this thread.
 */
function createLimit(msMax: number, within: Timers['within']) {
  const pending = createSlots<Pending>();
  let current = 0;
  let onIdle = () => {};
  const take = (call: Pending): boolean => {
    if (call.at === null) return false;
    pending.take(call.at);
    call.at = null;
    return true;
  };
  const beginPeriod = () => {
    current += 1;
    const period = current;
    const idle = new Promise<void>((resolve) => {
      onIdle = resolve;
    });
    within(msMax, idle).catch(() => {
      if (current !== period) return;
      // Operations that began in the period have had only a part of it.
      for (const call of pending.all()) if (call.period < period && take(call)) call.cutOff();
      if (pending.size() > 0) beginPeriod();
    });
  };
  return {
    begin(cutOff: () => void): Pending {
      const call: Pending = { cutOff, period: current, at: null };
      call.at = pending.add(call);
      if (pending.size() === 1) beginPeriod();
      return call;
    },
    end(call: Pending): void {
      if (take(call) && pending.size() === 0) onIdle();
    },
  };
}

/** The answer, or `UnknownOutcome` with the text `late` when it takes too long. */
function boundedBy(limit: ReturnType<typeof createLimit>, answer: Promise<unknown>, late: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const pending = limit.begin(() => reject(new UnknownOutcome(late, LATE)));
    answer.then(
      (value) => {
        limit.end(pending);
        resolve(value);
      },
      (error: unknown) => {
        limit.end(pending);
        reject(error);
      },
    );
  });
}

/**
 * The same store, except that every call ends. A call that never ends would block its caller, and everything in the same queue, for
 * ever. The outcome of a call that is cut off is unknown.
 */
export function boundedStore(store: Store, { within }: Timers): Store {
  const limits = { long: createLimit(LONG_MS_MAX, within), usual: createLimit(CALL_MS_MAX, within) };
  const bounded = Object.entries(store).map(([name, method]) => {
    if (typeof method !== 'function' || UNBOUNDED.includes(name)) return [name, method];
    const isLong = LONG.test(name);
    const limit = isLong ? limits.long : limits.usual;
    const late = `the database did not answer within ${(isLong ? LONG_MS_MAX : CALL_MS_MAX) / 1000} s (${name})`;
    const call = method as (...given: readonly unknown[]) => Promise<unknown>;
    return [name, (...given: readonly unknown[]) => boundedBy(limit, call(...given), late)];
  });
  return Object.fromEntries(bounded) as Store;
}

/** The same store; `onRefused` is called when a commit could not be written. */
export const reportRefusals = (store: Store, onRefused: () => void): Store => ({
  ...store,
  commit: (change) =>
    store.commit(change).catch((error: unknown) => {
      if (error instanceof StoreOutOfOrder) onRefused();
      throw error;
    }),
});
