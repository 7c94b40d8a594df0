import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { networkOf, peerAddress } from './clientAddress.ts';

/** The messages that other nodes post here. Nothing else is served, and no reply has a body. */
type PeerServerNeeds = {
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly path: string;
  readonly bytesMax: number;
  /** Whether the head of a request proves that a node sent it. */
  readonly isNode: (headers: IncomingHttpHeaders) => Promise<boolean>;
  /** The status of the reply. Called with whole bodies only; it must find out who sent it. */
  readonly receive: (body: Uint8Array) => Promise<number>;
};

interface PeerServer {
  /** Resolves with the port. */
  listen(port: number, host: string): Promise<number>;
  stop(): Promise<void>;
}

/** Connections of nodes. */
const NODES_MAX = 32;
/** A node that ends has less time than this. */
const REQUEST_MS_MAX = 5_000;
const HEAD_BYTES_MAX = 4_096;
/** A node of an earlier release proves itself by its body alone, which is no longer than this. */
const UNPROVEN_BYTES_MAX = 1_310_720;

/**
 * A server for other nodes, on a port of its own that no load balancer leads to. The head proves the sender. Until then a connection
 * is a stranger's: it has little time, and when there are too many the oldest give way, so none of them keeps a node out.
 */
export function createPeerServer({ tls, path, bytesMax, isNode, receive }: PeerServerNeeds): PeerServer {
  const strangers = createStrangers();
  let nodes = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const reply = (status: number) => void response.writeHead(status, { connection: 'close', 'content-length': 0 }).end();
    if (request.url !== path) return reply(404);
    if (request.method !== 'POST') return reply(405);
    const isProven = await isNode(request.headers);
    if (isProven && nodes >= NODES_MAX) return reply(503);
    if (isProven) {
      nodes += 1;
      request.socket.once('close', () => {
        nodes -= 1;
      });
      strangers.remove(request.socket, REQUEST_MS_MAX);
    }
    const body = await readBody(request, isProven ? bytesMax : Math.min(bytesMax, UNPROVEN_BYTES_MAX));
    return reply(body === null ? 413 : await receive(body).catch(() => 500));
  };
  const server = serverOf(tls, strangers, (request, response) => {
    request.on('error', () => {});
    response.on('error', () => {});
    serve(request, response).catch(() => response.destroy());
  });
  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          const bound = server.address();
          resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
        });
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        strangers.close();
      }),
  };
}

function serverOf(
  tls: PeerServerNeeds['tls'],
  strangers: Strangers,
  serve: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const options = { maxHeaderSize: HEAD_BYTES_MAX };
  const server = tls ? createSecureServer({ ...options, ...tls, minVersion: 'TLSv1.2' }, serve) : createServer(options, serve);
  server.maxRequestsPerSocket = 1;
  // Before TLS: a handshake that does not end is a stranger's too.
  server.on('connection', strangers.add);
  return server;
}

/** The body, or null when it is too long. */
async function readBody(request: IncomingMessage, bytesMax: number): Promise<Uint8Array | null> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) return null;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Connections of unknown senders, and how long one may stay so. A body of 1 MiB takes a fraction of that in one network. */
const strangerBounds = { connections: 32, ms: 1_200 };

interface Strangers {
  /** A connection begins. When there are too many, the oldest of the network that has most of them is closed. */
  add(socket: Socket): void;
  /** The sender is known now, and has so much time from here on. */
  remove(socket: Socket, ms: number): void;
  close(): void;
}

type Stranger = { readonly socket: Socket; readonly network: string; timer: NodeJS.Timeout };

/** The two ends name a connection, whether its socket is the plain one or that of TLS. */
const nameOf = ({ remoteAddress = '', remotePort = 0 }: Socket): string => `${remoteAddress} ${remotePort}`;

export function createStrangers({ connections, ms: ownMs } = strangerBounds): Strangers {
  /** In the order in which they began. */
  const strangers = new Map<string, Stranger>();
  const open = new Set<Socket>();
  const endAfter = (socket: Socket, ms: number): NodeJS.Timeout => setTimeout(() => socket.destroy(), ms).unref();
  const makeRoom = (): void => {
    const counts = new Map<string, number>();
    for (const { network } of strangers.values()) counts.set(network, (counts.get(network) ?? 0) + 1);
    const most = Math.max(...counts.values());
    for (const [name, { socket, network }] of strangers) {
      if (counts.get(network) !== most) continue;
      strangers.delete(name);
      socket.destroy();
      return;
    }
  };
  return {
    add(socket) {
      const name = nameOf(socket);
      const stranger: Stranger = {
        socket,
        network: networkOf(peerAddress(socket.remoteAddress)),
        timer: endAfter(socket, ownMs),
      };
      open.add(socket);
      strangers.set(name, stranger);
      socket.once('close', () => {
        clearTimeout(stranger.timer);
        open.delete(socket);
        if (strangers.get(name) === stranger) strangers.delete(name);
      });
      if (strangers.size > connections) makeRoom();
    },
    remove(socket, ms) {
      const name = nameOf(socket);
      const stranger = strangers.get(name);
      if (!stranger) return;
      strangers.delete(name);
      clearTimeout(stranger.timer);
      stranger.timer = endAfter(stranger.socket, ms);
    },
    close() {
      for (const socket of open) socket.destroy();
    },
  };
}
