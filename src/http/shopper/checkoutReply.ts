import { type Checkout, outcomeOf, resourcePathOf } from '../../checkouts/checkout.ts';
import { shopUrlOf } from '../../checkouts/submission.ts';
import type { Fault } from '../../form/checked.ts';
import { codeOf } from '../../payments/commitPayment.ts';
import type { Payment } from '../../payments/payment.ts';
import { project } from '../../payments/reply/project.ts';
import { returnPathOf, withOutcome } from '../../payments/resultUrl.ts';
import { type LanguageCode, languageCalled } from '../../spec/languages.ts';
import { type ResultCode, resultCodes } from '../../spec/resultCodes.ts';
import type { WidgetResult } from '../../spec/widget.ts';
import { challengeHostPage } from '../../threeds/pages/hostPages.ts';
import { allTexts } from '../../widget/allTexts.ts';
import type { TextKey } from '../../widget/texts.ts';
import type { Request } from '../request.ts';
import type { Services } from '../services.ts';
import { framedPageHeaders, onward, type Reply, seeOther, unnamed } from '../transport/reply.ts';
import { expiredPage, type PageReader, resultPage, type WidgetPage, workingPage } from './widgetPages.ts';

const NO_SESSION =
  '(opp) No payment session found for the requested id - is it of another server, test or live, or older than 30 minutes?';

/** An unknown, foreign or expired checkout gets the same reply. */
export const noSession = ({ replies }: Pick<Services, 'replies'>, entityId: string | null): Reply =>
  replies.result('200.300.404', entityId, { remark: NO_SESSION });

type LogMembers = Partial<Pick<Reply, 'code' | 'ndc' | 'entityId'>>;

export const widgetPageReply = (
  { status, html, policy }: Omit<WidgetPage, 'status'> & { status?: number },
  about: LogMembers = {},
): Reply => ({
  ...unnamed,
  ...about,
  status: status ?? 200,
  headers: framedPageHeaders(policy),
  body: html,
});

/** The pages that may frame ours, as a policy names them. The gateway's own pages always may: it hosts payment links. */
export function ancestorsOf({ checkouts }: Pick<Services, 'checkouts'>, entityId: string): string {
  const { widgetOrigins = null } = checkouts.entity(entityId)?.settings ?? {};
  return widgetOrigins === null ? '*' : ["'self'", ...widgetOrigins].join(' ');
}

/** The language of the widget, or one that the browser accepts. */
export function languageFor(request: Request, checkout: Checkout | null): LanguageCode {
  const accepted = (request.headers['accept-language'] ?? '').split(',').map((language) => language.split(';', 1)[0] ?? '');
  return [checkout?.submission?.language ?? '', ...accepted].map(languageCalled).find((code) => code !== undefined) ?? 'en';
}

const readerOf = (services: Pick<Services, 'checkouts' | 'environment'>, request: Request, checkout: Checkout): PageReader => ({
  language: languageFor(request, checkout),
  ancestors: ancestorsOf(services, checkout.entityId),
  isTest: services.environment === 'test',
});

/** Whether the client wants the payment as JSON, as apps and tests do. A browser that navigates asks for a page. */
export const wantsJson = ({ headers: { accept = '' } }: Request): boolean =>
  accept.includes('application/json') && !accept.includes('text/html');

/** Card fields in clear come from apps and scripts, which read JSON, unless the client asks for a page. */
export const asScript = (request: Request): Request =>
  request.headers.accept?.includes('text/html')
    ? request
    : { ...request, headers: { ...request.headers, accept: 'application/json' } };

export const expiredReply = (
  services: Pick<Services, 'checkouts' | 'environment' | 'replies'>,
  request: Request,
  checkout: Checkout | null,
): Reply =>
  wantsJson(request)
    ? noSession(services, checkout?.entityId ?? null)
    : widgetPageReply(
        checkout
          ? expiredPage({ ...readerOf(services, request, checkout), shopUrl: shopUrlOf(checkout) })
          : expiredPage({ language: languageFor(request, null), shopUrl: null }),
      );

type CheckoutResult = Pick<WidgetResult, 'outcome'> & {
  readonly code: ResultCode;
  readonly isStoring: boolean;
  readonly url: string | null;
};

/** The result, for the shop's page or, without one around it, for the shopper. */
function resultReply(
  services: Pick<Services, 'checkouts' | 'environment'>,
  request: Request,
  of: { readonly checkout: Checkout; readonly ended: CheckoutResult },
): Reply {
  const { checkout, ended } = of;
  const reader = readerOf(services, request, checkout);
  const result: WidgetResult = {
    checkoutId: checkout.id,
    resourcePath: resourcePathOf(checkout, ended.isStoring),
    url: ended.url,
    outcome: ended.outcome,
    code: ended.code,
    text: resultText(ended.code, reader.language, ended.isStoring),
  };
  const shopOrigin = checkout.submission?.flow === 'frame' ? checkout.submission.shopOrigin : null;
  const about = { code: ended.code, ndc: checkout.id, entityId: checkout.entityId };
  return widgetPageReply(resultPage({ ...reader, result, shopOrigin }), about);
}

/** The shop's own page for this checkout, with the parameters by which it reads the result. */
function shopUrl(checkout: Checkout, payment: Payment | null, isStoring: boolean): string | null {
  const url = payment?.fields.shopperResultUrl ?? shopUrlOf(checkout);
  return url === null ? null : withOutcome(url, checkout.id, resourcePathOf(checkout, isStoring));
}

/** The form could not be carried out. The shopper gets an instruction, and the shop's page the error. */
export function faultyReply(
  services: Pick<Services, 'checkouts' | 'environment' | 'replies'>,
  request: Request,
  { checkout, code, faults }: { readonly checkout: Checkout; readonly code: ResultCode; readonly faults: readonly Fault[] },
): Reply {
  const { id, entityId } = checkout;
  if (wantsJson(request)) return services.replies.result(code, entityId, { ndc: id, ...(faults.length > 0 && { faults }) });
  const isStoring = checkout.isRegistering;
  const url = shopUrl(checkout, null, isStoring);
  const reply = resultReply(services, request, { checkout, ended: { outcome: 'declined', code, isStoring, url } });
  // Names alone: the values of fields are private.
  return { ...reply, why: faults.map(({ name }) => name).join(' ') };
}

/** The end of a checkout: the shopper goes on to the shop, or the framing page gets the result. */
export function endReply(
  services: Pick<Services, 'checkouts' | 'environment'>,
  request: Request,
  { checkout, payment }: { readonly checkout: Checkout; readonly payment: Payment | null },
): Reply {
  const isStoring = payment ? payment.paymentType === 'RG' : checkout.isRegistering;
  const url = shopUrl(checkout, payment, isStoring);
  if (checkout.submission?.flow !== 'frame' && url !== null)
    return { ...seeOther(url), ndc: checkout.id, entityId: checkout.entityId };
  const ended: CheckoutResult = payment
    ? { outcome: outcomeOf(payment), code: codeOf(payment), isStoring, url }
    : { outcome: 'cancelled', code: '100.396.101', isStoring, url };
  return resultReply(services, request, { checkout, ended });
}

/** The form is saved: the shopper goes on to the shop, whose server carries it out. */
export function savedReply(
  services: Pick<Services, 'checkouts' | 'environment' | 'replies'>,
  request: Request,
  checkout: Checkout,
): Reply {
  const { id: ndc, entityId, isRegistering: isStoring } = checkout;
  if (wantsJson(request)) return services.replies.result('000.200.101', entityId, { ndc });
  const url = shopUrl(checkout, null, isStoring);
  if (checkout.submission?.flow !== 'frame' && url !== null) return { ...seeOther(url), ndc, entityId };
  return resultReply(services, request, { checkout, ended: { outcome: 'pending', code: '000.200.101', isStoring, url } });
}

/** Another tab has the payment under way: this one polls until it is over. */
export const workingReply = (
  services: Pick<Services, 'checkouts' | 'environment'>,
  request: Request,
  checkout: Checkout,
): Reply =>
  widgetPageReply(workingPage({ ...readerOf(services, request, checkout), next: `${returnPathOf(checkout.id)}?wait=1` }), {
    ndc: checkout.id,
    entityId: checkout.entityId,
  });

type Destination = {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
};

/** Where the shopper has to go with this payment; null: nowhere. */
export function destinationOf({ replies }: Pick<Services, 'replies'>, payment: Payment, origin: string): Destination | null {
  const { redirect } = project(payment, replies.base(payment.ndc), origin).body as { readonly redirect?: Destination };
  return redirect ?? null;
}

/**
 * Sends the shopper on, in the same frame or tab. Within the gateway that is a redirect; to another server it is a page, because a
 * browser would apply the policy of the shop's page that sent the form to the redirect.
 */
export function redirectTo(
  services: Pick<Services, 'checkouts'>,
  request: Request,
  of: { readonly checkout: Checkout; readonly destination: Destination; readonly origin: string },
): Reply {
  const { checkout, destination, origin } = of;
  const ancestors = ancestorsOf(services, checkout.entityId);
  const about = { ndc: checkout.id, entityId: checkout.entityId };
  if (destination.method === 'POST') {
    const language = languageFor(request, checkout);
    return widgetPageReply(challengeHostPage({ form: destination, windowSize: '05', language, ancestors }), about);
  }
  const url = withParameters(destination);
  return { ...(url.startsWith(`${origin}/`) || url.startsWith('/') ? seeOther(url) : onward(url, ancestors)), ...about };
}

function withParameters({ url, parameters }: Destination): string {
  if (parameters.length === 0) return url;
  const [address = '', fragment] = url.split('#', 2);
  const query = parameters.map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return `${address}${address.includes('?') ? '&' : '?'}${query}${fragment === undefined ? '' : `#${fragment}`}`;
}

/**
 * The text for a decline, by the beginning of its code; the first that fits. Suspicions of the risk checks or the issuer get the plain
 * text: a tester of stolen cards must not learn from it.
 */
const reasons: readonly (readonly [codes: RegExp, key: TextKey])[] = [
  [/^100\.396\./, 'resultCancelled'],
  [/^800\.100\.(?:155|162|203)/, 'resultDeclinedFunds'],
  [/^(?:100\.38|100\.390|000\.400\.10|300\.100\.100|800\.400\.2)/, 'resultDeclinedAuth'],
  [/^(?:100\.100\.|100\.15|100\.21|800\.100\.15[1367]|800\.100\.192)/, 'resultDeclinedCard'],
  [/^(?:[2356]00\.|800\.[56789]|9)/, 'resultError'],
];

/** A result as a shopper reads it, in the shopper's language and without a code. */
export function resultText(code: ResultCode, language: LanguageCode, isStoring: boolean): string {
  return allTexts[language].labels[shopperTextKey(code, isStoring)];
}

/** The key of that text among the texts of the widget. */
export function shopperTextKey(code: ResultCode, isStoring = false): TextKey {
  const { means } = resultCodes[code];
  if (means === 'approved') return isStoring ? 'resultStored' : 'resultSuccess';
  if (means === 'pending') return 'resultPending';
  return reasons.find(([codes]) => codes.test(code))?.[1] ?? 'resultDeclined';
}
