import { hash, timingSafeEqual } from 'node:crypto';
import type { SignedIn } from '../../users/service.ts';
import { originFor } from '../server/origin.ts';
import type { Request } from '../server/request.ts';
import type { Services } from '../services.ts';

/** The cookie of the back office. Browsers keep one of that name from every other host and path, where we are reached by https. */
const SECURE_NAME = '__Host-turnpike';
const PLAIN_NAME = 'turnpike';

/** The header in which our own pages send what no other page can know. */
const CSRF_HEADER = 'x-turnpike-csrf';

const isSecure = (services: Pick<Services, 'trust'>, request: Request): boolean =>
  originFor({ ...services, publicUrl: null }, request)?.startsWith('https:') ?? false;

/** The session that a request shows; null when it shows none. */
export function sessionToken(services: Pick<Services, 'trust'>, request: Request): string | null {
  const name = isSecure(services, request) ? SECURE_NAME : PLAIN_NAME;
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  return value !== undefined && /^[A-Za-z0-9_-]{20,128}$/.test(value) ? value : null;
}

/** Gives the browser a session, or takes it away. It ends with the browser, and much sooner on our side. */
export function sessionCookie(services: Pick<Services, 'trust'>, request: Request, token: string | null): readonly string[] {
  const secure = isSecure(services, request);
  const parts = [`${secure ? SECURE_NAME : PLAIN_NAME}=${token ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Strict'];
  return ['Set-Cookie', [...parts, ...(secure ? ['Secure'] : []), ...(token === null ? ['Max-Age=0'] : [])].join('; ')];
}

/** Whether a page of our own sent it, as far as the browser says; who is no browser says nothing. */
export function isOwnPage({ method, headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  // A link that somebody typed or kept comes from nowhere.
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && (method === 'GET' || method === 'HEAD'));
  const { origin, host } = headers;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}

const digest = (text: string): Uint8Array => hash('sha256', text, 'buffer');

/** Whether a request that changes something was made by a page that this session was told to. */
export function isMeant({ method, headers }: Request, { csrf }: Pick<SignedIn, 'csrf'>): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  const sent = headers[CSRF_HEADER];
  return typeof sent === 'string' && timingSafeEqual(digest(sent), digest(csrf));
}
