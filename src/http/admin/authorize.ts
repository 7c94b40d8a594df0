import { hash, timingSafeEqual } from 'node:crypto';
import { checkAdmin } from '../../form/checkAdmin.ts';
import type { Fault } from '../../form/checked.ts';
import { authenticateAdministrator, type Administrator as TokenHolder } from '../../merchants/authenticate.ts';
import type { Entity } from '../../merchants/directory.ts';
import type { AdminEndpointName, AdminValues, EntityEndpointName, RightEndpointName } from '../../spec/admin/admin.ts';
import { type Endpoint, endpoints } from '../../spec/endpoints.ts';
import type { SignedInUser } from '../../users/service.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { originFor } from '../handler.ts';
import type { Request } from '../request.ts';
import type { Services } from '../services.ts';
import { addressOf } from '../transport/clientAddress.ts';
import type { Reply } from '../transport/reply.ts';

/** The holder of an access token, or a user with a session. */
type Administrator = TokenHolder & { readonly signed?: SignedInUser };

/** A caller who may make a request, the object it is about, and its checked fields. */
export type AuthorizedAdmin<Name extends AdminEndpointName, Resource> = Administrator & {
  readonly entity: Pick<Entity, 'id' | 'path'>;
  readonly resource: Resource;
  readonly values: AdminValues<Name>;
};

const SEND_JSON = 'send the fields as a JSON object, application/json in UTF-8';

/** An object of another merchant is refused in the words for one that does not exist. */
export const noSuch = ({ replies }: Pick<Services, 'replies'>, what: string): Reply =>
  replies.result('700.400.580', null, { status: 404, remark: `there is no such ${what}` });

/** Faults of fields. */
export const faulty = ({ replies }: Pick<Services, 'replies'>, entityId: string, ...faults: readonly Fault[]): Reply =>
  replies.result('200.300.404', entityId, { faults });

/** The refusal of a change that another change has overtaken. */
export const overtaken = ({ replies }: Pick<Services, 'replies'>, entityId: string): Reply =>
  replies.result('200.300.404', entityId, {
    status: 409,
    faults: [{ name: 'revision', value: null, message: 'is not the present one any more' }],
    remark: 'another change came first: read the present state, then change it',
  });

export function unauthorized(
  { replies }: Pick<Services, 'replies'>,
  { status, why }: { readonly status: 401 | 403; readonly why: string },
): Reply {
  const headers = status === 401 ? ['WWW-Authenticate', 'Bearer realm="turnpike", error="invalid_token"'] : [];
  return replies.result('800.900.300', null, { status, headers, why });
}

/** The header by which a page marks its own polling, which does not keep a session alive. */
const QUIET_HEADER = 'x-turnpike-quiet';

/** A refused request: the reply, and what the audit log keeps of the caller and the entity, as far as they are known. */
export type Refused = {
  readonly is: 'refused';
  readonly reply: Reply;
  readonly caller?: Pick<Administrator, 'who' | 'signed'>;
  readonly entityId?: string;
};

const refused = (reply: Reply, known: Pick<Refused, 'caller' | 'entityId'> = {}): Refused => ({ is: 'refused', reply, ...known });

export const isRefused = (outcome: object): outcome is Refused => (outcome as Partial<Refused>).is === 'refused';

const STEP_UP = 'show again that it is you, then repeat the request';

type AuthorizingServices = Pick<
  Services,
  'directory' | 'environment' | 'forMerchant' | 'operatorHash' | 'replies' | 'trust' | 'users'
>;

/** The caller: the holder of an access token at either port, or the user of a session of the back office. */
async function callerOf(
  services: AuthorizingServices,
  request: Request,
  endpoint: RightEndpointName,
): Promise<Administrator | Refused> {
  const { right } = endpoints[endpoint];
  if (request.side === 'gateway' || request.headers.authorization !== undefined) {
    const address = addressOf(request.message, services.trust);
    const found = authenticateAdministrator({ header: request.headers.authorization, address }, right, services);
    return found.is === 'unknown' ? refused(unauthorized(services, found)) : found;
  }
  const signed = await signedInUser(services, request, endpoint);
  if (isRefused(signed)) return signed;
  const nodes = signed.nodesWith(right);
  const who = signed.user.id;
  if (nodes.length === 0)
    return refused(unauthorized(services, { status: 403, why: `no role with the right ${right}` }), { caller: { who, signed } });
  return { is: 'administrator', who, sees: (path) => path.some((node) => nodes.includes(node)), signed };
}

/** The user of a session, on a page of the back office, after a recent step-up where the endpoint needs one. */
export async function signedInUser(
  services: Pick<Services, 'forMerchant' | 'replies' | 'trust' | 'users'>,
  request: Request,
  endpoint: AdminEndpointName,
): Promise<SignedInUser | Refused> {
  const token = sessionToken(services, request);
  const signed = token === null ? null : await services.users.authenticate(token, request.headers[QUIET_HEADER] !== undefined);
  if (signed === null) return refused(services.replies.result('800.900.300', null, { status: 401, why: 'no session' }));
  const caller = { who: signed.user.id, signed };
  if (!isOwnPage(request) || !hasCsrfToken(request, signed))
    return refused(unauthorized(services, { status: 403, why: 'not by a page of ours' }), { caller });
  const { stepUp = false } = endpoints[endpoint] as Endpoint;
  const missing = stepUp ? notSteppedUp(services, signed) : null;
  return missing ? refused(missing, { caller }) : signed;
}

/** The refusal of a sensitive command without a recent step-up; null: the user has confirmed it recently. */
export function notSteppedUp(services: Pick<Services, 'forMerchant' | 'replies'>, signed: SignedInUser): Reply | null {
  if (services.forMerchant(null).world.clock.now() < signed.steppedUpUntil) return null;
  const refusal = services.replies.result('800.900.300', null, { status: 403, remark: STEP_UP, why: 'no step-up' });
  return { ...refusal, headers: [...refusal.headers, 'X-Turnpike-Needs', 'stepUp'] };
}

/** The checked fields of a request. `entityFor` finds the entity whose setting refuses card numbers in texts, where it is known already. */
export function readValues<Name extends AdminEndpointName>(
  services: Pick<Services, 'replies'>,
  request: Request,
  endpoint: Name,
  entityFor: (values: AdminValues<Name>) => Entity | null = () => null,
): AdminValues<Name> | Reply {
  const { query, body, headers } = request;
  const checked = checkAdmin(endpoint, { query, body, contentType: headers['content-type'] });
  if (checked.is === 'checked') {
    const { values, cardNumbers: faults } = checked;
    const entity = faults.length > 0 ? entityFor(values) : null;
    if (entity?.settings.cardNumbersInText !== 'refuse') return values;
    return services.replies.result('200.300.404', entity.id, { faults });
  }
  const isOtherMedia = checked.faults.some(({ name }) => name === 'Content-Type' || name === 'body');
  return services.replies.result('200.300.404', null, { faults: checked.faults, ...(isOtherMedia && { remark: SEND_JSON }) });
}

export const isReply = (found: object): found is Reply => 'headers' in found && 'status' in found;

/** The place above every PSP. */
export const TOP: Pick<Entity, 'id' | 'path'> = { id: '', path: [] };

/** Authorises a request about the entity that its fields name, or about the top of the hierarchy where they name none. */
export async function authorizeEntity<Name extends EntityEndpointName>(
  services: AuthorizingServices,
  request: Request,
  endpoint: Name,
): Promise<AuthorizedAdmin<Name, null> | Refused> {
  const caller = await callerOf(services, request, endpoint);
  if (isRefused(caller)) return caller;
  const values = readValues(services, request, endpoint, (sent) => {
    const named = services.directory.entity((sent as AdminValues<'listWebhooks'>).entityId) ?? null;
    return named && caller.sees(named.path) ? named : null;
  });
  if (isReply(values)) return refused(values, { caller });
  const { entityId } = values as Partial<AdminValues<'listWebhooks'>>;
  if (entityId === undefined) {
    // Only the operator's token sees above every entity.
    if (caller.sees(TOP.path)) return { ...caller, entity: TOP, resource: null, values };
    const fault = { name: 'entityId', value: null, message: "is required unless the operator's token is sent" };
    return refused(services.replies.result('200.300.404', null, { faults: [fault] }), { caller });
  }
  const entity = services.directory.entity(entityId);
  if (!entity || !caller.sees(entity.path)) return refused(noSuch(services, 'entity'), { caller });
  return { ...caller, entity, resource: null, values };
}

/** Authorises a request about the webhook that its path names. */
export async function authorizeWebhook<Name extends RightEndpointName>(
  services: AuthorizingServices & Pick<Services, 'webhooks'>,
  request: Request,
  endpoint: Name,
): Promise<AuthorizedAdmin<Name, Webhook> | Refused> {
  const caller = await callerOf(services, request, endpoint);
  if (isRefused(caller)) return caller;
  const webhook = (await services.webhooks.store.webhooks()).find(({ id }) => id === request.id);
  const entityId = webhook?.entityId ?? '';
  const entity = services.directory.entity(entityId) ?? { id: entityId, path: [entityId] };
  if (!webhook || !caller.sees(entity.path)) return refused(noSuch(services, 'webhook'), { caller });
  const values = readValues(services, request, endpoint, () => services.directory.entity(entityId) ?? null);
  if (isReply(values)) return refused(values, { caller, entityId });
  return { ...caller, entity, resource: webhook, values };
}

/** How the object that a path names is found, and which entity it belongs to. */
type Lookup<Resource> = {
  /** The kind of object, for the refusal when it does not exist. */
  readonly what: string;
  readonly find: (services: Services, id: string) => Promise<Resource | null>;
  readonly entityIdOf: (resource: Resource, services: Services) => string;
};

/** Authorises requests about the object that their path names. */
export const authorizeObject =
  <Resource>({ what, find, entityIdOf }: Lookup<Resource>) =>
  async <Name extends RightEndpointName>(
    services: Services,
    request: Request,
    endpoint: Name,
  ): Promise<AuthorizedAdmin<Name, Resource> | Refused> => {
    const caller = await callerOf(services, request, endpoint);
    if (isRefused(caller)) return caller;
    const resource = await find(services, request.id ?? '');
    const entity = resource && services.directory.entity(entityIdOf(resource, services));
    if (!resource || !entity || !caller.sees(entity.path)) return refused(noSuch(services, what), { caller });
    const values = readValues(services, request, endpoint, () => entity);
    if (isReply(values)) return refused(values, { caller, entityId: entity.id });
    return { ...caller, entity, resource, values };
  };

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
