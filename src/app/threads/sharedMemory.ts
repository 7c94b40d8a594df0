import { randomInt } from 'node:crypto';
import {
  type ConnectionCount,
  createSharedConnectionCount,
  createSharedNetworkCounts,
  type NetworkCounts,
} from '../../http/transport/connectionCounts.ts';
import {
  createSharedThrottler,
  createThrottleMemory,
  type LocalThrottler,
  type ThrottleMemory,
} from '../../merchants/throttle.ts';
import type { Clock } from '../../spec/time.ts';

/** Memory that all request threads see, for what every request or connection depends on. */
export type SharedMemory = { readonly cells: Int32Array<SharedArrayBuffer>; readonly throttle: ThrottleMemory };

/** The same for one thread. */
export type SharedState = {
  /** Whether any merchant has a test clock: requests are then answered by the main thread. */
  hasTestClocks(): boolean;
  setTestClocks(hasAny: boolean): void;
  /** The connections of the API's port. */
  connections(max: number): ConnectionCount;
  /** The connections of each client network, at all ports. */
  readonly networks: NetworkCounts;
  throttler(clock: Clock): LocalThrottler;
};

const TEST_CLOCKS = 0;
const SEED = 1;
const CONNECTIONS = 2;
const HEAD = 3;
const NETWORKS = 65_536;
const SEED_MAX = 2 ** 31;

export function createSharedMemory(): SharedMemory {
  const cells = new Int32Array(new SharedArrayBuffer(4 * (HEAD + NETWORKS)));
  cells[SEED] = randomInt(SEED_MAX);
  return { cells, throttle: createThrottleMemory(randomInt(SEED_MAX)) };
}

export function attachSharedMemory({ cells, throttle }: SharedMemory): SharedState {
  return {
    hasTestClocks: () => Atomics.load(cells, TEST_CLOCKS) === 1,
    setTestClocks: (hasAny) => void Atomics.store(cells, TEST_CLOCKS, hasAny ? 1 : 0),
    connections: (max) => createSharedConnectionCount(cells.subarray(CONNECTIONS), max),
    networks: createSharedNetworkCounts(cells.subarray(HEAD), cells[SEED] ?? 0),
    throttler: (clock) => createSharedThrottler(throttle, clock),
  };
}
