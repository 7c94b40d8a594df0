import { checkbox, flag } from '../formats.ts';
import { row, type Section } from '../row.ts';

/** Document 3, Tokenization and registration flags. */
export const tokenization = {
  createRegistration: row('O', checkbox, {
    note: 'With true the payment details are stored and the answer carries registrationId. A check box may send on or 1 instead.',
  }),
  overrideHolder: row('O', flag, {
    note: 'With true an empty holder of a registration may be filled for this one payment, in checkouts and one-click payments.',
  }),
} satisfies Section['rows'];
