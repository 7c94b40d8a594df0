/** Figures of a store for its operator. */

/** Queues whose length a store can count. */
export const countedQueues = ['events', 'deliveries', 'schedules'] as const;
export type CountedQueue = (typeof countedQueues)[number];

/** The queue at `now`, of all merchants but some. */
export type QueueQuery = { readonly now: number; readonly limit: number; readonly except: readonly string[] };

/** `length` is counted up to the limit of the query. `oldestAt` is the instant since which the first entry waits; null: none waits. */
export type QueueLength = { readonly length: number; readonly oldestAt: number | null };

/** `waiting`: statements and transactions that wait for a connection. */
export type ConnectionFigures = { readonly busy: number; readonly idle: number; readonly waiting: number };

export interface QueueStore {
  /**
   * Counts events before their fan-out, deliveries whose turn has come, or schedules that are due. Work that a node has claimed counts
   * until it is done.
   */
  queueLength(queue: CountedQueue, query: QueueQuery): Promise<QueueLength>;
}
