import { codeOf } from '../../payments/commitPayment.ts';
import type { Payment } from '../../payments/payment.ts';
import { readPayment, readPaymentWithFamily, readRegistration } from '../../payments/read.ts';
import { AUTHENTICATION, RISK_CHECK } from '../../spec/paymentTypes.ts';
import { resultCodes } from '../../spec/resultCodes.ts';
import type { Request } from '../request.ts';
import type { Services } from '../services.ts';
import type { Reply } from '../transport/reply.ts';
import type { Authorized } from './authenticate.ts';
import { textOf } from './keptReplies.ts';
import { authenticationReply, merchantReply, type ReplyServices, registrationReply } from './paymentReply.ts';

type ReadServices = ReplyServices & Pick<Services, 'keptReplies' | 'schedules'>;

/**
 * Shows a payment to its channel or its merchant, also when the channel takes no payments any more. The id of a registration is answered
 * with the registration, because clients read its state here too.
 */
export async function read(services: ReadServices, caller: Authorized, request: Request): Promise<Reply> {
  const { keptReplies, metrics, replies, world } = services;
  const { scope, entityId } = caller;
  const id = request.id ?? '';
  const ndc = replies.ndc(entityId);
  const kept = keptReplies.find(scope, id);
  if (kept !== null && (await world.store.familyVersion(kept.merchantId, kept.familyId)) === kept.version) {
    metrics.payment(kept.paymentType, resultCodes[kept.code].means);
    return replies.text(kept.status, textOf(kept, replies.base(ndc)), { code: kept.code, ndc, entityId: kept.entityId });
  }
  const found = await readPaymentWithFamily(world, scope, id);
  if (found && found.payment.paymentType !== 'RG') {
    const nextAttemptAt = await nextAttemptOf(services, found.payment);
    const { payment, family, version } = found;
    const base = replies.base(ndc);
    const reply = await merchantReply(services, payment, { ndc, request, family, nextAttemptAt, base });
    if (version !== null)
      keptReplies.keep({ payment, version, status: reply.status, code: codeOf(payment), base, text: reply.body });
    return reply;
  }
  const registration = await readRegistration(world, scope, id);
  return registration ? registrationReply(services, registration, ndc) : replies.result('700.400.580', entityId, { ndc });
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
export async function readAssessment(services: ReplyServices, caller: Authorized, request: Request): Promise<Reply> {
  const { replies, world } = services;
  const payment = await readPayment(world, caller.scope, request.id ?? '');
  if (payment?.paymentType !== RISK_CHECK) return replies.result('700.400.580', caller.entityId);
  return merchantReply(services, payment, { ndc: replies.ndc(caller.entityId), request });
}
