import type { Mode } from '../registrations/registration.ts';

/** Recurring payments with stored details: the charge and its next instant. */
export type Schedule = {
  /** The id of the transaction that made it (SD); what changes it (RS) and what ends it (DS) are of the same family. */
  readonly id: string;
  readonly merchantId: string;
  /** The channel that charges. */
  readonly entityId: string;
  readonly registrationId: string;
  /** The SD or RS that set the current terms. */
  readonly transactionId: string;
  readonly mode: Mode;
  /** `ending`: cancelled, and charged until `endsAt` all the same. `over`: nothing will be charged any more. */
  readonly state: 'active' | 'ending' | 'over';
  /** No run at this instant or later; null: no end is set. */
  readonly endsAt: number | null;
  /** The next regular run; null when there is none any more. */
  readonly regularAt: number | null;
  /** The charge whose outcome is not processed yet, or that was declined and is retried. */
  readonly charge: ScheduleCharge | null;
  /** When it is due next: for a regular run, for the outcome of a charge, or for a retry. Null when it is over. */
  readonly nextAt: number | null;
  /** The checked request by its wire names: the charge, `job.*` and `standingInstruction.*`. Never a secret. */
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

/** The record of a due instant: the payment, or the reason why it was skipped. Exactly one of the two is null. */
export type ScheduleRun = {
  readonly scheduleId: string;
  readonly dueAt: number;
  /** When it was done. */
  readonly at: number;
  readonly paymentId: string | null;
  readonly skipped: string | null;
};

/** Fields of an event of a schedule in addition to the transaction that set its terms, by the names of the payload. */
export type ScheduleEventDetail = Readonly<Record<string, string>>;
