import type { DueQuestion } from '../merchants/whose.ts';
import { postgresOnlyReads } from './postgresClaims.ts';
import type { Pool } from './postgresPool.ts';
import { reads } from './statements.ts';

const ofOne = { ...reads, ...postgresOnlyReads };

/** What is due of one merchant, or of all but some. */
export const dueRows = <Row extends object>(
  pool: Pool,
  name: 'due' | 'misdated' | 'callsDue' | 'outlived' | 'awaitingToken' | 'laterDue' | 'daysDue',
  { now, limit, whose }: DueQuestion,
): Promise<Row[]> =>
  'only' in whose
    ? pool.read<Row>(ofOne[`${name}Of`], [now, limit, whose.only])
    : pool.read<Row>(postgresOnlyReads[name], [now, limit, JSON.stringify(whose.except)]);
