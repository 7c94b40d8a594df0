import { charset } from '../formats.ts';
import { type Format, row, type Section } from '../row.ts';

/** The identifiers this gateway gives out: 32 lower-case hexadecimal digits. One with digits alone is no card number. */
export const hexId = (label: string): Format => ({
  ...charset(label, 'a-f0-9', { min: 32, max: 32, sample: '8ac7a4c9d0e1b2f3', wrong: ['A', 'g', '-', ' '] }),
  scan: 'none',
});

/** Document 2, Authentication parameters. The Authorization header is not a parameter. */
export const authentication = {
  entityId: row('C', hexId('AN32, a-f and 0-9'), {
    note: 'The channel, or the merchant where payments are dispatched to channels.',
  }),
} satisfies Section['rows'];
