import { createServer, type IncomingMessage, type ServerResponse, request as startPlain } from 'node:http';
import { request as startSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { decryptPayload } from '../../webhooks/wireFormat.ts';

/** A received request. `event` null: the key does not open it. */
export type ReceivedCall = {
  readonly event: Event | null;
  readonly eventId: string;
  readonly text: string | null;
  /** The answer of the target; null when there is none. */
  readonly forwarded: ForwardResult | null;
  readonly ms: number;
};

type Event = {
  readonly type: string;
  readonly action?: string;
  readonly payload: Readonly<Record<string, unknown>> & { readonly result?: { readonly code?: string } };
};

type ReceiverNeeds = {
  /** Null until the webhook exists. */
  readonly key: () => Uint8Array | null;
  readonly target: string | null;
  readonly now: () => number;
  readonly onCall: (call: ReceivedCall) => void;
};

interface LocalReceiver {
  readonly url: string;
  close(): void;
}

const BODY_BYTES_MAX = 1_048_576;

/** A webhook receiver on a free port of this machine. It returns the target's answer, or 200 without a target. */
export async function openReceiver(needs: ReceiverNeeds): Promise<LocalReceiver> {
  const server = createServer((request, response) => {
    read(request, (body) => {
      void handle(needs, { request, response, body });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function read(request: IncomingMessage, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > BODY_BYTES_MAX) request.destroy();
    else chunks.push(chunk);
  });
  // A client that disconnects needs no answer.
  request.on('error', () => {});
  request.on('end', () => done(Buffer.concat(chunks)));
}

type Received = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly body: Buffer };

async function handle({ key, target, now, onCall }: ReceiverNeeds, { request, response, body }: Received): Promise<void> {
  const { headers } = request;
  const began = now();
  const known = key();
  const received = {
    body: body.toString('latin1'),
    iv: String(headers['x-initialization-vector'] ?? ''),
    tag: String(headers['x-authentication-tag'] ?? ''),
  };
  const text = known && decryptPayload(received, known);
  const event = text === null ? null : (JSON.parse(text) as Event);
  const forwarded = event && target !== null ? await forward(target, { headers: request.rawHeaders, body }) : null;
  answer(response, event, forwarded);
  onCall({ event, eventId: String(headers['webhook-id'] ?? ''), text, forwarded, ms: now() - began });
}

/** A test delivery only checks that this receiver can be reached, so the target's answer does not matter. */
function answer(response: ServerResponse, event: Event | null, forwarded: ForwardResult | null): void {
  if (!event) response.writeHead(400).end();
  else if (event.type === 'test' || !forwarded) response.writeHead(200).end();
  else if (forwarded.status === null) response.writeHead(502).end();
  else {
    const { status, retryAfter, body } = forwarded;
    response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end(body);
  }
}

/** A request to forward unchanged. `headers`: names and values alternately. */
type ReceivedDelivery = { readonly headers: readonly string[]; readonly body: Buffer };

/** The answer of the target; `why` when there was none. */
type ForwardResult =
  | { readonly status: number; readonly retryAfter: string | undefined; readonly body: Buffer }
  | { readonly status: null; readonly why: string };

/** Shorter than the timeout of the gateway. */
const FORWARD_MS_MAX = 14_000;
const REPLY_BYTES_MAX = 65_536;

/** Headers of the connection, which are not forwarded. */
const connectionHeaders: readonly string[] = ['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'];

/** Forwards a request with its headers and body. Never rejects. */
function forward(url: string, { headers, body }: ReceivedDelivery): Promise<ForwardResult> {
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
        if (length <= REPLY_BYTES_MAX) chunks.push(chunk);
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
