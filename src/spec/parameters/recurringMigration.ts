import { timestamp } from '../dates.ts';
import { AN, labelled, money8, oneOf } from '../formats.ts';
import { NETWORK_OR_PARCEL, row, type Section } from '../row.ts';

const answer = { note: "Part of the acquirer's answer to the INITIAL payment." };

/** Document 3, Recurring migration (deprecated): a series that began elsewhere goes on here with a registration. */
export const recurringMigration = {
  'recurringMigration.paymentType': row('R', oneOf('A2: DB, CD or PA', ['DB', 'CD', 'PA']), {
    note: 'Payment type of the INITIAL request.',
  }),
  'recurringMigration.amount': row('O', money8),
  'recurringMigration.requestTimestamp': row('C', labelled('AN19 timestamp with date and time', timestamp), {
    note: 'When the INITIAL request was made.',
  }),
  'recurringMigration.connectorTxId1': row('C', AN(1, 128), { ...answer, scan: NETWORK_OR_PARCEL }),
  'recurringMigration.connectorTxId2': row('C', AN(1, 128), { ...answer, scan: NETWORK_OR_PARCEL }),
  'recurringMigration.connectorTxId3': row('C', AN(1, 128), { ...answer, scan: NETWORK_OR_PARCEL }),
} satisfies Section['rows'];
