import type { World } from '../../payments/ports.ts';
import { readRegistration as find } from '../../payments/read.ts';
import {
  extendLife as extendRegistration,
  type RegistrationCommand,
  type RegistrationCommandResult,
  deregister as removeRegistration,
} from '../../payments/registration/changeRegistration.ts';
import { projectRegistration } from '../../payments/reply/project.ts';
import { isRegistrationId } from '../../registrations/registration.ts';
import { resultCodes } from '../../spec/resultCodes.ts';
import type { Request } from '../request.ts';
import type { Services } from '../services.ts';
import type { Reply } from '../transport/reply.ts';
import type { Authorized } from './authenticate.ts';
import { idempotencyKeyOf, keyConflict, keyFault, withReplayMark } from './idempotencyKey.ts';
import { paymentReply, registrationReply } from './paymentReply.ts';

/** Shows a registration, masked. */
export async function readRegistration(
  services: Pick<Services, 'replies' | 'world'>,
  caller: Authorized,
  request: Request,
): Promise<Reply> {
  const { replies, world } = services;
  const registration = await find(world, caller.scope, request.id ?? '');
  if (!registration) return replies.result('700.400.580', caller.entityId);
  return registrationReply(services, registration, replies.ndc(caller.entityId));
}

const LISTED_MAX = 100;
const FOUND = '000.000.100';

/** Lists the registrations of a customer that can be charged, masked. An unknown customer has none. */
export async function listCustomerRegistrations(
  { listings, replies }: Pick<Services, 'listings' | 'replies'>,
  { scope, entityId, checked }: Authorized,
): Promise<Reply> {
  const customerId = checked.text('customer.merchantCustomerId') ?? '';
  const found = await listings.registrationsOfCustomer(scope.merchantId, customerId, LISTED_MAX);
  const ndc = replies.ndc(entityId);
  const base = replies.base(ndc);
  const registrations = found.map((registration) => {
    const { buildNumber: _, timestamp: __, ndc: ___, ...own } = projectRegistration(registration, base).body;
    return own;
  });
  const body = { result: { code: FOUND, description: resultCodes[FOUND].text }, registrations, ...base };
  return replies.json(200, body, { code: FOUND, ndc, entityId });
}

/** Deletes a registration. */
export const deregister = (
  services: Pick<Services, 'digest' | 'environment' | 'metrics' | 'publicUrl' | 'replies' | 'trust' | 'world'>,
  caller: Authorized,
  request: Request,
): Promise<Reply> => change(services, caller, request, removeRegistration);

/** Extends the life of a registration. */
export const extendLife = (
  services: Pick<Services, 'digest' | 'environment' | 'metrics' | 'publicUrl' | 'replies' | 'trust' | 'world'>,
  caller: Authorized,
  request: Request,
): Promise<Reply> => change(services, caller, request, extendRegistration);

type Change = (world: World, command: RegistrationCommand) => Promise<RegistrationCommandResult>;

async function change(
  services: Pick<Services, 'digest' | 'environment' | 'metrics' | 'publicUrl' | 'replies' | 'trust' | 'world'>,
  caller: Authorized,
  request: Request,
  carryOut: Change,
): Promise<Reply> {
  const { replies, world, environment } = services;
  const { scope, entityId, checked } = caller;
  const badKey = keyFault(request);
  if (badKey) return replies.result('200.300.404', entityId, { faults: [badKey] });
  if (environment === 'live' && checked.get('testMode') !== undefined) return replies.result('600.200.701', entityId);
  const registrationId = request.id ?? '';
  if (!isRegistrationId(registrationId)) return replies.result('100.150.101', entityId);
  const idempotencyKey = idempotencyKeyOf(services, request, entityId);
  const changed = await carryOut(world, { ...scope, registrationId, environment, idempotencyKey });
  switch (changed.is) {
    case 'done':
      return withReplayMark(paymentReply(services, changed.payment, { ndc: changed.payment.ndc, request }), changed);
    case 'refused':
      return replies.result(changed.refusal, entityId);
    case 'otherBody':
      return keyConflict(services, entityId);
  }
}
