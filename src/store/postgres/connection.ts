import { connect, type Socket } from 'node:net';
import postgres, { type RowList, type Sql } from 'postgres';
import { LATE } from '../errors.ts';
import { ConnectionLost, codeOf, isFatal, isFromServer } from './errors.ts';
import { CONNECT_MS_MAX, KEEP_ALIVE_MS } from './limits.ts';

export type Parameter = string | number | Uint8Array | null;
export type Plan = 'anew' | 'kept';
/** How a statement is sent. `plan`: made each time, or remembered by the server. */
export type Sending = { readonly plan: Plan; readonly silenceMs: number };

/** One of the hosts of a URL. */
export type Server = { readonly url: string; readonly host: string; readonly port: number };

/** One session of the server. Once it is over it stays so. */
export interface Connection {
  /** Resolves when the server has answered for the first time. */
  readonly ready: Promise<void>;
  isOver(): boolean;
  /** Rejects with an error of the server, or with `ConnectionLost`. A server that stays silent for too long has lost its connection. */
  send<Row extends object>(text: string, cells: readonly Parameter[], how: Sending): Promise<RowList<Row[]>>;
  /** Over at once: what waits for an answer is rejected. */
  destroy(why: ConnectionLost): void;
  /** Says goodbye first. */
  close(): Promise<void>;
}

type ConnectionOptions = {
  readonly server: Server;
  /** Parameters of the session. */
  readonly session: Readonly<Record<string, string | number>>;
  readonly onOver: (why: ConnectionLost) => void;
};

const GOODBYE_SECONDS = 1;
export const CLOSED = 'CONNECTION_ENDED';

export function serversOf(url: string): readonly Server[] {
  const { host, port } = postgres(url, { max: 1 }).options;
  return host.map((name, at) => ({ url, host: name, port: port[at] ?? 5432 }));
}

/**
 * A client of the driver with one connection and one life. The driver (postgres.js 3.4.9) is not safe to use on a connection that it has
 * lost: what it sends there throws outside of every promise and ends the process, and what it had not sent yet is kept and spoils the
 * next connection. So nothing is sent after the end, and it gets no second socket (decisions/0035).
 */
export function openConnection({ server, session, onOver }: ConnectionOptions): Connection {
  let socket: Socket | null = null;
  let over: ConnectionLost | null = null;
  let isClosing = false;

  const dial = ({ path }: { readonly path?: string | false }): Promise<Socket> => {
    if (socket !== null || over !== null) throw new ConnectionLost('CONNECTION_CLOSED', 'the server closed the connection');
    socket = open(server, path);
    return dialled(socket);
  };
  const sql = clientOf(server, session, {
    socket: dial,
    onclose: () => destroy(new ConnectionLost(isClosing ? CLOSED : 'CONNECTION_CLOSED', 'the connection was closed')),
  });
  const awaited = createAwaited(() => destroy(new ConnectionLost(LATE, 'no answer from the server')));
  const destroy = (why: ConnectionLost): void => {
    if (over !== null) return;
    over = why;
    awaited.failAll(why);
    socket?.destroy();
    void sql.end({ timeout: 0 }).catch(() => {});
    onOver(why);
  };
  const send = <Row extends object>(text: string, cells: readonly Parameter[], { plan, silenceMs }: Sending) =>
    new Promise<RowList<Row[]>>((resolve, reject) => {
      if (over !== null) return reject(over);
      awaited.add(reject, silenceMs);
      sql.unsafe<Row[]>(text, [...cells], { prepare: plan === 'kept' }).then(
        (rows) => {
          awaited.heard(reject);
          resolve(rows);
        },
        (error: unknown) => {
          awaited.heard(reject);
          reject(isFromServer(error) ? error : lostBy(error));
          if (!isFromServer(error) || isFatal(error)) destroy(lostBy(error));
        },
      );
    });
  return {
    ready: send('SELECT 1', [], { plan: 'anew', silenceMs: CONNECT_MS_MAX }).then(
      () => {},
      (error: Error) => {
        destroy(lostBy(error));
        throw error;
      },
    ),
    isOver: () => over !== null,
    send,
    destroy,
    close: async () => {
      isClosing = true;
      await sql.end({ timeout: GOODBYE_SECONDS }).catch(() => {});
      destroy(new ConnectionLost(CLOSED, 'the connection was closed'));
    },
  };
}

type Reject = (why: unknown) => void;

/**
 * The answers that are awaited. Calls when none of them came for so long: statements of one connection are answered in their order, so one
 * timer does for all of them. It looks again later instead of being set anew for each.
 */
function createAwaited(onSilence: () => void) {
  const waiting = new Set<Reject>();
  let [silenceMs, heardAt] = [0, 0];
  let timer: NodeJS.Timeout | null = null;
  const look = (): void => {
    timer = null;
    if (waiting.size === 0) return;
    const leftMs = heardAt + silenceMs - performance.now();
    if (leftMs <= 0) onSilence();
    else lookIn(leftMs);
  };
  // The socket keeps the process alive while an answer is awaited.
  const lookIn = (ms: number): void => {
    timer = setTimeout(look, ms).unref();
  };
  return {
    add: (reject: Reject, ms: number): void => {
      if (timer !== null && ms !== silenceMs) clearTimeout(timer);
      if (timer === null || ms !== silenceMs) lookIn(ms);
      if (waiting.size === 0) heardAt = performance.now();
      silenceMs = ms;
      waiting.add(reject);
    },
    heard: (reject: Reject): void => {
      heardAt = performance.now();
      waiting.delete(reject);
    },
    failAll: (why: unknown): void => {
      for (const reject of waiting) reject(why);
      waiting.clear();
    },
  };
}

/** Without what the driver hangs on its errors: the statement, and its parameters. */
const lostBy = (error: unknown): ConnectionLost =>
  error instanceof ConnectionLost
    ? error
    : new ConnectionLost(codeOf(error), error instanceof Error ? error.message : String(error));

function open({ host, port }: Server, path?: string | false): Socket {
  const kept = { keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS, noDelay: true };
  // The driver reads from the socket which name a certificate must have.
  return Object.assign(path ? connect({ path }) : connect({ host, port, ...kept }), { host });
}

const dialled = (socket: Socket): Promise<Socket> =>
  new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
    socket.once('close', () => reject(new ConnectionLost('CONNECTION_CLOSED', 'the connection was given up')));
  });

type Hooks = { readonly socket: (options: { readonly path?: string | false }) => Promise<Socket>; readonly onclose: () => void };

function clientOf({ url, host, port }: Server, session: Readonly<Record<string, string | number>>, hooks: Hooks): Sql {
  return postgres(url, {
    ...hooks,
    host,
    port,
    max: 1,
    max_lifetime: null,
    connect_timeout: CONNECT_MS_MAX / 1_000,
    keep_alive: KEEP_ALIVE_MS / 1_000,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: 'turnpike', ...session },
  });
}
