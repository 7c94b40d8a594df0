import { request as startPlain } from 'node:http';
import { request as startSecure } from 'node:https';

/** A request as it came, to be sent on as it is: names and values of its headers in turn. */
export type ReceivedDelivery = { readonly headers: readonly string[]; readonly body: Buffer };

/** What the other side said; `why` when it said nothing. */
export type ForwardResult =
  | { readonly status: number; readonly retryAfter: string | undefined; readonly body: Buffer }
  | { readonly status: null; readonly why: string };

/** Less than the gateway waits. */
const FORWARD_MS_MAX = 14_000;
const BODY_BYTES_MAX = 65_536;

/** Belong to a connection, and not to what is said over it. */
const ofConnection: readonly string[] = ['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'];

/** Sends a request on, headers and body as they came. Never rejects. */
export function forward(url: string, { headers, body }: ReceivedDelivery): Promise<ForwardResult> {
  const isKept = (at: number): boolean => !ofConnection.includes(headers[at - (at % 2)]?.toLowerCase() ?? '');
  const kept = headers.filter((_, at) => isKept(at));
  const all = [...kept, 'Host', new URL(url).host, 'Content-Length', String(body.length)];
  const start = url.startsWith('https:') ? startSecure : startPlain;
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(FORWARD_MS_MAX);
    const fail = ({ code, name }: NodeJS.ErrnoException): void =>
      resolve({ status: null, why: signal.aborted ? `no answer within ${FORWARD_MS_MAX / 1_000} s` : (code ?? name) });
    const request = start(url, { method: 'POST', headers: all, agent: false, signal }, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= BODY_BYTES_MAX) chunks.push(chunk);
      });
      response.on('error', fail);
      response.on('end', () => {
        const { statusCode: status = 502, headers: said } = response;
        resolve({ status, retryAfter: said['retry-after'], body: Buffer.concat(chunks) });
      });
    });
    request.on('error', fail);
    request.end(body);
  });
}
