import type { Services } from '../http/services.ts';
import { correctMisdatedSchedules, runDue } from '../schedules/runDue.ts';
import { scheduleJobs } from '../workers/jobs.ts';
import type { Job } from '../workers/loop.ts';
import type { Foundation } from './foundation.ts';
import { rest } from './system.ts';

/** The jobs of schedules, each under the clock of its merchants. */
export const createScheduleJobs = ({ clocks }: Pick<Foundation, 'clocks'>, services: Services): readonly Job[] =>
  scheduleJobs(
    clocks,
    ({ merchantId, merchants }, limit) => runDue(services.forMerchant(merchantId).schedules, { limit, merchants }),
    ({ merchantId, merchants }) => correctMisdatedSchedules(services.forMerchant(merchantId).schedules, { merchants, rest }),
  );
