import { date } from '../dates.ts';
import { oneOf } from '../formats.ts';
import { row, type Section } from '../row.ts';

/** Document 3, Reporting parameters. */
export const reporting = {
  'date.from': row('R', date, { note: 'First day of the report.' }),
  'date.to': row('R', date, { note: 'Last day of the report.' }),
  sortValue: row('O', oneOf('SettlementTxDate', ['SettlementTxDate']), {
    note: 'What the detailed settlement report is sorted by.',
  }),
  sortOrder: row('O', oneOf('ASC, DESC, asc, desc', ['ASC', 'DESC', 'asc', 'desc'])),
} satisfies Section['rows'];
