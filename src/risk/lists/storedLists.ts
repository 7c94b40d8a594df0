import type { Clock } from '../../spec/time.ts';
import type { ListEntry, Lists, RiskStore } from '../ports.ts';
import { checkedEntry, createLists, entryOf } from './lists.ts';

export type StoredLists = Lists & {
  /** Loads the changes of other nodes. Rejects when the store cannot be read, and then keeps the entries it has. */
  refresh(): Promise<void>;
};

export type StoredListsOptions = {
  readonly store: RiskStore;
  readonly clock: Clock;
  /** Entries of one merchant. */
  readonly entriesMax?: number;
};

/**
 * Block and allow lists that are stored and answered from memory. Changes and refreshes run one after the other: otherwise a refresh that
 * began before a change would undo it in memory until the next one. The limit applies to the entries this node has loaded, so that
 * several nodes together may exceed it by what they accepted since their last refresh.
 */
export async function createStoredLists({ store, clock, entriesMax }: StoredListsOptions): Promise<StoredLists> {
  const memory = createLists(clock, entriesMax);
  const enqueue = createSerialQueue();
  let version: number | null = null;
  const refresh = async (): Promise<void> => {
    // The version is read first: changes during the read of the entries are then loaded next time.
    const current = await store.listVersion();
    if (current === version) return;
    memory.replaceAll(await store.listEntries(clock.now(), null));
    version = current;
  };
  /** Another node may have removed entries. */
  const hasCapacityFor = async (entry: ListEntry): Promise<boolean> => {
    if (memory.hasCapacityFor(entry)) return true;
    await refresh();
    return memory.hasCapacityFor(entry);
  };
  await refresh();
  return {
    listed: memory.listed,
    async put(given) {
      const entry = checkedEntry(given);
      return enqueue(async () => {
        if (!(await hasCapacityFor(entry))) return false;
        await store.putListEntry(entry);
        return memory.put(entry);
      });
    },
    async remove(given) {
      const entry = entryOf({ ...given, expiresAt: null });
      if (!entry) return false;
      return enqueue(async () => {
        const isGone = await store.removeListEntry(entry);
        await memory.remove(entry);
        return isGone;
      });
    },
    refresh: () => enqueue(refresh),
  };
}

/** Runs steps one after the other in the order of the calls; a failed step does not stop the next. */
function createSerialQueue(): <Value>(step: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const turn = last.then(step, step);
    last = turn.catch(() => undefined);
    return turn;
  };
}
