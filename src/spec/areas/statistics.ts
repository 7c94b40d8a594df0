import { ENTITY, id, instant, type Kind, oneOf, optional, required } from '../admin/kinds.ts';
import { date } from '../dates.ts';
import { admin } from './row.ts';

/** Figures of payments and webhooks over time. */

/** The usual periods by the calendar of the entity. Each ends today. */
export const ranges = ['today', '7days', '30days', '12months'] as const;
export type Range = (typeof ranges)[number];

const DAY = /^20[0-9]{2}-[0-9]{2}-[0-9]{2}$/;

const day: Kind<string> = {
  message: 'must be a day such as 2031-10-02',
  schema: { type: 'string', format: 'date' },
  parse: (value) => (typeof value === 'string' && DAY.test(value) ? date.parse(value) : undefined),
  good: ['2031-10-02', '2028-02-29'],
  bad: ['', '2031-1-1', '2031-02-30', '02.10.2031', '2031-10-02T09:15:31Z', 7, null],
};

export const statisticsEndpoints = {
  readStatistics: admin(
    'statistics',
    'GET',
    '/admin/v1/statistics',
    'readPayments',
    'Read the statistics of an entity and everything below it: volume, results, decline reasons, 3D Secure, latency, webhooks.',
  ),
} as const;

export const statisticsFields = {
  readStatistics: {
    entityId: required(id, 'The entity; everything below it is counted.', ENTITY),
    range: optional(oneOf(ranges), "A period that ends today, in the entity's time zone; default 7days."),
    fromDay: optional(day, "The first day, in the entity's time zone.", '2031-10-01'),
    toDay: optional(day, 'The last day.', '2031-10-31'),
    from: optional(instant, 'From this instant; whole quarters of an hour.', '2031-10-02T09:15:00Z'),
    to: optional(instant, 'Before this instant.', '2031-10-02T15:15:00Z'),
  },
} as const;
