import type { SandboxSettlementStore } from '../../settlement/sandboxDays/ports.ts';
import type { Cell } from '../tables/payments.ts';
import {
  type BeginsRow,
  beginsOf,
  checkDay,
  checkLater,
  type DayRow,
  dayOf,
  type LaterRow,
  laterCells,
  laterOf,
} from '../tables/scheduledSettlement.ts';
import type { WriteStep } from './jobs.ts';
import { dueRows, type Reads } from './reads.ts';
import { write } from './registrations.ts';
import type { Writer } from './threads.ts';

/** The days of the sandbox's acquirer in SQLite. */
export const sqliteLater = (read: Reads, writer: Writer): SandboxSettlementStore => ({
  laterDue: async (asked) => dueRows<LaterRow>(read, 'laterDue', asked).map(laterOf),
  addLater: async ({ merchantId, since }, acts) => {
    checkLater(acts, merchantId);
    const added = acts.map((act): WriteStep => ['addLaterOf', ...laterCells(act), since]);
    return (await write(writer, ['holdDay', merchantId, since], ...added)) > 0;
  },
  doneLater: async (done, instead) => {
    const [first, ...others] = done;
    checkLater([...done, ...instead], first.merchantId);
    const [merchantId, ...name] = nameOf(first);
    // The first one goes last: everything else is done only where it is there.
    return (
      (await write(
        writer,
        ...instead.map((act): WriteStep => ['addLaterFor', ...laterCells(act), ...name]),
        ...others.map((act): WriteStep => ['dropLaterFor', ...nameOf(act), ...name]),
        ['dropLater', merchantId, ...name],
      )) > 0
    );
  },
  daysDue: async (asked) => dueRows<DayRow>(read, 'daysDue', asked).map(dayOf),
  daysToBegin: async ({ merchantIds, now, floor }) =>
    read.all<BeginsRow>('daysToBegin', JSON.stringify(merchantIds), now, floor).map(beginsOf),
  saveDay: async (day, from, acts = []) => {
    checkDay(day);
    checkLater(acts, day.merchantId);
    const { merchantId, since, dueAt } = day;
    const cells = [merchantId, since, dueAt] as const;
    if (from === null) return (await write(writer, ['addDay', ...cells])) > 0;
    // Where the day is over already, nothing is added either.
    const added = acts.map((act): WriteStep => ['addLaterOf', ...laterCells(act), from]);
    return (await write(writer, ...added, ['saveDay', ...cells, from])) > 0;
  },
});

/** What tells an act from all others: the cells in front. */
const nameOf = (act: Parameters<typeof laterCells>[0]): [merchantId: Cell, paymentId: Cell, act: Cell] => {
  const [merchantId, paymentId, text] = laterCells(act) as [Cell, Cell, Cell, Cell];
  return [merchantId, paymentId, text];
};
