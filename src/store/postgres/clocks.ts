import type { ClockStore } from '../../merchants/ports.ts';
import { type ClockRow, checkClock, clockCells, clockOf, clockReads, clockWrites } from '../tables/clocks.ts';
import type { Parameter, Pool } from './pool.ts';
import { write } from './write.ts';

/** Merchants' clocks in PostgreSQL. */
export const postgresClocks = (pool: Pool): ClockStore => ({
  clocks: async () => (await pool.read<ClockRow>(clockReads.clocks)).map(clockOf),
  saveClock: async (clock) => {
    checkClock(clock);
    const statement = clock.revision === 1 ? clockWrites.addClock : clockWrites.saveClock;
    return (await write(pool, statement, clockCells(clock) as Parameter[])) > 0;
  },
  nextDueAt: async (merchantId, after) => {
    const [row] = await pool.read<{ readonly number: string | null }>(clockReads.nextDueAt, [merchantId, after]);
    return row?.number == null ? null : Number(row.number);
  },
  releaseClaims: async (merchantId) => {
    await write(pool, clockWrites.endScheduleClaims, [merchantId]);
    await write(pool, clockWrites.endDeliveryClaims, [merchantId]);
  },
  makeDeliveriesDue: async (merchantId, now) => {
    await write(pool, clockWrites.makeDeliveriesDue, [merchantId, now]);
  },
});
