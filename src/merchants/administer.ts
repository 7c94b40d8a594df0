import { hash, timingSafeEqual } from 'node:crypto';
import { type Right, rights } from '../spec/rights.ts';
import { type Credentials, ELSEWHERE } from './authenticate.ts';
import type { Directory, Entity } from './directory.ts';
import { userOf } from './token.ts';

/** A caller of the administration API: sees all entities, or the entities of its grants and below. */
export type Administrator = {
  readonly is: 'administrator';
  /** For the log: the user of an access token, or `operator`. */
  readonly who: string;
  readonly sees: (path: Entity['path']) => boolean;
};

export type UnknownCaller = { readonly is: 'unknown'; readonly status: 401 | 403; readonly why: string };

export type AdministerNeeds = {
  readonly directory: Pick<Directory, 'granted' | 'isKnownToken'>;
  readonly environment: 'test' | 'live';
  /** SHA-256 of the operator's own token; null when there is none. */
  readonly operatorHash: Uint8Array | null;
};

const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/** The stored hash of the operator's token. */
export const operatorHashOf = (token: string): Uint8Array => hash('sha256', token, 'buffer');

/** Authenticates an administrator. The operator's token sees everything; in the test environment an access token sees its entities. */
export function authenticateAdministrator(
  { header, address }: Pick<Credentials, 'header' | 'address'>,
  right: Right,
  needs: AdministerNeeds,
): Administrator | UnknownCaller {
  const token = BEARER.exec(header ?? '')?.[1];
  if (token === undefined) return { is: 'unknown', status: 401, why: 'no token, or the header is malformed' };
  const isOperator = needs.operatorHash !== null && timingSafeEqual(operatorHashOf(token), needs.operatorHash);
  const granted = needs.directory.granted(token, address);
  if (isOperator) return { is: 'administrator', who: 'operator', sees: () => true };
  if (granted.length === 0)
    return { is: 'unknown', status: 403, why: needs.directory.isKnownToken(token) ? ELSEWHERE : 'unknown token' };
  if (needs.environment === 'live' || !rights[right].isTokenEnough)
    return { is: 'unknown', status: 403, why: "an access token is not the operator's" };
  return { is: 'administrator', who: userOf(token) ?? '', sees: (path) => path.some((node) => granted.includes(node)) };
}
