import { date, timestamp } from '../formats/dates.ts';
import {
  AN,
  charset,
  checkbox,
  FULL_WIDTH_ONE,
  flag,
  integer,
  labelled,
  matching,
  money8,
  N,
  oneOf,
  upTo,
} from '../formats/formats.ts';
import { CRON, type Format, NETWORK_OR_PARCEL, row, type Section } from '../row.ts';
import { hexId } from './basic.ts';

/** Document 3, Tokenization and registration flags. */
export const tokenization = {
  createRegistration: row('O', checkbox, {
    note: 'With true the payment details are stored and the answer carries registrationId. A check box may send on or 1 instead.',
  }),
  overrideHolder: row('O', flag, {
    note: 'With true an empty holder of a registration may be filled for this one payment, in checkouts and one-click payments.',
  }),
} satisfies Section['rows'];

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

const practices = ['INCREMENTAL_AUTH', 'RESUBMISSION', 'REAUTHORIZATION', 'DELAYED_CHARGES', 'NO_SHOW'] as const;

/** A number from 1 on, leading zeros included; it stays a string, because `0001` is how it is sent onwards. */
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

const units = ['YEAR', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND'] as const;
const unit = oneOf(units.join(', '), units);

/** A field of a cron expression: only its characters are checked here; src/schedules/ reads its meaning. */
const cron = (signs: string, sample: string): Format =>
  charset('AN64', `0-9${signs}`, { min: 1, max: 64, sample, wrong: ['x', ' ', ';', '$'] });

/** Fields with one space between them; their number and meaning are checked in src/schedules/. */
const fields = {
  source: '(?! |.* $|.* {2})[0-9A-Za-z,*?/# -]{1,256}',
  message: 'must be a cron expression of up to 256 characters, with one space between its fields',
};
const expression = matching('AN256', fields, {
  good: ['0 0 12 1 * ?', '0 0/5 12-14 L * ?', '0 0 12 ? JAN,7 fri#3 2030-2040', '*'.repeat(256)],
  bad: [' 0 0 12 1 * ?', '0 0 12 1 * ? ', '0  0 12 1 * ?', '0;0', '@daily', '\uFF10 0 12 1 * ?', '*'.repeat(257)],
});

/** Document 3, Scheduling. One of dayOfWeek and dayOfMonth must be `?`. */
export const scheduling = {
  'job.name': row('O', AN(1, 64), { note: 'For recognising the job.' }),
  'job.year': row('O', cron(',*/-', '2031,2033'), { scan: CRON, note: 'Every year when absent; 1970-2099 and , - * /.' }),
  'job.month': row('O', cron(',*/-', '1,12'), { scan: CRON, note: '1 when absent; 1-12 and , - * /.' }),
  'job.dayOfMonth': row('O', cron(',*?/LW-', '1,15W'), { scan: CRON, note: '1 when absent; 1-31 and , - * ? / L W.' }),
  'job.dayOfWeek': row('O', cron('A-Z,*?/#-', 'MON,5#2'), { scan: CRON, note: '1 when absent; 1-7, SUN-SAT and , - * ? / L #.' }),
  'job.hour': row('O', cron(',*/-', '7,19'), { scan: CRON, note: '0 when absent; 0-23 and , - * /.' }),
  'job.minute': row('O', integer('AN64', [0, 59], 2), { note: '0 when absent; 0-59.' }),
  'job.second': row('O', cron(',*/-', '0,30'), { scan: CRON, note: '0 when absent; 0-59 and , - * /.' }),
  'job.startDate': row('O', timestamp, { note: 'Start of the job.' }),
  'job.endDate': row('O', timestamp, { note: 'End of the job.' }),
  'job.noticeUnit': row('O', unit, { note: 'Unit of the notice period.' }),
  'job.noticeNumber': row('O', N(1, 16, 'N16'), { note: 'Length of the notice period.' }),
  'job.noticeCallable': row('O', oneOf('ANYTIME or DURATION_END', ['ANYTIME', 'DURATION_END']), {
    note: 'What notice is counted from.',
  }),
  'job.durationUnit': row('O', unit),
  'job.durationNumber': row('O', N(1, 16, 'N16'), { note: 'Duration of the job.' }),
  'job.expression': row('O', expression, {
    scan: CRON,
    note: 'Seven cron fields (the year may be left out) that replace second to year above.',
  }),
} satisfies Section['rows'];

/** Not in the documents: a preview of the runs of a job before it is scheduled. */
export const preview = {
  from: row('O', timestamp, { note: 'Preview runs after this local time of the zone; default now.' }),
  zone: row('O', AN(1, 64), { note: 'A time zone such as Europe/Vienna; that of the channel when absent.' }),
} satisfies Section['rows'];
