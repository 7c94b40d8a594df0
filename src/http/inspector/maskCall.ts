import { isCheckoutId } from '../../checkouts/checkout.ts';
import { packCalls } from '../../developer/callBatch.ts';
import type { Call, CallBatch } from '../../developer/ports.ts';
import { decode } from '../../form/decode.ts';
import { pick } from '../../form/pick.ts';
import { tokenOf, userOf } from '../../merchants/tokens.ts';
import { hasCardNumber, maskCardNumbers } from '../../spec/cards/cardNumbers.ts';
import { type EndpointName, endpoints } from '../../spec/endpoints.ts';
import { maskAnswer, maskFields, maskText, secretsIn } from '../../spec/masking.ts';
import { formOf, type Request } from '../request.ts';
import { addressOf, originOf, type TrustedProxies } from '../transport/clientAddress.ts';
import type { Reply } from '../transport/reply.ts';

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

/** The calls of shoppers' browsers that move a payment on. */
const ofBrowsers: readonly EndpointName[] = ['payCheckout', 'registerCheckout', 'widgetSession', 'forgetStored'];

const inspected: ReadonlySet<EndpointName> = new Set(
  (Object.keys(endpoints) as EndpointName[]).filter(
    (name) => endpoints[name].access === 'token' || ofBrowsers.some((other) => other === name),
  ),
);

/** Whether calls of an endpoint are recorded. */
export const isInspected = (endpoint: EndpointName): boolean => inspected.has(endpoint);

/**
 * A call as it came in, with its secrets: it stays in memory, for a second at most, until `maskCall` has made a record of it.
 */
export type RawCall = Pick<
  Call,
  'id' | 'at' | 'ms' | 'method' | 'status' | 'code' | 'ndc' | 'origin' | 'from' | 'againOf' | 'unread' | 'hasIdempotencyKey'
> & {
  readonly endpoint: EndpointName;
  /** The segment in the place of `{id}`. */
  readonly objectId: string | null;
  /** The bytes of the form, in the memory of the request; empty where it is not recorded. */
  readonly form: Uint8Array;
  readonly authorization: string | null;
  /** The user who ran a call again. */
  readonly rerunBy: string | null;
  readonly answer: string | null;
  /** The entity that the reply or the request names; null: that of the checkout. */
  readonly entityId: string | null;
  readonly checkoutId: string | null;
};

/** A raw call whose entity is known. */
export type OwnedCall = RawCall & Pick<Call, 'merchantId' | 'entityId'>;

/** The longest body and the longest answer that are kept. */
const BODY_BYTES_MAX = 65_536;
const ANSWER_CHARACTERS_MAX = 65_536;
const FORM = 'application/x-www-form-urlencoded';
const FORM_LIKE = /^application\/x-www-form-urlencoded\b/i;

function unreadOf({ headers, body }: Request): Call['unread'] {
  const type = headers['content-type'];
  if (body.length > 0 && type !== undefined && type !== FORM && !FORM_LIKE.test(type)) return 'otherMedia';
  return body.length > BODY_BYTES_MAX ? 'tooLong' : null;
}

const NO_FORM = new Uint8Array(0);
const ENTITY_NAMES = ['entityId', 'authentication.entityId'] as const;

/** The entity that a request names without being answered as one of it. */
function entityNamed(request: Request, unread: Call['unread']): string | null {
  if (unread !== null) return null;
  const fields = request.decoded?.fields ?? pick(formOf(request), ENTITY_NAMES);
  return fields.get('entityId') ?? fields.get('authentication.entityId') ?? null;
}

type CallParts = {
  readonly id: string;
  readonly at: number;
  readonly ms: number;
  readonly request: Request;
  readonly reply: Reply;
  readonly trust: TrustedProxies;
};

/** Keeps the parts of a call that its record is made from. It is called while a client waits, so it does nothing else. */
export function rawCallOf({ id, at, ms, request, reply, trust }: CallParts): RawCall {
  const { method, endpoint, headers, message, actsFor } = request;
  const unread = unreadOf(request);
  const isText = reply.bytes === undefined && reply.pieces === undefined && reply.body.length <= ANSWER_CHARACTERS_MAX;
  return {
    id,
    at,
    ms,
    endpoint,
    method,
    objectId: request.id,
    form: unread === null ? formOf(request) : NO_FORM,
    unread,
    authorization: headers.authorization ?? null,
    hasIdempotencyKey: headers['idempotency-key'] !== undefined,
    origin: originOf(message, trust),
    from: addressOf(message, trust),
    rerunBy: actsFor?.who ?? null,
    againOf: actsFor?.callId ?? null,
    status: reply.status,
    code: reply.code ?? '',
    ndc: reply.ndc,
    answer: isText ? reply.body : null,
    entityId: reply.entityId ?? entityNamed(request, unread),
    checkoutId: request.id !== null && isCheckoutId(request.id) ? request.id : null,
  };
}

/** The memory that a raw call takes. */
export const lengthOf = ({ form, answer }: RawCall): number => form.length + (answer?.length ?? 0);

/**
 * Calls in bytes, one behind the other: each has three lengths, its members as JSON, the form as it came and the answer. Objects would live
 * until the calls are written, and so be copied to the old ones; and each would be copied once more to reach the thread that masks them.
 */

/** Room for the longest call several times over. */
const PIECE_BYTES = 524_288;
const LENGTH_BYTES = 4;
const LENGTHS_BYTES = 3 * LENGTH_BYTES;
/** The length of an answer that is null. */
const NO_ANSWER = 0xffff_ffff;
/** A character has three bytes at most. */
const CHARACTER_BYTES = 3;

interface Recorder {
  /** Throws when the call is longer than any may be. */
  add(call: OwnedCall): void;
  calls(): number;
  bytes(): number;
  /** The calls added since, in pieces with memory of their own. */
  take(): readonly Uint8Array<ArrayBuffer>[];
}

export function createRecorder(): Recorder {
  let whole: Uint8Array<ArrayBuffer>[] = [];
  let [calls, wholeBytes, at] = [0, 0, 0];
  /** The one piece that is written to. It stays: `take` returns copies. */
  let piece: Buffer | null = null;
  const close = (): void => {
    if (piece === null || at === 0) return;
    whole.push(new Uint8Array(piece.subarray(0, at)));
    // It has held card numbers.
    piece.fill(0, 0, at);
    [wholeBytes, at] = [wholeBytes + at, 0];
  };
  return {
    calls: () => calls,
    bytes: () => wholeBytes + at,
    add({ form, answer, ...members }) {
      const head = JSON.stringify(members);
      const bytesMax = LENGTHS_BYTES + form.length + CHARACTER_BYTES * (head.length + (answer?.length ?? 0));
      if (bytesMax > PIECE_BYTES) throw new Error('a call is longer than any may be');
      if (at + bytesMax > PIECE_BYTES) close();
      piece ??= Buffer.allocUnsafeSlow(PIECE_BYTES);
      const headBytes = piece.write(head, at + LENGTHS_BYTES, 'utf8');
      const formAt = at + LENGTHS_BYTES + headBytes;
      piece.set(form, formAt);
      const answerBytes = answer === null ? NO_ANSWER : piece.write(answer, formAt + form.length, 'utf8');
      piece.writeUInt32LE(headBytes, at);
      piece.writeUInt32LE(form.length, at + LENGTH_BYTES);
      piece.writeUInt32LE(answerBytes, at + 2 * LENGTH_BYTES);
      at = formAt + form.length + (answer === null ? 0 : answerBytes);
      calls += 1;
    },
    take() {
      close();
      const taken = whole;
      [whole, calls, wholeBytes] = [[], 0, 0];
      return taken;
    },
  };
}

/** The calls of a piece, in the order in which they were added. Their forms are views of it. */
export function* callsIn(piece: Uint8Array): Generator<OwnedCall, undefined> {
  const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
  for (let at = 0; at < bytes.length; ) {
    const formAt = at + LENGTHS_BYTES + bytes.readUInt32LE(at);
    const answerAt = formAt + bytes.readUInt32LE(at + LENGTH_BYTES);
    const answerBytes = bytes.readUInt32LE(at + 2 * LENGTH_BYTES);
    const end = answerBytes === NO_ANSWER ? answerAt : answerAt + answerBytes;
    const members = JSON.parse(bytes.toString('utf8', at + LENGTHS_BYTES, formAt)) as Omit<OwnedCall, 'form' | 'answer'>;
    const answer = answerBytes === NO_ANSWER ? null : bytes.toString('utf8', answerAt, end);
    yield { ...members, form: bytes.subarray(formAt, answerAt), answer };
    at = end;
  }
}
