import { type ClientRequestArgs, Agent as PlainAgent, request as startPlainRequest } from 'node:http';
import { Agent, request as startRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import type { Bounds } from './client.ts';

export type TextPost = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

/** All that is kept of an answer. */
export type Posted = { readonly status: number; readonly retryAfter: string | null };

/**
 * Posts a text that may go out twice. Redirects are an answer like any other: nobody is followed. Rejects when nobody answers in time; who
 * has begun to answer has told his status.
 */
export type PostText = (url: string, sent: TextPost, bounds: Bounds) => Promise<Posted>;

export type PostNeeds = {
  readonly timers: { within<T>(ms: number, promise: Promise<T>): Promise<T> };
  /** Resolves a name, and fails when any of its addresses may not be reached. */
  readonly lookup: LookupFunction;
  /** Reads an address and throws when it may not be called. */
  readonly guard: (url: string) => URL;
};

/** How long a connection waits for the next text. Most servers wait five seconds. */
const KEPT_MS = 4_000;
const KEPT_MAX = 16;
/** Addresses are read once; this many are remembered. */
const READ_MAX = 10_000;

/** A kept connection was looked at when it was opened, and leads where it led then. */
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
      // The other side had closed the kept connection, or was just about to: that tells nothing about it.
      if (!current.isStale()) throw error;
      current = begin(agents(fresh));
      return current.answer;
    });
    try {
      return await timers.within(withinMs, answer);
    } catch (error) {
      const heard = current.heard();
      current.end();
      if (heard) return heard;
      throw error;
    }
  };
}

type Way = { readonly lookup: LookupFunction; readonly agent: PlainAgent; readonly answerBytesMax: number };

type Call = {
  readonly answer: Promise<Posted>;
  heard(): Posted | null;
  isStale(): boolean;
  end(): void;
};

/** The answer is read to its end, so that its connection can be used again, or until it is too long; then it is forgotten. */
function call(target: ClientRequestArgs, { body, headers }: TextPost, { answerBytesMax, ...way }: Way): Call {
  const start = target.protocol === 'http:' ? startPlainRequest : startRequest;
  const own = { 'Content-Length': Buffer.byteLength(body), 'Accept-Encoding': 'identity' };
  const request = start({ ...target, ...way, method: 'POST', headers: { ...headers, ...own } });
  let heard: Posted | null = null;
  const answer = new Promise<Posted>((done, fail) => {
    request.on('error', fail);
    request.once('response', (response) => {
      const posted = { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null };
      heard = posted;
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
    heard: () => heard,
    isStale: () => request.reusedSocket && heard === null,
    end: () => request.destroy(),
  };
}
