import type { QueueStore } from '../../payments/storeFigures.ts';
import { type QueueRow, queueCells, queueLengthOf, queueReads } from '../tables/queues.ts';
import type { Reads } from './reads.ts';

const { events, deliveries, schedules } = queueReads('SELECT value FROM json_each(?3)');

export const sqliteQueueReads = { queueOfEvents: events, queueOfDeliveries: deliveries, queueOfSchedules: schedules } as const;

const names = { events: 'queueOfEvents', deliveries: 'queueOfDeliveries', schedules: 'queueOfSchedules' } as const;

/** Lengths of queues in SQLite. */
export const sqliteQueues = (read: Reads): QueueStore => ({
  queueLength: async (queue, query) => queueLengthOf(read.all<QueueRow>(names[queue], ...queueCells(query))[0]),
});
