import { date } from '../dates.ts';
import { integer, listOf, oneOf } from '../formats.ts';
import { currency } from '../isoCodes.ts';
import { columnNames } from '../reconciliation.ts';
import { row, type Section } from '../row.ts';
import { basic } from './basic.ts';

/** Document 3, Reporting parameters. */
export const reporting = {
  'date.from': row('R', date, { note: 'First day of the report.' }),
  'date.to': row('R', date, { note: 'Last day of the report.' }),
  sortValue: row('O', oneOf('SettlementTxDate', ['SettlementTxDate']), {
    note: 'Sort key of the detailed settlement report.',
  }),
  sortOrder: row('O', oneOf('ASC, DESC, asc, desc', ['ASC', 'DESC', 'asc', 'desc'])),
} satisfies Section['rows'];

/** Not in the table of the document: what clients send with a report beyond it, and the choice of columns. */
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
