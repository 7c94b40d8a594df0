import { lines } from '../formats.ts';
import { row, type Section } from '../row.ts';

const entry = lines(0, 2048, 'name AN 3-64 (letters, digits, dot, underscore); value AN 0-2048');

/** Document 3, Custom parameters. */
export const customParameters = {
  'customParameters[name]': row('C', entry, {
    keepsEmpty: true,
    note: 'Comes back in the answer. From the widget the name must begin with SHOPPER_.',
  }),
} satisfies Section['rows'];
