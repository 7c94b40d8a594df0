import { BrokenCommit, StoreOutOfOrder, UnknownOutcome } from './errors.ts';

/**
 * What an error of the driver means. `refused`: the statement is at fault and was undone. `clash`: undone because of others, may be
 * sent again. `lost`: the connection went while the statement was under way. `unsent`: it never reached the server. `failed`: the
 * server could not do it.
 */
export type Trouble = 'refused' | 'clash' | 'lost' | 'unsent' | 'failed';

const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'CONNECT_TIMEOUT', '57P03', '53300']);
/** A cancelled statement may have been cancelled while it waited for its standby, with the commit already done. */
const LOST = new Set(['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', '57014', '57P01', '57P02', 'LATE']);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

export function troubleOf(error: unknown): Trouble {
  const code = codeOf(error);
  if (UNSENT.has(code) || code === 'CONNECTION_ENDED' || code.startsWith('28')) return 'unsent';
  if (LOST.has(code) || code.startsWith('08')) return 'lost';
  if (code.startsWith('40')) return 'clash';
  // Integrity (23) and data (22): what was sent cannot be written.
  return code.startsWith('23') || code.startsWith('22') ? 'refused' : 'failed';
}

export const isOverrun = (error: unknown): boolean =>
  error instanceof Error && 'constraint_name' in error && error.constraint_name === 'balance_overrun';

/** Our own error, without what the driver hangs on its own: statement and parameters, with the shopper's data among them. */
export function ownError(error: unknown): Error {
  const why = `${codeOf(error)} ${error instanceof Error ? error.message : String(error)}`.trim();
  switch (troubleOf(error)) {
    case 'lost':
      return new UnknownOutcome(`PostgreSQL: ${why}`);
    case 'refused':
      return new BrokenCommit(`PostgreSQL: ${why}`);
    default:
      return new StoreOutOfOrder(`PostgreSQL: ${why}`);
  }
}
