/** How many connections each network has. */
export interface NetworkCounts {
  /** One more; returns how many there are then. */
  add(network: string): number;
  remove(network: string): void;
}

/** All connections of a port, whichever thread accepted them. */
export interface ConnectionCount {
  /** One more; false: there are too many, and it was not counted. */
  enter(): boolean;
  leave(): void;
}

/** In the memory of one thread. */
export function createNetworkCounts(): NetworkCounts {
  const counts = new Map<string, number>();
  return {
    add(network) {
      const count = (counts.get(network) ?? 0) + 1;
      counts.set(network, count);
      return count;
    },
    remove(network) {
      const left = (counts.get(network) ?? 1) - 1;
      if (left === 0) counts.delete(network);
      else counts.set(network, left);
    },
  };
}

/**
 * Counts that all threads of the process share: a slot for each hash of a network. Two networks with one hash are counted together; the
 * seed, which no client knows, keeps them from being chosen.
 */
export function createSharedNetworkCounts(slots: Int32Array<SharedArrayBuffer>, seed: number): NetworkCounts {
  const slotOf = (network: string): number => {
    let hash = seed | 0;
    for (let at = 0; at < network.length; at += 1) hash = Math.imul(hash ^ network.charCodeAt(at), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
    return (hash ^ (hash >>> 15)) >>> 0;
  };
  return {
    add: (network) => Atomics.add(slots, slotOf(network) % slots.length, 1) + 1,
    remove: (network) => void Atomics.sub(slots, slotOf(network) % slots.length, 1),
  };
}

/** A count that all threads of the process share, in the first of `cells`. */
export function createSharedConnectionCount(cells: Int32Array<SharedArrayBuffer>, max: number): ConnectionCount {
  const leave = () => void Atomics.sub(cells, 0, 1);
  return {
    enter() {
      if (Atomics.add(cells, 0, 1) < max) return true;
      leave();
      return false;
    },
    leave,
  };
}
