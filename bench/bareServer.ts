import { createServer as createHttpServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net';
import type { ReadAnswer } from './answer.ts';

/**
 * The limits the gateway is compared with. `http`: a bare node:http server that reads the whole request and sends an answer of the same
 * bytes as the gateway's. `socket`: sends the same bytes for every chunk without reading anything, which shows what the load generator
 * itself can do.
 */
export type BareMessage = { readonly kind: 'http' | 'socket'; readonly answer: ReadAnswer };

/** Headers that node:http writes by default. */
const BY_ITSELF: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive']);

function bareHttp({ status, headers, body }: ReadAnswer): Server {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const own: OutgoingHttpHeaders = {};
  for (const [name, value] of headers) if (!BY_ITSELF.has(name.toLowerCase())) own[name] = value;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      // The gateway has the body in one piece too before it decodes it.
      Buffer.concat(chunks);
      response.sendDate = names.has('date');
      response.writeHead(status, own);
      response.end(body);
    });
  };
  const server = createHttpServer(answer);
  // It stands in the header Keep-Alive.
  const seconds = /timeout=(\d+)/.exec(headers.find(([name]) => name.toLowerCase() === 'keep-alive')?.[1] ?? '')?.[1];
  if (seconds !== undefined) server.keepAliveTimeout = Number(seconds) * 1000;
  return server;
}

function bareSocket({ status, headers, body }: ReadAnswer): Server {
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const bytes = Buffer.from(`HTTP/1.1 ${status} OK\r\n${head}\r\n${body}`);
  return createSocketServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', () => socket.write(bytes));
  });
}

process.once('message', ({ kind, answer }: BareMessage) => {
  const server = kind === 'http' ? bareHttp(answer) : bareSocket(answer);
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
});

process.once('disconnect', () => process.exit());
