import type { Fault } from '../../form/checked.ts';
import { type Asked, intervalOf } from '../../reports/statistics/ranges.ts';
import { statisticsOf } from '../../reports/statistics/statistics.ts';
import { enterEntity, looking } from './authorize.ts';

/** Reads the figures of an entity and everything below it, as it is the time there. */
export const readStatistics = looking('readStatistics', enterEntity, async (rooms, { entity, values }) => {
  const { entityId, ...asked } = values;
  const { settings, merchantId } = rooms.directory.entity(entity.id) ?? {};
  const { timeZone = 'UTC' } = settings ?? {};
  const now = rooms.at(merchantId ?? null).world.clock.now();
  const interval = intervalOf(asked as Asked, { timeZone, now });
  if ('name' in interval) {
    const fault: Fault = { name: interval.name, value: null, message: interval.message };
    return rooms.respond.result('200.300.404', entityId, { faults: [fault] });
  }
  const answer = await statisticsOf(rooms.statistics, { entityId, timeZone, now, ...interval });
  return rooms.respond.json(200, answer, { entityId });
});
