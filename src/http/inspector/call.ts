import { isCheckoutId } from '../../checkouts/checkout.ts';
import type { Call } from '../../developer/ports.ts';
import { decode } from '../../form/decode.ts';
import { tokenOf, userOf } from '../../merchants/token.ts';
import { maskCardNumbers } from '../../spec/cardNumbers.ts';
import { type EndpointName, endpoints } from '../../spec/endpoints.ts';
import { maskAnswer, maskFields, maskText, secretsIn } from '../../spec/masking.ts';
import { formOf } from '../api/authenticate.ts';
import { addressOf, originOf, type TrustedProxies } from '../server/clientAddress.ts';
import type { Reply } from '../server/reply.ts';
import type { Request } from '../server/request.ts';

/** The calls of shoppers' browsers that move a payment on. */
const ofBrowsers: readonly EndpointName[] = ['payCheckout', 'registerCheckout', 'widgetSession', 'forgetStored'];

const inspected: ReadonlySet<EndpointName> = new Set(
  (Object.keys(endpoints) as EndpointName[]).filter(
    (name) => endpoints[name].access === 'token' || ofBrowsers.some((other) => other === name),
  ),
);

/** Whether calls of an endpoint are recorded. */
export const isInspected = (endpoint: EndpointName): boolean => inspected.has(endpoint);

/** A recorded call whose owner is not looked up yet. */
export type RecordedCall = Omit<Call, 'merchantId' | 'entityId'> & {
  readonly entityId: string | null;
  readonly checkoutId: string | null;
};

/** The longest body and the longest answer that are kept. */
const BODY_BYTES_MAX = 65_536;
const ANSWER_CHARACTERS_MAX = 65_536;
const FORM = /^application\/x-www-form-urlencoded\b/i;
const OUR_ID = /^[0-9a-f]{32}$/;

type CallParts = {
  readonly id: string;
  readonly at: number;
  readonly ms: number;
  readonly request: Request;
  readonly reply: Reply;
  readonly trust: TrustedProxies;
};

const isOurs = (id: unknown): id is string => typeof id === 'string' && OUR_ID.test(id);

/** The path with the id in it, where that is one of the gateway's ids: any other may hold a secret. */
function pathOf({ endpoint, id }: Request): string {
  const { path } = endpoints[endpoint];
  return id !== null && (isOurs(id) || isCheckoutId(id)) ? path.replace('{id}', id) : path;
}

/** The user of the token, once it was accepted. */
function callerOf({ headers, actsFor }: Request, fields: ReadonlyMap<string, string>, { status, code }: Reply): string | null {
  if (actsFor) return actsFor.who;
  if (status === 401 || code === '800.900.300') return null;
  const [user, password] = [fields.get('authentication.userId'), fields.get('authentication.password')];
  const token = /^bearer +(\S+)/i.exec(headers.authorization ?? '')?.[1];
  return userOf(token ?? (user && password ? tokenOf(user, password) : ''));
}

function unreadOf({ headers, body }: Request): Call['unread'] {
  const type = headers['content-type'];
  if (body.length > 0 && type !== undefined && !FORM.test(type)) return 'otherMedia';
  return body.length > BODY_BYTES_MAX ? 'tooLong' : null;
}

const NONE: ReadonlyMap<string, string> = new Map();
const named = ['id', 'referencedId', 'registrationId', 'scheduleId', 'checkoutId'] as const;

/** The ids of the objects that a call is about, from the path and the answer. */
function aboutOf({ id }: Request, answer: Readonly<Record<string, unknown>> | null): readonly string[] {
  const answered = named.map((name) => answer?.[name]);
  return [...new Set([id, ...answered])].filter(
    (one): one is string => isOurs(one) || (typeof one === 'string' && isCheckoutId(one)),
  );
}

function paymentOf({ endpoint, id }: Request, answer: Readonly<Record<string, unknown>> | null): string | null {
  const { answers, path } = endpoints[endpoint];
  if (answers === 'payment' && isOurs(answer?.id)) return answer.id;
  return path === '/v1/payments/{id}' && isOurs(id) ? id : null;
}

/** A call as it is kept. Everything is masked here. */
export function recordCall({ id, at, ms, request, reply, trust }: CallParts): RecordedCall {
  const { method, endpoint, headers, message, actsFor } = request;
  const unread = unreadOf(request);
  const fields = unread === null ? (request.decoded ?? decode(formOf(request))).fields : NONE;
  const secrets = secretsIn(fields);
  const isText = reply.bytes === undefined && reply.pieces === undefined && reply.body.length <= ANSWER_CHARACTERS_MAX;
  const answer = isText ? maskAnswer(reply.body, secrets) : null;
  const origin = originOf(message, trust);
  const entityId = reply.entityId ?? fields.get('entityId') ?? fields.get('authentication.entityId') ?? null;
  const reference = fields.get('merchantTransactionId');
  return {
    id,
    at,
    entityId: isOurs(entityId) ? entityId : null,
    checkoutId: request.id !== null && isCheckoutId(request.id) ? request.id : null,
    endpoint,
    method,
    path: pathOf(request),
    status: reply.status,
    code: reply.code ?? '',
    ndc: reply.ndc,
    ms: Math.round(ms * 100) / 100,
    origin: origin && maskCardNumbers(origin, { isStrict: true }),
    from: addressOf(message, trust),
    who: callerOf(request, fields, reply),
    againOf: actsFor?.callId ?? null,
    paymentId: paymentOf(request, answer),
    aboutIds: aboutOf(request, answer),
    merchantTransactionId: reference ? maskText(reference.slice(0, 255), secrets) : null,
    fields: maskFields(fields, secrets),
    unread,
    hasIdempotencyKey: headers['idempotency-key'] !== undefined,
    answer: answer && JSON.stringify(answer),
  };
}
