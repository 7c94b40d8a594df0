import { MINUTE_MS } from '../../spec/time.ts';
import {
  addDays,
  addTargetDays,
  type Day,
  daysBetween,
  frankfurtDay,
  frankfurtInstant,
  isTargetDay,
  nextTargetDay,
} from './calendar.ts';

/** What a bank has agreed with its customer. */
export type BankTimes = {
  /** A file that arrives later counts as that of the next TARGET day: `HH:MM` in Frankfurt. */
  readonly cutOff: string;
  /** Batches close so long before it. */
  readonly closeMinutes: number;
  /** TARGET days from the day of the file to the due date, at least. */
  readonly leadDays: number;
  /** Files are sent so many TARGET days earlier than they must. */
  readonly aheadDays: number;
  /** The payer is informed so many calendar days before the due date. */
  readonly noticeDays: number;
};

/** No bank takes a collection earlier than so many calendar days before its due date. */
const EARLIEST_DAYS = 14;
/** A due date further away is taken for a mistake. */
const DUE_DAYS_MAX = 400;

const closingOf = (day: Day, { cutOff, closeMinutes }: BankTimes): number =>
  frankfurtInstant(day, cutOff) - closeMinutes * MINUTE_MS;

/** The first TARGET day whose batch is still open at the instant. */
export function openDayAt(at: number, times: BankTimes): Day {
  const day = nextTargetDay(frankfurtDay(at));
  return closingOf(day, times) > at ? day : addTargetDays(day, 1);
}

/** The TARGET day to which the bank counts a file that arrives at the instant. */
export function fileDayAt(at: number, { cutOff }: Pick<BankTimes, 'cutOff'>): Day {
  const day = nextTargetDay(frankfurtDay(at));
  return frankfurtInstant(day, cutOff) > at ? day : addTargetDays(day, 1);
}

export type CollectionDates = {
  /** A TARGET day. */
  readonly dueOn: Day;
  /** The instant at which its batch closes. */
  readonly closesAt: number;
};

/**
 * When a collection falls due and when it is sent. A day that is too early for the bank or for the notice, or on which TARGET is closed,
 * moves to the next one that is possible. Null: the day is past or too far away.
 */
export function collectionDates(at: number, asked: Day | null, times: BankTimes): CollectionDates | null {
  const today = frankfurtDay(at);
  if (asked !== null && (asked < today || daysBetween(today, asked) > DUE_DAYS_MAX)) return null;
  const open = openDayAt(at, times);
  const [byBank, byNotice] = [addTargetDays(open, times.leadDays), addDays(today, times.noticeDays)];
  const earliest = byBank > byNotice ? byBank : byNotice;
  const dueOn = nextTargetDay(asked !== null && asked > earliest ? asked : earliest);
  return { dueOn, closesAt: closingOf(sendDay(dueOn, open, times), times) };
}

/** Whether a day leaves less notice than agreed, or cannot be reached by the bank any more. */
export function isTooSoon(at: number, asked: Day | null, times: BankTimes): boolean {
  const first = collectionDates(at, null, times);
  return asked !== null && first !== null && nextTargetDay(asked) < first.dueOn;
}

/** The TARGET day on which a collection is sent: as late as the settings allow, neither before the bank takes it nor too late. */
function sendDay(dueOn: Day, open: Day, { leadDays, aheadDays }: BankTimes): Day {
  const wanted = addTargetDays(dueOn, -(leadDays + aheadDays));
  const first = nextTargetDay(addDays(dueOn, -EARLIEST_DAYS));
  const day = wanted > first ? wanted : first;
  return day > open ? day : open;
}

/** A credit transfer leaves with the next batch and is executed on the day of its file. */
export function transferDates(at: number, times: BankTimes): CollectionDates {
  const day = openDayAt(at, times);
  return { dueOn: day, closesAt: closingOf(day, times) };
}

/** The due date that a file of this instant can still reach: its own one, or the first that is possible. */
export function reachableDay(dueOn: Day, fileAt: number, times: BankTimes, leadDays = times.leadDays): Day {
  const first = addTargetDays(fileDayAt(fileAt, times), leadDays);
  const day = dueOn > first ? dueOn : first;
  return isTargetDay(day) ? day : nextTargetDay(day);
}
