import type { Call } from '../../../developer/ports.ts';
import type { Fault } from '../../../form/checked.ts';
import type { RanCall } from '../../../spec/answers/developer.ts';
import { type Endpoint, type EndpointName, endpoints } from '../../../spec/endpoints.ts';
import { rowNameOf } from '../../../spec/parameters.ts';
import type { Handle, Handler } from '../../handler.ts';
import type { Request } from '../../request.ts';
import { route } from '../../route.ts';
import type { Services } from '../../services.ts';
import type { Message } from '../../transport/message.ts';
import type { AuthorizedAdmin } from '../authorize.ts';
import { type Authorize, type CommandResult, command } from '../command.ts';

/** Recorded calls that a developer runs again. */

/** Legacy credentials, which a rerun does not need. */
const isOfToken = (name: string): boolean => /^authentication\.(?:userId|password)$/.test(name);

/**
 * The masked parameters that must be filled in first; null: the call cannot be run again. Unknown names are left out, as they were the
 * first time.
 */
export function toFill({ endpoint, path, unread, fields }: Call): readonly string[] | null {
  const known: Endpoint | undefined = Object.hasOwn(endpoints, endpoint) ? endpoints[endpoint as EndpointName] : undefined;
  if (known?.access !== 'token' || unread !== null || path.includes('{')) return null;
  return fields.flatMap(({ name, isMasked }) => (isMasked && rowNameOf(name) !== undefined && !isOfToken(name) ? [name] : []));
}

/** The parameters as they are sent this time. */
function formOf({ fields }: Call, filled: Readonly<Record<string, string>>): URLSearchParams {
  const kept = fields.filter(({ name, isMasked }) => !isMasked && !isOfToken(name));
  return new URLSearchParams([...new Map([...kept.map(({ name, value }) => [name, value] as const), ...Object.entries(filled)])]);
}

/** The message of the rerun as if it had come to the API: addresses in the reply must lead there. */
function toGateway(message: Message, origin: string | null): Message {
  const host = origin === null ? message.headers.host : new URL(origin).host;
  const { cookie: _, authorization: __, ...headers } = message.headers;
  return { method: message.method, url: message.url, peer: message.peer, headers: { ...headers, host } };
}

type RerunCall = AuthorizedAdmin<'runCall', Call>;

/** The same request, with the identity of its entity: no token is made, stored or sent. */
function requestOf(
  services: Pick<Services, 'world'>,
  { resource: call, values, who }: RerunCall,
  { message }: Request,
): Request | null {
  const form = formOf(call, values.fields ?? {}).toString();
  const isPost = call.method === 'POST';
  const routed = route(call.method, isPost ? call.path : `${call.path}?${form}`);
  if (routed.is !== 'found') return null;
  return {
    side: 'gateway',
    ...routed,
    method: call.method,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      // The old idempotency key would return the old reply.
      ...(call.hasIdempotencyKey && { 'idempotency-key': services.world.ids.random() }),
    },
    body: Buffer.from(isPost ? form : ''),
    actsFor: { entityId: call.entityId, who, callId: call.id },
    message: toGateway(message, call.origin),
  };
}

const refused = (services: Pick<Services, 'replies'>, { resource }: RerunCall, faults: readonly Fault[]): CommandResult => ({
  reply: services.replies.result('200.300.404', resource.entityId, { faults }),
  objectId: resource.id,
});

const NOT_AGAIN = 'this call cannot be run again: it was not one of a merchant, or was not kept as a whole';

async function run(handle: Handle, services: Services, authorized: RerunCall, request: Request): Promise<CommandResult> {
  const { resource: call, values } = authorized;
  const { replies, developer } = services;
  const missing = toFill(call);
  const again = missing === null ? null : requestOf(services, authorized, request);
  if (services.environment !== 'test' || missing === null || again === null) {
    const remark = services.environment === 'test' ? NOT_AGAIN : 'live runs nothing again';
    return { reply: replies.result('700.400.580', call.entityId, { status: 404, remark }), objectId: call.id };
  }
  const unfilled = missing.filter((name) => values.fields?.[name] === undefined);
  if (unfilled.length > 0) {
    return refused(
      services,
      authorized,
      unfilled.map((name) => ({ name: `fields.${name}`, value: null, message: 'was masked: fill it in, or leave it empty' })),
    );
  }
  const reply = await handle(services, again);
  await developer.inspector?.flush();
  const body: RanCall = { callId: reply.callId ?? null, status: reply.status, code: reply.code };
  return { reply: replies.json(200, body, { entityId: call.entityId }), objectId: call.id };
}

export const createRunCall = (handle: Handle, authorize: Authorize<'runCall', Call>): Handler =>
  command('runCall', authorize, (services, authorized, request) => run(handle, services, authorized, request));
