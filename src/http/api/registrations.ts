import { deregister as forget, extendLife as prolong, type Tended, type Tending } from '../../payments/changeRegistration.ts';
import type { World } from '../../payments/ports.ts';
import { readRegistration as find } from '../../payments/read.ts';
import { isRegistrationId } from '../../registrations/registration.ts';
import type { Reply } from '../server/reply.ts';
import type { Request } from '../server/request.ts';
import type { Rooms } from '../services.ts';
import { enter } from './authorize.ts';
import { claimOf, keyFault, otherBody } from './idempotencyKey.ts';
import { paymentReply, registrationReply } from './paymentReply.ts';

/** Shows stored details, as far as they may be shown. */
export async function readRegistration(rooms: Rooms, request: Request): Promise<Reply> {
  const { respond, world } = rooms;
  const entered = enter(rooms, request);
  if ('status' in entered) return entered;
  const registration = await find(world, entered.scope, request.id ?? '');
  if (!registration) return respond.result('700.400.580', entered.entityId);
  return registrationReply(rooms, registration, respond.ndc(entered.entityId));
}

/** Deletes stored details. */
export const deregister = (rooms: Rooms, request: Request): Promise<Reply> => tend(rooms, request, forget);

/** Keeps stored details longer. */
export const extendLife = (rooms: Rooms, request: Request): Promise<Reply> => tend(rooms, request, prolong);

type Tend = (world: World, tending: Tending) => Promise<Tended>;

async function tend(rooms: Rooms, request: Request, how: Tend): Promise<Reply> {
  const { respond, world, environment } = rooms;
  const entered = enter(rooms, request);
  if ('status' in entered) return entered;
  const { scope, entityId, checked } = entered;
  const misKeyed = keyFault(request);
  if (misKeyed) return respond.result('200.300.404', entityId, { faults: [misKeyed] });
  if (environment === 'live' && checked.get('testMode') !== undefined) return respond.result('600.200.701', entityId);
  const registrationId = request.id ?? '';
  if (!isRegistrationId(registrationId)) return respond.result('100.150.101', entityId);
  const claim = claimOf(rooms, request, entityId);
  const tended = await how(world, { ...scope, registrationId, environment, claim });
  switch (tended.is) {
    case 'done':
      return paymentReply(rooms, tended.payment, { ndc: tended.payment.ndc, request });
    case 'refused':
      return respond.result(tended.refusal, entityId);
    case 'otherBody':
      return respond.result('200.300.404', entityId, { faults: [otherBody] });
  }
}
