import { StoreOutOfOrder, UnknownOutcome } from '../payments/storeErrors.ts';
import type { EndpointName } from '../spec/endpoints.ts';
import { createAdminHandlers } from './admin/handlers.ts';
import { isOfMerchant } from './api/checkoutSummary.ts';
import { apiHandlers } from './api/handlers.ts';
import type { Handle, Handler, Outcome } from './handler.ts';
import { merchantClock } from './merchantClock.ts';
import { audit, dataAge, inspection, throttling } from './middleware.ts';
import { createSandboxHandlers } from './sandbox/handlers.ts';
import type { Services } from './services.ts';
import { languageFor, wantsJson, widgetPageReply } from './shopper/checkoutReply.ts';
import { shopperHandlers } from './shopper/handlers.ts';
import { goneWrong } from './shopper/widgetPages.ts';
import { internalError, unavailable } from './transport/errorReplies.ts';
import type { Log } from './transport/log.ts';
import type { Reply } from './transport/reply.ts';
import type { Request } from './transport/request.ts';

/** Each step wraps those after it. */
const pipeline = <First, Second, Third, Fourth, Fifth, Last>(
  first: (next: Second) => First,
  second: (next: Third) => Second,
  third: (next: Fourth) => Third,
  fourth: (next: Fifth) => Fourth,
  fifth: (next: Last) => Fifth,
  last: Last,
): First => first(second(third(fourth(fifth(last)))));

/** What every request passes, in this order. */
const handle: Handle = pipeline(
  // The call runs under the test clock of the merchant that it is about.
  merchantClock,
  // A reply with data of a replica says how old they are.
  dataAge,
  // The call and its reply are recorded for the developers' inspector.
  inspection,
  // The audit entry that a command returns is written before the reply leaves.
  audit,
  // An authorised call runs, or is refused with 429 when its entity calls too often.
  throttling,
  // The endpoint's handler authenticates and authorises the call; then it does what the endpoint is for.
  (services: Services, request: Request): Outcome | Promise<Outcome> => handlers[request.endpoint](services, request),
);

/** Every endpoint, by audience. */
const handlers: Readonly<Record<EndpointName, Handler>> = {
  ...apiHandlers,
  ...createAdminHandlers(handle),
  ...shopperHandlers,
  ...createSandboxHandlers(handle),
};

const ASK_AGAIN = 'whether the request was carried out is not known; send it again with the same Idempotency-Key, or look for it';

/** The reply to a request, also when its handler throws. */
export function handleRequest(services: Services, request: Request, log: Log): Reply | Promise<Reply> {
  const fail = (error: unknown) => failureReply(services, request, log, error);
  try {
    const reply = handle(services, request);
    return reply instanceof Promise ? reply.catch(fail) : reply;
  } catch (error) {
    return fail(error);
  }
}

function failureReply({ replies }: Pick<Services, 'replies'>, request: Request, log: Log, error: unknown): Reply {
  const ndc = replies.ndc(null);
  log.error({ err: error, ndc, endpoint: request.endpoint }, 'the request failed');
  if (error instanceof UnknownOutcome) return pageForShopper(request, unavailable(replies, { ndc, remark: ASK_AGAIN }));
  return pageForShopper(request, error instanceof StoreOutOfOrder ? unavailable(replies, { ndc }) : internalError(replies, ndc));
}

/** The endpoints that a browser shows to a shopper. */
const shopperPages: ReadonlySet<EndpointName> = new Set([
  'payCheckout',
  'registerCheckout',
  'checkoutReturn',
  'shopperReturn',
  'bankPage',
  'bankChoice',
  'componentPage',
  'componentResult',
  'threeDSPage',
  'threeDSBrowser',
  'threeDSContinue',
  'threeDSReturn',
]);

/** A shopper gets an error as a page instead of JSON. */
function pageForShopper(request: Request, reply: Reply): Reply {
  if (!shopperPages.has(request.endpoint) || wantsJson(request) || isOfMerchant(request)) return reply;
  const { code, ndc, status } = reply;
  const page = goneWrong({ language: languageFor(request, null), shopUrl: null });
  return widgetPageReply({ ...page, status }, { code, ndc });
}
