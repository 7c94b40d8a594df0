import { check } from '../../form/check.ts';
import { type DispatchRequest, dispatch } from '../../merchants/dispatch.ts';
import { type PaymentRequest, perform } from '../../payments/perform.ts';
import { detectBrand } from '../../spec/cardRanges.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import { originFor } from '../server/origin.ts';
import type { Reply } from '../server/reply.ts';
import type { Request } from '../server/request.ts';
import type { Services } from '../services.ts';
import type { Authenticated } from './authenticate.ts';
import { idempotencyKeyOf, keyFault, otherBody } from './idempotencyKey.ts';
import { authenticationReply, paymentReply } from './paymentReply.ts';

/** A named channel needs no search. */
const ANYTHING: DispatchRequest = { is: 'reference', entityId: null };

/** The id in the path: of a payment, or of a registration. */
function pathOf({ endpoint, id }: Request): Pick<PaymentRequest, 'referencedId' | 'registrationId'> {
  return {
    referencedId: endpoint === 'refer' ? id : null,
    registrationId: endpoint === 'payRegistered' ? id : null,
  };
}

/** What the endpoints that charge nothing are for. */
const purposes: Readonly<Partial<Record<EndpointName, PaymentRequest['purpose']>>> = {
  register: 'register',
  authenticate: 'authenticate',
  assess: 'assess',
  screen: 'assess',
  screenAgain: 'assess',
};

/** Takes a payment, a follow-up of the one in the path, a charge of a registration, a registration, an authentication or a risk check. */
export async function pay(
  services: Pick<Services, 'digest' | 'environment' | 'metrics' | 'publicUrl' | 'replies' | 'trust' | 'world'>,
  caller: Authenticated,
  request: Request,
): Promise<Reply> {
  const { replies, environment, world } = services;
  const { entity, decoded } = caller;
  const found = dispatch(entity, entity.channel ? ANYTHING : await wantedOf(services, request, caller));
  if ('refusal' in found && found.refusal !== '800.160.110') return replies.result(found.refusal, entity.id);

  const isLenient = 'channel' in found && found.channel.isLenient;
  const { cardNumbersInText: cardNumbers } = 'channel' in found ? found.channel : entity.settings;
  const checked = check(decoded, { endpoint: request.endpoint, isLenient, cardNumbers, source: 'server', environment });
  const badKey = keyFault(request);
  if (badKey || 'faults' in checked) {
    const faults = [...(badKey ? [badKey] : []), ...('faults' in checked ? checked.faults : [])];
    return replies.result('200.300.404', entity.id, { faults });
  }
  if ('refusal' in found) return replies.result(found.refusal, entity.id);

  const idempotencyKey = idempotencyKeyOf(services, request, entity.id);
  const origin = originFor(services, request) ?? '';
  const performed = await perform(world, {
    channel: found.channel,
    environment,
    checked,
    idempotencyKey,
    origin,
    purpose: purposes[request.endpoint] ?? 'pay',
    ...pathOf(request),
  });
  switch (performed.is) {
    case 'payment':
      return request.endpoint === 'authenticate'
        ? authenticationReply(services, performed.payment, performed.payment.ndc)
        : paymentReply(services, performed.payment, { ndc: performed.payment.ndc, request });
    case 'faulty':
      return replies.result('200.300.404', entity.id, { faults: performed.faults });
    case 'badToken':
      return replies.result('200.100.603', entity.id, { faults: performed.faults });
    case 'busy':
      return replies.result('800.700.100', entity.id);
    case 'otherBody':
      return replies.result('200.300.404', entity.id, { faults: [otherBody] });
  }
}

/** How a merchant with several channels chooses one: the channel of the referenced payment, or one for brand and currency. */
async function wantedOf(
  { world }: Pick<Services, 'world'>,
  request: Request,
  { entity, decoded }: Authenticated,
): Promise<DispatchRequest> {
  const { fields } = decoded;
  const { referencedId, registrationId } = pathOf(request);
  const paymentId = referencedId ?? (fields.get('referenceUuid') || null);
  if (entity.merchantId !== null && paymentId !== null) {
    const referenced = await world.store.payment(entity.merchantId, paymentId);
    return { is: 'reference', entityId: referenced?.entityId ?? null };
  }
  const currency = fields.get('currency') || null;
  if (entity.merchantId !== null && registrationId) {
    const registered = await world.store.registration(entity.merchantId, registrationId);
    return { is: 'new', brand: registered?.registration.paymentBrand ?? null, currency };
  }
  return { is: 'new', brand: fields.get('paymentBrand') || detectBrand(fields.get('card.number') ?? ''), currency };
}
