import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { announcesTooMuch } from './body.ts';
import { complaint } from './complaint.ts';
import { answersOwed, begin, type Door, type Exchange } from './exchange.ts';
import { bringsFile } from './incoming.ts';
import type { Side } from './request.ts';
import type { Rooms } from './rooms.ts';

export type ServeOptions = Pick<Door, 'respond' | 'metrics' | 'log'> & {
  /** `clientCa`: clients are asked for a certificate, and these authorities are named to them. Who has none is let in all the same. */
  readonly tls: { readonly cert: string; readonly key: string; readonly clientCa?: readonly string[] } | null;
  /** Which of our ports it is; left out: that of the API. */
  readonly side?: Side;
  /** Tests cannot wait that long. */
  readonly limits?: Partial<typeof limits>;
};

export interface Gateway {
  /** Listens, and resolves with the port. Payments are refused until the gateway is opened. */
  listen(port: number, host: string): Promise<number>;
  open(rooms: Rooms): void;
  /** Takes no new connections, finishes what was begun, then closes. */
  stop(): Promise<void>;
}

/** Reliability R19: a head is cut after 15 s, a body but that of a file after 35 s, however slowly they come. */
export const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
  /** A connection on which nothing moves although an answer is on its way. */
  idleMs: 120_000,
  connectionsMax: 20_000,
  /** A file has as long as it needs when so much of it arrives in each such time. */
  pace: { ms: 60_000, bytes: 262_144 },
  /** How long the end waits for open requests, and then for the last answers to leave. */
  stopMs: 10_000,
  flushMs: 250,
  /** How long a client that was refused may take to notice. */
  lingerMs: 1_000,
};

type Limits = typeof limits;

/** Forward secrecy always. */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE+AESGCM',
  'ECDHE+CHACHA20',
].join(':');

/** The HTTP server: heads and bodies have bounds, slow and broken clients are cut off, every request is answered once. */
export function createGateway(options: ServeOptions): Gateway {
  const bounds: Limits = { ...limits, ...options.limits };
  const { respond, metrics, log } = options;
  const door: Door = {
    side: options.side ?? 'gateway',
    respond,
    metrics,
    log,
    rooms: null,
    isStopping: false,
    open: 0,
    lines: new WeakMap(),
    buffers: { bytes: 0 },
    pace: bounds.pace,
    onQuiet: () => {},
    onLast: (socket, response) => response.once('close', () => linger(socket, bounds.lingerMs)),
    // Nothing moves on the connection meanwhile. With the next request it is watched again.
    onArrived: (socket) => socket.setTimeout(0),
    onRefused: (exchange) => drain(exchange, bounds.lingerMs),
  };
  const server = serverOf(options.tls, bounds);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => begin(door, request, response));
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // A file is asked for when its sender was let in.
    if (!bringsFile(request) && !announcesTooMuch(request)) response.writeContinue();
    begin(door, request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const line = door.lines.get(socket);
    // A file may take longer than any other request; that it arrives too slowly is seen where it is read.
    if (line?.isPouring && error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return;
    // A request that was read before the nonsense is carried out, so its answer must come, and nothing may come instead of it.
    if (line && (line.isBroken || answersOwed(line) > 0)) {
      line.isBroken = true;
      return;
    }
    if (socket.writable && error.code !== 'ECONNRESET') socket.write(complaint(respond, error.code ?? ''));
    linger(socket, bounds.lingerMs);
  });
  return {
    listen: (port, host) => listen(server, port, host),
    open: (rooms) => {
      door.rooms = rooms;
    },
    stop: () => stop(door, server, bounds),
  };
}

function serverOf(tls: ServeOptions['tls'], bounds: Limits): Server {
  const { headersTimeout, requestTimeout, connectionsCheckingInterval, keepAliveTimeout, maxHeaderSize } = bounds;
  const times = { headersTimeout, requestTimeout, connectionsCheckingInterval, keepAliveTimeout };
  const common: ServerOptions = { ...times, maxHeaderSize, insecureHTTPParser: false, noDelay: true };
  const secure = { minVersion: 'TLSv1.2', ciphers: CIPHERS, handshakeTimeout: headersTimeout } as const;
  const server = tls ? createSecureServer({ ...common, ...secure, ...certificatesOf(tls) }) : createServer(common);
  server.timeout = bounds.idleMs;
  server.maxConnections = bounds.connectionsMax;
  return server;
}

/** Whose certificate is good for what is decided where it matters; here it only has to arrive. */
function certificatesOf({ cert, key, clientCa }: NonNullable<ServeOptions['tls']>) {
  return clientCa === undefined ? { cert, key } : { cert, key, requestCert: true, rejectUnauthorized: false, ca: [...clientCa] };
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Closes a connection that has nothing more to say to us, after giving the client a moment to read what we said. */
function linger(socket: Socket, ms: number): void {
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), ms);
  socket.once('close', () => clearTimeout(timer));
}

/** Lets the rest of a refused body run out for a moment, then closes. */
function drain({ request, response }: Exchange, ms: number): void {
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, ms);
  request.once('end', end).once('close', end).resume();
}

async function stop(door: Door, server: Server, bounds: Limits): Promise<void> {
  if (door.isStopping) return;
  door.isStopping = true;
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  const quiet = new Promise<void>((resolve) => {
    door.onQuiet = resolve;
    if (door.open === 0) resolve();
  });
  await atMost(bounds.stopMs, quiet);
  // The last answers may still be on their way; a connection that never asked for anything is not waited for.
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
