import type { AuditAct } from '../../audit/entry.ts';
import { checkAdmin } from '../../form/checkAdmin.ts';
import { administratorOf, type Administrator as Holder } from '../../merchants/administer.ts';
import type { Entity } from '../../merchants/directory.ts';
import type {
  AdminEndpointName,
  AdminValues,
  EntityEndpointName,
  RightEndpointName,
  SessionEndpointName,
  SignInEndpointName,
} from '../../spec/admin/admin.ts';
import { type Endpoint, endpoints } from '../../spec/endpoints.ts';
import type { SignedIn } from '../../users/service.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { addressOf } from '../server/clientAddress.ts';
import type { Reply } from '../server/reply.ts';
import type { Request } from '../server/request.ts';
import type { Handler, Services } from '../services.ts';
import { isMeant, isOwnPage, sessionToken } from './session.ts';

/** Somebody who may administer, and his session where he has one. */
type Administrator = Holder & { readonly signed?: SignedIn };

/** A request of somebody who may make it, about what he may see. */
export type AuthorizedAdmin<Name extends AdminEndpointName, Thing> = Administrator & {
  readonly entity: Pick<Entity, 'id' | 'path'>;
  readonly thing: Thing;
  readonly values: AdminValues<Name>;
};

const SEND_JSON = 'send the fields as a JSON object, application/json in UTF-8';

/** Another's thing is answered in the words for one that is not there. */
export const noSuch = ({ respond }: Services, what: string): Reply =>
  respond.result('700.400.580', null, { status: 404, remark: `there is no such ${what}` });

function strange({ respond }: Services, { status, why }: { readonly status: 401 | 403; readonly why: string }): Reply {
  const headers = status === 401 ? ['WWW-Authenticate', 'Bearer realm="turnpike", error="invalid_token"'] : [];
  return respond.result('800.900.300', null, { status, headers, why });
}

/** In which a page says that it asks by itself: nobody stays signed in by that. */
const QUIET_HEADER = 'x-turnpike-quiet';
/** What is known of somebody who is turned away, for the audit log. */
type Known = { readonly asking?: Pick<Administrator, 'who' | 'signed'>; readonly entityId?: string };
const known = new WeakMap<Request, Known>();
const learn = (request: Request, more: Known): void => void known.set(request, { ...known.get(request), ...more });

const STEP_UP = 'show again that it is you, then repeat the request';

/** Who asks: the holder of a token at either port, or whoever has signed in to the back office. */
async function whoAsks(services: Services, request: Request, endpoint: RightEndpointName): Promise<Administrator | Reply> {
  const { right } = endpoints[endpoint];
  if (request.side === 'gateway' || request.headers.authorization !== undefined) {
    const found = administratorOf(request.headers.authorization, right, services);
    if ('status' in found) return strange(services, found);
    learn(request, { asking: found });
    return found;
  }
  const signed = await enterSigned(services, request, endpoint);
  if (isReply(signed)) return signed;
  const nodes = signed.nodesWith(right);
  if (nodes.length === 0) return strange(services, { status: 403, why: `no role with the right ${right}` });
  return { who: signed.user.id, sees: (path) => path.some((node) => nodes.includes(node)), signed };
}

/** Somebody who has signed in, on a page of ours, and just now where the endpoint asks for that. */
async function enterSigned(services: Services, request: Request, endpoint: AdminEndpointName): Promise<SignedIn | Reply> {
  const token = sessionToken(services, request);
  const signed = token === null ? null : await services.people.signedIn(token, request.headers[QUIET_HEADER] !== undefined);
  if (signed === null) return services.respond.result('800.900.300', null, { status: 401, why: 'no session' });
  learn(request, { asking: { who: signed.user.id, signed } });
  if (!isOwnPage(request) || !isMeant(request, signed)) return strange(services, { status: 403, why: 'not by a page of ours' });
  const { stepUp = false } = endpoints[endpoint] as Endpoint;
  return (stepUp && notSteppedUp(services, signed)) || signed;
}

/** What whoever has signed in is told before a sensitive act; null: he has shown a moment ago that it is he. */
export function notSteppedUp(services: Services, signed: SignedIn): Reply | null {
  if (services.at(null).world.clock.now() < signed.steppedUpUntil) return null;
  const refusal = services.respond.result('800.900.300', null, { status: 403, remark: STEP_UP, why: 'no step-up' });
  return { ...refusal, headers: [...refusal.headers, 'X-Turnpike-Needs', 'stepUp'] };
}

/** What was sent. An entity that refuses card numbers in texts is named where it is known already. */
function read<Name extends AdminEndpointName>(
  services: Services,
  request: Request,
  endpoint: Name,
  about: (values: AdminValues<Name>) => Entity | null = () => null,
): AdminValues<Name> | Reply {
  const { query, body, headers } = request;
  const checked = checkAdmin(endpoint, { query, body, contentType: headers['content-type'] });
  if ('values' in checked) {
    const { values, cardNumbers: faults } = checked;
    const entity = faults.length > 0 ? about(values) : null;
    if (entity?.settings.cardNumbersInText !== 'refuse') return values;
    return services.respond.result('200.300.404', entity.id, { faults });
  }
  const isMisspoken = checked.faults.some(({ name }) => name === 'Content-Type' || name === 'body');
  return services.respond.result('200.300.404', null, { faults: checked.faults, ...(isMisspoken && { remark: SEND_JSON }) });
}

function tooOften({ directory, throttler, respond }: Services, endpoint: AdminEndpointName, entityId: string): Reply | null {
  const waitMs = throttler.waitMs(entityId, endpoint, directory.entity(entityId)?.settings.throttle[endpoint]);
  if (waitMs === 0) return null;
  return respond.result('800.120.100', entityId, { headers: ['Retry-After', String(Math.ceil(waitMs / 1000))] });
}

const isReply = (found: object): found is Reply => 'headers' in found && 'status' in found;

/** The door of requests about an entity that the request names. */
export async function authorizeEntity<Name extends EntityEndpointName>(
  services: Services,
  request: Request,
  endpoint: Name,
): Promise<AuthorizedAdmin<Name, null> | Reply> {
  const asking = await whoAsks(services, request, endpoint);
  if (isReply(asking)) return asking;
  const values = read(services, request, endpoint, (sent) => {
    const named = services.directory.entity((sent as AdminValues<'listWebhooks'>).entityId) ?? null;
    return named && asking.sees(named.path) ? named : null;
  });
  if (isReply(values)) return values;
  const entity = services.directory.entity((values as AdminValues<'listWebhooks'>).entityId);
  if (!entity || !asking.sees(entity.path)) return noSuch(services, 'entity');
  learn(request, { entityId: entity.id });
  return tooOften(services, endpoint, entity.id) ?? { ...asking, entity, thing: null, values };
}

/** The door of requests about a webhook that the path names. */
export async function authorizeWebhook<Name extends RightEndpointName>(
  services: Services,
  request: Request,
  endpoint: Name,
): Promise<AuthorizedAdmin<Name, Webhook> | Reply> {
  const asking = await whoAsks(services, request, endpoint);
  if (isReply(asking)) return asking;
  const webhook = (await services.webhooks.store.webhooks()).find(({ id }) => id === request.id);
  const entityId = webhook?.entityId ?? '';
  const entity = services.directory.entity(entityId) ?? { id: entityId, path: [entityId] };
  if (!webhook || !asking.sees(entity.path)) return noSuch(services, 'webhook');
  learn(request, { entityId });
  const values = read(services, request, endpoint, () => services.directory.entity(entityId) ?? null);
  if (isReply(values)) return values;
  return tooOften(services, endpoint, entity.id) ?? { ...asking, entity, thing: webhook, values };
}

/** How a thing that the path names is found, and whose it is. */
type Finding<Name extends RightEndpointName, Thing> = {
  readonly endpoint: Name;
  /** For whoever asks for one that is not there. */
  readonly what: string;
  readonly find: (id: string) => Promise<Thing | null>;
  readonly entityIdOf: (thing: Thing) => string;
};

/** The door of requests about a thing of an entity's that the path names. */
export async function authorizeObject<Name extends RightEndpointName, Thing>(
  services: Services,
  request: Request,
  { endpoint, what, find, entityIdOf }: Finding<Name, Thing>,
): Promise<AuthorizedAdmin<Name, Thing> | Reply> {
  const asking = await whoAsks(services, request, endpoint);
  if (isReply(asking)) return asking;
  const thing = await find(request.id ?? '');
  const entity = thing && services.directory.entity(entityIdOf(thing));
  if (!thing || !entity || !asking.sees(entity.path)) return noSuch(services, what);
  learn(request, { entityId: entity.id });
  const values = read(services, request, endpoint, () => entity);
  if (isReply(values)) return values;
  return tooOften(services, endpoint, entity.id) ?? { ...asking, entity, thing, values };
}

type Entered<Name extends AdminEndpointName, Thing> = AuthorizedAdmin<Name, Thing> | Reply;

/** A handler of an endpoint that changes nothing. */
export const query =
  <Name extends AdminEndpointName, Thing>(
    endpoint: Name,
    enter: (services: Services, request: Request, endpoint: Name) => Entered<Name, Thing> | Promise<Entered<Name, Thing>>,
    look: (services: Services, asked: AuthorizedAdmin<Name, Thing>, request: Request) => Reply | Promise<Reply>,
  ): Handler =>
  async (services, request) => {
    const entered = await enter(services, request, endpoint);
    return isReply(entered) ? entered : look(services, entered, request);
  };

/** What came of an act, for the log: of which thing, and whether it was done. `result`: what the status does not say. */
export type CommandResult = { readonly reply: Reply; readonly objectId: string | null; readonly result?: string | undefined };

const resultOf = ({ status, code }: Reply): string => (status === 200 ? 'done' : (code ?? String(status)));

/** Who acted, in the words of the audit log. */
const actorOf = ({ who, signed }: Pick<Administrator, 'who' | 'signed'>): Pick<AuditAct, 'who' | 'by' | 'whoName'> => {
  if (signed) return { who, by: 'user', whoName: `${signed.user.name} <${signed.user.email}>` };
  return { who, by: who === 'operator' ? 'operator' : 'token' };
};

/** Somebody was turned away: who he is as far as that is known, and whose thing it was about as far as he may see it. */
async function writeRefused(services: Services, request: Request, endpoint: AdminEndpointName, reply: Reply): Promise<void> {
  const { asking, entityId = null } = known.get(request) ?? {};
  const who = asking ? actorOf(asking) : ({ who: '', by: 'nobody' } as const);
  const from = addressOf(request.message, services.trust);
  await services.auditLog.writeRefused({ ...who, what: endpoint, entityId, objectId: request.id, result: resultOf(reply), from });
}

/** A handler of an endpoint that changes something: whatever comes of it is written down, with who did it. */
export const command =
  <Name extends AdminEndpointName, Thing>(
    endpoint: Name,
    enter: (services: Services, request: Request, endpoint: Name) => Entered<Name, Thing> | Promise<Entered<Name, Thing>>,
    act: (services: Services, asked: AuthorizedAdmin<Name, Thing>, request: Request) => Promise<CommandResult>,
  ): Handler =>
  async (services, request) => {
    const entered = await enter(services, request, endpoint);
    if (isReply(entered)) {
      await writeRefused(services, request, endpoint, entered);
      return entered;
    }
    const from = addressOf(request.message, services.trust);
    const about = { ...actorOf(entered), what: endpoint, entityId: entered.entity.id, from };
    const acted = await act(services, entered, request).catch(async (error: unknown) => {
      await services.audit({ ...about, objectId: request.id, result: 'failed' });
      throw error;
    });
    await services.audit({ ...about, objectId: acted.objectId, result: acted.result ?? resultOf(acted.reply) });
    return acted.reply;
  };

/** What somebody asked who is about to sign in. */
export type SignInHandler<Name extends AdminEndpointName> = { readonly values: AdminValues<Name>; readonly from: string };

/** A handler for who has not signed in yet, on a page of ours. */
export const signInCommand =
  <Name extends SignInEndpointName>(
    endpoint: Name,
    act: (services: Services, asked: SignInHandler<Name>, request: Request) => Promise<Reply>,
  ): Handler =>
  async (services, request) => {
    if (!isOwnPage(request)) return strange(services, { status: 403, why: 'not by a page of ours' });
    const values = read(services, request, endpoint);
    return isReply(values) ? values : act(services, { values, from: addressOf(request.message, services.trust) }, request);
  };

/** What somebody asked who has signed in, about himself. */
export type OwnAccountHandler<Name extends AdminEndpointName> = SignInHandler<Name> & { readonly signed: SignedIn };

/** A handler for whoever has signed in, whatever he may do elsewhere. */
export const ownAccountCommand =
  <Name extends SessionEndpointName>(
    endpoint: Name,
    act: (services: Services, asked: OwnAccountHandler<Name>, request: Request) => Promise<Reply>,
  ): Handler =>
  async (services, request) => {
    const signed = await enterSigned(services, request, endpoint);
    if (isReply(signed)) return signed;
    const values = read(services, request, endpoint);
    return isReply(values)
      ? values
      : act(services, { signed, values, from: addressOf(request.message, services.trust) }, request);
  };
