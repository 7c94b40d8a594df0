import { callIn, findCalls, idAt } from '../../developer/callBatch.ts';
import type { CallStore } from '../../developer/ports.ts';
import { inPortions } from '../sqlite/calls.ts';
import { type BatchRow, batchCells, callCellsFor, callReads, callsCells, callWrites, checkBatches } from '../tables/calls.ts';
import { DELETE_PORTION } from '../tables/statements.ts';
import type { Pool } from './pool.ts';
import { write } from './write.ts';

/** Calls in PostgreSQL. */
export const postgresCalls = (pool: Pool): CallStore => ({
  saveCalls: async (batches) => {
    checkBatches(batches);
    for (const batch of batches) await write(pool, callWrites.addCalls, [...batchCells(batch)]);
  },
  call: async (id) => {
    for (const { data } of await pool.read<BatchRow>(callReads.call, [...callCellsFor(id)])) {
      const call = callIn(data, id);
      if (call) return call;
    }
    return null;
  },
  calls: (query) =>
    findCalls(query, (belowId) => {
      const { name, cells } = callsCells(query, belowId);
      // What is asked for changes from one time to the next, and with it the best way.
      return pool.read<BatchRow>(callReads[name], [...cells], 'anew');
    }),
  deleteCalls: (before) => inPortions(() => write(pool, callWrites.deleteCalls, [idAt(before), DELETE_PORTION])),
  trimCalls: (merchantId, keep) => write(pool, callWrites.trimCalls, [merchantId, keep]),
});
