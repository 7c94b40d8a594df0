import { checkForm } from '../form/check.ts';
import type { Checked, Fault } from '../form/checked.ts';
import type { Channel } from '../merchants/channel.ts';
import { countsAttempts } from '../payments/applyScenario.ts';
import { isApproved } from '../payments/balance.ts';
import { abandon } from '../payments/callbacks.ts';
import { isOpen, type Payment } from '../payments/payment.ts';
import { perform } from '../payments/take.ts';
import type { CodeThat } from '../spec/resultCodes.ts';
import { widgetFields } from '../spec/widget.ts';
import { ATTEMPTS_MAX, type Checkout, decisiveAttempt } from './checkout.ts';
import { channelFor, channelsOf } from './find.ts';
import { type CheckoutRequest, excessField, fromBrowser, isOffered, mergeRequest, type Texts } from './merge.ts';
import type { CheckoutService } from './ports.ts';
import { openCard, openPrepared } from './secrets.ts';
import { preparedIn, requiredFieldsOf } from './session.ts';

/** A form that a shopper's browser has sent, and the data of the browser itself. */
export type SubmittedForm = {
  readonly fields: ReadonlyMap<string, string>;
  readonly isRegistering: boolean;
  readonly address: string;
  readonly acceptHeader: string | undefined;
  readonly userAgent: string | undefined;
  readonly origin: string;
};

/** `made`: this form made the payment. `there`: another payment of the checkout has succeeded or is open. */
export type PayResult =
  | { readonly is: 'made' | 'there'; readonly payment: Payment }
  | { readonly is: 'faulty'; readonly faults: readonly Fault[]; readonly code: CodeThat<'refused'> };

type Faulty = Extract<PayResult, { readonly is: 'faulty' }>;

const faulty = (faults: readonly Fault[], code: CodeThat<'refused'> = '200.300.404'): Faulty => ({ is: 'faulty', faults, code });

/** The sealed card does not open. */
export const unreadableSeal: Faulty = faulty([
  { name: widgetFields.sealed, value: null, message: 'was not sealed for this checkout, or too long ago' },
]);

/** The fields of a card, and whether the form sent them in clear. */
type FormCard = { readonly card: Texts; readonly isPlain: boolean };

/** The form with its sealed card opened. */
export type OpenedForm = SubmittedForm & FormCard;

const PLAIN_CARD = ['card.number', 'card.cvv'] as const;

/** Whether a form has card fields in clear and none that are sealed: that of an app, a script or a page of the merchant's own. */
export const hasPlainCard = (fields: SubmittedForm['fields']): boolean =>
  !fields.get(widgetFields.sealed) && PLAIN_CARD.some((name) => fields.get(name));

const plainFaults = (card: Texts): readonly Fault[] =>
  Object.keys(card).map((name) => ({
    name,
    value: null,
    message:
      'must not be sent in clear: let the payment widget ask for it, pay by POST /v1/payments from your server, ' +
      'or ask the operator to turn on plainCardForms for the channel',
  }));

/** The fields of the card in a form; null: the sealed text does not open. Sealed fields take precedence. */
export async function cardOf(
  service: CheckoutService,
  checkout: Checkout,
  fields: SubmittedForm['fields'],
): Promise<FormCard | null> {
  const sealed = fields.get(widgetFields.sealed) || null;
  if (sealed === null) return { card: plainCardOf(fields), isPlain: hasPlainCard(fields) };
  const card = await openCard(service, checkout, sealed);
  return card && { card, isPlain: false };
}

function plainCardOf(fields: SubmittedForm['fields']): Texts {
  const sent = PLAIN_CARD.map((name) => [name, fields.get(name) ?? ''] as const);
  return Object.fromEntries(sent.filter(([, text]) => text !== ''));
}

/** Pays with the widget's form. */
export async function payCheckout(service: CheckoutService, checkout: Checkout, posted: SubmittedForm): Promise<PayResult> {
  const card = await cardOf(service, checkout, posted.fields);
  return card === null ? unreadableSeal : payWith(service, checkout, { ...posted, ...card });
}

/** The same with the fields of the card at hand. */
export async function payWith(service: CheckoutService, checkout: Checkout, form: OpenedForm): Promise<PayResult> {
  const prepared = await prepareRequest(service, checkout, form);
  if (prepared.is === 'faulty') return prepared;
  const before = await service.store.attempts(checkout.merchantId, checkout.id);
  if (before.length >= ATTEMPTS_MAX && !before.some(isInTheWay)) return faulty([], '700.500.001');
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const paid = await attempt(service, checkout, prepared);
    if (paid !== 'busy') return paid;
    const payment = await stillInTheWay(service, checkout);
    if (payment) return { is: 'there', payment };
  }
  const payment = decisiveAttempt(await service.store.attempts(checkout.merchantId, checkout.id));
  if (!payment) throw new Error(`the checkout ${checkout.id} is busy without a payment`);
  return { is: 'there', payment };
}

/** An open payment may end while it is examined, and another shopper of the same checkout may be quicker. */
const TRIES_MAX = 3;

/** A well-formed request, and the shopper's fields in it. */
type PreparedRequest = {
  readonly is: 'prepared';
  readonly request: CheckoutRequest;
  readonly shopperFields: Texts;
  readonly channel: Channel;
  readonly checked: Checked;
  readonly origin: string;
};

/** Builds and checks the request. Nothing is committed yet. */
export async function prepareRequest(
  service: CheckoutService,
  checkout: Checkout,
  form: OpenedForm,
): Promise<PreparedRequest | Faulty> {
  const excess = excessField(form.fields);
  if (excess) return faulty([excess]);
  const { request, shopperFields } = await mergeForm(service, checkout, form);
  const { registrationId, isRegistering, form: merged, brand } = request;
  if (registrationId !== null && !isOffered(checkout, registrationId)) {
    return faulty([{ name: 'registrationId', value: registrationId, message: 'is not offered by this checkout' }]);
  }
  const found = channelFor(service, checkout, { is: 'new', brand, currency: merged.fields.get('currency') ?? null });
  if (found.is === 'refused') return faulty([], found.refusal);
  const channel = checkout.link ? withOwnHost(found.channel, checkout) : found.channel;
  const allowsPlain = channel.plainCardForms ?? service.environment === 'test';
  if (form.isPlain && !allowsPlain) return faulty(plainFaults(form.card));
  const endpoint = isRegistering ? 'register' : registrationId === null ? 'pay' : 'payRegistered';
  // The merchant's parameters were checked strictly when the checkout was prepared. Parameters of a shopper are no reason to lose a sale.
  const context = { endpoint, isLenient: true, source: 'server', environment: service.environment } as const;
  merged.put(browserFields(form, channel), (name) => !merged.fields.has(name));
  const checked = await checkForm(merged.decoded(), context);
  if (checked.is === 'faulty') return faulty(checked.faults);
  return { is: 'prepared', request, shopperFields, channel, checked, origin: form.origin };
}

/** The channel with the gateway's own host among those at which a shopper may end: there is the page of a payment link. */
function withOwnHost(channel: Channel, { origin }: Checkout): Channel {
  const { shopperResultHosts } = channel;
  return shopperResultHosts === null
    ? channel
    : { ...channel, shopperResultHosts: [...shopperResultHosts, new URL(origin).host] };
}

async function mergeForm(
  service: CheckoutService,
  checkout: Checkout,
  posted: OpenedForm,
): Promise<Pick<PreparedRequest, 'request' | 'shopperFields'>> {
  const secrets = await openPrepared(service, checkout);
  const isPrepared = preparedIn(checkout, secrets);
  const isRegistering = posted.isRegistering || checkout.isRegistering;
  const threeDSecure = channelsOf(service, checkout).some((channel) => channel.threeDSecure);
  const asks = requiredFieldsOf(posted.fields.get('paymentBrand') ?? '', { isPrepared, isRegistering, threeDSecure });
  const shopperFields = fromBrowser(posted.fields, asks);
  const chosen = shopperFields.registrationId;
  const stored = chosen === undefined ? null : await service.world.store.registration(checkout.merchantId, chosen);
  const brandOf = () => stored?.registration.paymentBrand ?? null;
  return {
    shopperFields,
    request: await mergeRequest(service, checkout, { secrets, posted: shopperFields, card: posted.card, isRegistering, brandOf }),
  };
}

/** The browser data of the connection. Sent parameters take precedence. */
function browserFields({ address, acceptHeader, userAgent }: SubmittedForm, channel: Channel): Texts {
  const header = (name: string, text: string | undefined): Texts =>
    channel.threeDSecure && text !== undefined && text !== '' ? { [name]: text.slice(0, 2048) } : {};
  return {
    ...(address !== '' && { 'customer.ip': address }),
    ...header('customer.browser.acceptHeader', acceptHeader),
    ...header('customer.browser.userAgent', userAgent),
  };
}

async function attempt(
  service: CheckoutService,
  { id, merchantId }: Checkout,
  prepared: PreparedRequest,
): Promise<PayResult | 'busy'> {
  const { world, environment, store } = service;
  const { request, channel, checked, origin } = prepared;
  const { isRegistering, registrationId } = request;
  const isPlaying = environment === 'test' && countsAttempts(channel, (name) => checked.text(name));
  const performed = await perform(world, {
    ...(isPlaying && { attempt: (await store.attempts(merchantId, id)).length + 1 }),
    channel,
    environment,
    checked,
    idempotencyKey: null,
    referencedId: null,
    registrationId,
    purpose: isRegistering ? 'register' : 'pay',
    origin,
    checkoutId: id,
  });
  switch (performed.is) {
    case 'payment':
      return { is: 'made', payment: performed.payment };
    case 'faulty':
      return faulty(performed.faults);
    case 'badToken':
      return faulty(performed.faults, '200.100.603');
    case 'busy':
      return 'busy';
    case 'otherBody':
      throw new Error('a form without a key has the key of another');
  }
}

/** A second click within this time is a double click and does not abandon the first payment. */
const DOUBLE_CLICK_MS = 3_000;

/**
 * Abandons the open payment of a shopper who starts another one. Returns the payment that is still in the way of a new one: one that has
 * succeeded, has just begun, or is at the acquirer. Null: a new payment may begin.
 */
async function stillInTheWay({ world, store }: CheckoutService, { merchantId, id }: Checkout): Promise<Payment | null> {
  const payment = decisiveAttempt(await store.attempts(merchantId, id));
  if (!payment || !isInTheWay(payment)) return null;
  const { at } = payment.phase;
  if (at !== 'shopper' && at !== 'authentication') return payment;
  if (world.clock.now() - payment.createdAt < DOUBLE_CLICK_MS) return payment;
  const after = await abandon(world, { merchantId, paymentId: payment.id });
  return after === null || isInTheWay(after) ? (after ?? payment) : null;
}

const isInTheWay = (payment: Payment): boolean => isOpen(payment) || isApproved(payment);
