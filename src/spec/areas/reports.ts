import { isRecord } from '../../runtime/json.ts';
import {
  admin,
  ENTITY,
  fileName,
  flag,
  id,
  instant,
  type Kind,
  limit,
  matching,
  name,
  oneOf,
  optional,
  required,
  tagged,
} from '../admin/kinds.ts';
import { date } from '../formats/dates.ts';

/** Files of acquirers, exceptions, settled amounts and statistics in the back office. Programs read settled amounts under /reports. */

const DECISIONS_MAX = 200;

/** A decision about an exception: the payment to match it with, or none to dismiss it. */
type ExceptionDecision = { readonly id: string; readonly paymentId?: string };

const isDecision = (value: unknown): value is ExceptionDecision =>
  isRecord(value) &&
  Object.keys(value).every((field) => field === 'id' || field === 'paymentId') &&
  id.parse(value.id) !== undefined &&
  (value.paymentId === undefined || id.parse(value.paymentId) !== undefined);

const decisions: Kind<readonly ExceptionDecision[]> = {
  message: `must be a list of 1 to ${DECISIONS_MAX} {id, paymentId}, each id once; paymentId may be left out`,
  schema: {
    type: 'array',
    minItems: 1,
    maxItems: DECISIONS_MAX,
    items: { type: 'object', required: ['id'], properties: { id: id.schema, paymentId: id.schema } },
  },
  parse: (value) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > DECISIONS_MAX || !value.every(isDecision)) return undefined;
    return new Set(value.map((one) => one.id)).size === value.length ? value : undefined;
  },
  good: [[{ id: ENTITY }], [{ id: ENTITY, paymentId: ENTITY }]],
  bad: [[], '', null, [7], [{}], [{ id: 'x' }], [{ id: ENTITY, more: 1 }], [{ id: ENTITY }, { id: ENTITY }]],
};

export const settlementEndpoints = {
  ...tagged('settlement', {
    bringSettlement: admin(
      'POST',
      '/admin/v1/settlements',
      'settlement',
      'Import a file of an acquirer, completely or not at all. The body is the file.',
      { takes: 'file' },
    ),
    listSettlements: admin(
      'GET',
      '/admin/v1/settlements',
      'readSettlement',
      'List the imported files of an entity, newest first.',
    ),
    readSettlement: admin(
      'GET',
      '/admin/v1/settlements/{id}',
      'readSettlement',
      'Read a file: how its lines were matched, or its errors.',
    ),
    listExceptions: admin('GET', '/admin/v1/settlementExceptions', 'readSettlement', 'List open exceptions, oldest first.'),
    resolveException: admin(
      'POST',
      '/admin/v1/settlementExceptions/{id}',
      'settlement',
      'Resolve an exception: match it with a payment, or dismiss it.',
    ),
    resolveExceptions: admin(
      'POST',
      '/admin/v1/settlementExceptions',
      'settlement',
      'Resolve several exceptions with one note; each is matched or dismissed by itself.',
    ),
    listUnsettled: admin('GET', '/admin/v1/unsettledPayments', 'readSettlement', 'List unsettled payments of a merchant.'),
  }),
  ...tagged('ledger', {
    readBalances: admin('GET', '/admin/v1/balances', 'ledger', 'Read the ledger balances of a merchant, now or at an instant.'),
  }),
} as const;

export const settlementFields = {
  readBalances: {
    entityId: required(id, 'The merchant.', ENTITY),
    at: optional(instant, 'Balances at this instant, inclusive; default now.'),
  },
  bringSettlement: {
    entityId: required(id, 'The importing entity: lines are matched with its payments and those of entities below it.', ENTITY),
    name: optional(fileName, 'A display name of the file.'),
  },
  listSettlements: {
    entityId: required(id, 'The entity; files of entities below it are included.', ENTITY),
    limit,
  },
  readSettlement: {},
  listExceptions: {
    entityId: required(id, 'The entity; exceptions of entities below it are included.', ENTITY),
    status: optional(oneOf(['NOT_MATCHED', 'MULTIPLE_MATCHES']), 'Only this status.'),
    after: optional(id, 'Only exceptions after this one: the last of the previous page.'),
    limit,
  },
  resolveException: {
    paymentId: optional(id, 'Match it with this payment.'),
    leave: optional(flag, 'Dismiss it: not ours, or no action needed.'),
    note: required(name, 'The reason.', 'seen in the portal of the acquirer'),
  },
  resolveExceptions: {
    entityId: required(id, 'The entity; exceptions of entities below it are included.', ENTITY),
    decisions: required(decisions, 'Up to 200 exceptions, each with the payment to match it with; without one it is dismissed.'),
    note: required(name, 'The reason.', 'the acquirer sent the file twice'),
  },
  listUnsettled: {
    entityId: required(id, 'The merchant, or one of its channels.', ENTITY),
    from: optional(instant, 'Only payments created at or after this instant; default 45 days ago.'),
    to: optional(instant, 'Only payments created before this instant; default three days ago.'),
    after: optional(id, 'Only payments newer than this one: the last of the previous page.'),
    limit,
  },
} as const;

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

export const reportEndpoints = tagged('settlement', {
  listSettled: admin('GET', '/admin/v1/settled', 'readSettlement', 'Settled amounts, one line per day and currency.'),
  exportSettled: admin('GET', '/admin/v1/settled/csv', 'readSettlement', 'The reconciliation file of these days.'),
  listReconciliations: admin(
    'GET',
    '/admin/v1/reconciliations',
    'readSettlement',
    'List the delivered and pending reconciliation files of a merchant.',
  ),
});

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

export const statisticsEndpoints = tagged('statistics', {
  readStatistics: admin(
    'GET',
    '/admin/v1/statistics',
    'readPayments',
    'Read the statistics of an entity and everything below it: volume, results, decline reasons, 3D Secure, latency, webhooks.',
  ),
});

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
