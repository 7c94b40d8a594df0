import type { DueQuery } from '../../merchants/merchantFilter.ts';
import { reads } from '../tables/statements.ts';
import { postgresOnlyReads } from './claimStatements.ts';
import type { Pool } from './pool.ts';

const ofOne = { ...reads, ...postgresOnlyReads };

/** What is due of one merchant, or of all but some. */
export const dueRows = <Row extends object>(
  pool: Pool,
  name:
    | 'due'
    | 'misdated'
    | 'misdatedSchedules'
    | 'callsDue'
    | 'outlived'
    | 'awaitingToken'
    | 'scheduledSettlementsDue'
    | 'daysDue'
    | 'releasesDue',
  { now, limit, merchants }: DueQuery,
): Promise<Row[]> =>
  merchants.kind === 'only'
    ? pool.read<Row>(ofOne[`${name}Of`], [now, limit, merchants.merchantId])
    : pool.read<Row>(postgresOnlyReads[name], [now, limit, JSON.stringify(merchants.merchantIds)]);
