import type { ListQuery } from '../merchants/listing.ts';
import type { DueQuery, MerchantFilter } from '../merchants/merchantFilter.ts';
import type { NewOutboxEvent } from '../payments/ports.ts';
import type { Schedule, ScheduleRun } from '../payments/schedule.ts';

export type SkippedRun = ScheduleRun & { readonly skipped: string };

/** The store of schedules. They are created and charged in the commit of a transaction, see payments/ports.ts. */
export interface ScheduleStore {
  schedule(merchantId: string, scheduleId: string): Promise<Schedule | null>;
  /** The schedules that charge a registration, the newest first. */
  schedulesOf(merchantId: string, registrationId: string, limit: number): Promise<readonly Schedule[]>;
  /**
   * Claims schedules whose `nextAt` has passed until `until`, the longest overdue first. A claim only saves other nodes the work: revisions
   * decide.
   */
  claimSchedules(query: {
    readonly now: number;
    readonly until: number;
    readonly limit: number;
    readonly merchants: MerchantFilter;
  }): Promise<readonly Schedule[]>;
  /**
   * Schedules that are not due and whose open charge was moved last by a clock that was put back since, see `isMisdated`; the earliest
   * moved first.
   */
  misdatedSchedules(query: DueQuery): Promise<readonly Schedule[]>;
  /**
   * Saves a schedule that follows the stored revision, with its skipped runs and the event that reports the change, and ends the claim.
   * False: another change came first.
   */
  saveSchedule(schedule: Schedule, skipped: readonly SkippedRun[], event?: NewOutboxEvent | null): Promise<boolean>;
  /** The runs of a schedule, the newest first. */
  runs(merchantId: string, scheduleId: string, limit: number): Promise<readonly ScheduleRun[]>;
  /** The earliest `nextAt` of a merchant's schedules; null when there is none. */
  nextRunAt(merchantId: string): Promise<number | null>;
}

type ScheduleListQuery = ListQuery & { readonly state: Schedule['state'] | null };

/** Lists of schedules. */
export interface ScheduleLists {
  listSchedules(query: ScheduleListQuery): Promise<readonly Schedule[]>;
}
