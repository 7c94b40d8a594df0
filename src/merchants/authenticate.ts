import { hash, timingSafeEqual } from 'node:crypto';
import type { Fault } from '../form/checked.ts';
import { printable } from '../form/decode.ts';
import { hexId } from '../spec/parameters/basic.ts';
import type { CodeThat } from '../spec/resultCodes.ts';
import { type Right, rights } from '../spec/rights.ts';
import type { Directory, Entity } from './directory.ts';
import { tokenOf, userOf } from './tokens.ts';

/** A refused request: nothing of it is stored. `why` is for the log, never for the answer. */
export type AuthenticationFailure = {
  readonly is: 'refused';
  readonly status: 400 | 401 | 403;
  readonly code: CodeThat<'refused'>;
  readonly faults: readonly Fault[];
  readonly why: string;
};

export type EntityAccess = { readonly is: 'admitted'; readonly entity: Entity } | AuthenticationFailure;

const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;
const ENTITY_ID = hexId('AN32');

const unauthorized = (status: 401 | 403, why: string): AuthenticationFailure => ({
  is: 'refused',
  status,
  code: '800.900.300',
  faults: [],
  why,
});

const invalidEntityId = (fault: Fault): AuthenticationFailure => ({
  is: 'refused',
  status: 400,
  code: '200.300.404',
  faults: [fault],
  why: 'entityId is missing or malformed',
});

/** The credentials of a caller: the header and the fields that may hold a token, and the address that it sends them from. */
type Credentials = {
  readonly header: string | undefined;
  readonly fields: ReadonlyMap<string, string>;
  readonly address: string;
};

/** In the log of either port. */
const ELSEWHERE = 'an access token from an address that it does not allow';

/**
 * Identifies the caller by its access token. A foreign entity gets the same reply as one that does not exist, a token from an address
 * that it does not allow the same as a wrong one, and an unknown user costs the same work as a wrong password.
 */
export function identifyCaller(
  directory: Pick<Directory, 'granted' | 'isKnownToken'>,
  { header, fields, address }: Credentials,
): AuthenticationFailure | { readonly is: 'known'; readonly owned: readonly string[] } {
  const token = tokenSent(header, fields);
  if (token === null) return unauthorized(401, 'no access token, or the header is malformed');
  const owned = directory.granted(token, address);
  if (owned.length > 0) return { is: 'known', owned };
  return unauthorized(403, directory.isKnownToken(token) ? ELSEWHERE : 'unknown access token');
}

/** The parameters of authentication. They are read before all others. */
export const credentialNames = [
  'authentication.userId',
  'authentication.password',
  'entityId',
  'authentication.entityId',
] as const;

/** Finds the requested entity and checks that it is at or below one of the owned ones. */
export function checkEntityAccess(
  directory: Pick<Directory, 'entity'>,
  owned: readonly string[],
  fields: ReadonlyMap<string, string>,
): EntityAccess {
  const id = entityIdSent(fields);
  if (typeof id !== 'string') return invalidEntityId(id);
  const entity = directory.entity(id);
  if (!entity?.path.some((node) => owned.includes(node))) return unauthorized(403, 'foreign or unknown entity');
  return { is: 'admitted', entity };
}

/** The header decides when there is one; clients of the older kind send user and password as parameters. */
function tokenSent(header: string | undefined, fields: ReadonlyMap<string, string>): string | null {
  if (header !== undefined) return BEARER.exec(header)?.[1] ?? null;
  const userId = fields.get('authentication.userId');
  const password = fields.get('authentication.password');
  return userId && password ? tokenOf(userId, password) : null;
}

function entityIdSent(fields: ReadonlyMap<string, string>): string | Fault {
  const plain = fields.get('entityId') || null;
  const older = fields.get('authentication.entityId') || null;
  const id = plain ?? older;
  if (id === null) return { name: 'entityId', value: null, message: 'may not be empty' };
  if (!ENTITY_ID.pattern.test(id)) return { name: 'entityId', value: printable(id), message: ENTITY_ID.message };
  if (plain !== null && older !== null && plain !== older) {
    return { name: 'authentication.entityId', value: printable(older), message: 'must be the same as entityId' };
  }
  return id;
}

/** A caller of the administration API: sees all entities, or the entities of its grants and below. */
export type Administrator = {
  readonly is: 'administrator';
  /** For the log: the user of an access token, or `operator`. */
  readonly who: string;
  readonly sees: (path: Entity['path']) => boolean;
};

type UnknownCaller = { readonly is: 'unknown'; readonly status: 401 | 403; readonly why: string };

export type AdministerNeeds = {
  readonly directory: Pick<Directory, 'granted' | 'isKnownToken'>;
  readonly environment: 'test' | 'live';
  /** SHA-256 of the operator's own token; null when there is none. */
  readonly operatorHash: Uint8Array | null;
};

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
