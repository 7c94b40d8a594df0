import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Budget } from './budget.ts';
import { Connection, type FirstReader } from './connection.ts';
import type { ConnectionCount } from './connectionCounts.ts';
import { beginComplete, beginExchange, type ParsedExchange, type ServerContext } from './exchange.ts';
import { createPlainReader } from './plain.ts';
import { headersOf } from './reply.ts';

export type TransportOptions = Pick<ServerContext, 'route' | 'refuse' | 'budget'> & {
  /** `clientCa`: the server asks clients for a certificate and names these authorities. A client without one is accepted all the same. */
  readonly tls: {
    readonly cert: string;
    readonly key: string;
    readonly clientCa?: readonly string[];
    /** 48 secret bytes: sessions of TLS that began at one thread go on at another. */
    readonly ticketKeys?: Uint8Array;
  } | null;
  /** The current time as a header. */
  readonly date: () => string;
  /** The connections of this port in all threads; left out: this thread has them all. */
  readonly count?: ConnectionCount | undefined;
  /** Shorter limits for tests. */
  readonly limits?: Partial<Limits> | undefined;
  /** False: node:http reads every request. */
  readonly readsPlain?: boolean | undefined;
};

export interface Transport {
  /** Listens, and resolves with the port. `isShared`: other threads listen there too. */
  listen(port: number, host: string, isShared?: boolean): Promise<number>;
  /** Accepts no new connections, because other threads do. Existing ones are served. */
  leavePort(): void;
  /** Asks clients to close their connections. Requests and new connections are served until `stop`. */
  announceStop(): void;
  /** Accepts no new connections, finishes open requests, then closes. */
  stop(): Promise<void>;
}

/** Reliability R19: a head is cut after 15 s, a body other than a file after 35 s, however slowly they come. */
export const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
  /** A connection on which nothing moves although a reply is on its way. */
  idleMs: 120_000,
  /** Of one port. */
  connectionsMax: 10_000,
  /** How often the server looks for clients that do not read. */
  sweepMs: 1_000,
  /** How much of a file must arrive in each interval, and the time for all of it. */
  pace: { ms: 60_000, bytes: 1_048_576, totalMs: 7_200_000 },
  /** How long a shutdown waits for open requests, and then for the last replies to leave. */
  stopMs: 10_000,
  flushMs: 250,
  /** How long a refused client may take to read the reply. */
  gracefulCloseMs: 1_000,
};

type Limits = typeof limits;

/**
 * Serves HTTP/1.1 at a port: heads and bodies have limits, slow and broken clients are cut off, every request is answered once. `route`
 * finds the program for a request, which knows nothing of sockets; this module knows nothing of the program.
 */
export function serve(options: TransportOptions): Transport {
  const bounds: Limits = { ...limits, ...options.limits };
  const { route, refuse, budget, date, readsPlain = true } = options;
  const connections = new Set<Connection>();
  const context: ServerContext = {
    route,
    refuse,
    budget,
    pace: bounds.pace,
    isStopping: false,
    accepted: 0,
    arrived: [],
    closeGracefully: (connection) => closeGracefully(connection, bounds.gracefulCloseMs),
    drain: (exchange) => drain(exchange, bounds.gracefulCloseMs),
  };
  const parser = createParser(context, bounds);
  const says = { date, keepAliveSeconds: Math.floor(bounds.keepAliveTimeout / 1_000) };
  const readFirst = readsPlain ? createPlainReader((...plain) => beginComplete(context, ...plain), says) : null;
  const listener = createListener(options.tls, bounds);
  acceptConnections(listener, { ...options, context, parser, readFirst, connections });
  const sweeping = setInterval(() => budget.sweep(performance.now()), bounds.sweepMs).unref();
  let stopped: Promise<void> | null = null;
  return {
    listen: (port, host, isShared = false) => listen(listener, { port, host, reusePort: isShared }),
    leavePort: () => void listener.close(),
    announceStop: () => {
      context.isStopping = true;
    },
    stop: () => {
      context.isStopping = true;
      stopped ??= stop({ listener, budget, connections, bounds }).finally(() => {
        parser.close();
        clearInterval(sweeping);
      });
      return stopped;
    },
  };
}

type Accepting = Pick<TransportOptions, 'tls' | 'count' | 'budget'> & {
  readonly context: ServerContext;
  readonly parser: HttpServer;
  readonly readFirst: FirstReader | null;
  readonly connections: Set<Connection>;
};

/** Puts a `Connection` between each socket and node:http. */
function acceptConnections(listener: Server, { tls, count, budget, context, parser, readFirst, connections }: Accepting): void {
  // Before TLS begins, which is the most expensive thing that an unknown client can cause.
  listener.prependListener('connection', (socket: Socket) => {
    context.accepted += 1;
    if (count === undefined || admitTo(count, budget, socket)) budget.admit(socket);
  });
  listener.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    if (socket.destroyed) return;
    const connection = new Connection(socket, { budget, readFirst });
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
    // As documented: any duplex stream may be handed to a server in this way.
    parser.emit('connection', connection);
    connection.followParser();
  });
  listener.on('tlsClientError', (_error: Error, socket: Socket) => void socket.destroy());
  listener.on('drop', () => budget.refused('connections'));
}

/** Counts the connection together with the ones that other threads have accepted at the port. */
function admitTo({ enter, leave }: ConnectionCount, budget: Budget, socket: Socket): boolean {
  if (!enter()) {
    budget.refused('connections');
    socket.destroy();
    return false;
  }
  socket.once('close', leave);
  return true;
}

/** node:http, which reads the requests of connections but does not listen at a port. */
function createParser(context: ServerContext, bounds: Limits): HttpServer {
  const { headersTimeout, requestTimeout, connectionsCheckingInterval, keepAliveTimeout, maxHeaderSize } = bounds;
  const times = { headersTimeout, requestTimeout, connectionsCheckingInterval, keepAliveTimeout };
  // A missing host is refused in exchange.ts, so that nothing after such a request is carried out.
  const parser = createHttpServer({ ...times, maxHeaderSize, insecureHTTPParser: false, requireHostHeader: false });
  parser.timeout = bounds.idleMs;
  // A client may close its half of the connection behind its last request: the requests are answered, and then the connection ends.
  Object.assign(parser, { httpAllowHalfOpen: true });
  // From this event on node:http limits the time of heads and bodies.
  parser.emit('listening');
  parser.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // The first word of HTTP/2, in a line of HTTP/0.9: node:http would end the connection, also before the replies to earlier requests.
    if (request.method === 'PRI') request.method = 'UNKNOWN';
    beginExchange(context, request, response);
  });
  parser.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
    beginExchange(context, request, response, '100-continue'),
  );
  parser.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    beginExchange(context, request, response, 'unknown'),
  );
  parser.on('clientError', (error: NodeJS.ErrnoException, connection: unknown) => {
    if (connection instanceof Connection) onClientError(context, error, connection);
  });
  // The gateway is no tunnel. Requests before this one are answered.
  parser.on('connect', (_request: IncomingMessage, connection: unknown) => {
    const error = Object.assign(new Error('CONNECT'), { code: 'HPE_INVALID_METHOD' });
    if (connection instanceof Connection) onClientError(context, error, connection);
  });
  return parser;
}

/** Handles a request that could not be parsed, or did not come in time. */
function onClientError(context: ServerContext, error: NodeJS.ErrnoException, connection: Connection): void {
  const { state, account } = connection;
  // A file may take longer than any other request; its own pace is checked where it is read.
  if (state.isStreaming && error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return;
  // The last reply of a broken connection was sent, unless its request is still on its way.
  const isUnanswered = !state.isBroken || account.unanswered > 0;
  state.isBroken = true;
  connection.discard();
  // A request before the error is carried out, so its reply must come, and no other one instead.
  if (connection.repliesOwed > 0) return;
  if (isUnanswered && connection.writable && error.code !== 'ECONNRESET')
    connection.write(unreadableReply(context, error.code ?? ''));
  context.closeGracefully(connection);
}

/** Errors of the parser, as a status and a remark. Every other error is a request that cannot be read. */
const known: Readonly<Record<string, readonly [status: number, remark: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the head of the request is too long'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
};

/** The reply to bytes that are no HTTP request, with its head: there is no response object for it. */
function unreadableReply({ refuse }: ServerContext, errorCode: string): string {
  const [status, remark] = known[errorCode] ?? [400, 'this is not a request that can be read'];
  const reply = refuse({ is: 'unreadable', status, remark });
  const pairs = headersOf(reply, true);
  const lines = pairs.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${pairs[at + 1]}`] : []));
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${reply.body}`;
}

/** Forward secrecy always. */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE+AESGCM',
  'ECDHE+CHACHA20',
].join(':');

function createListener(tls: TransportOptions['tls'], { headersTimeout, connectionsMax }: Limits): Server {
  const secure = {
    minVersion: 'TLSv1.2',
    ciphers: CIPHERS,
    handshakeTimeout: headersTimeout,
    ALPNProtocols: ['http/1.1'],
  } as const;
  const listener = tls
    ? createTlsServer({ noDelay: true, ...secure, ...certificatesOf(tls) })
    : createServer({ allowHalfOpen: true, noDelay: true });
  listener.maxConnections = connectionsMax;
  return listener;
}

/** The handler of an endpoint decides which certificate it accepts; the server only has to receive it. */
function certificatesOf({ cert, key, clientCa, ticketKeys }: NonNullable<TransportOptions['tls']>) {
  const own = ticketKeys ? { cert, key, ticketKeys: Buffer.from(ticketKeys) } : { cert, key };
  return clientCa === undefined ? own : { ...own, requestCert: true, rejectUnauthorized: false, ca: [...clientCa] };
}

function listen(listener: Server, where: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(where, () => {
      listener.off('error', reject);
      resolve((listener.address() as AddressInfo).port);
    });
  });
}

/** Resolves when no other program listens there. */
export async function probePort(port: number, host: string): Promise<void> {
  const probe = createServer();
  await listen(probe, { port, host });
  await new Promise<void>((resolve) => {
    probe.close(() => resolve());
  });
}

/** Closes a connection after a moment in which the client can read the reply. */
function closeGracefully(connection: Connection, ms: number): void {
  connection.discard();
  connection.end();
  const timer = setTimeout(() => connection.destroy(), ms);
  connection.once('close', () => clearTimeout(timer));
}

/** Drains the rest of a refused body for a moment, then closes. */
function drain({ request, response, connection }: ParsedExchange, ms: number): void {
  const end = () => {
    clearTimeout(timer);
    connection.off('halfClosed', end);
    response.end();
  };
  const timer = setTimeout(end, ms);
  connection.once('halfClosed', end);
  request.once('end', end).once('close', end);
  // To read chunks is work, and their number is not known.
  if (request.headers['transfer-encoding'] === undefined) request.resume();
  else connection.discard();
}

type Stopping = {
  readonly listener: Server;
  readonly budget: Budget;
  readonly connections: ReadonlySet<Connection>;
  readonly bounds: Limits;
};

async function stop({ listener, budget, connections, bounds }: Stopping): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    listener.close(() => resolve());
  });
  const closeIdle = () => {
    for (const connection of connections) connection.closeIfIdle();
  };
  closeIdle();
  await atMost(bounds.stopMs, budget.quiet());
  closeIdle();
  // The last replies may still be on their way; a connection without a request is not waited for.
  await atMost(bounds.flushMs, closed);
  for (const connection of connections) connection.destroy();
  await closed;
}

function atMost(ms: number, promise: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void promise.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
