import type { ListQuery } from '../merchants/listing.ts';
import type { Schedule } from '../payments/schedule.ts';

export type ScheduleListQuery = ListQuery & { readonly state: Schedule['state'] | null };

/** Lists of schedules. */
export interface ScheduleLists {
  listSchedules(query: ScheduleListQuery): Promise<readonly Schedule[]>;
}
