import type { ConnectionFigures } from '../../payments/ports.ts';
import { type Address, addressOf, type Server } from './address.ts';
import { CLOSED, type Connection, openConnection } from './connection.ts';
import { ConnectionLost, codeOf, dialError, NeverCommitted } from './errors.ts';
import { AGE_MS_MAX, WAIT_MS_MAX } from './limits.ts';

/** Soon again after a restart, yet without hammering at a server that is still recovering. */
const REDIAL_MS = 100;

type ConnectionsOptions = {
  readonly url: string;
  readonly most: number;
  readonly session: Readonly<Record<string, string | number>>;
};

/** Statements that wait for their answers on one connection. */
const PIPELINE_MAX = 16;

/** A transaction has its connection alone; single statements share one when all are in use, and are answered in their order. */
export type Use = 'shared' | 'alone';

/** Connections that are opened when they are needed, and replaced when they are lost. */
export interface Connections {
  /** Rejects with `NeverCommitted` when the server cannot be reached, or when no connection becomes free within the limit. */
  borrow(use: Use): Promise<Connection>;
  /** Every borrower must call this, also for a connection that is over. */
  giveBack(connection: Connection): void;
  figures(): ConnectionFigures;
  /** Nothing is lent any more, and every connection ends immediately. */
  cut(): void;
  /** The same with a goodbye to the server. */
  close(): Promise<void>;
}

/** A connection that the server has answered on. */
type PooledConnection = { readonly connection: Connection; readonly bornAt: number; borrowers: number; isAlone: boolean };

const closed = new NeverCommitted(CLOSED, 'the store is closed');

export function createConnections({ url, most, session }: ConnectionsOptions): Connections {
  const dial = createDial(url, session, (connection, why) => lose(connection, why));
  const open = createConnectionSet();
  const queue = createQueue();
  let isClosed = false;

  // A caller that waited for a lost connection needs another one.
  const lose = (connection: Connection, why: ConnectionLost): void => {
    open.drop(connection, why);
    void dialMore();
  };
  const mayDial = (): boolean => open.kept.size + dial.count() < most && dial.failure() === null;
  const dialMore = async (): Promise<void> => {
    const failure = dial.failure();
    if (failure && open.kept.size + dial.count() === 0) queue.refuseAll(failure);
    if (isClosed || dial.count() >= queue.size() || !mayDial()) return;
    try {
      pass(open.add(await dial.connect()));
    } catch (error) {
      // While other connections are at work, one of them becomes free.
      if (open.kept.size === 0) queue.refuseAll(error as NeverCommitted);
    }
  };
  /** A connection with room goes to waiting callers, less the share of those still being opened. Without callers it is idle. */
  const pass = (one: PooledConnection): void => {
    const share = Math.min(PIPELINE_MAX - one.borrowers, Math.ceil(queue.size() / (dial.count() + 1)));
    for (const next of queue.first(share)) if (!one.isAlone) next.lend(lend(one, next.use));
    if (one.borrowers === 0) open.idle.push(one);
  };
  const end = (): Connection[] => {
    isClosed = true;
    queue.refuseAll(closed);
    return [...dial.underWay, ...open.kept.keys()];
  };
  return {
    borrow: async (use) => {
      if (isClosed) throw closed;
      const free = open.idle.pop();
      if (free) return lend(free, use);
      const failure = open.kept.size === 0 ? dial.failure() : null;
      if (failure) throw failure;
      const used = mayDial() ? null : open.leastUsed();
      if (used) return lend(used, use);
      const waiting = queue.wait(use);
      void dialMore();
      return waiting;
    },
    giveBack: (connection) => {
      const one = open.giveBack(connection);
      if (one && one.borrowers === 0 && (isClosed || performance.now() - one.bornAt > AGE_MS_MAX)) void connection.close();
      else if (one && !one.isAlone) pass(one);
    },
    figures: () => ({ busy: open.kept.size - open.idle.length, idle: open.idle.length, waiting: queue.size() }),
    cut: () => {
      for (const connection of end()) connection.destroy(new ConnectionLost(CLOSED, 'the store was closed'));
    },
    close: async () => void (await Promise.all(end().map((connection) => connection.close()))),
  };
}

function lend(one: PooledConnection, use: Use): Connection {
  one.borrowers += 1;
  one.isAlone = use === 'alone';
  return one.connection;
}

/** The connections there are, and which of them are idle. */
function createConnectionSet() {
  const kept = new Map<Connection, PooledConnection>();
  const idle: PooledConnection[] = [];
  return {
    kept,
    idle,
    add: (connection: Connection): PooledConnection => {
      const fresh = { connection, bornAt: performance.now(), borrowers: 0, isAlone: false };
      kept.set(connection, fresh);
      return fresh;
    },
    drop: (connection: Connection, why: ConnectionLost): void => {
      const lost = kept.get(connection);
      if (!lost) return;
      kept.delete(connection);
      const at = idle.indexOf(lost);
      if (at >= 0) idle.splice(at, 1);
      // Where one connection fell silent the idle ones have too: they are not tried one by one.
      if (why.code !== CLOSED) for (const other of idle.splice(0)) other.connection.destroy(why);
    },
    /** Null when it was lost meanwhile. */
    giveBack: (connection: Connection): PooledConnection | null => {
      const one = kept.get(connection);
      if (!one) return null;
      one.borrowers -= 1;
      if (one.borrowers === 0) one.isAlone = false;
      return one;
    },
    /** Null when each is lent alone or has as many borrowers as it may. */
    leastUsed: (): PooledConnection | null => {
      let found: PooledConnection | null = null;
      for (const one of kept.values()) {
        if (!one.isAlone && one.borrowers < (found?.borrowers ?? PIPELINE_MAX)) found = one;
      }
      return found;
    },
  };
}

type Borrower = {
  readonly use: Use;
  readonly lend: (connection: Connection) => void;
  readonly refuse: (why: NeverCommitted) => void;
};

/** The borrowers that wait for a connection, in order, each no longer than the limit. */
function createQueue() {
  const borrowers = new Set<Borrower>();
  return {
    size: () => borrowers.size,
    first: (count: number): Borrower[] => [...borrowers].slice(0, count),
    refuseAll: (why: NeverCommitted): void => {
      for (const { refuse } of [...borrowers]) refuse(why);
    },
    wait: (use: Use): Promise<Connection> => {
      const { promise, resolve, reject } = Promise.withResolvers<Connection>();
      const late = () => borrower.refuse(new NeverCommitted('BUSY', 'no connection became free in time'));
      const timer = setTimeout(late, WAIT_MS_MAX);
      const leave = (): void => {
        clearTimeout(timer);
        borrowers.delete(borrower);
      };
      const borrower: Borrower = {
        use,
        lend: (connection) => {
          leave();
          resolve(connection);
        },
        refuse: (why) => {
          leave();
          reject(why);
        },
      };
      borrowers.add(borrower);
      return promise;
    },
  };
}

type Dial = {
  readonly underWay: ReadonlySet<Connection>;
  /** How many are being opened. */
  count(): number;
  connect(): Promise<Connection>;
  /** Why the last one failed, when that was just now: the next is not tried immediately. */
  failure(): NeverCommitted | null;
};

/** Opens connections: of several hosts, to the first that fits the target. The search begins where it ended the last time. */
function createDial(
  url: string,
  session: ConnectionsOptions['session'],
  onOver: (connection: Connection, why: ConnectionLost) => void,
): Dial {
  const underWay = new Set<Connection>();
  let [turn, dials] = [0, 0];
  let failed: { readonly at: number; readonly why: NeverCommitted } | null = null;
  const connectTo = async (address: Address, server: Server): Promise<Connection> => {
    const connection = openConnection({ address, server, session, onOver: (why) => onOver(connection, why) });
    underWay.add(connection);
    try {
      await connection.ready;
      return connection;
    } finally {
      underWay.delete(connection);
    }
  };
  const connect = async (): Promise<Connection> => {
    const address = addressOf(url);
    const { servers } = address;
    for (let tries = 1; ; tries += 1) {
      try {
        return await connectTo(address, servers[turn % servers.length] as Server);
      } catch (error) {
        turn += 1;
        if (tries >= servers.length || codeOf(error) === CLOSED) throw error;
      }
    }
  };
  return {
    underWay,
    count: () => dials,
    failure: () => (failed && performance.now() - failed.at < REDIAL_MS ? failed.why : null),
    connect: async () => {
      dials += 1;
      try {
        const connection = await connect();
        failed = null;
        return connection;
      } catch (error) {
        failed = { at: performance.now(), why: dialError(error, addressOf(url).servers) };
        throw failed.why;
      } finally {
        dials -= 1;
      }
    },
  };
}
