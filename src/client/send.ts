import { type FailureKind, TurnpikeError } from './errors.ts';

/** Options of one call. */
export type CallOptions = {
  /** The Idempotency-Key of this request. Default: a random one, the same for every attempt of this call. */
  readonly idempotencyKey?: string;
  /** Ends the call, its retries included. */
  readonly signal?: AbortSignal;
};

/** The parts of the runtime that a client uses. A test passes its own. */
export type Runtime = {
  readonly fetch: typeof fetch;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly createKey: () => string;
};

export type Retries = {
  /** Attempts of one call, the first included. Default: 4. */
  readonly attemptsMax: number;
  /** The longest wait for one attempt. Default: 45,000; the gateway waits up to 30 seconds for an acquirer. */
  readonly timeoutMs: number;
  /** The first pause; each later one is twice as long, with a random part. Default: 250. */
  readonly pauseMs: number;
  /** A longer pause that the gateway asks for ends the call. Default: 20,000. */
  readonly pauseMsMax: number;
};

export type Outgoing = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  /** Whether a second request with the same content has no second effect. */
  readonly isRepeatable: boolean;
};

export type Incoming = { readonly status: number; readonly text: string; readonly isReplayed: boolean };

type Attempt =
  | { readonly kind: 'reply'; readonly reply: Incoming; readonly retryAfterMs: number | null }
  | { readonly kind: 'network' | 'timeout'; readonly cause: unknown };

const RETRIED: readonly number[] = [429, 502, 503, 504];

/** Waits; ends early with the reason of the signal. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });

/** `Retry-After` in seconds or as a date. */
function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  if (/^[0-9]+$/.test(text)) return Number(text) * 1_000;
  const [at, sent] = [Date.parse(text), Date.parse(headers.get('date') ?? '')];
  return Number.isNaN(at) || Number.isNaN(sent) ? null : Math.max(0, at - sent);
}

async function attempt(runtime: Runtime, out: Outgoing, timeoutMs: number, signal?: AbortSignal): Promise<Attempt> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await runtime.fetch(out.url, {
      method: out.method,
      headers: out.headers,
      body: out.body,
      // A redirect would carry the access token elsewhere, and the API sends none to a program.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
    });
    const text = await response.text();
    const isReplayed = response.headers.get('idempotency-replayed') === 'true';
    return { kind: 'reply', reply: { status: response.status, text, isReplayed }, retryAfterMs: retryAfterOf(response.headers) };
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    return { kind: limit.aborted ? 'timeout' : 'network', cause };
  }
}

const messages: Readonly<Record<'network' | 'timeout', string>> = {
  network: 'the gateway could not be reached, or the connection broke',
  timeout: 'the gateway did not answer in time',
};

/**
 * Sends a request until it has a reply that another attempt would not change. A request that may be sent twice is retried after a lost
 * connection, a time-out, and the replies 429, 502, 503 and 504; everything else only after 429, with which the gateway has done nothing.
 */
export async function send(
  runtime: Runtime,
  { attemptsMax, timeoutMs, pauseMs, pauseMsMax }: Retries,
  out: Outgoing,
  { signal }: CallOptions,
): Promise<Incoming & { readonly attempts: number }> {
  for (let attempts = 1; ; attempts += 1) {
    const ended = await attempt(runtime, out, timeoutMs, signal);
    const own = pauseMs * 2 ** (attempts - 1) * (0.5 + runtime.random());
    const pause = ended.kind === 'reply' ? Math.max(own, ended.retryAfterMs ?? 0) : own;
    const mayRetry =
      ended.kind === 'reply'
        ? ended.reply.status === 429 || (out.isRepeatable && RETRIED.includes(ended.reply.status))
        : out.isRepeatable;
    if (mayRetry && attempts < attemptsMax && pause <= Math.max(pauseMsMax, own)) {
      await runtime.sleep(pause, signal);
      continue;
    }
    if (ended.kind === 'reply') return { ...ended.reply, attempts };
    const { kind, cause } = ended;
    throw new TurnpikeError(messages[kind], { kind, attempts, idempotencyKey: out.headers['idempotency-key'] ?? null, cause });
  }
}

/** The meaning of a status for a call without a result. */
export function failureKindOf(status: number): FailureKind {
  if (status === 401 || status === 403) return 'unauthorised';
  if (status === 404) return 'notFound';
  if (status === 429) return 'throttled';
  if (status >= 500) return 'server';
  return status >= 400 ? 'invalid' : 'unreadable';
}
