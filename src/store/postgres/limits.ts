import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../spec/time.ts';
import { TRANSACTION_MS_MAX } from '../bounded.ts';
/** How long work in PostgreSQL may take, in milliseconds. Every statement and every transaction belongs to one row of the table below. */
export type Limits = {
  /** The server cancels a statement that takes longer. */
  readonly statementMs: number;
  /** The server gives up waiting for a lock: nothing was done, so this comes before the limit of the statement. */
  readonly lockMs: number;
  /** The server ends a session that stops in the middle of a transaction: the locks of a gateway that vanished are released. */
  readonly idleMs: number;
  /** From BEGIN to the answer to COMMIT, kept by the gateway. */
  readonly transactionMs: number;
};

export const limitsOf = {
  /** Payments, pages of the back office, jobs: each statement finds its rows by key. */
  everyday: { statementMs: 8 * SECOND_MS, lockMs: 6 * SECOND_MS, idleMs: 10 * SECOND_MS, transactionMs: 15 * SECOND_MS },
  /** Reads the past for a back-test, page by page, on a connection of its own. */
  history: { statementMs: MINUTE_MS, lockMs: 6 * SECOND_MS, idleMs: 10 * SECOND_MS, transactionMs: 2 * MINUTE_MS },
  /** Books a settlement file of up to a million lines in one transaction. */
  settlement: { statementMs: 10 * MINUTE_MS, lockMs: MINUTE_MS, idleMs: MINUTE_MS, transactionMs: TRANSACTION_MS_MAX },
  /** `npx turnpike verify` reads whole tables in one snapshot. */
  audit: { statementMs: HOUR_MS, lockMs: MINUTE_MS, idleMs: 10 * MINUTE_MS, transactionMs: 24 * HOUR_MS },
  /** Nodes that start together wait for the one that migrates. */
  migration: { statementMs: 6 * HOUR_MS, lockMs: 6 * HOUR_MS, idleMs: MINUTE_MS, transactionMs: 6 * HOUR_MS },
} as const satisfies Record<string, Limits>;

export type Work = keyof typeof limitsOf;

/** The server ends a long statement itself. A connection that stays silent even after that is dead. */
const ANSWER_MS = 2 * SECOND_MS;
export const silenceMsOf = (work: Work): number => limitsOf[work].statementMs + ANSWER_MS;

/** To connect, sign in and answer a first statement. */
export const CONNECT_MS_MAX = 5 * SECOND_MS;
/** To be given one of the connections. */
export const WAIT_MS_MAX = 10 * SECOND_MS;
/** Statements that are under way when the store is closed. Afterwards its connections are cut. */
export const CLOSE_MS_MAX = 5 * SECOND_MS;
/** A connection that is older is exchanged when it is idle. */
export const AGE_MS_MAX = 45 * MINUTE_MS;
/** After so much silence on an idle connection the kernel asks whether the other side is still there. */
export const KEEP_ALIVE_MS = 10 * SECOND_MS;

/** The limits of a session, in the server's names. */
export const sessionLimits = (work: Work): Readonly<Record<string, number>> => ({
  statement_timeout: limitsOf[work].statementMs,
  lock_timeout: limitsOf[work].lockMs,
  idle_in_transaction_session_timeout: limitsOf[work].idleMs,
});

/** How a transaction begins when its work is not that of its session. */
export const beginAs = (work: Work): string =>
  ['BEGIN', ...Object.entries(sessionLimits(work)).map(([name, ms]) => `SET LOCAL ${name} = ${ms}`)].join('; ');
