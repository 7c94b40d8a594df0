import { check } from '../../form/check.ts';
import { readPayment } from '../../payments/read.ts';
import { admit } from '../admit.ts';
import { paymentReply } from '../paymentReply.ts';
import type { Reply } from '../reply.ts';
import type { Request } from '../request.ts';
import type { Rooms } from '../rooms.ts';

/** Shows a payment to its channel or its merchant, also when the channel takes no payments any more. */
export async function read(rooms: Rooms, request: Request): Promise<Reply> {
  const { respond, environment, world } = rooms;
  const admitted = admit(rooms, request);
  if ('status' in admitted) return admitted;
  const { entity, decoded } = admitted;
  if (entity.merchantId === null) return respond.result('800.900.201', entity.id);
  const { isLenient } = entity.settings;
  const checked = check(decoded, { endpoint: request.endpoint, isLenient, source: 'server', environment });
  if ('faults' in checked) return respond.result('200.300.404', entity.id, { faults: checked.faults });
  const scope = { merchantId: entity.merchantId, entityId: entity.channel?.entityId ?? null };
  const payment = await readPayment(world, scope, request.id ?? '');
  return payment ? paymentReply(rooms, payment, respond.ndc(entity.id)) : respond.result('700.400.580', entity.id);
}
