import { WebhookError } from './errors.ts';
import { type AnyHeaders, verifyWebhook, type WebhookEvent, type WebhookKeys } from './webhooks.ts';

/**
 * Remembers the ids of events. `add` is false for an id that is there; in a database it is an insert into a column with a unique index. `remove`
 * forgets the id of an event that could not be processed.
 */
export type SeenIds = {
  add(id: string): boolean | Promise<boolean>;
  remove(id: string): void | Promise<void>;
};

/** Remembers the last ids in the memory of this process: enough for one process that is rarely restarted. */
export function createSeenIds(max = 100_000): SeenIds {
  const ids = new Set<string>();
  return {
    add: (id) => {
      if (ids.has(id)) return false;
      ids.add(id);
      const [oldest] = ids;
      if (ids.size > max && oldest !== undefined) ids.delete(oldest);
      return true;
    },
    remove: (id) => {
      ids.delete(id);
    },
  };
}

export type WebhookHandlerOptions = WebhookKeys & {
  /** Called once for each event. The gateway sends the event again when it throws. */
  readonly onEvent: (event: WebhookEvent) => void | Promise<void>;
  /** Default: in memory. */
  readonly seen?: SeenIds;
};

/** The reply to a webhook: 200 for an event that was processed, now or before; 400 for a request that is none; 500 when `onEvent` threw. */
export type WebhookReply = { readonly status: 200 | 400 | 500; readonly reason: string };

/** A receiver of webhooks by headers and raw body, for any HTTP server. The test delivery is accepted and not passed on. */
export function createWebhookReceiver(options: WebhookHandlerOptions) {
  const { onEvent, seen = createSeenIds() } = options;
  return async (headers: AnyHeaders, body: string): Promise<WebhookReply> => {
    let event: WebhookEvent;
    try {
      event = await verifyWebhook(headers, body, options);
    } catch (error) {
      if (error instanceof WebhookError) return { status: 400, reason: error.message };
      throw error;
    }
    if (event.type === 'test') return { status: 200, reason: 'test delivery' };
    if (!(await seen.add(event.id))) return { status: 200, reason: 'duplicate' };
    try {
      await onEvent(event);
      return { status: 200, reason: 'processed' };
    } catch {
      await seen.remove(event.id);
      return { status: 500, reason: 'not processed' };
    }
  };
}

/** The same for servers that speak Fetch: Deno, Bun, edge runtimes, Hono, Next.js. */
export function createWebhookHandler(options: WebhookHandlerOptions): (request: Request) => Promise<Response> {
  const receive = createWebhookReceiver(options);
  return async (request) => {
    const { status, reason } = await receive(request.headers, await request.text());
    return new Response(reason, { status, headers: { 'content-type': 'text/plain' } });
  };
}
