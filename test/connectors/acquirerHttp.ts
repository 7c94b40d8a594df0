import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrives at an acquirer. */
export type Received = {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

export type Replied = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };

export type Handle = (request: Received) => Replied;

export const jsonReply = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Replied => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

/** Answers requests on a free port of this machine. */
export async function listen(handle: Handle): Promise<{ readonly url: string; readonly handle: Handle; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.once('end', () => {
      const { method = '', url = '', headers } = request;
      const { status, body, ...reply } = handle({ method, url, headers, body: Buffer.concat(chunks).toString('utf8') });
      response.writeHead(status, { ...reply.headers, 'content-length': Buffer.byteLength(body) }).end(body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handle,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
