import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, ListenOptions, Socket } from 'node:net';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Tracer } from '../../telemetry/tracer.ts';
import { systemRandom } from '../../vault/randomBytes.ts';
import type { Side } from '../handler.ts';
import { type Replies, unexpected } from '../replies.ts';
import { routeAt } from '../route.ts';
import { handleRequest } from '../router.ts';
import type { Services } from '../services.ts';
import { announcesTooMuch, type Buffers, bodyMaxOf, createBuffers } from './body.ts';
import { isLoopback, type TrustedProxies, trustOf } from './clientAddress.ts';
import { Connection, repliesOwed, type TakePlain } from './connection.ts';
import type { ConnectionCount, NetworkCounts } from './connectionCounts.ts';
import { type Bounds, type Connections, connectionBounds, createConnections } from './connections.ts';
import { beginExchange, beginPlain, rejectRequest } from './exchange.ts';
import { headersOf, type Reply } from './reply.ts';
import type { ParsedExchange, ServerContext } from './serverContext.ts';
import { takesFile } from './upload.ts';

/** Errors of the parser, as a status and a remark. Every other error is a request that cannot be read. */
const known: Readonly<Record<string, readonly [status: number, remark: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the head of the request is too long'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
};

/** The reply to what is no HTTP request, with its head: there is no response object for it. */
function unparsableReply(replies: Replies, errorCode: string): string {
  const [status, remark] = known[errorCode] ?? [400, 'this is not a request that can be read'];
  const reply: Reply = replies.result('200.300.404', null, { status, remark });
  const pairs = headersOf(reply, true);
  const lines = pairs.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${pairs[at + 1]}`] : []));
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${reply.body}`;
}

export type ServeOptions = Pick<ServerContext, 'replies' | 'metrics' | 'log'> & {
  /** `clientCa`: the server asks clients for a certificate and names these authorities. A client without one is accepted all the same. */
  readonly tls: {
    readonly cert: string;
    readonly key: string;
    readonly clientCa?: readonly string[];
    /** 48 secret bytes: sessions of TLS that began at one thread go on at another. */
    readonly ticketKeys?: Uint8Array;
  } | null;
  /** The port: of the API where nothing is said. */
  readonly side?: Side;
  /** The connections of both ports share one account; left out: this port has its own. */
  readonly connections?: Connections;
  /** Bodies that are being read, of both ports. */
  readonly buffers?: Buffers;
  /** The proxies that may say that a request came by TLS, which is then required; left out: it is not. */
  readonly tlsBy?: TrustedProxies | undefined;
  /** Called for every request but those of the operator's tools. */
  readonly onRequest?: () => void;
  /** Left out: requests are not traced. */
  readonly tracer?: Tracer | null | undefined;
  /** Answers requests. Default: the handlers of this thread. */
  readonly handle?: ServerContext['handle'];
  /** The connections of this port in all threads; left out: this thread has them all. */
  readonly count?: ConnectionCount | undefined;
  /** Shorter limits for tests. */
  readonly limits?: Partial<Limits>;
};

export interface Gateway {
  /** Listens, and resolves with the port. Payments are refused until `open` is called. `isShared`: other threads listen there too. */
  listen(port: number, host: string, isShared?: boolean): Promise<number>;
  open(services: Services): void;
  /** Accepts no new connections, because other threads do. Those that are there are served. */
  leavePort(): void;
  /** Reports that it is not ready and asks clients to close their connections. Requests and new connections are served until `stop`. */
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

/** The account that the connections of both ports share. */
export const processConnections = (
  metrics: Metrics,
  trust: TrustedProxies,
  bounds: Partial<Bounds> = connectionBounds,
  networks?: NetworkCounts,
): Connections =>
  createConnections({
    metrics,
    bounds,
    networks,
    now: () => performance.now(),
    isShared: (address) => isLoopback(address) || trust.isProxy(address),
  });

/** Forward secrecy always. */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE+AESGCM',
  'ECDHE+CHACHA20',
].join(':');

const ID_BYTES = 5;

/** Ids of requests: random for this server, then counted. */
function createRequestIds(): () => string {
  const bytes = Buffer.alloc(ID_BYTES);
  systemRandom(bytes);
  const first = bytes.toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${first}-${count.toString(36)}`;
  };
}

/** The HTTP server: heads and bodies have limits, slow and broken clients are cut off, every request is answered once. */
export function createGateway(options: ServeOptions): Gateway {
  const bounds: Limits = { ...limits, ...options.limits };
  const { replies, metrics, log } = options;
  const connections = options.connections ?? processConnections(metrics, trustOf(false));
  const context: ServerContext = {
    side: options.side ?? 'gateway',
    replies,
    metrics,
    log,
    tracer: options.tracer ?? null,
    requestId: createRequestIds(),
    services: null,
    handle: options.handle ?? handleRequest,
    isStopping: false,
    isClosing: false,
    open: 0,
    plainOpen: 0,
    accepted: 0,
    response: { date: replies.date, keepAliveSeconds: Math.floor(bounds.keepAliveTimeout / 1_000) },
    arrived: [],
    buffers: options.buffers ?? createBuffers(),
    tlsBy: options.tlsBy ?? null,
    pace: bounds.pace,
    onRequest: options.onRequest ?? (() => {}),
    onQuiet: () => {},
    onLast: (connection, response) => response.once('close', () => closeGracefully(connection, bounds.gracefulCloseMs)),
    // Nothing moves on the connection meanwhile. The next request restores the timeout.
    onArrived: (connection) => connection.setTimeout(0),
    onRefused: (exchange) => drain(exchange, bounds.gracefulCloseMs),
  };
  const server = serverOf(options.tls, bounds);
  takeConnections(server, connections, {
    event: options.tls ? 'secureConnection' : 'connection',
    count: options.count,
    takePlain: (request, connection) => beginPlain(context, request, connection),
    onAccepted: () => {
      context.accepted += 1;
    },
  });
  keepPlainConnections(server, context);
  takeRequests(server, context);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Connection | Socket) => {
    if (socket instanceof Connection) onClientError(context, bounds, error, socket);
    else socket.destroy();
  });
  const sweeping = setInterval(() => connections.sweep(performance.now()), bounds.sweepMs).unref();
  return {
    listen: (port, host, isShared = false) => listen(server, { port, host, reusePort: isShared }),
    open: (services) => {
      context.services = services;
    },
    leavePort: () => void server.close(),
    announceStop: () => {
      context.isStopping = true;
    },
    stop: () => stop(context, server, bounds).finally(() => clearInterval(sweeping)),
  };
}

/** Puts a `Connection` between socket and HTTP server; see connection.ts. */
function takeConnections(
  server: Server,
  connections: Connections,
  {
    event,
    count,
    takePlain,
    onAccepted,
  }: {
    readonly event: 'connection' | 'secureConnection';
    readonly count: ConnectionCount | undefined;
    readonly takePlain: TakePlain;
    readonly onAccepted: () => void;
  },
): void {
  const own = server.listeners(event);
  if (own.length !== 1) throw new Error(`the HTTP server of this Node.js takes connections otherwise: ${own.length} listeners`);
  server.removeAllListeners(event);
  // Before TLS begins, which is the most expensive thing that an unknown client can cause.
  server.prependListener('connection', (socket: Socket) => {
    onAccepted();
    if (count === undefined || admitTo(count, connections, socket)) connections.admit(socket);
  });
  server.on(event, (socket: Socket) => {
    if (socket.destroyed) return;
    const connection = connections.accept(socket, takePlain);
    own[0]?.call(server, connection);
    connection.followParser();
  });
  server.on('drop', () => connections.refused('connections'));
}

/** A server that closes ends its idle connections, and takes those for idle on which plain requests are answered. */
function keepPlainConnections(server: Server, context: ServerContext): void {
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    if (context.plainOpen === 0) closeIdle();
  };
}

/** Counts the connection with those that other threads have accepted at the port. */
function admitTo({ enter, leave }: ConnectionCount, connections: Connections, socket: Socket): boolean {
  if (!enter()) {
    connections.refused('connections');
    socket.destroy();
    return false;
  }
  socket.once('close', leave);
  return true;
}

function takeRequests(server: Server, context: ServerContext): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // The first word of HTTP/2, in a line of HTTP/0.9: Node would end the connection, also before the replies to requests in front of it.
    if (request.method === 'PRI') request.method = 'UNKNOWN';
    beginExchange(context, request, response);
  });
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const routed = routeAt(context.side, request.method ?? '', request.url ?? '');
    // A file is requested after its sender was authorised.
    if (!takesFile(routed) && !announcesTooMuch(request, bodyMaxOf(routed))) response.writeContinue();
    beginExchange(context, request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    rejectRequest(context, { request, response }, unexpected(context.replies)),
  );
  // The gateway is no tunnel. Requests before this one are answered.
  server.on('connect', (_request: IncomingMessage, socket: unknown) => {
    const error = Object.assign(new Error('CONNECT'), { code: 'HPE_INVALID_METHOD' });
    if (socket instanceof Connection) server.emit('clientError', error, socket);
  });
}

/** Handles what could not be parsed, or did not come in time. */
function onClientError(context: ServerContext, bounds: Limits, error: NodeJS.ErrnoException, connection: Connection): void {
  const { state } = connection;
  // A file may take longer than any other request; its own pace is checked where it is read.
  if (state.isStreaming && error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return;
  // The last reply of a broken connection was sent, unless its request is still on its way.
  const isUnanswered = !state.isBroken || state.open > 0;
  state.isBroken = true;
  connection.discard();
  // A request before the error is carried out, so its reply must come, and no other one instead.
  if (repliesOwed(state) > 0) return;
  if (isUnanswered && connection.writable && error.code !== 'ECONNRESET')
    connection.write(unparsableReply(context.replies, error.code ?? ''));
  closeGracefully(connection, bounds.gracefulCloseMs);
}

function serverOf(tls: ServeOptions['tls'], bounds: Limits): Server {
  const { headersTimeout, requestTimeout, connectionsCheckingInterval, keepAliveTimeout, maxHeaderSize } = bounds;
  const times = { headersTimeout, requestTimeout, connectionsCheckingInterval, keepAliveTimeout };
  // A missing host is refused in exchange.ts, so that nothing after such a request is carried out.
  const common: ServerOptions = { ...times, maxHeaderSize, insecureHTTPParser: false, noDelay: true, requireHostHeader: false };
  const secure = { minVersion: 'TLSv1.2', ciphers: CIPHERS, handshakeTimeout: headersTimeout } as const;
  const server = tls ? createSecureServer({ ...common, ...secure, ...certificatesOf(tls) }) : createServer(common);
  server.timeout = bounds.idleMs;
  server.maxConnections = bounds.connectionsMax;
  // A client may close its half of the connection behind its last request: what was read is answered, and then the connection ends.
  return Object.assign(server, { httpAllowHalfOpen: true });
}

/** The handler of an endpoint decides which certificate it accepts; the server only has to receive it. */
function certificatesOf({ cert, key, clientCa, ticketKeys }: NonNullable<ServeOptions['tls']>) {
  const own = ticketKeys ? { cert, key, ticketKeys: Buffer.from(ticketKeys) } : { cert, key };
  return clientCa === undefined ? own : { ...own, requestCert: true, rejectUnauthorized: false, ca: [...clientCa] };
}

function listen(server: Server, where: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
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

async function stop(context: ServerContext, server: Server, bounds: Limits): Promise<void> {
  if (context.isClosing) return;
  context.isStopping = true;
  context.isClosing = true;
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  const quiet = new Promise<void>((resolve) => {
    context.onQuiet = resolve;
    if (context.open === 0) resolve();
  });
  await atMost(bounds.stopMs, quiet);
  server.closeIdleConnections();
  // The last replies may still be on their way; a connection without a request is not waited for.
  await atMost(bounds.flushMs, closed);
  server.closeAllConnections();
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
