import { matching } from '../formats.ts';
import { row, type Section } from '../row.ts';

const reason = matching(
  '000.100.2 followed by two digits',
  { source: '000\\.100\\.2[0-9]{2}', message: 'must be 000.100.2 followed by two digits' },
  {
    good: ['000.100.200', '000.100.203', '000.100.299'],
    bad: ['000.100.2', '000.100.20', '000.100.2000', '000.100.100', '000-100-200', '800.100.200', '000.100.2\uFF11\uFF11'],
  },
);

/** Document 3, Chargeback. */
export const chargeback = {
  chargebackResultCode: row('O', reason, { note: "The acquirer's reason for a chargeback, for the back office." }),
} satisfies Section['rows'];
