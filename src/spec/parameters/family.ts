import { oneOf } from '../formats.ts';
import { row, type Section } from '../row.ts';
import { hexId } from './authentication.ts';

/** Not in the documents: parameters that clients of this API family send beyond them. */
export const family = {
  recurringType: row('O', oneOf('INITIAL, REPEATED, REGISTRATION_BASED', ['INITIAL', 'REPEATED', 'REGISTRATION_BASED']), {
    note: 'The older way to say what standingInstruction.mode and .source say.',
  }),
  'registrations[n].id': row('O', hexId('AN32, letters and digits'), {
    note: 'Stored payment details the widget offers to the shopper.',
  }),
  registrationId: row('O', hexId('AN32, letters and digits'), { note: 'The stored payment details that a schedule charges.' }),
} satisfies Section['rows'];
