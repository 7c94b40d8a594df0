import type { RowList } from 'postgres';
import type { ConnectionFigures } from '../../payments/ports.ts';
import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import { createSlots } from '../../runtime/slots.ts';
import { LATE } from '../errors.ts';
import type { Durability } from '../store.ts';
import type { Connection, Parameter, Plan } from './connection.ts';
import { createConnections, type Use } from './connections.ts';
import { ConnectionLost, codeOf, NeverCommitted, readError, troubleOf } from './errors.ts';
import { beginAs, CLOSE_MS_MAX, limitsOf, sessionLimits, silenceMsOf, type Work } from './limits.ts';

export type { Parameter } from './connection.ts';

export type PostgresOptions = {
  readonly url: string;
  /** Connections to the server. */
  readonly poolMax?: number;
  /** Commits in one statement. */
  readonly batchMax?: number;
  /** Such statements under way at the same time. */
  readonly queues?: number;
  readonly durability?: Durability;
  /** The work that sets the limits of the sessions. */
  readonly work?: Work;
};

const POOL_MAX = 8;

export interface Pool {
  /** One statement, within the limits of the pool's work. Rejects with the driver's error. */
  send<Row extends object>(text: string, cells?: readonly Parameter[], plan?: Plan): Promise<RowList<Row[]>>;
  /** A statement that changes nothing: asked once more when the connection was the trouble. Rejects with our own errors. */
  read<Row extends object>(text: string, cells?: readonly Parameter[], plan?: Plan): Promise<Row[]>;
  /** Several statements that are kept together or not at all, within the limits of the work; that of the pool when none is named. */
  transaction<T>(steps: (tx: Transaction) => Promise<T>, work?: Work): Promise<T>;
  figures(): ConnectionFigures;
  /** From now on everything that is under way, or comes after, has this long. */
  hurry(): void;
  /** Running statements may finish, within the same bound. */
  close(): Promise<void>;
}

export function openPool(options: PostgresOptions): Pool {
  const own = options.work ?? 'everyday';
  const silenceMs = silenceMsOf(own);
  const connections = createConnections({
    url: options.url,
    most: options.poolMax ?? POOL_MAX,
    session: sessionOf(own, options.durability ?? 'full'),
  });
  const active = createSlots<Promise<unknown>>();
  let cutting: NodeJS.Timeout | null = null;

  const borrow = async <T>(use: Use, work: (connection: Connection) => Promise<T>): Promise<T> => {
    const connection = await connections.borrow(use);
    try {
      return await work(connection);
    } finally {
      connections.giveBack(connection);
    }
  };
  const using = async <T>(use: Use, work: (connection: Connection) => Promise<T>): Promise<T> => {
    const running = borrow(use, work);
    const at = active.add(running);
    try {
      return await running;
    } finally {
      active.take(at);
    }
  };
  const send = <Row extends object>(text: string, cells: readonly Parameter[] = [], plan: Plan = 'kept') =>
    using('shared', (connection) => connection.send<Row>(text, cells, { plan, silenceMs }));
  const hurry = (): void => {
    cutting ??= setTimeout(connections.cut, CLOSE_MS_MAX);
  };
  return {
    send,
    read: async (text, cells, plan) => {
      try {
        return await send(text, cells, plan);
      } catch (error) {
        // After a silence the caller has waited long enough.
        if (!['lost', 'unsent'].includes(troubleOf(error)) || codeOf(error) === LATE) throw readError(error);
      }
      try {
        return await send(text, cells, plan);
      } catch (error) {
        throw readError(error);
      }
    },
    transaction: (steps, work = own) =>
      using('alone', (connection) => inTransaction(connection, steps, { work, isOwn: work === own })),
    figures: connections.figures,
    hurry,
    close: async () => {
      hurry();
      await Promise.allSettled(active.all());
      await connections.close();
      if (cutting !== null) clearTimeout(cutting);
    },
  };
}

const sessionOf = (work: Work, durability: Durability): Readonly<Record<string, string | number>> => ({
  ...sessionLimits(work),
  // A node that vanished does not keep its sessions for hours.
  tcp_keepalives_idle: 30,
  tcp_keepalives_interval: 10,
  tcp_keepalives_count: 3,
  // Every statement of this pool finds its rows by key, and in the order of the key where it is ordered. A query plan made while the
  // tables were empty would go on scanning or sorting them.
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  ...(durability === 'off' ? { synchronous_commit: 'off' } : {}),
});

/** Nothing is acknowledged that a crash of the server could take back, unless the control of the kill test wants just that. */
export async function checkServer(pool: Pool, { durability = 'full' }: PostgresOptions): Promise<void> {
  const [row] = await pool.read<{ readonly waits: string }>("SELECT current_setting('synchronous_commit') AS waits");
  if (durability === 'full' && row?.waits === 'off') {
    throw new StoreOutOfOrder('PostgreSQL has synchronous_commit off for this database or user: a crash would lose payments.');
  }
}

/** The view that the steps of a transaction have. */
export type Transaction = {
  run<Row extends object>(text: string, cells?: readonly Parameter[], plan?: Plan): Promise<RowList<Row[]>>;
};

type Bounds = { readonly work: Work /** The session has the limits of this work already. */; readonly isOwn: boolean };

/**
 * Steps between BEGIN and COMMIT on one connection, within the limits of the work. When the connection is lost before the COMMIT is sent,
 * nothing was kept; when it is lost afterwards, the outcome is unknown.
 */
async function inTransaction<T>(
  connection: Connection,
  steps: (tx: Transaction) => Promise<T>,
  { work, isOwn }: Bounds,
): Promise<T> {
  const silenceMs = silenceMsOf(work);
  const { promise: late, reject } = Promise.withResolvers<never>();
  // It may reject before anything awaits it: during the BEGIN.
  late.catch(() => {});
  const timer = setTimeout(() => {
    const why = new ConnectionLost(LATE, 'the transaction took too long');
    connection.destroy(why);
    reject(why);
  }, limitsOf[work].transactionMs);
  let [isOver, isCommitting] = [false, false];
  const run: Transaction['run'] = (text, cells = [], plan = 'anew') =>
    isOver
      ? Promise.reject(new NeverCommitted('', 'the transaction is over'))
      : connection.send(text, cells, { plan, silenceMs });
  try {
    await run(isOwn ? 'BEGIN' : beginAs(work));
    const result = await Promise.race([steps({ run }), late]);
    isCommitting = true;
    const { command } = await run('COMMIT');
    // The server answers ROLLBACK when a step had failed, although the caller went on.
    if (command !== 'COMMIT') throw new NeverCommitted('', 'a step of the transaction had failed');
    return result;
  } catch (error) {
    isOver = true;
    if (!connection.isOver()) await rollBack(connection, silenceMs);
    if (error instanceof ConnectionLost && !isCommitting) throw new NeverCommitted(error.code, error.message);
    throw error;
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}

/** A session that cannot end its transaction is destroyed: the next borrower could not use it. */
async function rollBack(connection: Connection, silenceMs: number): Promise<void> {
  try {
    await connection.send('ROLLBACK', [], { plan: 'anew', silenceMs });
  } catch {
    connection.destroy(new ConnectionLost('', 'the transaction could not be rolled back'));
  }
}
