import { timestamp } from '../dates.ts';
import { AN, charset, integer, matching, N, oneOf } from '../formats.ts';
import { CRON, type Format, row, type Section } from '../row.ts';

const units = ['YEAR', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND'] as const;
const unit = oneOf(units.join(', '), units);

/** A field of a cron expression: only the characters are looked at here, what they mean is read where jobs are scheduled. */
const cron = (signs: string, sample: string): Format =>
  charset('AN64', `0-9${signs}`, { min: 1, max: 64, sample, wrong: ['x', ' ', ';', '$'] });

/** Fields with one space between them; how many there must be and what they mean is read where jobs are scheduled too. */
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
