import { type ClientRequestArgs, Agent as PlainAgent, request as startPlainRequest } from 'node:http';
import { Agent, request as startRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import type { Bounds } from './client.ts';

export type TextPost = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

/** The parts of an answer that are used. */
export type PostResult = { readonly status: number; readonly retryAfter: string | null };

/**
 * Posts a text, which may be sent twice. Redirects are not followed. Rejects when no answer begins in time; once an answer has begun, its
 * status counts.
 */
export type PostText = (url: string, sent: TextPost, bounds: Bounds) => Promise<PostResult>;

export type PostNeeds = {
  readonly timers: { within<T>(ms: number, promise: Promise<T>): Promise<T> };
  /** Resolves a name, and fails when one of its addresses must not be reached. */
  readonly lookup: LookupFunction;
  /** Parses a URL and throws when it must not be called. */
  readonly guard: (url: string) => URL;
};

/** How long an idle connection is kept. Most servers close it after five seconds. */
const KEPT_MS = 4_000;
const KEPT_MAX = 16;
/** The size of the cache of parsed URLs. */
const READ_MAX = 10_000;

/** The address of a kept connection was checked when it was opened. */
export function createPost({ timers, lookup, guard }: PostNeeds): PostText {
  const kept = { keepAlive: true, maxFreeSockets: KEPT_MAX, timeout: KEPT_MS } as const;
  const secured = { minVersion: 'TLSv1.2' } as const;
  const keeping = { 'http:': new PlainAgent(kept), 'https:': new Agent({ ...kept, ...secured }) };
  const fresh = { 'http:': new PlainAgent({ keepAlive: false }), 'https:': new Agent({ keepAlive: false, ...secured }) };
  const read = new Map<string, ClientRequestArgs>();
  const targetOf = (url: string): ClientRequestArgs => {
    const target = read.get(url) ?? urlToHttpOptions(guard(url));
    if (read.size >= READ_MAX) read.clear();
    read.set(url, target);
    return target;
  };
  return async (url, sent, { answerBytesMax, withinMs }) => {
    const target = targetOf(url);
    const agents = (of: typeof keeping): PlainAgent => (target.protocol === 'http:' ? of['http:'] : of['https:']);
    const begin = (agent: PlainAgent): Call => call(target, sent, { lookup, agent, answerBytesMax });
    let current = begin(agents(keeping));
    const answer = current.answer.catch((error: unknown) => {
      // The server had closed the idle connection: this is no failure of the endpoint.
      if (!current.isStale()) throw error;
      current = begin(agents(fresh));
      return current.answer;
    });
    try {
      return await timers.within(withinMs, answer);
    } catch (error) {
      const received = current.received();
      current.end();
      if (received) return received;
      throw error;
    }
  };
}

type CallOptions = { readonly lookup: LookupFunction; readonly agent: PlainAgent; readonly answerBytesMax: number };

type Call = {
  readonly answer: Promise<PostResult>;
  received(): PostResult | null;
  isStale(): boolean;
  end(): void;
};

/** Reads the answer to its end, so that the connection can be reused, or until it is too long; then the connection is closed. */
function call(target: ClientRequestArgs, { body, headers }: TextPost, { answerBytesMax, ...way }: CallOptions): Call {
  const start = target.protocol === 'http:' ? startPlainRequest : startRequest;
  const own = { 'Content-Length': Buffer.byteLength(body), 'Accept-Encoding': 'identity' };
  const request = start({ ...target, ...way, method: 'POST', headers: { ...headers, ...own } });
  let received: PostResult | null = null;
  const answer = new Promise<PostResult>((done, fail) => {
    request.on('error', fail);
    request.once('response', (response) => {
      const posted = { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null };
      received = posted;
      let length = 0;
      const end = (): void => done(posted);
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= answerBytesMax) return;
        end();
        request.destroy();
      });
      response.once('end', end).once('error', end).once('close', end);
    });
    request.end(body);
  });
  return {
    answer,
    received: () => received,
    isStale: () => request.reusedSocket && received === null,
    end: () => request.destroy(),
  };
}
