import type { Fault } from '../../form/checked.ts';
import type { IdempotencyKey } from '../../payments/ports.ts';
import type { Remarks } from '../replies.ts';
import type { Request } from '../request.ts';
import type { Services } from '../services.ts';
import type { Reply } from '../transport/reply.ts';

export const KEY_HEADER = 'Idempotency-Key';
const KEY = /^[\x20-\x7e]{1,255}$/;

/** The fault of a malformed `Idempotency-Key`; null: it is well formed or absent. */
export function keyFault({ headers }: Request): Fault | null {
  const key = headers['idempotency-key'];
  if (key === undefined || (typeof key === 'string' && KEY.test(key))) return null;
  return { name: KEY_HEADER, value: null, message: 'must have 1 to 255 printable ASCII characters' };
}

/** The reply to a request whose key another request has used. */
export const keyConflict = (
  { replies }: Pick<Services, 'replies'>,
  entityId: string,
  remarks: Pick<Remarks, 'ndc'> = {},
): Reply => replies.result('200.200.107', entityId, { ...remarks, faults: [otherBody] });

/** Marks a reply that an earlier request with the same key has earned. */
export const withReplayMark = (reply: Reply, { isReplayed }: { readonly isReplayed?: true }): Reply =>
  isReplayed ? { ...reply, headers: [...reply.headers, 'Idempotency-Replayed', 'true'] } : reply;

export const otherBody: Fault = { name: KEY_HEADER, value: null, message: 'was already used with another request' };

/**
 * The idempotency key of a request, under the entity that the request names: dispatching may choose another channel the second time, and
 * the retry must still find the first payment.
 */
export function idempotencyKeyOf(services: Pick<Services, 'digest'>, request: Request, entityId: string): IdempotencyKey | null {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return null;
  const head = Buffer.from(`${request.method} ${request.path}\n`, 'latin1');
  const bodyHash = services.digest(entityId, Buffer.concat([head, request.body]));
  // Clients may make keys of secrets: only a hash is stored.
  return { entityId, key: services.digest(entityId, `key\n${key}`), bodyHash };
}
