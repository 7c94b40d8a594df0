import type { ListQuery } from '../merchants/listing.ts';
import type { Schedule } from '../payments/schedule.ts';

export type ScheduleListQuery = ListQuery & { readonly state: Schedule['state'] | null };

/** What lists of plans need of a store. */
export interface ScheduleLists {
  listSchedules(asked: ScheduleListQuery): Promise<readonly Schedule[]>;
}
