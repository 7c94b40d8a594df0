import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decryptPayload, type Signed, verify } from '../../src/webhooks/wireFormat.ts';
import { attendedNow } from '../attended.ts';
import { assertDescribedPayload } from '../describedReplies.ts';

/** How a receiver behaves. */
export type Manner = 'ok' | 'slow' | 'error' | 'busy' | 'gone' | 'redirect' | 'reset' | 'hang';

/** One received delivery, decrypted when a key fits. */
export type Heard = {
  readonly id: string;
  readonly text: string | null;
  readonly verdict: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
  /** By the clock of this process (test/attended.ts). */
  readonly at: number;
};

export type Receiver = {
  readonly url: string;
  /** All deliveries in order; `accepted` has those answered with 2xx. */
  readonly heard: Heard[];
  readonly accepted: Heard[];
  manner: Manner;
  /** The keys of the shop. */
  keys: readonly Uint8Array[];
  close(): void;
};

const answers: Readonly<Record<Manner, (request: IncomingMessage, response: ServerResponse) => void>> = {
  ok: (_, response) => response.writeHead(200).end('thank you'),
  slow: (_, response) => setTimeout(() => response.writeHead(202).end(), 60),
  error: (_, response) => response.writeHead(500).end('no'),
  busy: (_, response) => response.writeHead(429, { 'retry-after': '7200' }).end(),
  gone: (_, response) => response.writeHead(410).end(),
  redirect: (request, response) => response.writeHead(302, { location: `http://${request.headers.host}/elsewhere` }).end(),
  reset: (request) => request.socket.resetAndDestroy(),
  hang: () => {},
};

/** A shop's server, on a socket of its own. */
export async function startReceiver(now: () => number): Promise<Receiver> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const one = heardOf(request, body);
      receiver.heard.push(one);
      if (['ok', 'slow'].includes(receiver.manner)) receiver.accepted.push(one);
      answers[receiver.manner](request, response);
    });
  });
  const undescribed: unknown[] = [];
  const noteUndescribed = (text: string): void => {
    try {
      assertDescribedPayload(JSON.parse(text));
    } catch (error) {
      undescribed.push(error);
    }
  };
  const heardOf = (request: IncomingMessage, body: string): Heard => {
    const { headers } = request;
    const received = { body, iv: String(headers['x-initialization-vector']), tag: String(headers['x-authentication-tag']) };
    const text = receiver.keys.map((key) => decryptPayload(received, key)).find((opened) => opened !== null) ?? null;
    if (text !== null) noteUndescribed(text);
    const signed = headers as unknown as Signed;
    const verdict = verify(signed, { body, keys: receiver.keys, now: now() });
    return { id: String(headers['webhook-id']), text, verdict, body, headers, at: attendedNow() };
  };
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    heard: [],
    accepted: [],
    manner: 'ok',
    keys: [],
    close() {
      server.closeAllConnections();
      server.close();
      if (undescribed.length > 0) throw undescribed[0];
    },
  };
  return receiver;
}
