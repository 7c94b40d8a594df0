import { request as startPlain } from 'node:http';
import { request as startSecure } from 'node:https';

/** A request to forward unchanged. `headers`: names and values alternately. */
export type ReceivedDelivery = { readonly headers: readonly string[]; readonly body: Buffer };

/** The answer of the target; `why` when there was none. */
export type ForwardResult =
  | { readonly status: number; readonly retryAfter: string | undefined; readonly body: Buffer }
  | { readonly status: null; readonly why: string };

/** Shorter than the timeout of the gateway. */
const FORWARD_MS_MAX = 14_000;
const BODY_BYTES_MAX = 65_536;

/** Headers of the connection, which are not forwarded. */
const connectionHeaders: readonly string[] = ['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'];

/** Forwards a request with its headers and body. Never rejects. */
export function forward(url: string, { headers, body }: ReceivedDelivery): Promise<ForwardResult> {
  const isForwarded = (at: number): boolean => !connectionHeaders.includes(headers[at - (at % 2)]?.toLowerCase() ?? '');
  const forwarded = headers.filter((_, at) => isForwarded(at));
  const all = [...forwarded, 'Host', new URL(url).host, 'Content-Length', String(body.length)];
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
        const { statusCode: status = 502, headers: answered } = response;
        resolve({ status, retryAfter: answered['retry-after'], body: Buffer.concat(chunks) });
      });
    });
    request.on('error', fail);
    request.end(body);
  });
}
