import { type ClientRequestArgs, type IncomingMessage, Agent as PlainAgent, request as startPlainRequest } from 'node:http';
import { Agent, request as startRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import type { Exchange } from '../connectors/ports.ts';
import { createResolver, isLoopback, isPublic, type ResolvedAddress, systemAddresses } from './address.ts';
import { createExchange, type ExchangeNeeds } from './exchange.ts';

/** The client certificate, and the trusted authorities; by default the system's. */
type Credentials = { readonly cert?: string; readonly key?: string; readonly ca?: readonly string[] };

type Bounds = { readonly answerBytesMax: number; readonly withinMs: number };

/** Redirects are not followed. */
type JsonAnswer = { readonly status: number; readonly json: unknown };

/** Requests an address and returns only its status. Redirects are not followed. */
type Get = (url: string, bounds: Bounds) => Promise<{ readonly status: number }>;

type PostJson = (url: string, json: object, bounds: Bounds) => Promise<JsonAnswer>;

type OutboundOptions = {
  readonly timers: { within<T>(ms: number, promise: Promise<T>): Promise<T> };
  /** `loopback`: this machine may be reached too. For tests. */
  readonly reach?: 'public' | 'loopback';
  /** Hosts inside the operator's network that connectors may reach; with a port, only that port. */
  readonly privateHosts?: readonly string[];
  /** Resolves a host to all its addresses; by default with the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly ResolvedAddress[]>;
};

/** The only module that opens outbound HTTP connections. */
interface Outbound {
  /** Posts JSON over TLS with these credentials and returns JSON. Rejects when none comes in time. */
  poster(credentials: Credentials): PostJson;
  /** Requests an address, with or without TLS. Rejects when no answer comes in time. */
  readonly get: Get;
  /** Posts a string over TLS; without TLS only when this machine may be reached. Connections are kept alive. */
  readonly post: PostText;
  /** One request of a connector, over TLS; without TLS only to this machine, where it may be reached. */
  readonly exchange: Exchange;
}

/**
 * All addresses of a name are checked after it is resolved, and the connection goes to a checked address: DNS rebinding has no effect.
 */
export function createOutbound({ timers, reach = 'public', resolve, privateHosts = [] }: OutboundOptions): Outbound {
  const isInHouse = reach === 'loopback';
  const mayReach = (address: string): boolean => isPublic(address) || (isInHouse && isLoopback(address));
  // Merchants choose these names: one whose servers do not answer must not block libuv's thread pool.
  const merchantLookup = guardedLookup(resolve ?? createResolver(isInHouse), mayReach);
  const lookup = guardedLookup(resolve ?? systemAddresses, mayReach);
  const [plain, secure] = [new PlainAgent({ keepAlive: false }), new Agent({ keepAlive: false, minVersion: 'TLSv1.2' })];
  return {
    exchange: createExchange({
      timers,
      ...connectorReach({ privateHosts, isInHouse, lookup, resolve: resolve ?? systemAddresses }),
    }),
    post: createPost({
      timers,
      lookup: merchantLookup,
      guard: (url) => guarded(url, mayReach, isInHouse ? ['https:', 'http:'] : ['https:']),
    }),
    async get(url, { answerBytesMax, withinMs }) {
      const target = guarded(url, mayReach, ['https:', 'http:']);
      const ending = new AbortController();
      const way = { lookup: merchantLookup, signal: ending.signal, agent: target.protocol === 'http:' ? plain : secure };
      try {
        return await timers.within(withinMs, visit(target, way, answerBytesMax));
      } finally {
        ending.abort();
      }
    },
    poster({ cert, key, ca }) {
      const agent = new Agent({
        // A kept connection may close under the next request, which must not be sent twice. TLS sessions are resumed instead.
        keepAlive: false,
        minVersion: 'TLSv1.2',
        ...(cert !== undefined && { cert }),
        ...(key !== undefined && { key }),
        ...(ca !== undefined && { ca: [...ca] }),
      });
      return async (url, json, { answerBytesMax, withinMs }) => {
        const target = guarded(url, mayReach);
        const ending = new AbortController();
        const way = { agent, lookup, signal: ending.signal };
        try {
          return await timers.within(withinMs, exchangeJson(target, JSON.stringify(json), { way, answerBytesMax }));
        } finally {
          ending.abort();
        }
      };
    },
  };
}

type ConnectorReach = {
  readonly privateHosts: readonly string[];
  readonly isInHouse: boolean;
  readonly lookup: LookupFunction;
  readonly resolve: (host: string) => Promise<readonly ResolvedAddress[]>;
};

/** The servers of connectors: public ones, and hosts of the operator's network that are named. */
function connectorReach({ privateHosts, isInHouse, lookup, resolve }: ConnectorReach): Pick<ExchangeNeeds, 'lookup' | 'guard'> {
  const isNamed = (host: string): boolean => privateHosts.includes(host);
  const anyAddress = guardedLookup(resolve, () => true);
  const mayReachHere = (address: string): boolean => isPublic(address) || (isInHouse && isLoopback(address));
  const namedHosts = new Set(privateHosts.map((host) => host.replace(/:[0-9]+$/, '')));
  return {
    lookup: (host, options, callback) => (namedHosts.has(host) ? anyAddress : lookup)(host, options, callback),
    guard(text) {
      const url = new URL(text);
      const host = url.hostname.replace(/^\[|\]$/g, '');
      const port = url.port || (url.protocol === 'https:' ? '443' : '80');
      const isPrivate = isNamed(`${url.hostname}:${port}`) || isNamed(url.hostname);
      const isHere = (isIP(host) !== 0 && isLoopback(host)) || host === 'localhost';
      const isPlainAllowed = isHere && (isPrivate || isInHouse);
      return guarded(text, isPrivate ? () => true : mayReachHere, isPlainAllowed ? ['https:', 'http:'] : ['https:']);
    },
  };
}

/** Resolves a name and checks all its addresses; the connection goes to a checked one. */
function guardedLookup(
  resolve: (host: string) => Promise<readonly ResolvedAddress[]>,
  mayReach: (address: string) => boolean,
): LookupFunction {
  return (host, { all }, callback) => {
    const fail = (error: Error) => callback(error as NodeJS.ErrnoException, []);
    resolve(host).then((addresses) => {
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => mayReach(address))) return fail(new Error('the host is not a public one'));
      return all ? callback(null, [...addresses]) : callback(null, first.address, first.family);
    }, fail);
  };
}

/** Parses a URL. A literal IP address is not resolved, so it is checked here. */
function guarded(text: string, mayReach: (address: string) => boolean, protocols: readonly string[] = ['https:']): URL {
  const url = new URL(text);
  if (!protocols.includes(url.protocol)) throw new Error(`only ${protocols.join(' and ').replaceAll(':', '')} is spoken`);
  if (url.username !== '' || url.password !== '') throw new Error('an address must not carry a name or a password');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !mayReach(host)) throw new Error('the host is not a public one');
  return url;
}

type Visit = { readonly agent: PlainAgent; readonly lookup: LookupFunction; readonly signal: AbortSignal };

/** Reads and discards the body up to a limit, so that the server is not interrupted in the middle of its work. */
function visit(url: URL, way: Visit, bytesMax: number): Promise<{ readonly status: number }> {
  const start = url.protocol === 'http:' ? startPlainRequest : startRequest;
  return new Promise((done, fail) => {
    const request = start(url, { ...way, method: 'GET', headers: { accept: '*/*', 'accept-encoding': 'identity' } });
    request.on('error', fail);
    request.once('response', (response) => {
      let length = 0;
      const end = (): void => {
        done({ status: response.statusCode ?? 0 });
        request.destroy();
      };
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > bytesMax) end();
      });
      response.once('end', end).once('error', end).once('aborted', end);
    });
    request.end();
  });
}

type Way = { readonly agent: Agent; readonly lookup: LookupFunction; readonly signal: AbortSignal };
type JsonExchange = { readonly way: Way; readonly answerBytesMax: number };

function exchangeJson(url: URL, body: string, { way, answerBytesMax }: JsonExchange): Promise<JsonAnswer> {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    accept: 'application/json',
    'accept-encoding': 'identity',
  };
  return new Promise((done, fail) => {
    const request = startRequest(url, { ...way, method: 'POST', headers });
    request.on('error', fail);
    request.once('response', (response) => {
      readJson(response, answerBytesMax).then(done, (error) => {
        fail(error);
        request.destroy();
      });
    });
    request.end(body);
  });
}

/** The body as JSON in UTF-8 up to a limit; rejects for anything else. */
async function readJson(response: IncomingMessage, bytesMax: number): Promise<JsonAnswer> {
  const { statusCode: status = 0, headers } = response;
  // An error after the answer was abandoned must not end the process.
  response.on('error', () => {});
  if (status >= 300 && status < 400) throw new Error(`answered with a redirect (${status})`);
  if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) throw new Error(`answered without JSON (${status})`);
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new Error('answered in an encoding that was not requested');
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw new Error('the answer is too long');
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > bytesMax) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  try {
    return { status, json: JSON.parse(text) };
  } catch {
    // The parser's message would repeat the string.
    throw new Error(`answered with broken JSON (${status})`);
  }
}

type TextPost = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

/** The parts of an answer that are used. */
type PostResult = { readonly status: number; readonly retryAfter: string | null };

/**
 * Posts a string, which may be sent twice. Redirects are not followed. Rejects when no answer begins in time; once an answer has begun, its
 * status counts.
 */
type PostText = (url: string, sent: TextPost, bounds: Bounds) => Promise<PostResult>;

type PostNeeds = {
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
function createPost({ timers, lookup, guard }: PostNeeds): PostText {
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
  /** The other side closed a kept connection before it answered. */
  isStale(): boolean;
  end(): void;
};

/** Reads the answer to its end, so that the connection can be reused, or until it is too long; then the connection is closed. */
function call(target: ClientRequestArgs, { body, headers }: TextPost, { answerBytesMax, ...way }: CallOptions): Call {
  const start = target.protocol === 'http:' ? startPlainRequest : startRequest;
  const own = { 'Content-Length': Buffer.byteLength(body), 'Accept-Encoding': 'identity' };
  const request = start({ ...target, ...way, method: 'POST', headers: { ...headers, ...own } });
  let [received, isEnded]: [PostResult | null, boolean] = [null, false];
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
    isStale: () => request.reusedSocket && received === null && !isEnded,
    end() {
      isEnded = true;
      request.destroy();
    },
  };
}
