import type { ClockStore } from '../../merchants/ports.ts';
import { type ClockRow, checkClock, clockCells, clockOf } from '../tables/clocks.ts';
import type { Reads } from './reads.ts';
import { write } from './registrations.ts';
import type { Writer } from './threads.ts';

/** Merchants' clocks in SQLite. */
export const sqliteClocks = (read: Reads, writer: Writer): ClockStore => ({
  clocks: async () => read.all<ClockRow>('clocks').map(clockOf),
  saveClock: async (clock) => {
    checkClock(clock);
    return (await write(writer, [clock.revision === 1 ? 'addClock' : 'saveClock', ...clockCells(clock)])) > 0;
  },
  nextDueAt: async (merchantId, after) =>
    read.all<{ readonly number: number | null }>('nextDueAt', merchantId, after)[0]?.number ?? null,
  releaseClaims: async (merchantId) => {
    await write(writer, ['endScheduleClaims', merchantId], ['endDeliveryClaims', merchantId]);
  },
  makeDeliveriesDue: async (merchantId, now) => {
    await write(writer, ['makeDeliveriesDue', merchantId, now]);
  },
});
