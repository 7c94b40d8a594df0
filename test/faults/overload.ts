import { availableParallelism, loadavg } from 'node:os';

/** How much more there is to do on this machine than it has hands for: times are promised for one that is not swamped. */
export const overload = (): number => Math.max(1, (loadavg()[0] ?? 0) / (2 * availableParallelism()));
