import type { MerchantFilter } from '../merchants/merchantFilter.ts';
import type { Schedule, ScheduleRun } from '../payments/schedule.ts';

/** Where a plan stands among those that somebody has to look at. */
export type ScheduleCursor = { readonly nextAt: number; readonly id: string };

/** What the schedules room asks of a store. Plans are made and charged in the commit of a transaction, see payments/ports.ts. */
export interface ScheduleStore {
  schedule(merchantId: string, planId: string): Promise<Schedule | null>;
  /** The plans that charge these stored details, the newest first. */
  schedulesOf(merchantId: string, registrationId: string, limit: number): Promise<readonly Schedule[]>;
  /**
   * Plans whose `nextAt` has passed and that nobody has claimed, the longest overdue first; from now until `until` they are claimed. A
   * claim only spares others the work: what is right is decided by revisions.
   */
  claimSchedules(asked: {
    readonly now: number;
    readonly until: number;
    readonly limit: number;
    readonly merchants: MerchantFilter;
  }): Promise<readonly Schedule[]>;
  /** Plans of everybody by their `nextAt`, from behind a place on. */
  schedulesFrom(place: ScheduleCursor, limit: number): Promise<readonly Schedule[]>;
  /** Kept only on the revision before it, together with the skipped runs; false: somebody was faster. Ends the claim. */
  saveSchedule(plan: Schedule, skipped: readonly (ScheduleRun & { readonly skipped: string })[]): Promise<boolean>;
  /** The runs of a plan, the newest first. */
  runs(merchantId: string, planId: string, limit: number): Promise<readonly ScheduleRun[]>;
  /** The earliest `nextAt` of a merchant's plans; null when nothing is planned. */
  nextRunAt(merchantId: string): Promise<number | null>;
}
