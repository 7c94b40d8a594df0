import { AN } from '../formats.ts';
import { NEVER_STORED, row, type Section } from '../row.ts';
import { hexId } from './authentication.ts';

/** Not in the documents: how older clients of this API authenticate, with parameters instead of a header. */
export const legacyAuthentication = {
  'authentication.userId': row('O', hexId('AN32, a-f and 0-9'), {
    note: 'Older clients only: the user, instead of an access token.',
  }),
  'authentication.password': row('O', AN(1, 128), {
    secret: NEVER_STORED,
    note: 'Older clients only: the password that goes with the user.',
  }),
  'authentication.entityId': row('O', hexId('AN32, a-f and 0-9'), { note: 'Older clients only: the same as entityId.' }),
} satisfies Section['rows'];
