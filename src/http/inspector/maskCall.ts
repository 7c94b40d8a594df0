import { isCheckoutId } from '../../checkouts/checkout.ts';
import { packCalls } from '../../developer/callBatch.ts';
import type { Call, CallBatch } from '../../developer/ports.ts';
import { decode } from '../../form/decode.ts';
import { tokenOf, userOf } from '../../merchants/tokens.ts';
import { hasCardNumber, maskCardNumbers } from '../../spec/cards/cardNumbers.ts';
import { endpoints } from '../../spec/endpoints.ts';
import { maskAnswer, maskFields, maskText, secretsIn } from '../../spec/masking.ts';
import { callsIn, type OwnedCall } from './rawCall.ts';

const OUR_ID = /^[0-9a-f]{32}$/;
const isOurs = (id: unknown): id is string => typeof id === 'string' && OUR_ID.test(id);

/**
 * The id in the path, where it is one of the gateway's: any other text may hold a secret. Of 32 digits that hold a card number, the answer
 * tells: the gateway has an object of that id if it answered with one.
 */
function objectIdOf({ objectId, status }: OwnedCall): string | null {
  if (objectId === null || !(isOurs(objectId) || isCheckoutId(objectId))) return null;
  return status < 300 || !hasCardNumber(objectId, { isStrict: true }) ? objectId : null;
}

function pathOf(call: OwnedCall): string {
  const { path } = endpoints[call.endpoint];
  const id = objectIdOf(call);
  return id === null ? path : path.replace('{id}', id);
}

/** The user of the token, once it was accepted. */
function callerOf({ authorization, rerunBy, status, code }: OwnedCall, fields: ReadonlyMap<string, string>): string | null {
  if (rerunBy !== null) return rerunBy;
  if (status === 401 || code === '800.900.300') return null;
  const [user, password] = [fields.get('authentication.userId'), fields.get('authentication.password')];
  const token = authorization === null ? undefined : /^bearer +(\S+)/i.exec(authorization)?.[1];
  return userOf(token ?? (user && password ? tokenOf(user, password) : ''));
}

const named = ['id', 'referencedId', 'registrationId', 'scheduleId', 'checkoutId'] as const;
type Members = Readonly<Record<string, unknown>>;

/** The ids of the objects that a call is about, from the path and the answer. */
function aboutOf(call: OwnedCall, answer: Members | null): readonly string[] {
  const ids = new Set<string>();
  const add = (id: unknown) => {
    if (isOurs(id) || (typeof id === 'string' && isCheckoutId(id))) ids.add(id);
  };
  add(objectIdOf(call));
  if (answer) for (const name of named) if (answer[name] !== undefined) add(answer[name]);
  return [...ids];
}

function paymentOf(call: OwnedCall, answer: Members | null): string | null {
  const { answers, path } = endpoints[call.endpoint];
  if (answers === 'payment' && isOurs(answer?.id)) return answer.id;
  return path === '/v1/payments/{id}' && isOurs(call.objectId) ? objectIdOf(call) : null;
}

const NONE: ReadonlyMap<string, string> = new Map();

/** A call as it is kept. Everything is masked here. */
export function maskCall(call: OwnedCall): Call {
  const fields = call.form.length === 0 ? NONE : decode(call.form).fields;
  const secrets = secretsIn(fields);
  const answer = call.answer === null ? null : maskAnswer(call.answer, secrets);
  const reference = fields.get('merchantTransactionId');
  return {
    id: call.id,
    at: call.at,
    merchantId: call.merchantId,
    entityId: call.entityId,
    endpoint: call.endpoint,
    method: call.method,
    path: pathOf(call),
    status: call.status,
    code: call.code,
    ndc: call.ndc,
    ms: Math.round(call.ms * 100) / 100,
    origin: call.origin && maskCardNumbers(call.origin, { isStrict: true }),
    from: call.from,
    who: callerOf(call, fields),
    againOf: call.againOf,
    paymentId: paymentOf(call, answer?.members ?? null),
    aboutIds: aboutOf(call, answer?.members ?? null),
    merchantTransactionId: reference ? maskText(reference.slice(0, 255), secrets) : null,
    fields: maskFields(fields, secrets),
    unread: call.unread,
    hasIdempotencyKey: call.hasIdempotencyKey,
    answer: answer?.text ?? null,
  };
}

/** Masks and packs the calls of a recorder's piece. A call that cannot be masked is left out. */
export function packMasked(piece: Uint8Array): readonly CallBatch[] {
  const masked: Call[] = [];
  for (const call of callsIn(piece)) {
    try {
      masked.push(maskCall(call));
    } catch {
      // Nothing of it is kept.
    }
  }
  return packCalls(masked);
}
