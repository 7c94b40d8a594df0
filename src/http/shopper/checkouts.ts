import { type Checkout, decisiveAttempt, isOver, offered } from '../../checkouts/checkout.ts';
import { anyCheckout, liveCheckout } from '../../checkouts/find.ts';
import { hasPlainCard, payCheckout as pay, type SubmittedForm } from '../../checkouts/pay.ts';
import { saveForm } from '../../checkouts/savedForm.ts';
import { sealCard } from '../../checkouts/secrets.ts';
import { sessionOf } from '../../checkouts/session.ts';
import { noteSavedForm, noteSubmission } from '../../checkouts/submission.ts';
import { check } from '../../form/check.ts';
import type { Fault } from '../../form/checked.ts';
import { type Decoded, decode, decodeFew, decodeInSlices } from '../../form/decode.ts';
import { shopperFieldsMax } from '../../form/limits.ts';
import { isOpen, type Payment } from '../../payments/payment.ts';
import { deregister } from '../../payments/registration/changeRegistration.ts';
import { returnPathOf } from '../../payments/resultUrl.ts';
import { ticks } from '../../runtime/ticks.ts';
import { widgetFields } from '../../spec/widget.ts';
import { amountTextOf } from '../../widget/languages.ts';
import { carryOutCheckout, isOfMerchant } from '../api/checkouts.ts';
import { paymentReply } from '../api/paymentReply.ts';
import { type Outcome, originFor } from '../handler.ts';
import { LONG_FORM_BYTES, type Request } from '../request.ts';
import type { Services } from '../services.ts';
import { addressOf } from '../transport/clientAddress.ts';
import { jsonHeaders, type Reply, seeOther, unnamed } from '../transport/reply.ts';
import {
  asScript,
  destinationOf,
  endReply,
  expiredReply,
  faultyReply,
  noSession,
  redirectTo,
  savedReply,
  wantsJson,
  workingReply,
} from './checkoutReply.ts';

/** Requests of a shopper's browser, which holds the id of a checkout and no token. */

/** Carries out a form of a shopper and replies with the page that comes next, or with JSON. */
export async function submitCheckout(services: Services, sent: Request): Promise<Outcome> {
  const { checkouts, trust } = services;
  if (isOfMerchant(sent)) return carryOutCheckout(services, sent);
  const { fields, faults, isWhole } = await decoded(sent);
  const request = hasPlainCard(fields) ? asScript(sent) : sent;
  const known = await anyCheckout(checkouts, request.id ?? '');
  if (!known || isOver(known, checkouts.world.clock.now())) return expiredReply(services, request, known);
  const isSaving = fields.get(widgetFields.summary) === '1';
  const checkout = await (isSaving ? noteSavedForm : noteSubmission)(checkouts, known, fields);
  // The part that was not read may have held a field of the payment.
  if (!isWhole) return faultyReply(services, request, { checkout, code: '200.300.404', faults: faults.slice(-1).map(faultOf) });
  const origin = originFor(services, request) ?? checkout.origin;
  const posted: SubmittedForm = {
    fields,
    isRegistering: request.endpoint === 'registerCheckout',
    address: addressOf(request.message, trust),
    acceptHeader: isSaving && wantsJson(request) ? ANYTHING : sent.headers.accept,
    userAgent: request.headers['user-agent'],
    origin,
  };
  if (isSaving) {
    const faulty = await saveForm(checkouts, checkout, posted);
    return faulty ? faultyReply(services, request, { checkout, ...faulty }) : savedReply(services, request, checkout);
  }
  const paid = await pay(checkouts, checkout, posted);
  if (paid.is === 'faulty') return faultyReply(services, request, { checkout, ...paid });
  return pageAfter(services, request, { checkout, payment: paid.payment, origin, isOurs: paid.is === 'made' });
}

const decoded = async ({ body }: Request): Promise<Decoded> =>
  body.length > LONG_FORM_BYTES ? decodeInSlices(body, ticks.next, shopperFieldsMax) : decode(body);

const faultOf = ({ name, value, message }: Fault): Fault => ({ name, value, message });

/** The `Accept` header of a script, where the form itself was sent by one. */
const ANYTHING = '*/*';

const SHOPPER_MEMBERS = ['id', 'registrationId', 'paymentType', 'paymentBrand', 'amount', 'currency', 'descriptor', 'card'];
const GATEWAY_MEMBERS = ['threeDSecure', 'redirect', 'buildNumber', 'timestamp', 'ndc'];

/** A payment as an app without a token may see it: no scores, no checks of issuers, nothing that the merchant has sent. */
function forShopper(body: string): string {
  const { result, ...all } = JSON.parse(body) as { readonly result: { readonly code: string; readonly description: string } };
  const known = all as Readonly<Record<string, unknown>>;
  const pick = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, known[name]]));
  const { code, description } = result;
  return JSON.stringify({ ...pick(SHOPPER_MEMBERS), result: { code, description }, ...pick(GATEWAY_MEMBERS) });
}

type NextPage = {
  readonly checkout: Checkout;
  readonly payment: Payment;
  readonly origin: string;
  /** This form has made the payment. */
  readonly isOurs: boolean;
};

function pageAfter(
  services: Pick<Services, 'checkouts' | 'environment' | 'metrics' | 'publicUrl' | 'replies' | 'trust' | 'world'>,
  request: Request,
  { checkout, payment, origin, isOurs }: NextPage,
): Reply {
  // Counted like every payment; a browser gets a page instead of the JSON.
  const json = paymentReply(services, payment, { ndc: checkout.id, request });
  if (wantsJson(request)) return { ...json, body: forShopper(json.body) };
  const about = { code: json.code, ndc: checkout.id, entityId: checkout.entityId };
  const destination = destinationOf(services, payment, origin);
  if (destination) return { ...redirectTo(services, request, { checkout, destination, origin }), ...about };
  if (!isOurs && isOpen(payment)) return { ...workingReply(services, request, checkout), ...about };
  return { ...seeOther(returnPathOf(checkout.id)), ...about };
}

/** How long a second tab waits for an acquirer before it shows that the payment takes longer. */
const WAIT_MS_MAX = 60_000;

/** The page at which every payment of a checkout ends. */
export async function checkoutReturn(
  services: Pick<Services, 'checkouts' | 'environment' | 'replies'>,
  request: Request,
): Promise<Reply> {
  const { checkouts } = services;
  const checkout = await anyCheckout(checkouts, request.id ?? '');
  if (!checkout) return expiredReply(services, request, null);
  const payment = decisiveAttempt(await checkouts.store.attempts(checkout.merchantId, checkout.id));
  const isWaiting = new URLSearchParams(request.query).has('wait');
  const isFresh = payment !== null && isOpen(payment) && checkouts.world.clock.now() - payment.createdAt < WAIT_MS_MAX;
  if (isWaiting && isFresh) return workingReply(services, request, checkout);
  if (!payment && isOver(checkout, checkouts.world.clock.now())) return expiredReply(services, request, checkout);
  return endReply(services, request, { checkout, payment });
}

/** The state of a checkout, as the widget shows it. */
export async function widgetSession(services: Pick<Services, 'checkouts' | 'replies'>, request: Request): Promise<Reply> {
  const { checkouts, replies } = services;
  const checkout = await liveCheckout(checkouts, request.id ?? '');
  if (!checkout) return noSession(services, null);
  const session = await sessionOf(checkouts, checkout);
  const locale = new URLSearchParams(request.query).get('locale') ?? '';
  const amountText = { locale, text: amountTextOf(session.amount, session.currency, locale) };
  return replies.json(200, { ...session, amountText }, { ndc: checkout.id, entityId: checkout.entityId });
}

const CARD = ['card.number', 'card.cvv', 'card.holder', 'card.expiryMonth', 'card.expiryYear'];

/** Whether the browser says that a page of another origin sent the request. Only our own frames seal fields. */
const isFromElsewhere = ({ headers }: Request): boolean =>
  headers['sec-fetch-site'] !== undefined && headers['sec-fetch-site'] !== 'same-origin';

/** Seals the fields of a card for a checkout. Nothing is stored. */
export async function sealFields(
  services: Pick<Services, 'checkouts' | 'environment' | 'replies'>,
  request: Request,
): Promise<Reply> {
  const { checkouts, replies, environment } = services;
  if (isFromElsewhere(request))
    return replies.result('200.300.404', null, { status: 403, remark: 'fields are sealed for our own frames' });
  const checkout = await liveCheckout(checkouts, request.id ?? '');
  const { fields, ...rest } = decodeFew(request.body);
  const openedFor = fields.get('openedFor');
  const opened = openedFor === undefined ? checkout : await anyCheckout(checkouts, openedFor);
  if (!checkout || opened?.entityId !== checkout.entityId) return noSession(services, null);
  const card = new Map([...fields].filter(([name]) => CARD.includes(name)));
  const context = { sections: ['card'], required: [], isLenient: true, source: 'server', environment } as const;
  const checked = check({ ...rest, fields: card }, context);
  const about = { ndc: checkout.id };
  if (checked.is === 'faulty') return replies.result('200.300.404', checkout.entityId, { ...about, faults: checked.faults });
  const sealed = await sealCard(checkouts, checkout, Object.fromEntries(checked.fields));
  const headers = jsonHeaders.slice(0, jsonHeaders.indexOf('Access-Control-Allow-Origin'));
  return { ...replies.json(200, { sealed }, { ...about, entityId: checkout.entityId }), headers };
}

/** Deletes a registration that this checkout offers, for the shopper. */
export async function forgetStored(
  services: Pick<Services, 'checkouts' | 'environment' | 'replies' | 'world'>,
  request: Request,
): Promise<Reply> {
  const { checkouts, replies, world, environment } = services;
  const checkout = await liveCheckout(checkouts, request.id ?? '');
  if (!checkout) return noSession(services, null);
  const registrationId = decodeFew(request.body).fields.get('registrationId') ?? '';
  const { merchantId, entityId, id: ndc } = checkout;
  if (!offered(checkout).some(([, id]) => id === registrationId)) {
    const fault = { name: 'registrationId', value: null, message: 'is not offered by this checkout' };
    return replies.result('200.300.404', entityId, { ndc, faults: [fault] });
  }
  const deregistered = await deregister(world, { merchantId, registrationId, entityId: null, environment, idempotencyKey: null });
  // A registration that is deleted already is no error.
  if (deregistered.is === 'refused' && deregistered.refusal !== '100.150.202')
    return replies.result(deregistered.refusal, entityId, { ndc });
  return {
    ...unnamed,
    ndc,
    entityId,
    status: 204,
    headers: ['Access-Control-Allow-Origin', '*', 'Cache-Control', 'no-store'],
    body: '',
  };
}
