import { date, timestamp } from '../formats/dates.ts';
import { AN, flag, integer, listOf, oneOf, upTo } from '../formats/formats.ts';
import { currency } from '../formats/isoCodes.ts';
import { type MethodCode, methods } from '../paymentTypes.ts';
import { columnNames } from '../reconciliation.ts';
import { row, type Section } from '../row.ts';
import { basic } from './basic.ts';

/** Every type a transaction on record may have; only six of them can be asked for by a payment request. */
const transactionTypes = [
  ...([
    'CB',
    'CD',
    'CR',
    'DB',
    'CP',
    'IV',
    'PA',
    'RB',
    'RC',
    'RF',
    'RL',
    'RV',
    'AD',
    'IN',
    'FI',
    'CL',
    'CF',
    'DR',
    'RG',
    'RR',
  ] as const),
  ...([
    'TE',
    'CT',
    'DS',
    'RS',
    'SD',
    'AC',
    'MD',
    'EA',
    'RI',
    '3D',
    'SA',
    'EN',
    'ID',
    'IC',
    'DP',
    'CG',
    'TG',
    'SF',
    'IS',
    'VD',
  ] as const),
  ...([
    'DV',
    'AF',
    'GK',
    'RD',
    'TM',
    'FT',
    'KT',
    'AR',
    'AL',
    'PL',
    'FN',
    'FZ',
    'RE',
    'RX',
    'FO',
    'CS',
    'EX',
    'SE',
    'AU',
    'TK',
  ] as const),
  ...(['TF', 'ER'] as const),
] as const;

/** Document 3, Query parameters. */
export const query = {
  merchantTransactionId: row('O', AN(1, 255), { note: 'Not together with date.from and date.to.' }),
  limit: row('O', integer('number 100 to 500', [100, 500], 3), {
    note: 'Maximum number of transactions in the reply; default 100.',
  }),
  'date.from': row('O', timestamp, { note: 'Together with date.to.' }),
  'date.to': row('O', timestamp, { note: 'Together with date.from.' }),
  paymentTypes: row('O', listOf('comma-separated list', transactionTypes), { note: 'Only transactions of these types.' }),
  paymentMethods: row('O', listOf('comma-separated list', Object.keys(methods) as MethodCode[]), {
    note: 'Only transactions of these methods.',
  }),
  includeLinkedTransactions: row('O', flag, { note: 'With true, the reply includes all linked transactions.' }),
  shortId: row('O', upTo(14), { note: 'Only the transaction with this short id.' }),
} satisfies Section['rows'];

/** Not in the table of the document, but sent by clients with a query. */
export const queryExtras = {
  pageNo: row('O', integer('number from 1', [1, 9_999_999], 7), { note: 'Page of a time frame; default 1.' }),
  testMode: row('O', basic.testMode.format, { note: 'Only transactions of this mode; default all. Not in live.' }),
  includeCartItems: row('O', flag, { note: 'With false, the reply leaves out cart.items; default true.' }),
} satisfies Section['rows'];

/** Search parameters of clients that the document does not have. */
export const insteadOfQuery: Section['instead'] = {
  id: 'an id belongs into the path: /v1/query/{id}',
  registrationId:
    'registrationId does not search: send date.from and date.to, and select by registrationId in the reply, or send your own merchantTransactionId with each payment',
};

/** Document 3, Reporting parameters. */
export const reporting = {
  'date.from': row('R', date, { note: 'First day of the report.' }),
  'date.to': row('R', date, { note: 'Last day of the report.' }),
  sortValue: row('O', oneOf('SettlementTxDate', ['SettlementTxDate']), {
    note: 'Sort key of the detailed settlement report.',
  }),
  sortOrder: row('O', oneOf('ASC, DESC, asc, desc', ['ASC', 'DESC', 'asc', 'desc'])),
} satisfies Section['rows'];

/** Not in the table of the document, but sent by clients with a report; and the choice of columns. */
export const reportingExtras = {
  currency: row('O', currency, { note: 'Only settlements in this currency.' }),
  pageNo: row('O', integer('number from 1', [1, 9_999_999], 7), { note: 'Page of 100 records; default 1.' }),
  reconciliationType: row(
    'O',
    oneOf('SETTLED, FEE, CHARGEBACK, CHARGEBACK REVERSAL', ['SETTLED', 'FEE', 'CHARGEBACK', 'CHARGEBACK REVERSAL']),
    { note: 'Only records of this type.' },
  ),
  testMode: row('O', basic.testMode.format, {
    note: 'With INTERNAL the reply has generated data, the same for the same days, for testing. Not in live.',
  }),
  columns: row('O', listOf('comma-separated list', columnNames), {
    note: 'The columns of the file in the order that is wanted; those of the document when absent.',
  }),
} satisfies Section['rows'];
