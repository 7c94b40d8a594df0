import type { AuditAct } from '../../audit/entry.ts';
import { checkAdmin } from '../../form/checkAdmin.ts';
import { administratorOf, type Administrator as Holder } from '../../merchants/administer.ts';
import type { Entity } from '../../merchants/directory.ts';
import type {
  AdminEndpointName,
  AdminValues,
  DoorEndpointName,
  EntityEndpointName,
  RightEndpointName,
  SessionEndpointName,
} from '../../spec/admin/admin.ts';
import { type Endpoint, endpoints } from '../../spec/endpoints.ts';
import type { SignedIn } from '../../users/service.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { addressOf } from '../server/clientAddress.ts';
import type { Reply } from '../server/reply.ts';
import type { Request } from '../server/request.ts';
import type { Handler, Rooms } from '../services.ts';
import { isMeant, isOwnPage, sessionToken } from './session.ts';

/** Somebody who may administer, and his session where he has one. */
type Administrator = Holder & { readonly signed?: SignedIn };

/** A request of somebody who may make it, about what he may see. */
export type Administered<Name extends AdminEndpointName, Thing> = Administrator & {
  readonly entity: Pick<Entity, 'id' | 'path'>;
  readonly thing: Thing;
  readonly values: AdminValues<Name>;
};

const SEND_JSON = 'send the fields as a JSON object, application/json in UTF-8';

/** Another's thing is answered in the words for one that is not there. */
export const noSuch = ({ respond }: Rooms, what: string): Reply =>
  respond.result('700.400.580', null, { status: 404, remark: `there is no such ${what}` });

function strange({ respond }: Rooms, { status, why }: { readonly status: 401 | 403; readonly why: string }): Reply {
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
async function whoAsks(rooms: Rooms, request: Request, endpoint: RightEndpointName): Promise<Administrator | Reply> {
  const { right } = endpoints[endpoint];
  if (request.side === 'gateway' || request.headers.authorization !== undefined) {
    const found = administratorOf(request.headers.authorization, right, rooms);
    if ('status' in found) return strange(rooms, found);
    learn(request, { asking: found });
    return found;
  }
  const signed = await enterSigned(rooms, request, endpoint);
  if (isReply(signed)) return signed;
  const nodes = signed.nodesWith(right);
  if (nodes.length === 0) return strange(rooms, { status: 403, why: `no role with the right ${right}` });
  return { who: signed.user.id, sees: (path) => path.some((node) => nodes.includes(node)), signed };
}

/** Somebody who has signed in, on a page of ours, and just now where the endpoint asks for that. */
async function enterSigned(rooms: Rooms, request: Request, endpoint: AdminEndpointName): Promise<SignedIn | Reply> {
  const token = sessionToken(rooms, request);
  const signed = token === null ? null : await rooms.people.signedIn(token, request.headers[QUIET_HEADER] !== undefined);
  if (signed === null) return rooms.respond.result('800.900.300', null, { status: 401, why: 'no session' });
  learn(request, { asking: { who: signed.user.id, signed } });
  if (!isOwnPage(request) || !isMeant(request, signed)) return strange(rooms, { status: 403, why: 'not by a page of ours' });
  const { stepUp = false } = endpoints[endpoint] as Endpoint;
  return (stepUp && notSteppedUp(rooms, signed)) || signed;
}

/** What whoever has signed in is told before a sensitive act; null: he has shown a moment ago that it is he. */
export function notSteppedUp(rooms: Rooms, signed: SignedIn): Reply | null {
  if (rooms.at(null).world.clock.now() < signed.steppedUpUntil) return null;
  const refusal = rooms.respond.result('800.900.300', null, { status: 403, remark: STEP_UP, why: 'no step-up' });
  return { ...refusal, headers: [...refusal.headers, 'X-Turnpike-Needs', 'stepUp'] };
}

/** What was sent. An entity that refuses card numbers in texts is named where it is known already. */
function read<Name extends AdminEndpointName>(
  rooms: Rooms,
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
    return rooms.respond.result('200.300.404', entity.id, { faults });
  }
  const isMisspoken = checked.faults.some(({ name }) => name === 'Content-Type' || name === 'body');
  return rooms.respond.result('200.300.404', null, { faults: checked.faults, ...(isMisspoken && { remark: SEND_JSON }) });
}

function tooOften({ directory, throttler, respond }: Rooms, endpoint: AdminEndpointName, entityId: string): Reply | null {
  const waitMs = throttler.waitMs(entityId, endpoint, directory.entity(entityId)?.settings.throttle[endpoint]);
  if (waitMs === 0) return null;
  return respond.result('800.120.100', entityId, { headers: ['Retry-After', String(Math.ceil(waitMs / 1000))] });
}

const isReply = (found: object): found is Reply => 'headers' in found && 'status' in found;

/** The door of requests about an entity that the request names. */
export async function enterEntity<Name extends EntityEndpointName>(
  rooms: Rooms,
  request: Request,
  endpoint: Name,
): Promise<Administered<Name, null> | Reply> {
  const asking = await whoAsks(rooms, request, endpoint);
  if (isReply(asking)) return asking;
  const values = read(rooms, request, endpoint, (sent) => {
    const named = rooms.directory.entity((sent as AdminValues<'listWebhooks'>).entityId) ?? null;
    return named && asking.sees(named.path) ? named : null;
  });
  if (isReply(values)) return values;
  const entity = rooms.directory.entity((values as AdminValues<'listWebhooks'>).entityId);
  if (!entity || !asking.sees(entity.path)) return noSuch(rooms, 'entity');
  learn(request, { entityId: entity.id });
  return tooOften(rooms, endpoint, entity.id) ?? { ...asking, entity, thing: null, values };
}

/** The door of requests about a webhook that the path names. */
export async function enterWebhook<Name extends RightEndpointName>(
  rooms: Rooms,
  request: Request,
  endpoint: Name,
): Promise<Administered<Name, Webhook> | Reply> {
  const asking = await whoAsks(rooms, request, endpoint);
  if (isReply(asking)) return asking;
  const webhook = (await rooms.webhooks.store.webhooks()).find(({ id }) => id === request.id);
  const entityId = webhook?.entityId ?? '';
  const entity = rooms.directory.entity(entityId) ?? { id: entityId, path: [entityId] };
  if (!webhook || !asking.sees(entity.path)) return noSuch(rooms, 'webhook');
  learn(request, { entityId });
  const values = read(rooms, request, endpoint, () => rooms.directory.entity(entityId) ?? null);
  if (isReply(values)) return values;
  return tooOften(rooms, endpoint, entity.id) ?? { ...asking, entity, thing: webhook, values };
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
export async function enterThing<Name extends RightEndpointName, Thing>(
  rooms: Rooms,
  request: Request,
  { endpoint, what, find, entityIdOf }: Finding<Name, Thing>,
): Promise<Administered<Name, Thing> | Reply> {
  const asking = await whoAsks(rooms, request, endpoint);
  if (isReply(asking)) return asking;
  const thing = await find(request.id ?? '');
  const entity = thing && rooms.directory.entity(entityIdOf(thing));
  if (!thing || !entity || !asking.sees(entity.path)) return noSuch(rooms, what);
  learn(request, { entityId: entity.id });
  const values = read(rooms, request, endpoint, () => entity);
  if (isReply(values)) return values;
  return tooOften(rooms, endpoint, entity.id) ?? { ...asking, entity, thing, values };
}

type Entered<Name extends AdminEndpointName, Thing> = Administered<Name, Thing> | Reply;

/** A handler of an endpoint that changes nothing. */
export const looking =
  <Name extends AdminEndpointName, Thing>(
    endpoint: Name,
    enter: (rooms: Rooms, request: Request, endpoint: Name) => Entered<Name, Thing> | Promise<Entered<Name, Thing>>,
    look: (rooms: Rooms, asked: Administered<Name, Thing>, request: Request) => Reply | Promise<Reply>,
  ): Handler =>
  async (rooms, request) => {
    const entered = await enter(rooms, request, endpoint);
    return isReply(entered) ? entered : look(rooms, entered, request);
  };

/** What came of an act, for the log: of which thing, and whether it was done. `result`: what the status does not say. */
export type Acted = { readonly reply: Reply; readonly objectId: string | null; readonly result?: string | undefined };

const resultOf = ({ status, code }: Reply): string => (status === 200 ? 'done' : (code ?? String(status)));

/** Who acted, in the words of the audit log. */
const actorOf = ({ who, signed }: Pick<Administrator, 'who' | 'signed'>): Pick<AuditAct, 'who' | 'by' | 'whoName'> => {
  if (signed) return { who, by: 'user', whoName: `${signed.user.name} <${signed.user.email}>` };
  return { who, by: who === 'operator' ? 'operator' : 'token' };
};

/** Somebody was turned away: who he is as far as that is known, and whose thing it was about as far as he may see it. */
async function writeRefused(rooms: Rooms, request: Request, endpoint: AdminEndpointName, reply: Reply): Promise<void> {
  const { asking, entityId = null } = known.get(request) ?? {};
  const who = asking ? actorOf(asking) : ({ who: '', by: 'nobody' } as const);
  const from = addressOf(request.message, rooms.trust);
  await rooms.auditLog.writeRefused({ ...who, what: endpoint, entityId, objectId: request.id, result: resultOf(reply), from });
}

/** A handler of an endpoint that changes something: whatever comes of it is written down, with who did it. */
export const acting =
  <Name extends AdminEndpointName, Thing>(
    endpoint: Name,
    enter: (rooms: Rooms, request: Request, endpoint: Name) => Entered<Name, Thing> | Promise<Entered<Name, Thing>>,
    act: (rooms: Rooms, asked: Administered<Name, Thing>, request: Request) => Promise<Acted>,
  ): Handler =>
  async (rooms, request) => {
    const entered = await enter(rooms, request, endpoint);
    if (isReply(entered)) {
      await writeRefused(rooms, request, endpoint, entered);
      return entered;
    }
    const from = addressOf(request.message, rooms.trust);
    const about = { ...actorOf(entered), what: endpoint, entityId: entered.entity.id, from };
    const acted = await act(rooms, entered, request).catch(async (error: unknown) => {
      await rooms.audit({ ...about, objectId: request.id, result: 'failed' });
      throw error;
    });
    await rooms.audit({ ...about, objectId: acted.objectId, result: acted.result ?? resultOf(acted.reply) });
    return acted.reply;
  };

/** What somebody asked who is about to sign in. */
export type AtDoor<Name extends AdminEndpointName> = { readonly values: AdminValues<Name>; readonly from: string };

/** A handler for who has not signed in yet, on a page of ours. */
export const atDoor =
  <Name extends DoorEndpointName>(
    endpoint: Name,
    act: (rooms: Rooms, asked: AtDoor<Name>, request: Request) => Promise<Reply>,
  ): Handler =>
  async (rooms, request) => {
    if (!isOwnPage(request)) return strange(rooms, { status: 403, why: 'not by a page of ours' });
    const values = read(rooms, request, endpoint);
    return isReply(values) ? values : act(rooms, { values, from: addressOf(request.message, rooms.trust) }, request);
  };

/** What somebody asked who has signed in, about himself. */
export type OfOneself<Name extends AdminEndpointName> = AtDoor<Name> & { readonly signed: SignedIn };

/** A handler for whoever has signed in, whatever he may do elsewhere. */
export const ofOneself =
  <Name extends SessionEndpointName>(
    endpoint: Name,
    act: (rooms: Rooms, asked: OfOneself<Name>, request: Request) => Promise<Reply>,
  ): Handler =>
  async (rooms, request) => {
    const signed = await enterSigned(rooms, request, endpoint);
    if (isReply(signed)) return signed;
    const values = read(rooms, request, endpoint);
    return isReply(values) ? values : act(rooms, { signed, values, from: addressOf(request.message, rooms.trust) }, request);
  };
