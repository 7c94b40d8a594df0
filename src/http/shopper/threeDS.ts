import { decodeFew } from '../../form/decode.ts';
import { firstFields } from '../../form/pick.ts';
import { onAuthenticated, onShopperReturn, onThreeDSResults } from '../../payments/callbacks.ts';
import { inquiryFor } from '../../payments/drive.ts';
import {
  type Payment,
  type PaymentRef,
  parsePaymentRef,
  RESULT_FIELD,
  type Redirect,
  type ShopperStep,
  STEP_FIELD,
} from '../../payments/payment.ts';
import { readPayment } from '../../payments/read.ts';
import { resultUrlOf } from '../../payments/resultUrl.ts';
import { addressesAt, browserPath, continuePath } from '../../payments/threeDS/steps.ts';
import { parsedJson } from '../../runtime/json.ts';
import { browserDataOf } from '../../threeds/device.ts';
import { deniedResults } from '../../threeds/directory.ts';
import type { PeerVerdict } from '../../threeds/live/resultsAccess.ts';
import { componentHostPage } from '../../threeds/pages/componentPage.ts';
import { browserHostPage, challengeHostPage, methodHostPage, returnPage } from '../../threeds/pages/hostPages.ts';
import { errorPage, methodDonePage } from '../../threeds/pages/issuerPages.ts';
import type { Page } from '../../threeds/pages/page.ts';
import { challengeForm, methodEvent, methodForm, returnEvent, windowSizes } from '../../threeds/shopper.ts';
import { originFor } from '../handler.ts';
import { notFound } from '../replies.ts';
import type { Request } from '../request.ts';
import type { Services } from '../services.ts';
import { certificateOf } from '../transport/clientAddress.ts';
import { framedPageHeaders, jsonHeaders, onward, type Reply, seeOther, unnamed } from '../transport/reply.ts';
import { ancestorsOf } from './checkoutReply.ts';

export const framedReply = ({ html, policy }: Page, status = 200): Reply => ({
  ...unnamed,
  status,
  headers: framedPageHeaders(policy),
  body: html,
});

const METHOD_SECONDS = 10;

const languageOf = ({ fields }: Payment): string => fields['customer.language'] ?? fields['customer.browser.language'] ?? 'en';

/** The page for the present step: the browser data, the hidden frame, the issuer's challenge, or back to the shop. */
function stepPage(payment: Payment, services: Pick<Services, 'checkouts' | 'replies'>): Reply {
  const { replies } = services;
  const { threeDS, phase } = payment;
  const url = resultUrlOf(payment);
  if (!threeDS) return notFound(replies);
  const { origin, state } = threeDS;
  const language = languageOf(payment);
  const around = framedBy(services, payment);
  if (phase.at === 'authentication' && state.phase.at === 'browser') {
    return framedReply(browserHostPage({ url: `${origin}${browserPath(payment)}`, language, ...around }));
  }
  const addresses = addressesAt(origin, payment);
  const method = phase.at === 'authentication' ? methodForm(state, addresses) : null;
  if (method) {
    const continueUrl = `${origin}${continuePath(payment)}`;
    const doneUrl = addresses.methodNotification;
    return framedReply(methodHostPage({ form: method, doneUrl, continueUrl, language, seconds: METHOD_SECONDS, ...around }));
  }
  const challenge = phase.at === 'authentication' ? challengeForm(state, payment.id) : null;
  if (challenge)
    return framedReply(challengeHostPage({ form: challenge, windowSize: state.parameters.windowSize, language, ...around }));
  return url === null ? notFound(replies) : onward(url, around.ancestors);
}

/** The payment widget shows the pages inside the shop's own. */
function framedBy(services: Pick<Services, 'checkouts'>, { checkoutId, entityId }: Payment): { readonly ancestors?: string } {
  if (checkoutId === null) return {};
  const ancestors = ancestorsOf(services, entityId);
  return { ancestors: ancestors === '*' ? ancestors : `'self' ${ancestors}` };
}

/** The target that leaves the issuer's frame, but not the widget's. */
function leavingFor({ checkoutId, threeDS }: Payment): '_top' | '_parent' | '_self' {
  if (checkoutId === null) return '_top';
  return (windowSizes[threeDS?.state.parameters.windowSize ?? ''] ?? null) === null ? '_self' : '_parent';
}

/** The page that a pending payment is redirected to. */
export async function threeDSPage(services: Pick<Services, 'checkouts' | 'replies' | 'world'>, request: Request): Promise<Reply> {
  const named = parsePaymentRef(request.id);
  const payment = named && (await readPayment(services.world, { merchantId: named.merchantId, entityId: null }, named.paymentId));
  return payment ? stepPage(payment, services) : notFound(services.replies);
}

/** The page has collected the browser data. Sent twice, the first counts. */
export async function threeDSBrowser(
  services: Pick<Services, 'checkouts' | 'replies' | 'world'>,
  request: Request,
): Promise<Reply> {
  const named = parsePaymentRef(request.id);
  const browser = browserDataOf(decodeFew(request.body).fields, request.headers);
  const payment = named && (await onAuthenticated(services.world, named, { is: 'browserData', browser }));
  return payment ? stepPage(payment, services) : notFound(services.replies);
}

/** The shopper goes on: the hidden frame is done or was skipped, or the shopper comes from the issuer. */
export async function threeDSContinue(
  services: Pick<Services, 'checkouts' | 'replies' | 'world'>,
  request: Request,
): Promise<Reply> {
  const named = parsePaymentRef(request.id);
  const payment = named && (await onAuthenticated(services.world, named, { is: 'methodSkipped' }));
  return payment ? stepPage(payment, services) : notFound(services.replies);
}

/** The hidden frame reports that it is done. */
export async function threeDSMethod(services: Pick<Services, 'replies' | 'world'>, request: Request): Promise<Reply> {
  const named = parsePaymentRef(request.id);
  const event = methodEvent(decodeFew(request.body).fields.get('threeDSMethodData') ?? '');
  if (named && event) await onAuthenticated(services.world, named, event);
  return named ? framedReply(methodDonePage()) : notFound(services.replies);
}

/** The shopper is back from the issuer. The data of the browser is not trusted; it only says that the shopper is there. */
export async function threeDSReturn(services: Pick<Services, 'replies' | 'world'>, request: Request): Promise<Reply> {
  const named = parsePaymentRef(request.id);
  if (!named) return notFound(services.replies);
  const { fields } = decodeFew(request.body);
  const payment = await onAuthenticated(services.world, named, returnEvent(fields.get('cres') ?? fields.get('erro')));
  if (!payment?.threeDS) return notFound(services.replies);
  const continueUrl = `${payment.threeDS.origin}${continuePath(payment)}`;
  return framedReply(returnPage({ continueUrl, language: languageOf(payment), target: leavingFor(payment) }));
}

/** A directory server reports the result of a challenge. */
export async function threeDSResults(
  services: Pick<Services, 'replies' | 'resultsAccess' | 'trust' | 'world'>,
  request: Request,
): Promise<Reply> {
  const named = parsePaymentRef(request.id);
  if (!named) return notFound(services.replies);
  const message = parsedJson(request.body.toString('utf8'));
  const verdict = await resultsVerdict(services, request, named);
  if (verdict !== 'trusted') return messageReply(deniedResults(message), verdict === 'absent' ? 401 : 403);
  return messageReply(await onThreeDSResults(services.world, named, message));
}

const messageReply = (message: object, status = 200): Reply => ({
  ...unnamed,
  status,
  headers: jsonHeaders,
  body: JSON.stringify(message),
});

/** A sender that no network knows is refused before anything is read; then the network of the payment decides. */
async function resultsVerdict(
  { resultsAccess, trust, world }: Pick<Services, 'resultsAccess' | 'trust' | 'world'>,
  { message }: Request,
  named: PaymentRef,
): Promise<PeerVerdict> {
  if (!resultsAccess) return 'trusted';
  const certificate = certificateOf(message, trust, resultsAccess.certificateHeader);
  const first = resultsAccess.verdict(null, certificate);
  if (first !== 'trusted') return first;
  const payment = await readPayment(world, { merchantId: named.merchantId, entityId: null }, named.paymentId);
  return payment?.threeDS ? resultsAccess.verdict(payment.threeDS.state.parameters.network, certificate) : first;
}

/** The parameters of the address; the form overrides them. */
function returnParameters({ query, body }: Request): ReadonlyMap<string, string> {
  const parameters = [...new URLSearchParams(query), ...new URLSearchParams(firstFields(body, PARAMETERS_MAX).toString('utf8'))];
  return new Map(parameters.slice(0, PARAMETERS_MAX));
}

const PARAMETERS_MAX = 64;

/** The shopper comes back from the bank: the gateway asks the far side for the result and sends the shopper on to the shop. */
export async function shopperReturn({ world, replies }: Pick<Services, 'replies' | 'world'>, request: Request): Promise<Reply> {
  const named = parsePaymentRef(request.id);
  const payment = named && (await onShopperReturn(world, named, returnParameters(request)));
  const url = payment && resultUrlOf(payment);
  return url ? seeOther(url) : notFound(replies);
}

type Needs = Pick<Services, 'checkouts' | 'publicUrl' | 'replies' | 'trust' | 'world'>;

/** The page posts two. */
const FIELDS_MAX = 16;

const DONE: ShopperStep = { is: 'done' };

/** The step that the shopper of a payment still has to take; null: its connector has no such page. */
async function stepOf({ world }: Pick<Services, 'world'>, payment: Payment): Promise<ShopperStep | null> {
  if (payment.phase.at !== 'shopper') return DONE;
  const connector = world.connector(payment.connector, payment.entityId);
  return (await connector?.shopperStep?.(await inquiryFor(world, payment))) ?? null;
}

/** On to the shop, as far as the payment has one. */
function leave(services: Needs, payment: Payment): Reply {
  const url = resultUrlOf(payment);
  return url === null ? notFound(services.replies) : onward(url, framedBy(services, payment).ancestors);
}

function sendAway(services: Needs, payment: Payment, redirect: Redirect): Reply {
  const around = framedBy(services, payment);
  if (redirect.method !== 'POST') return onward(redirect.url, around.ancestors);
  return framedReply(challengeHostPage({ form: redirect, windowSize: '05', language: languageOf(payment), ...around }));
}

/**
 * The page that a payment of native 3D Secure is redirected to. It shows the step that is due now: loaded again, or by the back button, it
 * shows that of today, and after the last one it goes on to the shop.
 */
export async function componentPage(services: Needs, request: Request): Promise<Reply> {
  const named = parsePaymentRef(request.id);
  const payment = named && (await readPayment(services.world, { merchantId: named.merchantId, entityId: null }, named.paymentId));
  const step = payment && (await stepOf(services, payment));
  if (!payment || !step) return notFound(services.replies);
  switch (step.is) {
    case 'done':
      return leave(services, payment);
    case 'redirect':
      return sendAway(services, payment, step.redirect);
    case 'component':
      return framedReply(
        componentHostPage({
          ...step,
          path: request.path,
          backUrl: resultUrlOf(payment),
          isInFrame: payment.checkoutId !== null,
          language: languageOf(payment),
          ...framedBy(services, payment),
        }),
      );
  }
}

/** A form of another site. A page without an origin says `null`; the token of the step protects that one. */
function isForeign(services: Needs, request: Request): boolean {
  const { origin } = request.headers;
  return origin !== undefined && origin !== 'null' && origin !== originFor(services, request);
}

/** The page has a result. The shopper then sees the next step or goes on to the shop, by an address that may be loaded again. */
export async function componentResult(services: Needs, request: Request): Promise<Reply> {
  if (isForeign(services, request)) return framedReply(errorPage(request.headers['accept-language'] ?? 'en'), 403);
  const named = parsePaymentRef(request.id);
  const sent = new URLSearchParams(firstFields(request.body, FIELDS_MAX).toString('utf8'));
  const parameters = new Map([STEP_FIELD, RESULT_FIELD].map((name) => [name, sent.get(name) ?? '']));
  const payment = named && (await onShopperReturn(services.world, named, parameters));
  const step = payment && (await stepOf(services, payment));
  if (!payment || !step) return notFound(services.replies);
  return step.is === 'done' ? leave(services, payment) : seeOther(request.path);
}
