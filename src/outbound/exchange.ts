import { hash, X509Certificate } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, Agent as PlainAgent, request as startPlainRequest } from 'node:http';
import { Agent, request as startRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { checkServerIdentity, type PeerCertificate, type TLSSocket } from 'node:tls';
import type { Exchange, ExchangeRequest, ExchangeResult } from '../connectors/ports.ts';

export type ExchangeNeeds = {
  readonly timers: { within<T>(ms: number, promise: Promise<T>): Promise<T> };
  /** Resolves a name, and fails when one of its addresses must not be reached. */
  readonly lookup: LookupFunction;
  /** Parses a URL and throws when it must not be called. */
  readonly guard: (url: string) => URL;
};

const ANSWER_BYTES_MAX = 1_048_576;
const AGENTS_MAX = 256;

/**
 * Requests of connectors. Connections are not kept: one that closes under the next request would leave it unclear whether the request
 * arrived. TLS sessions are resumed instead.
 */
export function createExchange({ timers, lookup, guard }: ExchangeNeeds): Exchange {
  const plain = new PlainAgent({ keepAlive: false });
  const agentOf = createAgents();
  return async (request) => {
    let target: URL;
    try {
      target = guard(request.url);
    } catch {
      return { is: 'notSent', reason: 'the address is not allowed' };
    }
    const agent = target.protocol === 'http:' ? plain : agentOf(request.tls ?? {});
    const call = begin(target, request, { agent, lookup });
    try {
      return await timers.within(request.withinMs, inTime(timers, request, call));
    } catch {
      return call.isSent() ? unanswered('no answer in time') : NO_CONNECTION;
    } finally {
      call.end();
    }
  };
}

const NO_CONNECTION: ExchangeResult = { is: 'notSent', reason: 'no connection in time' };

/** The result, or that no byte has left within the time for that. */
async function inTime(
  timers: ExchangeNeeds['timers'],
  { unsentMs }: ExchangeRequest,
  { result, sent, isSent }: Call,
): Promise<ExchangeResult> {
  if (unsentMs === undefined) return result;
  const hasBegun = await timers.within(unsentMs, Promise.race([sent, result])).then(
    () => true,
    () => isSent(),
  );
  return hasBegun ? result : NO_CONNECTION;
}

/** One agent for each set of credentials, so that its TLS sessions are resumed. */
function createAgents(): (tls: NonNullable<ExchangeRequest['tls']>) => Agent {
  const agents = new Map<string, Agent>();
  return ({ cert, key, ca, pins }) => {
    const name = JSON.stringify([cert, key, ca, pins]);
    const known = agents.get(name);
    if (known) return known;
    if (agents.size >= AGENTS_MAX) agents.clear();
    const agent = new Agent({
      keepAlive: false,
      minVersion: 'TLSv1.2',
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
      ...(ca !== undefined && { ca: [...ca] }),
      ...(pins !== undefined && pins.length > 0 && { checkServerIdentity: pinned(pins) }),
    });
    agents.set(name, agent);
    return agent;
  };
}

/** The server's name must fit, and its public key must be one of the pinned ones. */
const pinned =
  (pins: readonly string[]) =>
  (host: string, certificate: PeerCertificate): Error | undefined => {
    const fault = checkServerIdentity(host, certificate);
    if (fault) return fault;
    const spki = new X509Certificate(certificate.raw).publicKey.export({ type: 'spki', format: 'der' });
    const found = hash('sha256', spki, 'base64');
    return pins.includes(found) ? undefined : new Error('the key of the server is not a pinned one');
  };

type Way = { readonly agent: PlainAgent; readonly lookup: LookupFunction };
type Call = {
  readonly result: Promise<ExchangeResult>;
  /** Resolves when a byte of the request can have left. */
  readonly sent: Promise<void>;
  isSent(): boolean;
  end(): void;
};

const unanswered = (reason: string): ExchangeResult => ({ is: 'unanswered', reason });

function begin(url: URL, { method, headers = {}, body, answerBytesMax = ANSWER_BYTES_MAX }: ExchangeRequest, way: Way): Call {
  const start = url.protocol === 'http:' ? startPlainRequest : startRequest;
  const own = { 'accept-encoding': 'identity', ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) };
  const request = start(url, { ...way, method, headers: { ...headers, ...own } });
  const { sent, isSent } = followSending(request, url);
  const result = new Promise<ExchangeResult>((done) => {
    request.on('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code ?? 'connection failed';
      done(isSent() ? unanswered(reason) : { is: 'notSent', reason });
    });
    request.once('response', (response) => {
      readText(response, answerBytesMax).then(
        (text) => done({ is: 'replied', status: response.statusCode ?? 0, headers: textHeaders(response), body: text }),
        (error: Error) => {
          done(unanswered(error.message));
          request.destroy();
        },
      );
    });
  });
  request.end(body);
  return { result, sent, isSent, end: () => void request.destroy() };
}

/** Whether a byte of the request can have left: not before the connection stands, and over TLS not before the handshake is done. */
function followSending(request: ClientRequest, { protocol }: URL): Pick<Call, 'sent' | 'isSent'> {
  let isSent = false;
  const sent = new Promise<void>((resolve) => {
    request.once('socket', (socket) => {
      const note = (): void => {
        isSent = true;
        resolve();
      };
      if (protocol === 'https:') (socket as TLSSocket).once('secureConnect', note);
      else if (socket.connecting) socket.once('connect', note);
      else note();
    });
  });
  return { sent, isSent: () => isSent };
}

const textHeaders = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );

/** The whole body as UTF-8, up to a limit. A body that ends early is no answer. */
async function readText(response: IncomingMessage, bytesMax: number): Promise<string> {
  response.on('error', () => {});
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > bytesMax) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  if (!response.complete) throw new Error('the answer ended early');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Error('the answer is not UTF-8');
  }
}
