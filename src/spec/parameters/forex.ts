import { labelled, money10 } from '../formats.ts';
import { currency } from '../isoCodes.ts';
import { row, type Section } from '../row.ts';

/** Document 2, Forex. */
export const forex = {
  'forex.amount': row('C', money10, { note: 'The amount after conversion, when a currency is converted on the way.' }),
  'forex.currency': row('C', labelled('A3, upper case', currency), { note: 'The currency converted into.' }),
} satisfies Section['rows'];
