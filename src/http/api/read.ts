import type { Payment } from '../../payments/payment.ts';
import { readPayment, readPaymentWithFamily, readRegistration } from '../../payments/read.ts';
import { AUTHENTICATION, RISK_CHECK } from '../../spec/paymentTypes.ts';
import type { Request } from '../handler.ts';
import type { Services } from '../services.ts';
import type { Reply } from '../transport/reply.ts';
import type { Authorized } from './authenticate.ts';
import { findReply, type KeptReply } from './keptReplies.ts';
import { authenticationReply, keptReply, merchantReply, registrationReply } from './paymentReply.ts';

/**
 * Shows a payment to its channel or its merchant, also when the channel takes no payments any more. The id of a registration is answered
 * with the registration, because clients read its state here too.
 */
export function read(
  services: Pick<Services, 'metrics' | 'publicUrl' | 'replies' | 'schedules' | 'trust' | 'world'>,
  caller: Authorized,
  request: Request,
): Reply | Promise<Reply> {
  const { replies, world } = services;
  const answer = (kept: KeptReply | null) =>
    kept ? keptReply(services, kept, replies.ndc(caller.entityId)) : readStored(services, caller, request);
  const kept = findReply(world, caller.scope, request.id ?? '');
  return kept instanceof Promise ? kept.then(answer) : answer(kept);
}

async function readStored(
  services: Pick<Services, 'metrics' | 'publicUrl' | 'replies' | 'schedules' | 'trust' | 'world'>,
  caller: Authorized,
  request: Request,
): Promise<Reply> {
  const { replies, world } = services;
  const { scope, entityId } = caller;
  const found = await readPaymentWithFamily(world, scope, request.id ?? '');
  if (found && found.payment.paymentType !== 'RG') {
    const nextAttemptAt = await nextAttemptOf(services, found.payment);
    const { payment, family, version } = found;
    return merchantReply(services, payment, { ndc: replies.ndc(entityId), request, family, nextAttemptAt, version });
  }
  const registration = await readRegistration(world, scope, request.id ?? '');
  return registration
    ? registrationReply(services, registration, replies.ndc(entityId))
    : replies.result('700.400.580', entityId);
}

/** When the run of a declined charge is tried again; null: never, or no schedule took the payment. */
async function nextAttemptOf({ schedules }: Pick<Services, 'schedules'>, payment: Payment): Promise<number | null> {
  const { merchantId, id, scheduleId } = payment;
  const schedule = scheduleId === undefined ? null : await schedules.store.schedule(merchantId, scheduleId);
  return schedule?.charge?.paymentId === id ? schedule.charge.againAt : null;
}

/** Shows an authentication that was made without a payment. */
export async function readAuthentication(
  services: Pick<Services, 'replies' | 'world'>,
  caller: Authorized,
  request: Request,
): Promise<Reply> {
  const { replies, world } = services;
  const payment = await readPayment(world, caller.scope, request.id ?? '');
  if (payment?.paymentType !== AUTHENTICATION) return replies.result('700.400.580', caller.entityId);
  return authenticationReply(services, payment, replies.ndc(caller.entityId));
}

/** Shows a risk check that was made without a payment. */
export async function readAssessment(
  services: Pick<Services, 'metrics' | 'publicUrl' | 'replies' | 'trust' | 'world'>,
  caller: Authorized,
  request: Request,
): Promise<Reply> {
  const { replies, world } = services;
  const payment = await readPayment(world, caller.scope, request.id ?? '');
  if (payment?.paymentType !== RISK_CHECK) return replies.result('700.400.580', caller.entityId);
  return merchantReply(services, payment, { ndc: replies.ndc(caller.entityId), request });
}
