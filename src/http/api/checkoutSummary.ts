import { checkoutIn } from '../../checkouts/find.ts';
import { paySavedForm } from '../../checkouts/savedForm.ts';
import { notePending, noteStatusRead } from '../../checkouts/submission.ts';
import { decode } from '../../form/decode.ts';
import { isOpen } from '../../payments/payment.ts';
import { widgetFields } from '../../spec/widget.ts';
import type { Handler } from '../handler.ts';
import type { Reply } from '../server/reply.ts';
import type { Request } from '../server/request.ts';
import type { Services } from '../services.ts';
import { noSession } from '../shopper/checkoutReply.ts';
import { type Authorized, authorized } from './authorize.ts';
import { paymentReply } from './paymentReply.ts';

/** Whether a merchant's server sent the request, and not a shopper's browser: by its token, or by the legacy parameters. */
export const isOfMerchant = ({ headers, body }: Request): boolean =>
  /^bearer /i.test(headers.authorization ?? '') || body.includes('authentication.userId=');

/** Carries out what the shopper has saved with a checkout. The reply is that of a payment. */
export const carryOutCheckout: Handler = authorized(carryOut);

async function carryOut(
  services: Pick<Services, 'checkouts' | 'metrics' | 'publicUrl' | 'replies' | 'trust'>,
  caller: Authorized,
  request: Request,
): Promise<Reply> {
  const { checkouts, replies } = services;
  const checkout = await checkoutIn(checkouts, caller.scope, request.id ?? '');
  if (!checkout) return noSession(services, caller.entityId);
  const { id: ndc, entityId } = checkout;
  const sealed = decode(request.body).fields.get(widgetFields.sealed) || null;
  const paid = await paySavedForm(checkouts, checkout, sealed);
  if (paid.is === 'faulty') {
    const { code, faults } = paid;
    return replies.result(code, entityId, { ndc, ...(faults.length > 0 && { faults }) });
  }
  await (isOpen(paid.payment) ? notePending : noteStatusRead)(checkouts, checkout);
  return paymentReply(services, paid.payment, { ndc, request });
}
