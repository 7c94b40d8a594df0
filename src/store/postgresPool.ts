import postgres, { type RowList, type Sql, type TransactionSql } from 'postgres';
import { StoreOutOfOrder } from './errors.ts';
import { isConnectionTrouble, readError, troubleOf } from './postgresErrors.ts';
import { forPostgres } from './statements.ts';
import type { Durability } from './store.ts';

export type PostgresOptions = {
  readonly url: string;
  /** Connections to the server. */
  readonly poolMax?: number;
  /** Commits in one statement. */
  readonly batchMax?: number;
  /** Such statements under way at once. */
  readonly lanes?: number;
  readonly durability?: Durability;
};

const POOL_MAX = 8;
const CONNECT_SECONDS_MAX = 5;
const STATEMENT_MS_MAX = 10_000;
/** The server ends a long statement itself; whoever hears nothing even after that has lost his connection without noticing. */
const SILENCE_MS_MAX = 15_000;
/** Soon again after a restart, yet without hammering at a server that is still recovering. */
const RECONNECT_SECONDS = 0.1;

export type Parameter = string | number | Uint8Array | null;

export interface Pool {
  /** One statement, with an end to the waiting. Rejects with the driver's error. `plan`: each time, or remembered by the server. */
  send<Row extends object>(text: string, cells?: readonly Parameter[], plan?: 'anew' | 'kept'): Promise<RowList<Row[]>>;
  /** A statement that changes nothing: asked once more when the connection was the trouble. Rejects with our own errors. */
  read<Row extends object>(text: string, cells?: readonly Parameter[], plan?: 'anew' | 'kept'): Promise<Row[]>;
  /** Several statements that are kept together or not at all. */
  transaction<T>(steps: (tx: TransactionSql) => Promise<T>): Promise<T>;
  /** What is under way may finish. */
  close(): Promise<void>;
}

/**
 * When a connection is lost, all of them are given up for new ones, the busy ones once they are done: the driver may have kept a
 * half-sent message of the dead connection, and would wait in vain on the next one (seen with postgres.js 3.4.9).
 */
export function openPool(options: PostgresOptions): Pool {
  let current = connect(options);
  let isClosed = false;
  const active = new Set<Promise<unknown>>();

  const using = async <T>(work: (sql: Sql) => Promise<T>): Promise<T> => {
    const sql = current;
    const running = work(sql);
    active.add(running);
    try {
      return await running;
    } catch (error) {
      if (isConnectionTrouble(error) && sql === current && !isClosed) {
        current = connect(options);
        void sql.end();
      }
      throw error;
    } finally {
      active.delete(running);
    }
  };
  const send = <Row extends object>(text: string, cells: readonly Parameter[] = [], plan = 'kept'): Promise<RowList<Row[]>> =>
    using((sql) => inTime(sql.unsafe<Row[]>(forPostgres(text), [...cells], { prepare: plan === 'kept' })));
  return {
    send,
    read: async (text, cells, plan) => {
      try {
        return await send(text, cells, plan);
      } catch (error) {
        if (!['lost', 'unsent'].includes(troubleOf(error))) throw readError(error);
      }
      try {
        return await send(text, cells, plan);
      } catch (error) {
        throw readError(error);
      }
    },
    transaction: (steps) => using(async (sql) => (await sql.begin(steps)) as Awaited<ReturnType<typeof steps>>),
    close: async () => {
      isClosed = true;
      await Promise.allSettled(active);
      // Without a time-out the driver would wait for connections that it has lost already.
      await current.end({ timeout: 0 });
    },
  };
}

/** The driver listens to the errors of its sockets, so that a lost connection never ends the process. */
function connect({ url, poolMax = POOL_MAX, durability = 'full' }: PostgresOptions): Sql {
  return postgres(url, {
    max: poolMax,
    connect_timeout: CONNECT_SECONDS_MAX,
    backoff: () => RECONNECT_SECONDS,
    fetch_types: false,
    onnotice: () => {},
    connection: {
      application_name: 'turnpike',
      statement_timeout: STATEMENT_MS_MAX,
      // Every statement of this pool finds its rows by key, and in the order of the key where one is asked for. A plan made while the
      // tables were empty would go on scanning or sorting them.
      enable_seqscan: 'off',
      enable_bitmapscan: 'off',
      enable_hashjoin: 'off',
      enable_mergejoin: 'off',
      ...(durability === 'off' ? { synchronous_commit: 'off' } : {}),
    },
  });
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const late = () => reject(Object.assign(new Error('no answer from the server'), { code: 'LATE' }));
  const timer = setTimeout(late, SILENCE_MS_MAX);
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** Nothing is acknowledged that a crash of the server could take back, unless the control of the kill test wants just that. */
export async function checkServer(pool: Pool, { durability = 'full' }: PostgresOptions): Promise<void> {
  const [row] = await pool.read<{ readonly waits: string }>("SELECT current_setting('synchronous_commit') AS waits");
  if (durability === 'full' && row?.waits === 'off') {
    throw new StoreOutOfOrder('PostgreSQL has synchronous_commit off for this database or user: a crash would lose payments.');
  }
}
