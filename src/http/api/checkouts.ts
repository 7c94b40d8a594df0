import { type Checkout, checkoutIdOf, decisiveAttempt } from '../../checkouts/checkout.ts';
import { channelFor, channelsOf, checkoutIn } from '../../checkouts/find.ts';
import { payCheckout, type SubmittedForm } from '../../checkouts/pay.ts';
import { changeCheckout, openCheckout } from '../../checkouts/prepare.ts';
import { paySavedForm } from '../../checkouts/savedForm.ts';
import { notePending, noteStatusRead } from '../../checkouts/submission.ts';
import type { Fault } from '../../form/checked.ts';
import { type Decoded, decode } from '../../form/decode.ts';
import type { Entity } from '../../merchants/directory.ts';
import { isOpen } from '../../payments/payment.ts';
import { type CodeThat, resultCodes } from '../../spec/resultCodes.ts';
import { widgetFields } from '../../spec/widget.ts';
import { type Handler, originFor } from '../handler.ts';
import type { Request } from '../request.ts';
import type { Services } from '../services.ts';
import { noSession } from '../shopper/checkoutReply.ts';
import type { Reply } from '../transport/reply.ts';
import { type Authenticated, type Authorized, authorized } from './authenticate.ts';
import { idempotencyKeyOf, keyConflict, keyFault, withReplayMark } from './idempotencyKey.ts';
import { merchantReply } from './paymentReply.ts';

/** Checkouts, for merchants' servers. */

async function checkoutReply(
  services: Pick<Services, 'checkouts' | 'replies'>,
  { checkout, warnings = [] }: { readonly checkout: Checkout; readonly warnings?: readonly Fault[] },
  code: '000.200.100' | '000.200.101',
): Promise<Reply> {
  const { replies, checkouts } = services;
  const { id, entityId, fields } = checkout;
  const script = fields.integrity === 'true' ? await checkouts.files.loader(checkout) : null;
  const { text, http } = resultCodes[code];
  const body = {
    result: { code, description: text, ...(warnings.length > 0 && { parameterWarnings: warnings }) },
    ...replies.base(id),
    id,
    ...(script !== null && { integrity: checkouts.integrityOf(script) }),
  };
  return replies.json(http, body, { code, ndc: id, entityId });
}

/** Why this entity can take no payment; null: it can. */
export function refusalFor({ checkouts }: Pick<Services, 'checkouts'>, entity: Entity): CodeThat<'refused'> | null {
  if (!entity.channel && entity.settings.dispatch && channelsOf(checkouts, { entityId: entity.id }).length > 0) return null;
  const found = channelFor(checkouts, { entityId: entity.id }, { is: 'reference', entityId: null });
  return found.is === 'refused' ? found.refusal : null;
}

/** A malformed key is reported with every other fault. */
function withKeyFault(request: Request, decoded: Decoded): Decoded {
  const fault = keyFault(request);
  return fault ? { ...decoded, faults: [{ ...fault, after: 0 }, ...decoded.faults] } : decoded;
}

/** Prepares a checkout. */
export async function createCheckout(
  services: Pick<Services, 'checkouts' | 'digest' | 'environment' | 'publicUrl' | 'replies' | 'trust' | 'world'>,
  caller: Authenticated,
  request: Request,
): Promise<Reply> {
  const { replies, checkouts, environment, world } = services;
  const { entity, decoded } = caller;
  // The reply to a refused checkout carries an id of the same form, which names no checkout.
  const ndc = checkoutIdOf(world.ids.random(), checkouts.nodeName);
  if (entity.merchantId === null) return replies.result('800.900.201', entity.id, { ndc });
  const closed = refusalFor(services, entity);
  if (closed !== null) return replies.result(closed, entity.id, { ndc });
  if (environment === 'live' && decoded.fields.get('testMode')) return replies.result('600.200.701', entity.id, { ndc });
  const origin = originFor(services, request);
  if (origin === null) {
    return replies.result('200.300.404', entity.id, { ndc, faults: [{ name: 'Host', value: null, message: 'must be a host' }] });
  }
  const idempotencyKey = idempotencyKeyOf(services, request, entity.id);
  const opened = await openCheckout(checkouts, { entity, decoded: withKeyFault(request, decoded), idempotencyKey, origin });
  if (opened.is === 'gone') return noSession(services, entity.id);
  if (opened.is === 'otherBody') return keyConflict(services, entity.id, { ndc });
  if (opened.is === 'faulty') return replies.result('200.300.404', entity.id, { ndc, faults: opened.faults });
  return withReplayMark(await checkoutReply(services, opened, '000.200.100'), opened);
}

/** Changes a checkout while it lives and is not paid. */
export async function updateCheckout(
  services: Pick<Services, 'checkouts' | 'digest' | 'replies'>,
  caller: Authenticated,
  request: Request,
): Promise<Reply> {
  const { replies, checkouts } = services;
  const { entity, decoded } = caller;
  const { id: entityId, merchantId, channel } = entity;
  const scope = merchantId === null ? null : { merchantId, entityId: channel?.entityId ?? null };
  const checkout = scope && (await checkoutIn(checkouts, scope, request.id ?? ''));
  if (!checkout) return noSession(services, entityId);
  // The settings of the entity that created the checkout apply, whichever entity of the merchant changes it.
  const own = checkouts.entity(checkout.entityId) ?? entity;
  const idempotencyKey = idempotencyKeyOf(services, request, entityId);
  const changed = await changeCheckout(checkouts, checkout, {
    entity: own,
    decoded: withKeyFault(request, decoded),
    idempotencyKey,
  });
  const about = { ndc: checkout.id };
  if (changed.is === 'paid') return replies.result('200.300.404', entityId, { ...about, remark: 'the checkout is paid already' });
  if (changed.is === 'gone') return noSession(services, entityId);
  if (changed.is === 'otherBody') return keyConflict(services, entityId, about);
  if (changed.is === 'faulty') return replies.result('200.300.404', entityId, { ...about, faults: changed.faults });
  return withReplayMark(await checkoutReply(services, changed, '000.200.101'), changed);
}

/** Reads the result of a checkout, any number of times while it lives. */
export async function readCheckout(
  services: Pick<Services, 'checkouts' | 'metrics' | 'publicUrl' | 'replies' | 'trust' | 'world'>,
  caller: Authorized,
  request: Request,
): Promise<Reply> {
  const { replies, checkouts } = services;
  const checkout = await checkoutIn(checkouts, caller.scope, request.id ?? '');
  if (!checkout) return noSession(services, caller.entityId);
  const payment = decisiveAttempt(await checkouts.store.attempts(checkout.merchantId, checkout.id));
  await noteStatusRead(checkouts, checkout);
  if (!payment) return replies.result('000.200.000', checkout.entityId, { ndc: checkout.id });
  return merchantReply(services, payment, { ndc: checkout.id, request });
}

/** Whether a merchant's server sent the request, and not a shopper's browser: by its token, or by the legacy parameters. */
export const isOfMerchant = ({ headers, body }: Request): boolean =>
  /^bearer /i.test(headers.authorization ?? '') || body.includes('authentication.userId=');

/**
 * Carries out the form that the shopper has saved with a checkout, or the one that the merchant's server sends itself. The reply is that
 * of a payment.
 */
export const carryOutCheckout: Handler = authorized(carryOut);

const INSTRUMENTS = ['paymentBrand', 'card.number', 'registrationId'] as const;

/** Whether the request itself names a payment instrument. */
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
