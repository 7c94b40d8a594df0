import { checkAdmin } from '../form/checkAdmin.ts';
import { type Administrator, administratorOf } from '../merchants/administer.ts';
import type { Entity } from '../merchants/directory.ts';
import type { AdminEndpointName, AdminValues, EntityEndpointName } from '../spec/admin.ts';
import { endpoints } from '../spec/endpoints.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { Handler, Rooms } from './rooms.ts';

/** A request of somebody who may make it, about what he may see. */
export type Administered<Name extends AdminEndpointName, Thing> = {
  readonly who: string;
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

const whoAsks = (rooms: Rooms, request: Request, endpoint: AdminEndpointName): Administrator | Reply => {
  const found = administratorOf(request.headers.authorization, endpoints[endpoint].right, rooms);
  return 'status' in found ? strange(rooms, found) : found;
};

function read<Name extends AdminEndpointName>(rooms: Rooms, request: Request, endpoint: Name): AdminValues<Name> | Reply {
  const { query, body, headers } = request;
  const checked = checkAdmin(endpoint, { query, body, contentType: headers['content-type'] });
  if ('values' in checked) return checked.values;
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
export function enterEntity<Name extends EntityEndpointName>(
  rooms: Rooms,
  request: Request,
  endpoint: Name,
): Administered<Name, null> | Reply {
  const asking = whoAsks(rooms, request, endpoint);
  if (isReply(asking)) return asking;
  const values = read(rooms, request, endpoint);
  if (isReply(values)) return values;
  const entity = rooms.directory.entity((values as AdminValues<'listWebhooks'>).entityId);
  if (!entity || !asking.sees(entity.path)) return noSuch(rooms, 'entity');
  return tooOften(rooms, endpoint, entity.id) ?? { who: asking.who, entity, thing: null, values };
}

/** The door of requests about a webhook that the path names. */
export async function enterWebhook<Name extends AdminEndpointName>(
  rooms: Rooms,
  request: Request,
  endpoint: Name,
): Promise<Administered<Name, Webhook> | Reply> {
  const asking = whoAsks(rooms, request, endpoint);
  if (isReply(asking)) return asking;
  const webhook = (await rooms.webhooks.store.webhooks()).find(({ id }) => id === request.id);
  const entityId = webhook?.entityId ?? '';
  const entity = rooms.directory.entity(entityId) ?? { id: entityId, path: [entityId] };
  if (!webhook || !asking.sees(entity.path)) return noSuch(rooms, 'webhook');
  const values = read(rooms, request, endpoint);
  if (isReply(values)) return values;
  return tooOften(rooms, endpoint, entity.id) ?? { who: asking.who, entity, thing: webhook, values };
}

/** How a thing that the path names is found, and whose it is. */
type Finding<Name extends AdminEndpointName, Thing> = {
  readonly endpoint: Name;
  /** For whoever asks for one that is not there. */
  readonly what: string;
  readonly find: (id: string) => Promise<Thing | null>;
  readonly entityIdOf: (thing: Thing) => string;
};

/** The door of requests about a thing of an entity's that the path names. */
export async function enterThing<Name extends AdminEndpointName, Thing>(
  rooms: Rooms,
  request: Request,
  { endpoint, what, find, entityIdOf }: Finding<Name, Thing>,
): Promise<Administered<Name, Thing> | Reply> {
  const asking = whoAsks(rooms, request, endpoint);
  if (isReply(asking)) return asking;
  const thing = await find(request.id ?? '');
  const entity = thing && rooms.directory.entity(entityIdOf(thing));
  if (!thing || !entity || !asking.sees(entity.path)) return noSuch(rooms, what);
  const values = read(rooms, request, endpoint);
  if (isReply(values)) return values;
  return tooOften(rooms, endpoint, entity.id) ?? { who: asking.who, entity, thing, values };
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

/** What came of an act, for the log: of which webhook, and whether it was done. */
export type Acted = { readonly reply: Reply; readonly webhookId: string | null };

/** A handler of an endpoint that changes something: whatever comes of it is written down, with who did it. */
export const acting = <Name extends AdminEndpointName, Thing>(
  endpoint: Name,
  enter: (rooms: Rooms, request: Request, endpoint: Name) => Entered<Name, Thing> | Promise<Entered<Name, Thing>>,
  act: (rooms: Rooms, asked: Administered<Name, Thing>, request: Request) => Promise<Acted>,
): Handler =>
  looking(endpoint, enter, async (rooms, asked, request) => {
    const about = { who: asked.who, what: endpoint, entityId: asked.entity.id };
    try {
      const { reply, webhookId } = await act(rooms, asked, request);
      rooms.audit({ ...about, webhookId, result: reply.status === 200 ? 'done' : (reply.code ?? String(reply.status)) });
      return reply;
    } catch (error) {
      rooms.audit({ ...about, webhookId: request.id, result: 'failed' });
      throw error;
    }
  });
