import type { Checked } from '../form/checked.ts';
import { amountText } from '../money/amount.ts';
import type { Order } from '../payments/order.ts';
import type { Schedule } from '../payments/schedule.ts';
import { isFaulty, type JobFields } from './fault.ts';
import { readStoredTimetable, type Timetable } from './timetable.ts';

/** What a plan is asked for in the words of the wire, and what each of its charges says. */

const JOB = /^job\./;

/** What is charged beside what is echoed anyway. */
const OF_CHARGES = ['paymentType', 'merchantTransactionId', 'descriptor', 'testMode'] as const;

/** What a plan keeps of the request that made it. The older word for a series would contradict what its charges say. */
export function scheduleRequestOf(checked: Checked, { fields, amount, currency }: Order): Schedule['fields'] {
  const { recurringType: _, ...echoed } = fields;
  const others = OF_CHARGES.flatMap((name) => {
    const text = checked.text(name);
    return text === undefined ? [] : [[name, text]];
  });
  return {
    ...echoed,
    ...Object.fromEntries(others),
    ...(amount !== null && { amount: amountText(amount) }),
    ...(currency !== null && { currency }),
  };
}

const isOfJob = ([name]: readonly [string, string]): boolean => JOB.test(name);

/** What says when a plan is due. */
export const jobOf = (fields: Schedule['fields']): JobFields => Object.fromEntries(Object.entries(fields).filter(isOfJob));

/** The later wish over the earlier one: a job is replaced as a whole, everything else name by name. */
export function mergeFields(earlier: Schedule['fields'], later: Schedule['fields']): Schedule['fields'] {
  if (!Object.entries(later).some(isOfJob)) return { ...earlier, ...later };
  return { ...Object.fromEntries(Object.entries(earlier).filter((entry) => !isOfJob(entry))), ...later };
}

/** What the request for one charge would be if somebody sent it: a later payment of a series, started by the merchant. */
export function chargeOf({ fields, entityId }: Schedule): Readonly<Record<string, string>> {
  const { 'standingInstruction.type': type = 'RECURRING', ...others } = Object.fromEntries(
    Object.entries(fields).filter((entry) => !isOfJob(entry)),
  );
  return {
    ...(type === 'RECURRING' && { 'standingInstruction.recurringType': 'SUBSCRIPTION' }),
    ...others,
    entityId,
    'standingInstruction.type': type,
    'standingInstruction.mode': 'REPEATED',
    'standingInstruction.source': 'MIT',
  };
}

/** When a plan that is kept is due; it was read once without a fault. */
export function timetableOf({ fields, since }: Pick<Schedule, 'fields' | 'since'>, zone: string): Timetable {
  const timetable = readStoredTimetable(jobOf(fields), { zone, createdAt: since });
  if (isFaulty(timetable)) throw new Error(`a plan makes no sense any more: ${timetable.faults[0]?.message}`);
  return timetable;
}
