import { request as startPlainRequest } from 'node:http';
import { request as startRequest } from 'node:https';

type PeerNeeds = { readonly timers: { within<T>(ms: number, promise: Promise<T>): Promise<T> } };

/** Bytes for another node. The headers prove who sends them. */
export type PeerMessage = { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array };

/** Posts bytes to another node; returns the status. Rejects when none comes in time. */
export type PeerPost = (url: string, message: PeerMessage, withinMs: number) => Promise<number>;

/**
 * Posts to other nodes of the installation, which are in the operator's network. Their addresses are rows of the database: a changed row
 * leads bytes astray that only a node with the master key can open. Redirects are not followed, and no body is read.
 */
export const createPeerPost =
  ({ timers }: PeerNeeds): PeerPost =>
  async (text, { headers, body }, withinMs) => {
    const url = new URL(text);
    const ending = new AbortController();
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const request = (url.protocol === 'http:' ? startPlainRequest : startRequest)(url, {
      method: 'POST',
      agent: false,
      signal: ending.signal,
      headers: { 'content-type': 'application/octet-stream', 'content-length': body.length, ...headers },
    });
    request.on('error', (error: NodeJS.ErrnoException) => reject(new Error(error.code ?? 'no connection')));
    request.once('response', (response) => {
      response.on('error', () => {}).destroy();
      resolve(response.statusCode ?? 0);
    });
    request.end(body);
    try {
      return await timers.within(withinMs, promise);
    } finally {
      ending.abort();
    }
  };
