import type { Checked } from '../form/checked.ts';
import { amountText } from '../money/amount.ts';
import type { Order } from '../payments/order.ts';
import type { Schedule } from '../payments/schedule.ts';
import { isFaulty, type JobFields } from './fault.ts';
import { readStoredTimetable, type Timetable } from './timetable.ts';

/** The wire fields of a schedule, and of each of its charges. */

const JOB = /^job\./;

/** Fields of the charges in addition to the echoed ones. */
const OF_CHARGES = ['paymentType', 'merchantTransactionId', 'descriptor', 'testMode'] as const;

/** The stored fields of a request. The legacy `recurringType` would contradict the fields of the charges. */
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

/** The fields of the timetable. */
export const jobOf = (fields: Schedule['fields']): JobFields => Object.fromEntries(Object.entries(fields).filter(isOfJob));

/** The later fields over the earlier ones: a job is replaced as a whole, everything else by name. */
export function mergeFields(earlier: Schedule['fields'], later: Schedule['fields']): Schedule['fields'] {
  if (!Object.entries(later).some(isOfJob)) return { ...earlier, ...later };
  return { ...Object.fromEntries(Object.entries(earlier).filter((entry) => !isOfJob(entry))), ...later };
}

/** The request of one charge: a repeated, merchant-initiated payment. */
export function chargeOf({ fields, entityId }: Pick<Schedule, 'fields' | 'entityId'>): Readonly<Record<string, string>> {
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

/** The timetable of a stored schedule, which had no fault when it was created. */
export function timetableOf({ fields, since }: Pick<Schedule, 'fields' | 'since'>, zone: string): Timetable {
  const timetable = readStoredTimetable(jobOf(fields), { zone, createdAt: since });
  if (isFaulty(timetable)) throw new Error(`the timetable of a schedule is no longer valid: ${timetable.faults[0]?.message}`);
  return timetable;
}
