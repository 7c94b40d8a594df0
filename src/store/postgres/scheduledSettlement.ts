import type { SandboxSettlementStore, ScheduledSettlement } from '../../settlement/sandboxDays/ports.ts';
import {
  actText,
  type BeginsRow,
  beginsOf,
  checkDay,
  checkScheduledSettlements,
  type DayRow,
  dayOf,
  type ScheduledSettlementRow,
  scheduledSettlementOf,
  scheduledSettlementWrites,
  postgresScheduledSettlement as statements,
} from '../tables/scheduledSettlement.ts';
import { dueRows } from './due.ts';
import type { Pool } from './pool.ts';
import { transact } from './transact.ts';
import { write } from './write.ts';

/** The days of the sandbox's acquirer in PostgreSQL. */
export const postgresScheduledSettlement = (pool: Pool): SandboxSettlementStore => ({
  scheduledSettlementsDue: async (query) =>
    (await dueRows<ScheduledSettlementRow>(pool, 'scheduledSettlementsDue', query)).map(scheduledSettlementOf),
  addScheduledSettlements: async ({ merchantId, since }, acts) => {
    checkScheduledSettlements(acts, merchantId);
    return transact(pool, async (step) => {
      if ((await step(scheduledSettlementWrites.holdDay, [merchantId, since])) === 0) return false;
      if (acts.length > 0) await step(statements.addScheduledSettlements, [rowsText(acts)]);
      return true;
    });
  },
  finishScheduledSettlements: async (done, instead) => {
    const [first, ...others] = done;
    checkScheduledSettlements([...done, ...instead], first.merchantId);
    return transact(pool, async (step) => {
      if ((await step(statements.dropScheduledSettlement, [rowsText([first])])) === 0) return false;
      if (others.length > 0) await step(statements.dropScheduledSettlement, [rowsText(others)]);
      if (instead.length > 0) await step(statements.addScheduledSettlements, [rowsText(instead)]);
      return true;
    });
  },
  daysDue: async (query) => (await dueRows<DayRow>(pool, 'daysDue', query)).map(dayOf),
  daysToBegin: async ({ merchantIds, now, floor }) =>
    (await pool.read<BeginsRow>(statements.daysToBegin, [JSON.stringify(merchantIds), now, floor])).map(beginsOf),
  saveDay: async (day, from, acts = []) => {
    checkDay(day);
    checkScheduledSettlements(acts, day.merchantId);
    const { merchantId, since, dueAt } = day;
    const cells = [merchantId, since, dueAt] as const;
    if (from === null) return (await write(pool, scheduledSettlementWrites.addDay, cells)) > 0;
    if (acts.length === 0) return (await write(pool, scheduledSettlementWrites.saveDay, [...cells, from])) > 0;
    return transact(pool, async (step) => {
      if ((await step(scheduledSettlementWrites.saveDay, [...cells, from])) === 0) return false;
      await step(statements.addScheduledSettlements, [rowsText(acts)]);
      return true;
    });
  },
});

const rowsText = (acts: readonly ScheduledSettlement[]): string =>
  JSON.stringify(
    acts.map(({ merchantId, paymentId, act, dueAt }) => ({
      merchant_id: merchantId,
      payment_id: paymentId,
      act: actText(act),
      due_at: dueAt,
    })),
  );
