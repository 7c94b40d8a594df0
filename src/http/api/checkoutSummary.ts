import { checkoutIn } from '../../checkouts/find.ts';
import { payCheckout, type SubmittedForm } from '../../checkouts/pay.ts';
import { paySavedForm } from '../../checkouts/savedForm.ts';
import { notePending, noteStatusRead } from '../../checkouts/submission.ts';
import { decode } from '../../form/decode.ts';
import { isOpen } from '../../payments/payment.ts';
import { widgetFields } from '../../spec/widget.ts';
import type { Handler } from '../handler.ts';
import type { Services } from '../services.ts';
import { noSession } from '../shopper/checkoutReply.ts';
import { originFor } from '../transport/origin.ts';
import type { Reply } from '../transport/reply.ts';
import type { Request } from '../transport/request.ts';
import { type Authorized, authorized } from './authorize.ts';
import { merchantReply } from './paymentReply.ts';

/** Whether a merchant's server sent the request, and not a shopper's browser: by its token, or by the legacy parameters. */
export const isOfMerchant = ({ headers, body }: Request): boolean =>
  /^bearer /i.test(headers.authorization ?? '') || body.includes('authentication.userId=');

/**
 * Carries out what the shopper has saved with a checkout, or the form that the merchant's server sends itself. The reply is that of a
 * payment.
 */
export const carryOutCheckout: Handler = authorized(carryOut);

const INSTRUMENTS = ['paymentBrand', 'card.number', 'registrationId'] as const;

/** Whether the request itself says what to pay with. */
const isForm = (fields: SubmittedForm['fields']): boolean => INSTRUMENTS.some((name) => fields.get(name));

/** The form of a server. Its own address and headers say nothing about the shopper. */
const formOf = ({ endpoint }: Request, form: Pick<SubmittedForm, 'fields' | 'origin'>): SubmittedForm => ({
  ...form,
  isRegistering: endpoint === 'registerCheckout',
  address: '',
  acceptHeader: undefined,
  userAgent: undefined,
});

async function carryOut(
  services: Pick<Services, 'checkouts' | 'metrics' | 'publicUrl' | 'replies' | 'trust' | 'world'>,
  caller: Authorized,
  request: Request,
): Promise<Reply> {
  const { checkouts, replies } = services;
  const checkout = await checkoutIn(checkouts, caller.scope, request.id ?? '');
  if (!checkout) return noSession(services, caller.entityId);
  const { id: ndc, entityId } = checkout;
  const { fields } = decode(request.body);
  const paid = isForm(fields)
    ? await payCheckout(checkouts, checkout, formOf(request, { fields, origin: originFor(services, request) ?? checkout.origin }))
    : await paySavedForm(checkouts, checkout, fields.get(widgetFields.sealed) || null);
  if (paid.is === 'faulty') {
    const { code, faults } = paid;
    return replies.result(code, entityId, { ndc, ...(faults.length > 0 && { faults }) });
  }
  await (isOpen(paid.payment) ? notePending : noteStatusRead)(checkouts, checkout);
  return merchantReply(services, paid.payment, { ndc, request });
}
