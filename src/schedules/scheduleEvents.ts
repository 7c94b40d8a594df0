import { SUCCESS } from '../payments/lifecycle.ts';
import { codeOf } from '../payments/outboxEvent.ts';
import type { Payment } from '../payments/payment.ts';
import type { NewOutboxEvent, World } from '../payments/ports.ts';
import type { Schedule } from '../payments/schedule.ts';
import { instantText } from '../spec/dates.ts';
import { resultCodes } from '../spec/resultCodes.ts';
import type { Retry, RetryStop } from './retry.ts';

/** What the gateway did to a schedule by itself, and why. */
export type ScheduleReport = {
  readonly change: 'RETRY_PLANNED' | 'RUN_GIVEN_UP' | 'RUN_SKIPPED';
  readonly reason: string;
  /** The declined charge. */
  readonly payment?: Payment;
  /** The regular instant of the run, and the number of the attempt. */
  readonly dueAt?: number;
  readonly attempt?: number;
};

const stopReasons: Readonly<Record<RetryStop, string | null>> = {
  'not declined': null,
  'outcome open': null,
  'new data needed': 'the issuer needs other payment details',
  never: 'the issuer has declined for good',
  'token required': 'the issuer requires a network token',
  'recurring cancelled': 'the cardholder has cancelled recurring payments',
  'no instalments': 'the issuer allows no instalments',
  'set-up wrong': 'the set-up of the channel is wrong',
  'tries used up': 'all retries are used up',
  'time used up': 'the time for retries is over',
  'next run is sooner': 'the next run comes before a retry',
};

/** The report about a charge that was declined; null: it was not. */
export function reportOnCharge({ charge }: Schedule, payment: Payment, retry: Retry): ScheduleReport | null {
  const run = { payment, ...(charge && { dueAt: charge.dueAt, attempt: charge.tries }) };
  if (retry.is === 'retry') return { ...run, change: 'RETRY_PLANNED', reason: resultCodes[codeOf(payment)].text };
  const reason = stopReasons[retry.why];
  return reason === null ? null : { ...run, change: 'RUN_GIVEN_UP', reason };
}

/** The event of a change that the gateway made by itself; null: the merchant can see nothing of it. */
export function eventOfChange(
  { ids }: Pick<World, 'ids'>,
  { before, after, report }: { readonly before: Schedule; readonly after: Schedule; readonly report: ScheduleReport | null },
): NewOutboxEvent | null {
  const hasEnded = after.state === 'over' && before.state !== 'over';
  if (!hasEnded && report === null) return null;
  const { change, reason, payment, dueAt, attempt } = report ?? { change: 'ENDED', reason: 'no further run is due' };
  const againAt = after.charge?.againAt ?? null;
  return {
    id: ids.next(),
    type: 'SCHEDULE',
    action: null,
    code: SUCCESS[after.mode],
    detail: {
      id: after.id,
      change: hasEnded ? 'ENDED' : change,
      reason,
      state: after.state,
      ...(payment && { paymentId: payment.id, resultCode: codeOf(payment) }),
      ...(dueAt !== undefined && { dueAt: instantText(dueAt) }),
      ...(attempt !== undefined && { attempt: String(attempt) }),
      ...(againAt !== null && { nextAttemptAt: instantText(againAt) }),
      ...(after.regularAt !== null && { nextRunAt: instantText(after.regularAt) }),
    },
  };
}
