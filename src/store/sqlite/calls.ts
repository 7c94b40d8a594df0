import { callIn, findCalls, idAt } from '../../developer/callBatch.ts';
import type { CallStore } from '../../developer/ports.ts';
import { type BatchRow, batchCells, callCellsFor, callsCells, checkBatches } from '../tables/calls.ts';
import { DELETE_PORTION } from '../tables/statements.ts';
import type { Reads } from './reads.ts';
import { write } from './registrations.ts';
import type { Writer } from './threads.ts';

/** Portion after portion, so that commits come in between. */
export async function inPortions(portion: () => Promise<number>): Promise<number> {
  for (let sum = 0; ; ) {
    const gone = await portion();
    sum += gone;
    if (gone < DELETE_PORTION) return sum;
  }
}

/** Calls in SQLite. */
export const sqliteCalls = (read: Reads, writer: Writer): CallStore => ({
  saveCalls: async (batches) => {
    checkBatches(batches);
    if (batches.length > 0) await write(writer, ...batches.map((batch) => ['addCalls', ...batchCells(batch)] as const));
  },
  call: async (id) => {
    for (const { data } of read.all<BatchRow>('call', ...callCellsFor(id))) {
      const call = callIn(data, id);
      if (call) return call;
    }
    return null;
  },
  calls: (query) =>
    findCalls(query, (belowId) => {
      const { name, cells } = callsCells(query, belowId);
      return read.all<BatchRow>(name, ...cells);
    }),
  deleteCalls: (before) => inPortions(() => write(writer, ['deleteCalls', idAt(before), DELETE_PORTION])),
  trimCalls: (merchantId, keep) => write(writer, ['trimCalls', merchantId, keep]),
});
