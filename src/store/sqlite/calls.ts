import type { CallStore } from '../../developer/ports.ts';
import { type CallRow, callCells, callOf, callsCells, checkCalls, idAt } from '../tables/calls.ts';
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
  saveCalls: async (calls) => {
    checkCalls(calls);
    if (calls.length > 0) await write(writer, ...calls.map((call) => ['addCall', ...callCells(call)] as const));
  },
  call: async (id) => read.all<CallRow>('call', id).map(callOf)[0] ?? null,
  calls: async (query) => {
    const { name, cells } = callsCells(query);
    return read.all<CallRow>(name, ...cells).map(callOf);
  },
  deleteCalls: (before) => inPortions(() => write(writer, ['deleteCalls', idAt(before), DELETE_PORTION])),
  trimCalls: (merchantId, keep) => inPortions(() => write(writer, ['trimCalls', merchantId, keep - 1, DELETE_PORTION])),
});
