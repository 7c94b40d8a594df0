import { hash, timingSafeEqual } from 'node:crypto';

/** An access token is the base64 of `userId|password`, so its first 44 characters hold the user's 32 hex digits and the bar. */
const USER_CHARACTERS = 44;
const USER = /^[0-9a-f]{32}\|$/;

/** The token that a user id and a password make: clients may send the two apart. */
export const tokenOf = (userId: string, password: string): string => Buffer.from(`${userId}|${password}`).toString('base64');

/** Only this is ever stored of a token: SHA-256 in hex. Tokens are long and random, so a fast hash is enough. */
export const tokenHash = (token: string): string => hash('sha256', token);

/** The user id in a token; null when it does not have the form of one. */
export function userOf(token: string): string | null {
  const start = Buffer.from(token.slice(0, USER_CHARACTERS), 'base64').toString('latin1');
  return USER.test(start) ? start.slice(0, 32) : null;
}

/** One token of a user: its hash, its entity, and its expiry. */
export type TokenGrant = { readonly tokenHash: string; readonly entityId: string; readonly endsAt: number };

/** The grants that a token opens at this instant, found in constant time. */
export function grantsOpenedBy<Known extends TokenGrant>(token: string, grants: readonly Known[], now: number): readonly Known[] {
  const sent = hash('sha256', token, 'buffer');
  const found: Known[] = [];
  for (const grant of grants) {
    if (timingSafeEqual(sent, Buffer.from(grant.tokenHash, 'hex')) && now < grant.endsAt) found.push(grant);
  }
  return found;
}
