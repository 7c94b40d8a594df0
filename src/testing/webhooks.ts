import { createServer, type IncomingMessage } from 'node:http';
import { classifyResult, type Result } from '../client/results.ts';
import { verifyWebhook, type WebhookEvent } from '../client/webhooks.ts';

/** Selects events; every given condition must match. */
export type WebhookFilter = {
  readonly type?: WebhookEvent['type'];
  /** The payment, registration or schedule that the event is about. */
  readonly id?: string;
  readonly kind?: Result['kind'];
  readonly code?: string;
};

type Match = WebhookFilter | ((event: WebhookEvent) => boolean);

/** The webhooks of a gateway, verified and decrypted, in the order of their arrival. */
export type RecordedWebhooks = {
  /** Each event once, even if it was delivered repeatedly. */
  all(match?: Match): readonly WebhookEvent[];
  /** The first event that matches, waiting up to the time-out; throws an error that lists the received events. Default: 5,000. */
  waitFor(match: Match, withinMs?: number): Promise<WebhookEvent>;
  /** Answers the next deliveries with this status. The gateway sends them again by its retry schedule. */
  failNext(deliveries: number, status?: number): void;
  /** The number of requests, including the requests that were failed on purpose. */
  deliveries(): number;
  clear(): void;
};

export type WebhookReceiver = {
  readonly url: string;
  readonly recorded: RecordedWebhooks;
  /** From now on, with this key. */
  setKey(key: string): void;
  close(): Promise<void>;
};

function fits(event: WebhookEvent, match: Match): boolean {
  if (typeof match === 'function') return match(event);
  const { result, id } = event.payload as { readonly result?: { readonly code?: string }; readonly id?: string };
  const { type = event.type, code = result?.code, kind } = match;
  if (event.type !== type || result?.code !== code || (match.id !== undefined && match.id !== id)) return false;
  return kind === undefined || (result !== undefined && classifyResult({ result }).kind === kind);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

const lineOf = ({ type, payload }: WebhookEvent): string => {
  const { id, result } = payload as { readonly id?: string; readonly result?: { readonly code?: string } };
  return `${type} ${id ?? ''} ${result?.code ?? ''}`;
};

/** A server in this process that accepts and records webhooks. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const events = new Map<string, WebhookEvent>();
  const waiting = new Set<() => void>();
  let [key, count, failing, failure] = ['', 0, 0, 500];

  async function answer(request: IncomingMessage): Promise<number> {
    const body = await bodyOf(request);
    const event = await verifyWebhook(request.headers, body, { keys: key });
    if (event.type === 'test') return 200;
    count += 1;
    if (failing > 0) {
      failing -= 1;
      return failure;
    }
    if (!events.has(event.id)) events.set(event.id, event);
    for (const look of waiting) look();
    return 200;
  }

  const server = createServer((request, response) => {
    answer(request)
      .catch(() => 400)
      .then((status) => response.writeHead(status).end());
  });
  // Connections are kept for the next delivery: they too must not keep the program of a test alive.
  server.on('connection', (socket) => socket.unref()).unref();
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { readonly port: number }).port));
  });
  const all = (match: Match = {}) => [...events.values()].filter((event) => fits(event, match));
  return {
    url: `http://127.0.0.1:${port}/`,
    setKey: (given) => {
      key = given;
    },
    recorded: {
      all,
      waitFor: (match, withinMs = 5_000) =>
        new Promise((resolve, reject) => {
          const look = () => {
            const [found] = all(match);
            if (!found) return;
            waiting.delete(look);
            clearTimeout(timer);
            resolve(found);
          };
          const timer = setTimeout(() => {
            waiting.delete(look);
            const came = all().map((event) => `  ${lineOf(event)}`);
            reject(new Error(`no such webhook within ${withinMs} ms; ${came.length} came:\n${came.join('\n')}`));
          }, withinMs);
          waiting.add(look);
          look();
        }),
      failNext: (deliveries, status = 500) => {
        [failing, failure] = [deliveries, status];
      },
      deliveries: () => count,
      clear: () => events.clear(),
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
