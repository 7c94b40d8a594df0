import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';

/** What other nodes post here. Nothing else is served, and no reply has a body. */
export type PeerServerNeeds = {
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly path: string;
  readonly bytesMax: number;
  /** The status of the reply. Called with whole bodies only; it must find out who sent it. */
  readonly receive: (body: Uint8Array) => Promise<number>;
};

export interface PeerServer {
  /** Resolves with the port. */
  listen(port: number, host: string): Promise<number>;
  stop(): Promise<void>;
}

const CONNECTIONS_MAX = 32;
/** A node that ends has less time than this. */
const REQUEST_MS_MAX = 5_000;
const HEAD_BYTES_MAX = 4_096;

/** A server for other nodes, on a port of its own that no load balancer leads to. */
export function createPeerServer({ tls, path, bytesMax, receive }: PeerServerNeeds): PeerServer {
  const options = { requestTimeout: REQUEST_MS_MAX, headersTimeout: REQUEST_MS_MAX, maxHeaderSize: HEAD_BYTES_MAX };
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    request.on('error', () => {});
    response.on('error', () => {});
    const reply = (status: number) => response.writeHead(status, { connection: 'close', 'content-length': 0 }).end();
    if (request.url !== path) return void reply(404);
    if (request.method !== 'POST') return void reply(405);
    readBody(request, bytesMax).then(
      (body) => (body === null ? reply(413) : receive(body).then(reply, () => reply(500))),
      () => response.destroy(),
    );
  };
  const server: Server = tls
    ? createSecureServer({ ...options, ...tls, minVersion: 'TLSv1.2' }, serve)
    : createServer(options, serve);
  server.maxConnections = CONNECTIONS_MAX;
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
      }),
  };
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
