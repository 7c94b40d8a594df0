import { ENTITY, id, matching, oneOf, optional, required } from '../admin/kinds.ts';
import { admin } from './row.ts';

/** Settled amounts in the back office. Programs read them under /reports. */

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
