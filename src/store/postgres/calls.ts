import type { CallStore } from '../../developer/ports.ts';
import { inPortions } from '../sqlite/calls.ts';
import {
  addCallsPostgres,
  type CallRow,
  callCells,
  callColumns,
  callOf,
  callReads,
  callsCells,
  callWrites,
  checkCalls,
  idAt,
} from '../tables/calls.ts';
import { DELETE_PORTION } from '../tables/statements.ts';
import type { Pool } from './pool.ts';
import { write } from './write.ts';

/** Calls in PostgreSQL. */
export const postgresCalls = (pool: Pool): CallStore => ({
  saveCalls: async (calls) => {
    checkCalls(calls);
    const rows = calls.map((call) => Object.fromEntries(callCells(call).map((cell, at) => [callColumns[at], cell])));
    if (calls.length > 0) await write(pool, addCallsPostgres, [JSON.stringify(rows)]);
  },
  call: async (id) => (await pool.read<CallRow>(callReads.call, [id])).map(callOf)[0] ?? null,
  calls: async (query) => {
    const { name, cells } = callsCells(query);
    // What is asked for changes from one time to the next, and with it the best way.
    return (await pool.read<CallRow>(callReads[name], [...cells], 'anew')).map(callOf);
  },
  deleteCalls: (before) => inPortions(() => write(pool, callWrites.deleteCalls, [idAt(before), DELETE_PORTION])),
  trimCalls: (merchantId, keep) => inPortions(() => write(pool, callWrites.trimCalls, [merchantId, keep - 1, DELETE_PORTION])),
});
