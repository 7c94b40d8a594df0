import { timestamp } from '../dates.ts';
import { AN } from '../formats.ts';
import { row, type Section } from '../row.ts';

/** Not in the documents: what the runs of a job are asked for before it is scheduled. */
export const preview = {
  from: row('O', timestamp, { note: 'Preview runs after this local time of the zone; default now.' }),
  zone: row('O', AN(1, 64), { note: 'A time zone such as Europe/Vienna; that of the channel when absent.' }),
} satisfies Section['rows'];
