import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Received } from '../acquirerHttp.ts';
import { type Acquirer, type Forwarded, forward } from '../faultyProxy.ts';

/**
 * What happens to every request of a step. `silent`: it is taken and never answered. `reset`: the connection is reset before the acquirer
 * has seen it. `late`: the connection is reset, and the acquirer gets it after everybody has given up. `swallowed`, `lost`, `broken`,
 * `drip`: the acquirer executes it; its answer never comes, or a reset, or an error of a server in between, or one byte after the other.
 */
export const FAULTS = ['silent', 'reset', 'late', 'swallowed', 'lost', 'broken', 'drip'] as const;
export type Fault = (typeof FAULTS)[number];

/** A request as it arrived, with the rows that it belongs to. */
export type Arrival = { readonly name: string; readonly steps: readonly string[]; isExecuted: boolean };

export type Striker = {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** The faults by step. */
  readonly strikes: Map<string, Fault>;
  /** No faults any more; what is late arrives. */
  heal(): Promise<void>;
  close(): Promise<void>;
};

const DRIP_MS = 100;

/** Stands before an acquirer, writes down every request, and strikes those of given steps. */
export async function openStriker(
  acquirer: Acquirer,
  stepsOf: (method: string, path: string) => readonly string[],
): Promise<Striker> {
  const arrivals: Arrival[] = [];
  const strikes = new Map<string, Fault>();
  const late: (() => Promise<unknown>)[] = [];

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    response.on('error', () => {});
    request.once('end', () => {
      const { method = '', url = '', headers } = request;
      const path = new URL(url, 'http://acquirer').pathname;
      const steps = stepsOf(method, path);
      const arrival: Arrival = { name: `${method} ${path}`, steps, isExecuted: false };
      arrivals.push(arrival);
      const received: Received = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
      const execute = (): Promise<Forwarded> => {
        arrival.isExecuted = true;
        return forward(acquirer, received);
      };
      const fault = steps.map((step) => strikes.get(step)).find((one) => one !== undefined);
      if (fault === 'late') late.push(execute);
      void answer(response, fault, execute).catch(() => response.socket?.resetAndDestroy());
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    strikes,
    async heal() {
      strikes.clear();
      for (const execute of late.splice(0)) await execute();
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function answer(response: ServerResponse, fault: Fault | undefined, execute: () => Promise<Forwarded>): Promise<void> {
  const reset = (): void => void response.socket?.resetAndDestroy();
  if (fault === 'silent') return;
  if (fault === 'reset' || fault === 'late') return reset();
  const { status, headers, body } = await execute();
  if (fault === 'swallowed') return;
  if (fault === 'lost') return reset();
  if (fault === 'broken') return void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>');
  const { 'transfer-encoding': _, connection: __, ...own } = headers;
  response.writeHead(status, { ...own, 'content-length': body.length });
  if (fault !== 'drip') return void response.end(body);
  let sent = 0;
  const drip = setInterval(() => {
    response.write(body.subarray(sent, sent + 1));
    sent += 1;
    if (sent >= body.length) clearInterval(drip);
  }, DRIP_MS);
  response.once('close', () => clearInterval(drip));
}
