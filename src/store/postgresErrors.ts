import { BrokenCommit, StoreOutOfOrder, UnknownOutcome } from './errors.ts';

/**
 * What an error of the driver means. `refused`: what was sent cannot be written, and was not. `clash`: undone because of others, may be
 * sent again. `lost`: the connection went while the statement was under way. `unsent`: the statement never reached the server.
 * `failed`: the server could not do it.
 */
export type Trouble = 'refused' | 'clash' | 'lost' | 'unsent' | 'failed';

/** The driver never sent it, or the server did not let us in: starting (57P03), full (53300), sign-in refused (28). */
const UNSENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CONNECT_TIMEOUT|CONNECTION_ENDED|57P03|53300|28...)$/;
/** A cancelled statement (57014) may have been waiting for its standby, with the commit already done. */
const LOST = /^(?:CONNECTION_CLOSED|CONNECTION_DESTROYED|ECONNRESET|EPIPE|ETIMEDOUT|LATE|57014|57P01|57P02|08...)$/;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

export function troubleOf(error: unknown): Trouble {
  const code = codeOf(error);
  if (UNSENT.test(code)) return 'unsent';
  if (LOST.test(code)) return 'lost';
  if (code.startsWith('40')) return 'clash';
  // Integrity (23) and data (22).
  return code.startsWith('23') || code.startsWith('22') ? 'refused' : 'failed';
}

/** A connection that stood, or was about to stand, is gone: not a server that is simply away. */
export const isConnectionTrouble = (error: unknown): boolean =>
  (troubleOf(error) === 'lost' && codeOf(error) !== '57014') || codeOf(error) === 'CONNECT_TIMEOUT';

/** The name of the constraint that refused; empty when none did. */
export const constraintOf = (error: unknown): string =>
  error instanceof Error && 'constraint_name' in error && typeof error.constraint_name === 'string' ? error.constraint_name : '';

/** In our own errors nothing is left of what the driver hangs on its own: statement and parameters, with the shopper's data in them. */
const sentence = (error: unknown): string =>
  `PostgreSQL: ${codeOf(error)} ${error instanceof Error ? error.message : String(error)}`;

export function writeError(error: unknown): Error {
  const trouble = troubleOf(error);
  if (trouble === 'lost') return new UnknownOutcome(sentence(error));
  return trouble === 'refused' ? new BrokenCommit(sentence(error)) : new StoreOutOfOrder(sentence(error));
}

export const readError = (error: unknown): Error => new StoreOutOfOrder(sentence(error));
