import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';

/** A reply as it is sent, and the members of its log line. */
export type Reply = {
  /** Tells a reply from the other outcomes of a handler. */
  readonly kind?: undefined;
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
  /** Instead of `body`, for a reply that is no text. */
  readonly bytes?: Uint8Array;
  /** Instead of both, for a reply that is too long for the memory: it is produced as fast as the client reads it. */
  readonly pieces?: AsyncIterable<Uint8Array>;
  readonly code: string | null;
  readonly ndc: string | null;
  readonly entityId: string | null;
  /** Why the request was refused: for the log, never for the client. */
  readonly why?: string | undefined;
  /** For a rerun: the id under which the inspector recorded it. */
  readonly callId?: string;
  /** The connection closes after this reply. */
  readonly isLast?: true;
};

/** The log members of a page, which belongs to no entity and has no result. */
export const unnamed = { code: null, ndc: null, entityId: null } as const;

/** On every reply. */
const always = ['Strict-Transport-Security', 'max-age=63072000; includeSubDomains', 'X-Content-Type-Options', 'nosniff'] as const;

/** On every reply but a file: caches must not store it. */
const everywhere = [...always, 'Cache-Control', 'no-cache, no-store, private'] as const;

/** A file that pages of any origin may load, and how long it may be cached. */
export const fileHeaders = (type: string, cache: string): readonly string[] => [
  'Content-Type',
  type,
  ...always,
  'Cache-Control',
  cache,
  'Access-Control-Allow-Origin',
  '*',
  'Cross-Origin-Resource-Policy',
  'cross-origin',
];

export const jsonHeaders: readonly string[] = [
  'Content-Type',
  'application/json;charset=UTF-8',
  ...everywhere,
  'Access-Control-Allow-Origin',
  '*',
];

/** A file to download. */
export const downloadHeaders = (type: string, name: string): readonly string[] => [
  'Content-Type',
  type,
  ...everywhere,
  'Content-Disposition',
  `attachment; filename="${name}"`,
];

export const textHeaders: readonly string[] = ['Content-Type', 'text/plain; charset=utf-8', ...everywhere];

/**
 * No policy can name a page that has no origin, and `*` means only pages that have one. Where `null` is among the allowed ancestors, the
 * directive is left out.
 */
const framing = (policy: string): string => policy.replace(/; frame-ancestors[^;]*\bnull\b[^;]*/, '');

/** A page that loads nothing from elsewhere; `policy` names the kinds that it contains. Only a page with a form may send one. */
export const pageHeaders = (policy: string, formAction = "'none'", ancestors = "'none'"): readonly string[] => [
  'Content-Type',
  'text/html; charset=utf-8',
  ...everywhere,
  'Content-Security-Policy',
  framing(`default-src 'none'; ${policy} base-uri 'none'; form-action ${formAction}; frame-ancestors ${ancestors}`),
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Opener-Policy',
  'same-origin',
];

/** A page with a complete policy of its own, of sources and of the pages that may frame it. */
export const framedPageHeaders = (policy: string): readonly string[] => [
  'Content-Type',
  'text/html; charset=utf-8',
  ...everywhere,
  'Content-Security-Policy',
  framing(policy),
  'Referrer-Policy',
  'no-referrer',
];

/** Headers for pages of other origins. */
const forOthers: ReadonlySet<string> = new Set(['Access-Control-Allow-Origin', 'Cross-Origin-Resource-Policy']);

/** A reply of the back office: for its own pages alone, and never framed. */
export function forOwnOrigin(reply: Reply): Reply {
  const pairs = reply.headers.flatMap((name, at) => (at % 2 === 0 ? [[name, reply.headers[at + 1] ?? ''] as const] : []));
  const kept = pairs.filter(([name]) => !forOthers.has(name));
  const has = (name: string) => kept.some(([other]) => other === name);
  const added = Object.entries(ownOrigin).filter(([name]) => !has(name));
  return { ...reply, headers: [...kept, ...added].flat() };
}

const ownOrigin = {
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
} as const;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Sends a browser on to another server, by a page: the policy of a page with a form would block a redirect behind that form. */
export const onward = (location: string, ancestors = "'self'"): Reply => ({
  status: 200,
  headers: [
    ...framedPageHeaders(`default-src 'none'; img-src data:; base-uri 'none'; frame-ancestors ${ancestors}`),
    'Refresh',
    `0; url=${location}`,
  ],
  // Firefox looks for the icon of a page even while it leaves, and would report that the policy stopped it.
  body: `<!doctype html><meta charset="utf-8"><title>…</title><link rel="icon" href="data:,"><a target="_top" href="${escaped(location)}">→</a>`,
  ...unnamed,
});

/** Sends a browser on, with GET. */
export const seeOther = (location: string): Reply => ({
  status: 303,
  headers: [...textHeaders, 'Location', location, 'Referrer-Policy', 'no-referrer'],
  body: '',
  ...unnamed,
});

/** The length of the body in bytes. */
export const lengthOf = ({ body, bytes }: Reply): number => Buffer.byteLength(bytes ?? body);

export function headersOf(reply: Reply, isLast: boolean): string[] {
  const all = [...reply.headers];
  if (reply.status !== 204 && reply.pieces === undefined) all.push('Content-Length', String(lengthOf(reply)));
  if (isLast) all.push('Connection', 'close');
  return all;
}

/** The way back to the client of one request. */
export interface Response {
  /** Sends head and body. Throws if the head cannot be written; nothing has left then. */
  send(reply: Reply, isLast: boolean): void;
  /** Sends the head of a reply whose body follows with `write` and `end`. */
  begin(reply: Reply, isLast: boolean): void;
  /** False: the client does not read as fast; wait for `drained`. `sent`: called when the piece has left. */
  write(piece: Uint8Array, sent: () => void): boolean;
  end(): void;
  /** Cuts the reply off. */
  destroy(): void;
  readonly destroyed: boolean;
  /** Resolves when the client takes more of the reply, or has left. */
  drained(): Promise<void>;
  onClose(listener: () => void): void;
}

/** The response to a request that node:http has read. */
export const parsedResponse = (response: ServerResponse): Response => ({
  send(reply, isLast) {
    response.writeHead(reply.status, headersOf(reply, isLast));
    response.end(reply.bytes ?? reply.body);
  },
  begin(reply, isLast) {
    response.writeHead(reply.status, headersOf(reply, isLast));
  },
  write: (piece, sent) => response.write(piece, sent),
  end: () => void response.end(),
  destroy: () => void response.destroy(),
  get destroyed() {
    return response.destroyed;
  },
  drained: () => drained(response),
  onClose: (listener) => void response.once('close', listener),
});

/** No listener stays: a kept connection has many replies. */
export const drained = (stream: Pick<EventEmitter, 'once' | 'off'>): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      stream.off('drain', end);
      stream.off('close', end);
      resolve();
    };
    stream.once('drain', end);
    stream.once('close', end);
  });
