import { checkForm } from '../../form/check.ts';
import type { Context, Fault } from '../../form/checked.ts';
import type { Decoded } from '../../form/decode.ts';
import { type DispatchRequest, dispatch } from '../../merchants/channel.ts';
import type { Payment } from '../../payments/payment.ts';
import { endOf } from '../../payments/stage.ts';
import { type PaymentRequest, perform } from '../../payments/take.ts';
import { reportedCode } from '../../risk/ruleBook.ts';
import { detectBrand } from '../../spec/cards/cardRanges.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import { type PaymentType, paymentTypes, recordedTypes } from '../../spec/paymentTypes.ts';
import { originFor } from '../handler.ts';
import type { Request } from '../request.ts';
import type { Services } from '../services.ts';
import type { Reply } from '../transport/reply.ts';
import type { Authenticated } from './authenticate.ts';
import { idempotencyKeyOf, KEY_HEADER, keyConflict, keyFault, withReplayMark } from './idempotencyKey.ts';
import { authenticationReply, merchantReply, type ReplyServices } from './paymentReply.ts';

/** A named channel needs no search. */
const ANYTHING: DispatchRequest = { is: 'reference', entityId: null };

/** The objects that a request refers to, and the endpoint whose rules apply to it. */
type Call = Pick<PaymentRequest, 'referencedId' | 'registrationId' | 'isReferenceSent'> & {
  readonly endpoint: EndpointName;
  readonly decoded: Decoded;
};

/** The id in the path, of a payment or of a registration. Document 2: `referenceUuid` is the alternative to the path of a follow-up. */
function callOf({ endpoint, id }: Request, decoded: Decoded): Call {
  const sent = endpoint === 'pay' ? (decoded.fields.get('referenceUuid') ?? '') : '';
  if (sent !== '' && isFollowUp(decoded.fields.get('paymentType') ?? '')) {
    // A malformed one stays, and the rule about its form refuses it.
    const fields = HEX_ID.test(sent) ? new Map([...decoded.fields].filter(([name]) => name !== 'referenceUuid')) : decoded.fields;
    return {
      endpoint: 'refer',
      decoded: { ...decoded, fields },
      referencedId: sent,
      registrationId: null,
      isReferenceSent: true,
    };
  }
  const referencedId = endpoint === 'refer' ? id : null;
  return { endpoint, decoded, referencedId, registrationId: endpoint === 'payRegistered' ? id : null };
}

const HEX_ID = /^[0-9a-f]{32}$/;

const isFollowUp = (type: string): boolean =>
  Object.hasOwn(recordedTypes, type) || (isPaymentType(type) && paymentTypes[type].refers.length > 0);

const isPaymentType = (type: string): type is PaymentType => Object.hasOwn(paymentTypes, type);

/** The purposes of the endpoints that charge nothing. */
const purposes: Readonly<Partial<Record<EndpointName, PaymentRequest['purpose']>>> = {
  register: 'register',
  authenticate: 'authenticate',
  assess: 'assess',
  screen: 'assess',
  screenAgain: 'assess',
};

/** Takes a payment, a follow-up of the one in the path, a charge of a registration, a registration, an authentication or a risk check. */
export async function pay(
  services: ReplyServices & Pick<Services, 'digest' | 'environment'>,
  caller: Authenticated,
  request: Request,
): Promise<Reply> {
  const { replies, environment, world } = services;
  const { entity } = caller;
  const call = callOf(request, caller.decoded);
  const { endpoint, decoded } = call;
  const found = dispatch(entity, entity.channel ? ANYTHING : await wantedOf(services, call, caller));
  if (found.is === 'refused' && found.refusal !== '800.160.110') return replies.result(found.refusal, entity.id);

  const isLenient = found.is === 'channel' && found.channel.isLenient;
  const { cardNumbersInText: cardNumbers } = found.is === 'channel' ? found.channel : entity.settings;
  const context = { endpoint, isLenient, cardNumbers, source: 'server', environment } as const;
  await endOf('form');
  const checked = await checkForm(decoded, context);
  const badKey = keyFault(request);
  if (badKey || checked.is === 'faulty') {
    const faults = [...(badKey ? [badKey] : []), ...(checked.is === 'faulty' ? checked.faults : [])];
    return replies.result('200.300.404', entity.id, { faults, ...(await lenientRemark(decoded, context, faults)) });
  }
  if (found.is === 'refused') return replies.result(found.refusal, entity.id);

  await endOf('check');
  const idempotencyKey = idempotencyKeyOf(services, request, entity.id);
  const origin = originFor(services, request) ?? '';
  const performed = await perform(world, {
    channel: found.channel,
    environment,
    checked,
    idempotencyKey,
    origin,
    purpose: purposes[request.endpoint] ?? 'pay',
    referencedId: call.referencedId,
    registrationId: call.registrationId,
    isReferenceSent: call.isReferenceSent,
  });
  switch (performed.is) {
    case 'payment': {
      const reply = await replyFor(services, performed.payment, request);
      if (performed.isReplayed) return withReplayMark(reply, performed);
      const inLive = reportedCode(performed.payment.risk, found.channel.risk);
      return inLive === null ? reply : withLiveCode(reply, inLive);
    }
    case 'faulty':
      return replies.result('200.300.404', entity.id, { faults: performed.faults });
    case 'badToken':
      return replies.result('200.100.603', entity.id, { faults: performed.faults });
    case 'busy':
      return replies.result('800.700.100', entity.id);
    case 'otherBody':
      return keyConflict(services, entity.id);
  }
}

const NAMES_MAX = 5;

/** A channel that only reports names the code that an enforcing one would have answered with. */
const withLiveCode = (reply: Reply, code: string): Reply => ({ ...reply, headers: [...reply.headers, 'Risk-In-Live', code] });

/** In the test environment a strict channel says which faults a lenient one would accept. */
async function lenientRemark(
  decoded: Decoded,
  context: Context,
  faults: readonly Fault[],
): Promise<{ readonly remark?: string }> {
  if (context.environment !== 'test' || context.isLenient) return {};
  const leniently = await checkForm(decoded, { ...context, isLenient: true });
  const left = new Set(leniently.is === 'faulty' ? leniently.faults.map(({ name }) => name) : []);
  const accepted = faults.map(({ name }) => name).filter((name) => name !== KEY_HEADER && !left.has(name));
  if (accepted.length === 0) return {};
  const names = accepted.slice(0, NAMES_MAX).join(', ') + (accepted.length > NAMES_MAX ? ' and others' : '');
  return { remark: `this channel is strict; a lenient one accepts the request as to ${names}` };
}

const replyFor = (services: ReplyServices, payment: Payment, request: Request): Promise<Reply> =>
  request.endpoint === 'authenticate'
    ? authenticationReply(services, payment, payment.ndc)
    : merchantReply(services, payment, { ndc: payment.ndc, request });

/** How a merchant with several channels chooses one: the channel of the referenced payment, or one for brand and currency. */
async function wantedOf(
  { world }: Pick<Services, 'world'>,
  { referencedId, registrationId }: Pick<Call, 'referencedId' | 'registrationId'>,
  { entity, decoded }: Authenticated,
): Promise<DispatchRequest> {
  const { fields } = decoded;
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
