import fc from 'fast-check';
import type { Payment } from '../../src/payments/payment.ts';
import type { Schedule, ScheduleRun } from '../../src/payments/schedule.ts';
import type { Store } from '../../src/store/store.ts';
import { commit, NOW, nextId, payment } from './storeFixtures.ts';

/** A new schedule that is due in an hour by default. */
export function newSchedule(changes: Partial<Schedule> = {}): Schedule {
  const id = changes.id ?? nextId();
  return {
    id,
    merchantId: 'merchant',
    entityId: 'channel',
    registrationId: 'registration',
    transactionId: id,
    mode: 'INTERNAL',
    state: 'active',
    endsAt: null,
    regularAt: NOW + 3_600_000,
    charge: null,
    nextAt: NOW + 3_600_000,
    fields: { amount: '9.90', currency: 'EUR', 'job.month': '*' },
    since: NOW,
    createdAt: NOW,
    movedAt: NOW,
    revision: 1,
    ...changes,
  };
}

/** The schedule at its next revision. */
export const onward = (from: Schedule, changes: Partial<Schedule> = {}): Schedule => ({
  ...from,
  revision: from.revision + 1,
  ...changes,
});

/** The transaction that creates a schedule with the same id. */
export const scheduling = (of: Schedule, changes: Partial<Payment> = {}): Payment =>
  payment({ id: of.id, merchantId: of.merchantId, paymentType: 'SD', amount: 0n, currency: 'XXX', ...changes });

/** Stores a new schedule with its SD; throws when it was refused. */
export async function storeSchedule(store: Store, of: Schedule): Promise<Schedule> {
  const { is } = await store.commit(commit(scheduling(of), 0, { schedule: { schedule: of, dueAt: null, event: null } }));
  if (is !== 'kept') throw new Error(`the schedule was not stored: ${is}`);
  return of;
}

/** A commit that charges a schedule, or changes it without a charge. */
export const charging = (after: Schedule, dueAt: number | null, changes: Partial<Payment> = {}) =>
  commit(payment({ merchantId: after.merchantId, registrationId: after.registrationId, ...changes }), 0, {
    schedule: { schedule: after, dueAt, event: null },
  });

/** Charges a schedule; returns the outcome. */
export const charge = async (store: Store, after: Schedule, dueAt: number | null): Promise<string> =>
  (await store.commit(charging(after, dueAt))).is;

export const skip = (of: Schedule, dueAt: number, why = 'the card has expired'): ScheduleRun & { readonly skipped: string } => ({
  scheduleId: of.id,
  dueAt,
  at: NOW + 7,
  paymentId: null,
  skipped: why,
});

const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((value) => value.replaceAll('\0', ''));
/** What is kept inside JSON may be stranger than what a column holds. */
const anyText = fc.oneof(text, fc.constantFrom('\0', '\ud800', '\u2028', '"\\', '__proto__', 'constructor', ''));
const time = fc.integer({ min: 0, max: 8_640_000_000_000_000 });
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });

/** A schedule with every field. */
export const anySchedule: fc.Arbitrary<Schedule> = fc
  .record({
    merchantId: text.map((name) => `m${name}`),
    entityId: text.map((name) => `e${name}`),
    registrationId: text.map((name) => `r${name}`),
    transactionId: anyText,
    mode: fc.constantFrom('INTERNAL' as const, 'EXTERNAL' as const, 'LIVE' as const),
    endsAt: orNull(time),
    regularAt: orNull(time),
    charge: orNull(
      fc
        .record({ paymentId: anyText, dueAt: time, tries: fc.nat(9), firstTriedAt: time, againAt: orNull(time) })
        .map((charged) => ({ ...charged })),
    ),
    nextAt: orNull(time),
    fields: fc.array(fc.tuple(anyText, anyText), { maxLength: 8 }).map((pairs) => Object.fromEntries(pairs)),
    since: time,
    createdAt: time,
    movedAt: time,
  })
  .map((changes) => newSchedule({ ...changes, state: changes.nextAt === null ? 'over' : 'active' }));
