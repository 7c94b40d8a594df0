import { Agent as PlainAgent, request as startPlainRequest } from 'node:http';
import { Agent, request as startRequest } from 'node:https';
import type { ExporterNeeds } from '../telemetry/exporter.ts';

type CollectorNeeds = { readonly timers: { within<T>(ms: number, promise: Promise<T>): Promise<T> } };

const ANSWER_BYTES_MAX = 65_536;

/**
 * Posts JSON to the collector of traces. The operator names it, so it may be on this machine or in the operator's network.
 * Redirects are not followed, and the message of an error names nothing but its code.
 */
export function createCollectorPost({ timers }: CollectorNeeds): ExporterNeeds['post'] {
  const agents = {
    'http:': new PlainAgent({ keepAlive: true }),
    'https:': new Agent({ keepAlive: true, minVersion: 'TLSv1.2' }),
  };
  return async (text, body, headers, withinMs) => {
    const url = new URL(text);
    const isPlain = url.protocol === 'http:';
    const ending = new AbortController();
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const request = (isPlain ? startPlainRequest : startRequest)(url, {
      method: 'POST',
      agent: agents[isPlain ? 'http:' : 'https:'],
      signal: ending.signal,
      headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    });
    request.on('error', (error: NodeJS.ErrnoException) => reject(new Error(error.code ?? 'no connection')));
    request.once('response', (response) => {
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > ANSWER_BYTES_MAX) response.destroy();
      });
      response.once('close', () => resolve(response.statusCode ?? 0)).on('error', () => {});
    });
    request.end(body);
    try {
      return await timers.within(withinMs, promise);
    } finally {
      ending.abort();
    }
  };
}
