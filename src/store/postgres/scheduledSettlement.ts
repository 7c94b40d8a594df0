import type { SandboxSettlementStore, ScheduledSettlement } from '../../settlement/sandboxDays/ports.ts';
import {
  actText,
  type BeginsRow,
  beginsOf,
  checkDay,
  checkLater,
  type DayRow,
  dayOf,
  type LaterRow,
  laterOf,
  laterWrites,
  postgresLater as statements,
} from '../tables/scheduledSettlement.ts';
import { dueRows } from './due.ts';
import type { Pool } from './pool.ts';
import { transact } from './transact.ts';
import { write } from './write.ts';

/** The days of the sandbox's acquirer in PostgreSQL. */
export const postgresLater = (pool: Pool): SandboxSettlementStore => ({
  laterDue: async (asked) => (await dueRows<LaterRow>(pool, 'laterDue', asked)).map(laterOf),
  addLater: async ({ merchantId, since }, acts) => {
    checkLater(acts, merchantId);
    return transact(pool, async (step) => {
      if ((await step(laterWrites.holdDay, [merchantId, since])) === 0) return false;
      if (acts.length > 0) await step(statements.addLater, [rowsText(acts)]);
      return true;
    });
  },
  doneLater: async (done, instead) => {
    const [first, ...others] = done;
    checkLater([...done, ...instead], first.merchantId);
    return transact(pool, async (step) => {
      if ((await step(statements.dropLater, [rowsText([first])])) === 0) return false;
      if (others.length > 0) await step(statements.dropLater, [rowsText(others)]);
      if (instead.length > 0) await step(statements.addLater, [rowsText(instead)]);
      return true;
    });
  },
  daysDue: async (asked) => (await dueRows<DayRow>(pool, 'daysDue', asked)).map(dayOf),
  daysToBegin: async ({ merchantIds, now, floor }) =>
    (await pool.read<BeginsRow>(statements.daysToBegin, [JSON.stringify(merchantIds), now, floor])).map(beginsOf),
  saveDay: async (day, from, acts = []) => {
    checkDay(day);
    checkLater(acts, day.merchantId);
    const { merchantId, since, dueAt } = day;
    const cells = [merchantId, since, dueAt] as const;
    if (from === null) return (await write(pool, laterWrites.addDay, cells)) > 0;
    if (acts.length === 0) return (await write(pool, laterWrites.saveDay, [...cells, from])) > 0;
    return transact(pool, async (step) => {
      if ((await step(laterWrites.saveDay, [...cells, from])) === 0) return false;
      await step(statements.addLater, [rowsText(acts)]);
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
