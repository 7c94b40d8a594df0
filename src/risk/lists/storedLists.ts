import type { ListEntry, Lists, RiskStore } from '../ports.ts';
import { checkedEntry, createLists, entryOf } from './lists.ts';

export type KeptLists = Lists & {
  /** Takes over what other nodes changed. Rejects when the store cannot be read; what was known before then stands. */
  refresh(): Promise<void>;
};

export type KeptListsParts = {
  readonly store: RiskStore;
  readonly clock: { now(): number };
  /** Entries of one merchant. */
  readonly entriesMax?: number;
};

/**
 * Block and allow lists that live in the store and answer from memory. Changes and refreshes take turns: otherwise a refresh that began
 * before a change would undo it in memory until the next one. The limit is held against what this node knows, so that several nodes
 * that are filled at the same moment may pass it by what they took since their last refresh.
 */
export async function createKeptLists({ store, clock, entriesMax }: KeptListsParts): Promise<KeptLists> {
  const memory = createLists(clock, entriesMax);
  const inTurn = createTurns();
  let version: number | null = null;
  const refresh = async (): Promise<void> => {
    // The number is read first: what changes while the entries are read is then found to be new next time.
    const current = await store.listVersion();
    if (current === version) return;
    memory.replaceAll(await store.listEntries(clock.now(), null));
    version = current;
  };
  /** Somebody may have made room on another node. */
  const hasRoomFor = async (entry: ListEntry): Promise<boolean> => {
    if (memory.hasRoomFor(entry)) return true;
    await refresh();
    return memory.hasRoomFor(entry);
  };
  await refresh();
  return {
    listed: memory.listed,
    async put(given) {
      const entry = checkedEntry(given);
      return inTurn(async () => {
        if (!(await hasRoomFor(entry))) return false;
        await store.putListEntry(entry);
        return memory.put(entry);
      });
    },
    async remove(given) {
      const entry = entryOf({ ...given, expiresAt: null });
      if (!entry) return false;
      return inTurn(async () => {
        const isGone = await store.removeListEntry(entry);
        await memory.remove(entry);
        return isGone;
      });
    },
    refresh: () => inTurn(refresh),
  };
}

/** One step after the other, in the order in which they were asked for; one that fails holds up nobody. */
function createTurns(): <Value>(step: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const turn = last.then(step, step);
    last = turn.catch(() => undefined);
    return turn;
  };
}
