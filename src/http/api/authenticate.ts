import { checkForm } from '../../form/check.ts';
import type { Checked, Fault } from '../../form/checked.ts';
import { type Decoded, decode, decodeInSlices, looksLikeJson, printable } from '../../form/decode.ts';
import { pick, pickInSlices } from '../../form/pick.ts';
import { describeUnknown, type UnknownName, unknownNames } from '../../form/unknownNames.ts';
import { type AuthenticationFailure, checkEntityAccess, credentialNames, identifyCaller } from '../../merchants/authenticate.ts';
import type { Entity } from '../../merchants/directory.ts';
import type { PaymentScope } from '../../payments/read.ts';
import { ticks } from '../../runtime/ticks.ts';
import { type EndpointName, endpoints } from '../../spec/endpoints.ts';
import type { AuthorizedCall, Handler, Outcome } from '../handler.ts';
import { formOf, LONG_FORM_BYTES, type Request } from '../request.ts';
import type { Services } from '../services.ts';
import { addressOf } from '../transport/clientAddress.ts';
import type { Reply } from '../transport/reply.ts';

/** The entity that calls, and the fields of its request. */
export type Authenticated = { readonly kind: 'authenticated'; readonly entity: Entity; readonly decoded: Decoded };

const PLAIN_FORM = 'application/x-www-form-urlencoded';
const FORM = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;
const OTHER_CHARSET = /;[ \t]*charset[ \t]*=[ \t]*"?(?!utf-?8\b|us-ascii\b)/i;
const SEND_FORM = 'send the parameters as application/x-www-form-urlencoded in UTF-8';
const ENTITY_ID = /^[a-f0-9]{32}$/;

/**
 * A handler of an endpoint that needs an access token. The caller is identified first, from the header or a few parameters; the form is
 * decoded only for a known caller.
 */
export const authenticated =
  (handle: Handle): Handler =>
  async (services, request) => {
    const otherMedia = mediaFault(request);
    if (otherMedia) return services.replies.result('200.300.404', null, { faults: [otherMedia], remark: SEND_FORM });
    if (request.body.length > LONG_FORM_BYTES) return handleLongForm(services, request, handle);
    const form = formOf(request);
    const owned = ownedBySender(services, request, () => pick(form, credentialNames));
    if (owned.kind === undefined) return owned;
    return authorizedCall(services, owned.ids, { request, decoded: decode(form), handle });
  };

/**
 * The same for a long form, in slices. Looking for the sender in all of it is work too. The form is decoded only when the call may
 * run, so that an entity that calls too often is refused before.
 */
async function handleLongForm(services: Services, request: Request, handle: Handle): Promise<Outcome> {
  const rest = ticks.ofForm();
  const form = formOf(request);
  const picked = await pickInSlices(form, credentialNames, rest);
  const owned = ownedBySender(services, request, () => picked);
  if (owned.kind === undefined) return owned;
  const admitted = entityOf(services, owned.ids, picked);
  if (admitted.kind === undefined) return admitted;
  const run = async () => {
    await rest();
    const outcome = authorizedCall(services, owned.ids, { request, decoded: await decodeInSlices(form, rest), handle });
    return outcome.kind === 'authorized' ? outcome.run() : outcome;
  };
  return { ...callOf(admitted.entity, request), run };
}

type Handle = (services: Services, caller: Authenticated, request: Request) => Promise<Reply>;

const callOf = ({ id, settings }: Entity, { endpoint }: Request): Pick<AuthorizedCall, 'kind' | 'entityId' | 'limit'> => ({
  kind: 'authorized',
  entityId: id,
  limit: settings.throttle[endpoint],
});

/** The call of a known caller. */
function authorizedCall(
  services: Services,
  owned: readonly string[],
  { request, decoded, handle }: { readonly request: Request; readonly decoded: Decoded; readonly handle: Handle },
): (AuthorizedCall & { readonly run: () => Promise<Reply> }) | Reply {
  request.decoded = decoded;
  const admitted = entityOf(services, owned, decoded.fields);
  if (admitted.kind === undefined) return admitted;
  const { entity } = admitted;
  const caller: Authenticated = { kind: 'authenticated', entity, decoded };
  // Developers look for a misspelt name in the test environment, and a lenient channel expects fields that it does not know.
  const isHinting = services.environment === 'test' && !entity.settings.isLenient;
  const run = async () => {
    const reply = await handle(services, caller, request);
    return isHinting ? withUnknownParameters(reply, decoded, request.endpoint) : reply;
  };
  return { ...callOf(entity, request), run };
}

/** The entities of the sender's access token, which comes in the header or as parameters; or the refusal. `named`: the parameters that the form names. */
function ownedBySender(
  { directory, replies, trust }: Pick<Services, 'directory' | 'replies' | 'trust'>,
  request: Request,
  named: () => ReadonlyMap<string, string>,
): { readonly kind: 'owned'; readonly ids: readonly string[] } | Reply {
  const { actsFor } = request;
  if (actsFor) return { kind: 'owned', ids: [actsFor.entityId] };
  const { authorization } = request.headers;
  const address = addressOf(request.message, trust);
  const credentials = authorization === undefined ? named() : null;
  const known = identifyCaller(directory, { header: authorization, fields: credentials ?? NONE, address });
  if (known.is === 'known') return { kind: 'owned', ids: known.owned };
  // A body of an unknown token in the header is short: see `unknownTokenReply`.
  return authenticationReply({ replies }, known, entityNamed(credentials ?? named()));
}

/** The entity that a request names, if the sender's token opens it. */
function entityOf(
  { directory, replies }: Pick<Services, 'directory' | 'replies'>,
  owned: readonly string[],
  fields: ReadonlyMap<string, string>,
): { readonly kind: 'admitted'; readonly entity: Entity } | Reply {
  const admission = checkEntityAccess(directory, owned, fields);
  if (admission.is === 'refused') return authenticationReply({ replies }, admission, entityNamed(fields));
  return { kind: 'admitted', entity: admission.entity };
}

function authenticationReply(
  { replies }: Pick<Services, 'replies'>,
  { status, code, faults, why }: AuthenticationFailure,
  entityId: string | null,
): Reply {
  const headers = status === 401 ? ['WWW-Authenticate', 'Bearer realm="turnpike", error="invalid_token"'] : [];
  return replies.result(code, entityId, { status, headers, why, ...(faults.length > 0 ? { faults } : {}) });
}

/** The refusal of an unknown token, before anything else is read; null: it is known, or may still come as parameters. */
export function unknownTokenReply(
  services: Pick<Services, 'directory' | 'replies' | 'trust'>,
  message: Request['message'],
): Reply | null {
  const { authorization: header } = message.headers;
  if (header === undefined) return null;
  const known = identifyCaller(services.directory, { header, fields: NONE, address: addressOf(message, services.trust) });
  return known.is === 'refused' ? authenticationReply(services, known, null) : null;
}

/** Whether the head has an access token that opens something. */
export function sendsKnownToken(
  { directory, trust }: Pick<Services, 'directory' | 'trust'>,
  message: Request['message'],
): boolean {
  const { authorization: header } = message.headers;
  if (header === undefined) return false;
  return identifyCaller(directory, { header, fields: NONE, address: addressOf(message, trust) }).is === 'known';
}

const NONE: ReadonlyMap<string, string> = new Map();

const isFormType = (type: string): boolean => type === PLAIN_FORM || (FORM.test(type) && !OTHER_CHARSET.test(type));

/** A body in another media type is refused as such: otherwise every parameter would seem to be missing. */
function mediaFault({ headers, body }: Request): Fault | null {
  if (body.length === 0) return null;
  const type = headers['content-type'];
  if (type !== undefined && !isFormType(type)) return notForm(type);
  const isJson = (body[0] === 0x7b || body[0] === 0x5b) && looksLikeJson(body.toString('latin1', 0, 64));
  return isJson ? notForm('JSON') : null;
}

const notForm = (type: string): Fault => ({
  name: 'Content-Type',
  value: printable(type),
  message: 'must be application/x-www-form-urlencoded',
});

function entityNamed(fields: ReadonlyMap<string, string>): string | null {
  const id = fields.get('entityId') || fields.get('authentication.entityId');
  return id !== undefined && ENTITY_ID.test(id) ? id : null;
}

/** The objects that the caller may see, and the checked fields of its request. */
export type Authorized = {
  readonly kind: 'authorized';
  readonly scope: PaymentScope;
  readonly checked: Checked;
  readonly entityId: string;
};

/**
 * A handler of an endpoint about objects of a merchant: behind an access token, with checked fields. It works for a channel that takes no
 * payments any more, too.
 */
export const authorized = (handle: (services: Services, caller: Authorized, request: Request) => Promise<Reply>): Handler =>
  authenticated(async (services, { entity, decoded }, request) => {
    const { replies, environment } = services;
    const { merchantId } = entity;
    if (merchantId === null) return replies.result('800.900.201', entity.id);
    const { isLenient, cardNumbersInText: cardNumbers } = entity.settings;
    const context = { endpoint: request.endpoint, isLenient, cardNumbers, source: 'server', environment } as const;
    const checked = await checkForm(decoded, context);
    if (checked.is === 'faulty') return replies.result('200.300.404', entity.id, { faults: checked.faults });
    const scope = { merchantId, entityId: entity.channel?.entityId ?? null };
    return handle(services, { kind: 'authorized', scope, checked, entityId: entity.id }, request);
  });

/** The header that names unknown parameters in the test environment, as a list of RFC 9651: `"crad.number";nearest="card.number"`. */
const UNKNOWN_PARAMETERS = 'Unknown-Parameters';

const quoted = (text: string): string => `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`;

const itemOf = ({ name, nearest, instead }: UnknownName): string =>
  [
    quoted(name),
    ...(nearest === null ? [] : [`nearest=${quoted(nearest)}`]),
    ...(instead === null ? [] : [`instead=${quoted(instead)}`]),
  ].join(';');

/** The reply with a hint about parameters that the endpoint does not read. They are no fault: clients send fields of their own. */
function withUnknownParameters(reply: Reply, decoded: Decoded, endpoint: EndpointName): Reply {
  // A long form is not searched once more: `check` has noted its names by then, if it got that far.
  if (decoded.rest !== undefined && decoded.unknown?.by !== endpoint) return reply;
  const names = unknownNames(decoded, endpoint);
  if (names.length === 0) return reply;
  const items = describeUnknown(names, endpoints[endpoint].sections).map(itemOf).join(', ');
  return { ...reply, headers: [...reply.headers, UNKNOWN_PARAMETERS, items] };
}
