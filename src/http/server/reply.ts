import type { ServerResponse } from 'node:http';

/** An answer as it will go out, and what the log line says about it. */
export type Reply = {
  /** Tells a reply from the other outcomes of a handler. */
  readonly kind?: undefined;
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
  /** In the place of `body`, for what is no text. */
  readonly bytes?: Uint8Array;
  /** In their place, for what is too long to be held: it goes out as it is made, and is asked for only as fast as it is taken. */
  readonly pieces?: AsyncIterable<Uint8Array>;
  readonly code: string | null;
  readonly ndc: string | null;
  readonly entityId: string | null;
  /** Why somebody was turned away: for the log, never for the answer. */
  readonly why?: string | undefined;
  /** The connection ends with this answer. */
  readonly isLast?: true;
};

/** A page is about nobody's entity and has no result: there is nothing of that to write into the log. */
export const unnamed = { code: null, ndc: null, entityId: null } as const;

/** On every answer, kept or not: taken for nothing else, asked for again only over TLS. */
const always = ['Strict-Transport-Security', 'max-age=63072000; includeSubDomains', 'X-Content-Type-Options', 'nosniff'] as const;

/** On every answer but a file: remembered nowhere. */
const everywhere = [...always, 'Cache-Control', 'no-cache, no-store, private'] as const;

/** A file that pages of any origin may load, and how long it may be remembered. */
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

/** A file to be kept by whoever asked for it. */
export const downloadHeaders = (type: string, name: string): readonly string[] => [
  'Content-Type',
  type,
  ...everywhere,
  'Content-Disposition',
  `attachment; filename="${name}"`,
];

export const textHeaders: readonly string[] = ['Content-Type', 'text/plain; charset=utf-8', ...everywhere];

/**
 * No policy can name a page that has no origin, and `*` means only those that have one. Where `null` is allowed among the ancestors, the
 * browser is told nothing about them.
 */
const framing = (policy: string): string => policy.replace(/; frame-ancestors[^;]*\bnull\b[^;]*/, '');

/** A page that may load what it carries itself and nothing else; `policy` names what that is. Only one with a form may send it. */
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

/** A page that says itself what it may load and who may frame it: `policy` is the whole of it. */
export const framedPageHeaders = (policy: string): readonly string[] => [
  'Content-Type',
  'text/html; charset=utf-8',
  ...everywhere,
  'Content-Security-Policy',
  framing(policy),
  'Referrer-Policy',
  'no-referrer',
];

/** What is told to every page of another origin. */
const forOthers: ReadonlySet<string> = new Set(['Access-Control-Allow-Origin', 'Cross-Origin-Resource-Policy']);

/** An answer of the back office: for its own pages alone, and never framed. */
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

/**
 * Sends a browser on to another server, by a page: a redirect behind a form would be held against the policy of the page with the form.
 */
export const onward = (location: string, ancestors = "'self'"): Reply => ({
  status: 200,
  headers: [
    ...framedPageHeaders(`default-src 'none'; base-uri 'none'; frame-ancestors ${ancestors}`),
    'Refresh',
    `0; url=${location}`,
  ],
  body: `<!doctype html><meta charset="utf-8"><title>…</title><a target="_top" href="${escaped(location)}">→</a>`,
  ...unnamed,
});

/** Sends a browser on, with GET whatever it came with. */
export const seeOther = (location: string): Reply => ({
  status: 303,
  headers: [...textHeaders, 'Location', location, 'Referrer-Policy', 'no-referrer'],
  body: '',
  ...unnamed,
});

/** How long the body is. */
export const lengthOf = ({ body, bytes }: Reply): number => Buffer.byteLength(bytes ?? body);

export function headersOf(reply: Reply, isLast: boolean): string[] {
  const all = [...reply.headers];
  if (reply.status !== 204 && reply.pieces === undefined) all.push('Content-Length', String(lengthOf(reply)));
  if (isLast) all.push('Connection', 'close');
  return all;
}

/** Writes head and body in one piece. */
export function send(response: ServerResponse, reply: Reply, isLast: boolean): void {
  response.writeHead(reply.status, headersOf(reply, isLast));
  response.end(reply.bytes ?? reply.body);
}
