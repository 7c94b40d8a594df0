import postgres from 'postgres';
import { BrokenCommit, StoreOutOfOrder, UnknownOutcome } from '../../payments/storeErrors.ts';
import type { Server } from './address.ts';

/**
 * The meaning of an error. `refused`: the change cannot be written, and was not. `clash`: undone because of others, may be sent again.
 * `lost`: the connection went while the statement was under way. `unsent`: the statement never reached the server, or its transaction
 * never reached its COMMIT. `failed`: the server could not do it.
 */
export type Trouble = 'refused' | 'clash' | 'lost' | 'unsent' | 'failed';

/** The connection is over. Statements that were under way on it may have been executed. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** There was no connection, or it was lost before the COMMIT was sent: certainly nothing was done. */
export class NeverCommitted extends Error {
  override readonly name = 'NeverCommitted';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** No server answered. The message is a sentence for the operator, and holds neither user nor password. */
export class Unreachable extends NeverCommitted {
  constructor(code: string, servers: readonly Server[]) {
    const places = servers.map(({ host, port }) => `${host}:${port}`).join(', ');
    super(code, `PostgreSQL does not answer at ${places} (${code}): start the server, or correct the address in DATABASE_URL`);
  }
}

/** Codes of the system and of the driver for a connection that did not come about. */
const NETWORK = /^(?:E[A-Z]+|EAI_[A-Z]+|CONNECT_TIMEOUT)$/;

/** The failure to connect to these servers, as an error of ours. */
export function dialError(error: unknown, servers: readonly Server[]): NeverCommitted {
  const code = codeOf(error);
  return NETWORK.test(code) ? new Unreachable(code, servers) : new NeverCommitted(code, (error as Error).message);
}

/** A cancelled statement (57014) may have been waiting for its standby, with the commit already done. */
const LOST = /^(?:57014|57P01|57P02|08...)$/;

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

export const isFromServer = (error: unknown): boolean => error instanceof postgres.PostgresError;

/** The server closes the connection after an error of this kind. */
export const isFatal = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && (error.severity === 'FATAL' || error.severity === 'PANIC');

export function troubleOf(error: unknown): Trouble {
  if (error instanceof NeverCommitted) return 'unsent';
  if (error instanceof ConnectionLost) return 'lost';
  const code = codeOf(error);
  if (LOST.test(code)) return 'lost';
  if (code.startsWith('40')) return 'clash';
  // Integrity (23) and data (22).
  return code.startsWith('23') || code.startsWith('22') ? 'refused' : 'failed';
}

/** The name of the constraint that refused; empty when none did. */
export const constraintOf = (error: unknown): string =>
  error instanceof Error && 'constraint_name' in error && typeof error.constraint_name === 'string' ? error.constraint_name : '';

/** In our own errors nothing is left of what the driver hangs on its own: statement and parameters, with the shopper's data in them. */
const sentence = (error: unknown): string =>
  error instanceof Unreachable
    ? error.message
    : `PostgreSQL: ${codeOf(error)} ${error instanceof Error ? error.message : String(error)}`;

export function writeError(error: unknown): Error {
  const trouble = troubleOf(error);
  if (trouble === 'lost') return new UnknownOutcome(sentence(error), codeOf(error));
  return trouble === 'refused'
    ? new BrokenCommit(sentence(error), constraintOf(error))
    : new StoreOutOfOrder(sentence(error), codeOf(error));
}

export const readError = (error: unknown): Error => new StoreOutOfOrder(sentence(error), codeOf(error));

/** The same for work that has errors of its own: only those of the connection and the server are put into a sentence. */
export const workError = (error: unknown): unknown =>
  error instanceof NeverCommitted || error instanceof ConnectionLost || isFromServer(error) ? readError(error) : error;
