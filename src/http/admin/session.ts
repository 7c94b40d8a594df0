import { hash, timingSafeEqual } from 'node:crypto';
import type { SignedInUser } from '../../users/service.ts';
import { originFor, type Request } from '../handler.ts';
import type { Services } from '../services.ts';

/** The session cookie of the back office. Under https, browsers bind a cookie of that name to this host and the root path. */
const SECURE_NAME = '__Host-turnpike';
const PLAIN_NAME = 'turnpike';

/** The header with the CSRF token of the session. */
const CSRF_HEADER = 'x-turnpike-csrf';

const isSecure = (services: Pick<Services, 'trust'>, request: Request): boolean =>
  originFor({ ...services, publicUrl: null }, request)?.startsWith('https:') ?? false;

/** The session token of a request; null when it has none. */
export function sessionToken(services: Pick<Services, 'trust'>, request: Request): string | null {
  const name = isSecure(services, request) ? SECURE_NAME : PLAIN_NAME;
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  return value !== undefined && /^[A-Za-z0-9_-]{20,128}$/.test(value) ? value : null;
}

/** Sets the session cookie, or clears it. It ends with the browser, and much sooner on the server. */
export function sessionCookie(services: Pick<Services, 'trust'>, request: Request, token: string | null): readonly string[] {
  const secure = isSecure(services, request);
  const parts = [`${secure ? SECURE_NAME : PLAIN_NAME}=${token ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Strict'];
  return ['Set-Cookie', [...parts, ...(secure ? ['Secure'] : []), ...(token === null ? ['Max-Age=0'] : [])].join('; ')];
}

/** Whether a page of the back office sent the request, as far as the browser says; other clients say nothing. */
export function isOwnPage({ method, headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  // A typed or bookmarked link has no origin.
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && (method === 'GET' || method === 'HEAD'));
  const { origin, host } = headers;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}

const digest = (text: string): Uint8Array => hash('sha256', text, 'buffer');

/** Whether a request that changes something carries the CSRF token of its session. */
export function hasCsrfToken({ method, headers }: Request, { csrf }: Pick<SignedInUser, 'csrf'>): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  const sent = headers[CSRF_HEADER];
  return typeof sent === 'string' && timingSafeEqual(digest(sent), digest(csrf));
}
