import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decryptPayload } from '../webhooks/envelope.ts';
import { type ForwardResult, forward } from './listenForward.ts';

/** A received request. `event` null: the key does not open it. */
export type ReceivedCall = {
  readonly event: Event | null;
  readonly eventId: string;
  readonly text: string | null;
  /** The answer of the target; null when there is none. */
  readonly forwarded: ForwardResult | null;
  readonly ms: number;
};

export type Event = {
  readonly type: string;
  readonly action?: string;
  readonly payload: Readonly<Record<string, unknown>> & { readonly result?: { readonly code?: string } };
};

export type ReceiverNeeds = {
  /** Null until the webhook exists. */
  readonly key: () => Uint8Array | null;
  readonly target: string | null;
  readonly now: () => number;
  readonly onCall: (call: ReceivedCall) => void;
};

export interface LocalReceiver {
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
