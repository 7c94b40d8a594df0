import type { Fault } from '../../form/checked.ts';
import { readInterval, type StatisticsRange } from '../../reports/statistics/ranges.ts';
import { statisticsOf } from '../../reports/statistics/statistics.ts';
import type { AdminAnswer } from '../../spec/answers/adminAnswers.ts';
import type { Services } from '../services.ts';
import { authorizeEntity } from './authorize.ts';
import { query } from './command.ts';

/** Reads the statistics of an entity and everything below it, in its time zone. */
export const readStatistics = query(
  'readStatistics',
  authorizeEntity,
  async (services: Pick<Services, 'directory' | 'forMerchant' | 'replies' | 'statistics'>, { entity, values }) => {
    const { entityId, ...range } = values;
    const { settings, merchantId } = services.directory.entity(entity.id) ?? {};
    const { timeZone = 'UTC' } = settings ?? {};
    const now = services.forMerchant(merchantId ?? null).world.clock.now();
    const read = readInterval(range as StatisticsRange, { timeZone, now });
    if (!read.ok) {
      const fault: Fault = { name: read.name, value: null, message: read.message };
      return services.replies.result('200.300.404', entityId, { faults: [fault] });
    }
    const answer = await statisticsOf(services.statistics, { entityId, timeZone, now, ...read.interval });
    return services.replies.json(200, answer satisfies AdminAnswer<'readStatistics'>, { entityId });
  },
);
