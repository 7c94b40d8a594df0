import type { SandboxSettlementStore } from '../../settlement/sandboxDays/ports.ts';
import type { Cell } from '../tables/payments.ts';
import {
  type BeginsRow,
  beginsOf,
  checkDay,
  checkScheduledSettlements,
  type DayRow,
  dayOf,
  type ScheduledSettlementRow,
  scheduledSettlementCells,
  scheduledSettlementOf,
} from '../tables/scheduledSettlement.ts';
import type { WriteStep } from './jobs.ts';
import { dueRows, type Reads } from './reads.ts';
import { write } from './registrations.ts';
import type { Writer } from './threads.ts';

/** The days of the sandbox's acquirer in SQLite. */
export const sqliteScheduledSettlement = (read: Reads, writer: Writer): SandboxSettlementStore => ({
  scheduledSettlementsDue: async (query) =>
    dueRows<ScheduledSettlementRow>(read, 'scheduledSettlementsDue', query).map(scheduledSettlementOf),
  addScheduledSettlements: async ({ merchantId, since }, acts) => {
    checkScheduledSettlements(acts, merchantId);
    const added = acts.map((act): WriteStep => ['addScheduledSettlementOfDay', ...scheduledSettlementCells(act), since]);
    return (await write(writer, ['holdDay', merchantId, since], ...added)) > 0;
  },
  finishScheduledSettlements: async (done, instead) => {
    const [first, ...others] = done;
    checkScheduledSettlements([...done, ...instead], first.merchantId);
    const [merchantId, ...name] = nameOf(first);
    // The first one goes last: everything else is done only where it is there.
    return (
      (await write(
        writer,
        ...instead.map((act): WriteStep => ['addScheduledSettlementInstead', ...scheduledSettlementCells(act), ...name]),
        ...others.map((act): WriteStep => ['dropScheduledSettlementWith', ...nameOf(act), ...name]),
        ['dropScheduledSettlement', merchantId, ...name],
      )) > 0
    );
  },
  daysDue: async (query) => dueRows<DayRow>(read, 'daysDue', query).map(dayOf),
  daysToBegin: async ({ merchantIds, now, floor }) =>
    read.all<BeginsRow>('daysToBegin', JSON.stringify(merchantIds), now, floor).map(beginsOf),
  saveDay: async (day, from, acts = []) => {
    checkDay(day);
    checkScheduledSettlements(acts, day.merchantId);
    const { merchantId, since, dueAt } = day;
    const cells = [merchantId, since, dueAt] as const;
    if (from === null) return (await write(writer, ['addDay', ...cells])) > 0;
    // Where the day is over already, nothing is added either.
    const added = acts.map((act): WriteStep => ['addScheduledSettlementOfDay', ...scheduledSettlementCells(act), from]);
    return (await write(writer, ...added, ['saveDay', ...cells, from])) > 0;
  },
});

/** The key of an act: the first cells. */
const nameOf = (act: Parameters<typeof scheduledSettlementCells>[0]): [merchantId: Cell, paymentId: Cell, act: Cell] => {
  const [merchantId, paymentId, text] = scheduledSettlementCells(act) as [Cell, Cell, Cell, Cell];
  return [merchantId, paymentId, text];
};
