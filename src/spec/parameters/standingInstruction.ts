import { date } from '../dates.ts';
import { AN, FULL_WIDTH_ONE, matching, oneOf, upTo } from '../formats.ts';
import { type Format, NETWORK_OR_PARCEL, row, type Section } from '../row.ts';

const practices = ['INCREMENTAL_AUTH', 'RESUBMISSION', 'REAUTHORIZATION', 'DELAYED_CHARGES', 'NO_SHOW'] as const;

/** A number from 1 on, leading zeros included; it stays a text, because `0001` is how it is sent onwards. */
const count = (label: string, digits: number): Format =>
  matching(
    label,
    { source: `(?=0*[1-9])[0-9]{1,${digits}}`, message: `must be a whole number from 1 to ${'9'.repeat(digits)}` },
    {
      good: ['1', '12', '012'.slice(-digits), '9'.repeat(digits), '1'.padStart(digits, '0')],
      bad: [
        '0',
        '0'.repeat(digits),
        '1'.padStart(digits + 1, '0'),
        '9'.repeat(digits + 1),
        '-1',
        '1.0',
        '1e1',
        'one',
        FULL_WIDTH_ONE,
      ],
    },
  );

/** The last day there is: a series without an end, in the words of the networks. */
const noEnd = oneOf('9999-12-31', ['9999-12-31']);

/** Document 3, Card-on-file (standing instruction). */
export const standingInstruction = {
  'standingInstruction.type': row(
    'C',
    oneOf('UNSCHEDULED, INSTALLMENT, RECURRING', ['UNSCHEDULED', 'INSTALLMENT', 'RECURRING']),
    {
      note: 'RECURRING: at fixed intervals, no end. INSTALLMENT: one purchase in parts. UNSCHEDULED: as need arises.',
    },
  ),
  'standingInstruction.recurringType': row('C', oneOf('STANDING_ORDER, SUBSCRIPTION', ['STANDING_ORDER', 'SUBSCRIPTION']), {
    note: 'STANDING_ORDER: varying amount. SUBSCRIPTION: fixed amount. One network always needs it, another for cards of India.',
  }),
  'standingInstruction.mode': row('C', oneOf('INITIAL, REPEATED', ['INITIAL', 'REPEATED']), {
    note: 'INITIAL: the first of a series, with the shopper’s authentication. REPEATED: a later one without it.',
  }),
  'standingInstruction.source': row('C', oneOf('CIT, MIT', ['CIT', 'MIT']), { note: 'Who starts it: cardholder or merchant.' }),
  'standingInstruction.initialTransactionId': row('C', AN(1, 255, 'AN or N, acquirer-dependent'), {
    scan: { ...NETWORK_OR_PARCEL, refuses: true },
    note: "The scheme's reference of the first payment, from its reply; required if the merchant stores the card.",
  }),
  'standingInstruction.industryPractice': row('C', oneOf(practices.join(', '), practices), {
    note:
      'INCREMENTAL_AUTH raises an authorised total. RESUBMISSION tries again after a lack of funds. ' +
      'REAUTHORIZATION authorises anew. DELAYED_CHARGES and NO_SHOW are charges of hotels and rentals after the stay.',
  }),
  'standingInstruction.expiry': row('C', date, {
    lenientFormat: noEnd,
    decision: '0011-dispatching-and-leniency.md',
    note: 'No authorization follows after this day. 3D Secure needs it for series; one network gets 9999-12-31 in its absence.',
  }),
  'standingInstruction.frequency': row('C', count('N4', 4), {
    note: 'Least number of days between two authorizations. 3D Secure needs it for series; one network gets 0001 in its absence.',
  }),
  'standingInstruction.numberOfInstallments': row('C', count('N3', 3), { note: 'With type INSTALLMENT and 3D Secure only.' }),
  'standingInstruction.agreementId': row('O', upTo(35), {
    note: 'Links the payments of one agreement with one network; for now beside initialTransactionId, later in its place.',
  }),
} satisfies Section['rows'];
