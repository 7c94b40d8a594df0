import { StoreOutOfOrder, UnknownOutcome } from '../payments/storeErrors.ts';
import { type EndpointName, endpoints } from '../spec/endpoints.ts';
import type { Log } from '../telemetry/log.ts';
import { createAdminHandlers } from './admin/handlers.ts';
import { isOfMerchant } from './api/checkouts.ts';
import { apiHandlers } from './api/handlers.ts';
import type { AuditedReply, AuthorizedCall, Handle, Handler, Next, Outcome } from './handler.ts';
import { merchantClock } from './merchantClock.ts';
import { internalError, unavailable } from './replies.ts';
import type { Request } from './request.ts';
import { createSandboxHandlers } from './sandbox/handlers.ts';
import type { Services } from './services.ts';
import { languageFor, wantsJson, widgetPageReply } from './shopper/checkoutReply.ts';
import { shopperHandlers } from './shopper/handlers.ts';
import { goneWrong } from './shopper/widgetPages.ts';
import type { Reply } from './transport/reply.ts';

/** The pipeline that every request passes, from the outermost middleware to the handler of its endpoint. */
const handle: Handle = merchantClock(dataAge(inspection(audit(throttling(handleEndpoint)))));

/** Every endpoint, by audience. */
const handlers: Readonly<Record<EndpointName, Handler>> = {
  ...apiHandlers,
  ...createAdminHandlers(handle),
  ...shopperHandlers,
  ...createSandboxHandlers(handle),
};

/** The handler authenticates and authorises the call; then it does the work of its endpoint. */
async function handleEndpoint(services: Services, request: Request): Promise<Outcome> {
  return handlers[request.endpoint](services, request);
}

/** The reply to a request, also when its handler throws. */
export async function handleRequest(services: Services, request: Request, log: Log): Promise<Reply> {
  try {
    return await handle(services, request);
  } catch (error) {
    return failureReply(services, request, log, error);
  }
}

/** Adds the age of the data to a reply of the back office, in seconds, if they come from a replica. */
function dataAge(next: Next<Reply>): Next<Reply> {
  return async (services, request) => {
    const { replica } = services;
    if (replica === null || endpoints[request.endpoint].access !== 'admin') return next(services, request);
    const { result, ageMs } = await replica.measure(() => next(services, request));
    if (ageMs === null) return result;
    return { ...result, headers: [...result.headers, 'X-Turnpike-Data-Age', String(Math.ceil(ageMs / 1000))] };
  };
}

/** Records a call and its reply for the developers' inspector. */
function inspection(next: Next<Reply>): Next<Reply> {
  return (services, request) => {
    const { inspector } = services.developer;
    return inspector === null ? next(services, request) : inspector.watch(request, () => next(services, request));
  };
}

/** Writes the audit entry that a command returns, before the reply leaves. */
function audit(next: Next<Reply | AuditedReply>): Next<Reply> {
  return async (services, request) => {
    const outcome = await next(services, request);
    if (outcome.kind === undefined) return outcome;
    const { entry, isRefusal, result } = outcome;
    await (isRefusal ? services.auditLog.writeRefused(entry) : services.auditLog.write(entry));
    if (result.is === 'failed') throw result.error;
    return result.reply;
  };
}

/** Runs an authorised call, or answers 429 if its entity calls this endpoint too often. */
function throttling(next: Next<Outcome>): Next<Reply | AuditedReply> {
  return async (services, request) => {
    const outcome = await next(services, request);
    if (outcome.kind !== 'authorized') return outcome;
    const waitMs = await services.throttler.waitMs(outcome.entityId, request.endpoint, outcome.limit);
    return waitMs === 0 ? outcome.run() : tooManyRequests(services, outcome, waitMs);
  };
}

function tooManyRequests(
  { replies }: Pick<Services, 'replies'>,
  { entityId, ndc, refuse }: AuthorizedCall,
  waitMs: number,
): Reply | AuditedReply {
  const headers = ['Retry-After', String(Math.ceil(waitMs / 1000))];
  const reply = replies.result('800.120.100', entityId, { headers, ...(ndc !== undefined && { ndc }) });
  return refuse ? refuse(reply) : reply;
}

const ASK_AGAIN = 'whether the request was carried out is not known; send it again with the same Idempotency-Key, or look for it';

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
