import { admin, ENTITY, id, instant, type Kind, matching, oneOf, optional, required } from '../admin/kinds.ts';
import { date } from '../formats/dates.ts';

/** Settled amounts and statistics in the back office. Programs read settled amounts under /reports. */

const isDay = (text: string): boolean => new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) ?? false;

const plainDay = matching(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, 'must be a day such as 2031-10-02', {
  good: ['2031-10-02', '2028-02-29'],
  bad: ['', '2031-10-2', '2031-02-30', '2031-10-02T00:00:00Z', 20_311_002, null],
});

const day = {
  ...plainDay,
  parse: (value: unknown) => {
    const text = plainDay.parse(value);
    return text !== undefined && isDay(text) ? text : undefined;
  },
};

const currency = matching(/^[A-Z]{3}$/, 'must be a currency such as EUR', { good: ['EUR'], bad: ['', 'eur', 'EURO', 978, null] });

const days = {
  entityId: required(id, 'The merchant, or one of its channels.', ENTITY),
  from: required(day, 'First settlement day.'),
  to: required(day, 'Last settlement day.', '2031-10-31'),
} as const;

export const reportEndpoints = {
  listSettled: admin(
    'settlement',
    'GET',
    '/admin/v1/settled',
    'readSettlement',
    'Settled amounts, one line per day and currency.',
  ),
  exportSettled: admin('settlement', 'GET', '/admin/v1/settled/csv', 'readSettlement', 'The reconciliation file of these days.'),
  listReconciliations: admin(
    'settlement',
    'GET',
    '/admin/v1/reconciliations',
    'readSettlement',
    'List the delivered and pending reconciliation files of a merchant.',
  ),
} as const;

export const reportFields = {
  listSettled: { ...days, currency: optional(currency, 'Only this currency.') },
  exportSettled: {
    ...days,
    currency: optional(currency, 'Only this currency.'),
    recordType: optional(oneOf(['SETTLED', 'CHARGEBACK', 'CHARGEBACK REVERSAL', 'FEE']), 'Only records of this type.'),
  },
  listReconciliations: {
    entityId: required(id, 'The merchant, or one of its channels.', ENTITY),
    from: required(day, 'Only files of this settlement day or later.'),
  },
} as const;

/** The usual periods by the calendar of the entity. Each ends today. */
const ranges = ['today', '7days', '30days', '12months'] as const;
export type Range = (typeof ranges)[number];

const DAY = /^20[0-9]{2}-[0-9]{2}-[0-9]{2}$/;

const calendarDay: Kind<string> = {
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
    fromDay: optional(calendarDay, "The first day, in the entity's time zone.", '2031-10-01'),
    toDay: optional(calendarDay, 'The last day.', '2031-10-31'),
    from: optional(instant, 'From this instant; whole quarters of an hour.', '2031-10-02T09:15:00Z'),
    to: optional(instant, 'Before this instant.', '2031-10-02T15:15:00Z'),
  },
} as const;
