import type { Mode } from '../registrations/registration.ts';

/** Payments that are taken again and again with stored details: what is charged, and when next. */
export type Schedule = {
  /** The id of the transaction that made it (SD); what changes it (RS) and what ends it (DS) are of the same family. */
  readonly id: string;
  readonly merchantId: string;
  /** The channel that charges. */
  readonly entityId: string;
  readonly registrationId: string;
  /** The SD or RS whose wishes hold. */
  readonly transactionId: string;
  readonly mode: Mode;
  /** `ending`: cancelled, and charged until `endsAt` all the same. `over`: nothing will be charged any more. */
  readonly state: 'active' | 'ending' | 'over';
  /** No run at this instant or later; null: no end is set. */
  readonly endsAt: number | null;
  /** The next regular run; null when there is none any more. */
  readonly regularAt: number | null;
  /** The charge whose outcome is not looked at yet, or that was declined and is tried again. */
  readonly charge: ScheduleCharge | null;
  /** When somebody has to look at it next: for a regular run, to see what became of a charge, or to try it again. Null when it is over. */
  readonly nextAt: number | null;
  /** What was asked for, checked, by the names of the wire: what is charged, `job.*` and `standingInstruction.*`. Never a secret. */
  readonly fields: Readonly<Record<string, string>>;
  /** When that was asked for: terms are counted from here. */
  readonly since: number;
  readonly createdAt: number;
  readonly movedAt: number;
  /** Counts its changes, from 1. */
  readonly revision: number;
};

export type ScheduleCharge = {
  readonly paymentId: string;
  /** The regular instant it belongs to. */
  readonly dueAt: number;
  readonly tries: number;
  readonly firstTriedAt: number;
  /** When it is tried again; null: its outcome is not known yet. */
  readonly againAt: number | null;
};

/** What became of an instant at which a plan was due: the payment, or why there is none. Exactly one of the two is null. */
export type ScheduleRun = {
  readonly scheduleId: string;
  readonly dueAt: number;
  /** When it was done. */
  readonly at: number;
  readonly paymentId: string | null;
  readonly skipped: string | null;
};

/** What a transaction does to a plan, in its own commit. */
export type ScheduleChange = {
  /** The plan as it is after the change, whole. New when its revision is 1, otherwise one revision on. */
  readonly schedule: Schedule;
  /** The due instant for which this commit's payment is taken; null: it is no charge of the plan. No instant is taken twice. */
  readonly dueAt: number | null;
};
