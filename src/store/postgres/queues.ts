import type { QueueStore } from '../../payments/storeFigures.ts';
import { type QueueRow, queueCells, queueLengthOf, queueReads } from '../tables/queues.ts';
import { among } from './claimStatements.ts';
import type { Pool } from './pool.ts';

export const postgresQueueReads = queueReads(among('?3'));

/** Lengths of queues in PostgreSQL. */
export const postgresQueues = (pool: Pool): QueueStore => ({
  queueLength: async (queue, query) => {
    const [row] = await pool.read<QueueRow>(postgresQueueReads[queue], queueCells(query));
    return queueLengthOf(row);
  },
});
