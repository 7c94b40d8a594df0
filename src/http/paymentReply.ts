import type { Payment } from '../payments/payment.ts';
import { project } from '../payments/project.ts';
import { codeOf } from '../payments/take.ts';
import { resultCodes } from '../spec/resultCodes.ts';
import type { Reply } from './reply.ts';
import type { Rooms } from './rooms.ts';

/** A payment as the answer to a request, counted by what became of it. */
export function paymentReply({ respond, metrics }: Rooms, payment: Payment, ndc: string): Reply {
  const code = codeOf(payment);
  metrics.payment(payment.paymentType, resultCodes[code].means);
  const { status, body } = project(payment, respond.base(ndc));
  return respond.json(status, body, { code, ndc, entityId: payment.entityId });
}
