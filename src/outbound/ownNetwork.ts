import { type IncomingMessage, Agent as PlainAgent, request as startPlainRequest } from 'node:http';
import { Agent, request as startRequest } from 'node:https';
import type { ExporterNeeds } from '../telemetry/exporter.ts';

/**
 * Posts to servers that the operator names or runs: the collector of traces, and the other nodes. They may be on this machine or in the
 * operator's network. Redirects are not followed, and the message of an error names nothing but its code.
 */

type PostNeeds = { readonly timers: { within<T>(ms: number, promise: Promise<T>): Promise<T> } };

type Sent = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly withinMs: number;
  /** By protocol; null: a connection of its own. */
  readonly agents: Readonly<Record<string, PlainAgent>> | null;
  /** Resolves when the status of the response may be returned. */
  readonly finish: (response: IncomingMessage) => Promise<void>;
};

/** Returns the status. Rejects when none comes in time. */
async function post({ timers }: PostNeeds, { headers, body, withinMs, agents, finish, ...sent }: Sent): Promise<number> {
  const url = new URL(sent.url);
  const ending = new AbortController();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const request = (url.protocol === 'http:' ? startPlainRequest : startRequest)(url, {
    method: 'POST',
    agent: agents?.[url.protocol] ?? false,
    signal: ending.signal,
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
  });
  request.on('error', (error: NodeJS.ErrnoException) => reject(new Error(error.code ?? 'no connection')));
  request.once('response', (response) => {
    response.on('error', () => {});
    void finish(response).then(() => resolve(response.statusCode ?? 0));
  });
  request.end(body);
  try {
    return await timers.within(withinMs, promise);
  } finally {
    ending.abort();
  }
}

/** Bytes for another node. The headers prove who sends them. */
export type PeerMessage = { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array };

/** Posts bytes to another node; returns the status. Rejects when none comes in time. */
export type PeerPost = (url: string, message: PeerMessage, withinMs: number) => Promise<number>;

/**
 * The addresses of nodes are rows of the database: a changed row leads bytes astray that only a node with the master key can open. The body
 * of the response is not read.
 */
export const createPeerPost =
  (needs: PostNeeds): PeerPost =>
  (url, { headers, body }, withinMs) => {
    const own = { 'content-type': 'application/octet-stream', ...headers };
    return post(needs, { url, headers: own, body, withinMs, agents: null, finish: async (response) => void response.destroy() });
  };

const ANSWER_BYTES_MAX = 65_536;

/** The body of the response is read up to a limit, so that the connection can be used again. */
const discardBody = (response: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let length = 0;
    response.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > ANSWER_BYTES_MAX) response.destroy();
    });
    response.once('close', resolve);
  });

/** Posts JSON to the collector of traces. */
export function createCollectorPost(needs: PostNeeds): ExporterNeeds['post'] {
  const agents = {
    'http:': new PlainAgent({ keepAlive: true }),
    'https:': new Agent({ keepAlive: true, minVersion: 'TLSv1.2' }),
  };
  return (url, body, headers, withinMs) => {
    const own = { ...headers, 'content-type': 'application/json' };
    return post(needs, { url, headers: own, body, withinMs, agents, finish: discardBody });
  };
}
