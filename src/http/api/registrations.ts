import {
  deregister as forget,
  extendLife as prolong,
  type RegistrationCommand,
  type RegistrationCommandResult,
} from '../../payments/changeRegistration.ts';
import type { World } from '../../payments/ports.ts';
import { readRegistration as find } from '../../payments/read.ts';
import { isRegistrationId } from '../../registrations/registration.ts';
import type { Reply } from '../server/reply.ts';
import type { Request } from '../server/request.ts';
import type { Services } from '../services.ts';
import { authorize } from './authorize.ts';
import { idempotencyKeyOf, keyFault, otherBody } from './idempotencyKey.ts';
import { paymentReply, registrationReply } from './paymentReply.ts';

/** Shows stored details, as far as they may be shown. */
export async function readRegistration(services: Services, request: Request): Promise<Reply> {
  const { respond, world } = services;
  const entered = authorize(services, request);
  if ('status' in entered) return entered;
  const registration = await find(world, entered.scope, request.id ?? '');
  if (!registration) return respond.result('700.400.580', entered.entityId);
  return registrationReply(services, registration, respond.ndc(entered.entityId));
}

/** Deletes stored details. */
export const deregister = (services: Services, request: Request): Promise<Reply> => tend(services, request, forget);

/** Keeps stored details longer. */
export const extendLife = (services: Services, request: Request): Promise<Reply> => tend(services, request, prolong);

type Tend = (world: World, tending: RegistrationCommand) => Promise<RegistrationCommandResult>;

async function tend(services: Services, request: Request, how: Tend): Promise<Reply> {
  const { respond, world, environment } = services;
  const entered = authorize(services, request);
  if ('status' in entered) return entered;
  const { scope, entityId, checked } = entered;
  const misKeyed = keyFault(request);
  if (misKeyed) return respond.result('200.300.404', entityId, { faults: [misKeyed] });
  if (environment === 'live' && checked.get('testMode') !== undefined) return respond.result('600.200.701', entityId);
  const registrationId = request.id ?? '';
  if (!isRegistrationId(registrationId)) return respond.result('100.150.101', entityId);
  const claim = idempotencyKeyOf(services, request, entityId);
  const tended = await how(world, { ...scope, registrationId, environment, claim });
  switch (tended.is) {
    case 'done':
      return paymentReply(services, tended.payment, { ndc: tended.payment.ndc, request });
    case 'refused':
      return respond.result(tended.refusal, entityId);
    case 'otherBody':
      return respond.result('200.300.404', entityId, { faults: [otherBody] });
  }
}
