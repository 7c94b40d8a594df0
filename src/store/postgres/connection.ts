import { connect, type Socket } from 'node:net';
import postgres, { type RowList, type Sql } from 'postgres';
import { createSlots } from '../../runtime/slots.ts';
import { LATE } from '../errors.ts';
import type { Address, Server, Target } from './address.ts';
import { ConnectionLost, codeOf, isFatal, isFromServer } from './errors.ts';
import { CONNECT_MS_MAX, KEEP_ALIVE_MS } from './limits.ts';
import { encrypt, offersTls, opened } from './tls.ts';

export type Parameter = string | number | Uint8Array | null;
export type Plan = 'anew' | 'kept';
/** How a statement is sent. `plan`: made each time, or remembered by the server. */
export type Sending = { readonly plan: Plan; readonly silenceMs: number };

/** One session of the server. Once it is over it stays so. */
export interface Connection {
  /** Resolves when the server has answered for the first time. */
  readonly ready: Promise<void>;
  isOver(): boolean;
  /** Rejects with an error of the server, or with `ConnectionLost`. A server that stays silent for too long has lost its connection. */
  send<Row extends object>(text: string, cells: readonly Parameter[], how: Sending): Promise<RowList<Row[]>>;
  /** Ends the session immediately: statements without an answer are rejected. */
  destroy(why: ConnectionLost): void;
  /** Says goodbye first. */
  close(): Promise<void>;
}

type ConnectionOptions = {
  readonly address: Address;
  /** One of the address. */
  readonly server: Server;
  /** Parameters of the session, unless a pooler gives every transaction another one. */
  readonly session: Readonly<Record<string, string | number>>;
  readonly onOver: (why: ConnectionLost) => void;
};

const GOODBYE_SECONDS = 1;
export const CLOSED = 'CONNECTION_ENDED';

/** The server is not of the kind that the URL asks for. */
export const OTHER_TARGET = 'OTHER_TARGET';
/** A session that can no longer write: its server was made a standby. */
const READ_ONLY = '25006';

/** Whether the server can be written, and whether it follows another one. The driver's own check takes a standby for writable. */
const STATE = "SELECT pg_is_in_recovery() AS is_standby, current_setting('transaction_read_only') = 'on' AS is_read_only";
type State = { readonly is_standby: boolean; readonly is_read_only: boolean };

function fits(target: Target, { is_standby, is_read_only }: State): boolean {
  switch (target) {
    case 'any':
      return true;
    case 'read-write':
      return !is_read_only;
    case 'read-only':
      return is_read_only;
    case 'primary':
      return !is_standby;
    case 'standby':
      return is_standby;
  }
}

/**
 * A client of the driver with one connection and one life. The driver (postgres.js 3.4.9) is not safe to use on a connection that it has
 * lost: what it sends there throws outside of every promise and ends the process, and what it had not sent yet is kept and spoils the
 * next connection. So nothing is sent after the end, and it gets no second socket (decisions/0035).
 */
export function openConnection({ address, server, session, onOver }: ConnectionOptions): Connection {
  let socket: Socket | null = null;
  let over: ConnectionLost | null = null;
  let isClosing = false;

  const dial = async ({ path }: { readonly path?: string | false }): Promise<Socket> => {
    if (socket !== null || over !== null) throw new ConnectionLost('CONNECTION_CLOSED', 'the server closed the connection');
    const plain = open(server, path);
    socket = plain;
    await opened(plain, 'connect');
    if (path || address.ssl === false || !(await offersTls(plain, address.ssl))) return plain;
    const encrypted = encrypt(plain, server.host, address.ssl);
    socket = encrypted;
    await opened(encrypted, 'secureConnect');
    return encrypted;
  };
  const sql = clientOf(address, server, session, {
    socket: dial,
    onclose: () => destroy(new ConnectionLost(isClosing ? CLOSED : 'CONNECTION_CLOSED', 'the connection was closed')),
  });
  const isDemoted = (error: unknown): boolean => address.target === 'read-write' && codeOf(error) === READ_ONLY;
  const check = async (): Promise<void> => {
    const [state] = await send<State>(STATE, [], { plan: 'anew', silenceMs: CONNECT_MS_MAX });
    if (!state || !fits(address.target, state))
      throw new ConnectionLost(OTHER_TARGET, `the server is not ${address.target}, which target_session_attrs asks for`);
  };
  const translate = createTranslation();
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
      const at = awaited.add(reject, silenceMs);
      sql.unsafe<Row[]>(translate(text), [...cells], { prepare: plan === 'kept' && address.pooler !== 'unprepared' }).then(
        (rows) => {
          awaited.heard(at);
          resolve(rows);
        },
        (error: unknown) => {
          awaited.heard(at);
          reject(isFromServer(error) ? error : lostBy(error));
          if (!isFromServer(error) || isFatal(error) || isDemoted(error)) destroy(lostBy(error));
        },
      );
    });
  return {
    ready: check().catch((error: unknown) => {
      destroy(lostBy(error));
      throw error;
    }),
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

/** Replaces ?1 by $1. Remembers the result, because the same statements are sent all the time. */
function createTranslation() {
  const known = new Map<string, string>();
  return (text: string): string => {
    const translated = known.get(text) ?? inServerForm(text);
    known.set(text, translated);
    return translated;
  };
}

/** The parameters of the areas' statements are ?1, those of the server $1. */
export const inServerForm = (text: string): string => text.replace(/\?(\d+)/g, '$$$1');

type Reject = (why: unknown) => void;

/**
 * The answers that are awaited. Calls when none of them came for so long: statements of one connection are answered in their order, so one
 * timer does for all of them. It looks again later instead of being set anew for each.
 */
function createAwaited(onSilence: () => void) {
  const waiting = createSlots<Reject>();
  let [silenceMs, heardAt] = [0, 0];
  let timer: NodeJS.Timeout | null = null;
  const look = (): void => {
    timer = null;
    if (waiting.size() === 0) return;
    const leftMs = heardAt + silenceMs - performance.now();
    if (leftMs <= 0) onSilence();
    else lookIn(leftMs);
  };
  // The socket keeps the process alive while an answer is awaited.
  const lookIn = (ms: number): void => {
    timer = setTimeout(look, ms).unref();
  };
  return {
    /** Returns the number by which its answer is noted. */
    add: (reject: Reject, ms: number): number => {
      if (timer !== null && ms !== silenceMs) clearTimeout(timer);
      if (timer === null || ms !== silenceMs) lookIn(ms);
      if (waiting.size() === 0) heardAt = performance.now();
      silenceMs = ms;
      return waiting.add(reject);
    },
    heard: (at: number): void => {
      heardAt = performance.now();
      waiting.take(at);
    },
    failAll: (why: unknown): void => {
      for (const reject of waiting.takeAll()) reject(why);
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
  return path ? connect({ path }) : connect({ host, port, ...kept });
}

type Hooks = { readonly socket: (options: { readonly path?: string | false }) => Promise<Socket>; readonly onclose: () => void };

function clientOf(address: Address, { host, port }: Server, session: ConnectionOptions['session'], hooks: Hooks): Sql {
  return postgres({
    ...hooks,
    host,
    port,
    user: address.user,
    database: address.database,
    pass: address.password({ host, port }),
    // The socket is encrypted already.
    ssl: false,
    max: 1,
    max_lifetime: null,
    connect_timeout: CONNECT_MS_MAX / 1_000,
    keep_alive: KEEP_ALIVE_MS / 1_000,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: 'turnpike', ...(address.pooler === 'none' && session), ...address.session },
  });
}
