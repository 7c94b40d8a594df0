import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as it passed on the way to the platform. */
export type Passed = { readonly method: string; readonly path: string; readonly fields: ReadonlyMap<string, string> };

/** Stands between two gateways and writes down every form that passes, by the reference that it carries. */
export async function startRecorder(targetUrl: string) {
  const passed = new Map<string, Passed>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const fields = new Map(new URLSearchParams(body));
    const { method = '', url: path = '' } = request;
    const reference = fields.get('merchantTransactionId');
    if (method === 'POST' && reference !== undefined) passed.set(reference, { method, path, fields });
    const kept = ['authorization', 'content-type', 'accept', 'idempotency-key'];
    const headers = Object.fromEntries(
      kept.flatMap((name) => (request.headers[name] ? [[name, String(request.headers[name])]] : [])),
    );
    const reply = await fetch(`${targetUrl}${path}`, { method, headers, ...(method === 'POST' && { body }) });
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** The request for a payment of the near gateway; undefined: none left. */
    of: (id: string): Passed | undefined => passed.get(id),
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export type Recorder = Awaited<ReturnType<typeof startRecorder>>;
