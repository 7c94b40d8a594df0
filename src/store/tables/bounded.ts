import type { Timers } from '../../payments/ports.ts';
import { UnknownOutcome } from '../../payments/storeErrors.ts';
import { LATE } from '../errors.ts';
import { limitsOf } from '../postgres/limits.ts';
import type { Store } from '../store.ts';

/** Far longer than any database needs: its own driver gives up sooner, and only what it forgets to settle is given up here. */
const CALL_MS_MAX = 60_000;
/** What goes through a table in portions, or through a settlement file at once. */
export const LONG_MS_MAX = limitsOf.settlement.transactionMs + CALL_MS_MAX;
const LONG = /^(?:delete|clear|remove|trim|insertAccounts|redeliver|keepFile|dropFile)/;
/** The end has a bound of its own, see app/shutdown.ts. */
const UNBOUNDED: readonly string[] = ['close'];

/**
 * The same store, except that every call ends. A call that never ends would block its caller, and everything in the same queue, for
 * ever. The outcome of a call that is cut off is unknown.
 */
export function boundedStore(store: Store, { within }: Timers): Store {
  const bounded = Object.entries(store).map(([name, method]) => {
    if (typeof method !== 'function' || UNBOUNDED.includes(name)) return [name, method];
    const msMax = LONG.test(name) ? LONG_MS_MAX : CALL_MS_MAX;
    const call = async (...given: readonly unknown[]): Promise<unknown> => {
      const answer = Promise.resolve((method as (...args: readonly unknown[]) => unknown)(...given));
      // The store's own error becomes a value, so that it differs from the timer's.
      const settled = answer.then(
        (value) => ({ is: 'answered', value }) as const,
        (error: unknown) => ({ is: 'failed', error }) as const,
      );
      const ended = await within(msMax, settled).catch(() => null);
      if (ended === null) throw new UnknownOutcome(`the database did not answer within ${msMax / 1000} s (${name})`, LATE);
      if (ended.is === 'failed') throw ended.error;
      return ended.value;
    };
    return [name, call];
  });
  return Object.fromEntries(bounded) as Store;
}
