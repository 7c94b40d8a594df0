import { readsLists } from '../form/catalogue.ts';
import { bodyBytesMax, publicBodyBytesMax, unknownBodyBytesMax } from '../form/limits.ts';
import { StoreOutOfOrder, UnknownOutcome } from '../payments/storeErrors.ts';
import { type Endpoint, type EndpointName, endpoints } from '../spec/endpoints.ts';
import { type Log, unwritten } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { readTraceContext } from '../telemetry/traceContext.ts';
import { type CallContext, runCall, type Span, type Tracer } from '../telemetry/tracer.ts';
import { systemRandom } from '../vault/randomBytes.ts';
import { sendsKnownToken, unknownTokenReply } from './api/authenticate.ts';
import { isOfMerchant } from './api/checkouts.ts';
import { live, unready } from './api/health.ts';
import type { AuditedReply, AuthorizedCall } from './handler.ts';
import { createHandlers } from './handlers.ts';
import { underMerchantClock } from './merchantClock.ts';
import {
  ambiguous,
  bodyInCrumbs,
  bodyTooLong,
  insecure,
  internalError,
  methodNotAllowed,
  notFound,
  preflight,
  type Replies,
  unavailable,
  unexpected,
} from './replies.ts';
import type { Request, Side } from './request.ts';
import { type Routed, routeAt } from './route.ts';
import type { Services } from './services.ts';
import { languageFor, wantsJson, widgetPageReply } from './shopper/checkoutReply.ts';
import { goneWrong } from './shopper/widgetPages.ts';
import { type Bounds, type Budget, createBudget } from './transport/budget.ts';
import { isLoopback, isSecure, networkOfClient, type TrustedProxies, trustOf } from './transport/clientAddress.ts';
import type { NetworkCounts } from './transport/connectionCounts.ts';
import type { Call, Refusal } from './transport/exchange.ts';
import type { Message } from './transport/message.ts';
import { forOwnOrigin, type Reply } from './transport/reply.ts';
import { serve, type Transport, type TransportOptions } from './transport/server.ts';

export type GatewayOptions = Pick<TransportOptions, 'tls' | 'count' | 'limits' | 'readsPlain'> & {
  readonly replies: Replies;
  readonly metrics: Metrics;
  readonly log: Log;
  /** The port: of the API by default. */
  readonly side?: Side;
  /** Shared by both ports; left out: this port has its own. */
  readonly budget?: Budget;
  /** The proxies that may say that a request came by TLS, which is then required; left out: it is not. */
  readonly tlsBy?: TrustedProxies | undefined;
  /** Called for every request except by the operator's tools. */
  readonly onRequest?: () => void;
  /** Left out: requests are not traced. */
  readonly tracer?: Tracer | null | undefined;
  /** Answers requests. Default: the handlers of this thread. */
  readonly handle?: typeof handleRequest;
};

/** The gateway at one port. Payments are refused until `open` is called. */
export type Gateway = Transport & { open(services: Services): void };

/** The handler of requests at one port, between the transport and the handlers of the endpoints. */
type Port = Required<Pick<GatewayOptions, 'replies' | 'metrics' | 'log' | 'side' | 'onRequest' | 'handle'>> & {
  readonly tlsBy: TrustedProxies | null;
  readonly tracer: Tracer | null;
  readonly requestId: () => string;
  /** Null until the gateway can take payments. */
  services: Services | null;
  isStopping: boolean;
};

/** Serves the gateway at a port: finds the endpoint of each request, runs its handler, logs and counts the reply. */
export function createGateway(options: GatewayOptions): Gateway {
  const { replies, metrics, log, tls, count, limits, readsPlain } = options;
  const port: Port = {
    replies,
    metrics,
    log,
    side: options.side ?? 'gateway',
    tracer: options.tracer ?? null,
    tlsBy: options.tlsBy ?? null,
    onRequest: options.onRequest ?? (() => {}),
    handle: options.handle ?? handleRequest,
    requestId: createRequestIds(),
    services: null,
    isStopping: false,
  };
  const transport = serve({
    route: (message) => callOf(port, message),
    refuse: (refusal) => replyAt(port, refusalReply(replies, refusal)),
    budget: options.budget ?? createGatewayBudget({ metrics, trust: trustOf(false) }),
    date: replies.date,
    tls,
    count,
    limits,
    readsPlain,
  });
  return {
    ...transport,
    open(services) {
      port.services = services;
    },
    announceStop() {
      port.isStopping = true;
      transport.announceStop();
    },
    stop() {
      port.isStopping = true;
      return transport.stop();
    },
  };
}

type BudgetOptions = {
  readonly metrics: Pick<Metrics, 'connectionCut' | 'connectionsHold'>;
  readonly trust: TrustedProxies;
  readonly bounds?: Partial<Bounds>;
  readonly networks?: NetworkCounts | undefined;
  /** How many threads share the memory. */
  readonly sharers?: number;
};

/** See decisions/0037 and decisions/0088. */
export const gatewayBounds: Bounds = {
  requests: 4,
  replyBytes: 262_144,
  heldBytes: 67_108_864,
  // 32 of the longest bodies together: clients cannot fill the memory, from however many connections they send.
  bodyBytes: 32 * bodyBytesMax,
  unreadBytes: { ofNetwork: 2 * bodyBytesMax, all: 8 * bodyBytesMax },
  readMs: 30_000,
  perAddress: 500,
};

/** A thread's share of the memory budget; the metrics show how it is used. */
export function createGatewayBudget({ metrics, trust, bounds, networks, sharers = 1 }: BudgetOptions): Budget {
  const { heldBytes, bodyBytes, unreadBytes } = gatewayBounds;
  const share: Partial<Bounds> = {
    heldBytes: heldBytes / sharers,
    bodyBytes: bodyBytes / sharers,
    unreadBytes: { ...unreadBytes, all: Math.max(unreadBytes.all / sharers, unreadBytes.ofNetwork) },
  };
  const budget = createBudget({
    bounds: { ...gatewayBounds, ...share, ...bounds },
    now: () => performance.now(),
    isShared: (address) => isLoopback(address) || trust.isProxy(address),
    onCut: metrics.connectionCut,
    networks,
  });
  metrics.connectionsHold(() => ({ open: budget.connections, heldBytes: budget.heldBytes }));
  return budget;
}

const ID_BYTES = 5;

/** Ids of requests: random for this port, then counted. */
function createRequestIds(): () => string {
  const bytes = Buffer.alloc(ID_BYTES);
  systemRandom(bytes);
  const first = bytes.toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${first}-${count.toString(36)}`;
  };
}

/** Replies of the back office are for its own pages alone. */
const replyAt = ({ side }: Port, reply: Reply): Reply => (side === 'backOffice' ? forOwnOrigin(reply) : reply);

function refusalReply(replies: Replies, refusal: Refusal): Reply {
  switch (refusal.is) {
    case 'ambiguous':
      return ambiguous(replies);
    case 'unexpected':
      return unexpected(replies);
    case 'crumbs':
      return bodyInCrumbs(replies);
    case 'full':
      return unavailable(replies);
    case 'tooLong':
      return bodyTooLong(replies, refusal.bytesMax);
    case 'unreadable':
      return replies.result('200.300.404', null, { status: refusal.status, remark: refusal.remark });
  }
}

/** The context of log lines and traces, while a request is handled. */
type RequestContext = CallContext & { readonly span: Span<'request'> | null };

/** A request from its head on, as the transport asks for it. */
function callOf(port: Port, message: Message): Call {
  const routed = routeAt(port.side, message.method, message.url);
  const context: RequestContext = { requestId: port.requestId(), span: port.tracer && spanFor(port.tracer, message, routed) };
  const startedAt = performance.now();
  return {
    bodyBytesMax: routed.is === 'found' ? bodiesMax[routed.endpoint] : publicBodyBytesMax,
    takesFile: routed.is === 'found' && (endpoints[routed.endpoint] as Endpoint).takes === 'file',
    refuseByHead() {
      const refusal = refusalByHead(port, message, routed);
      return refusal && replyAt(port, refusal);
    },
    sender() {
      const { services } = port;
      if (services === null) return { is: 'unknown', network: null };
      if (needsToken(routed) && sendsKnownToken(services, message)) return { is: 'known' };
      return { is: 'unknown', network: networkOfClient(message, services.trust) };
    },
    handle: async (content) => replyAt(port, await runCall(context, () => replyTo(port, { message, routed, ...content }))),
    replied: (reply) => record(port, { message, routed, context, startedAt }, reply),
    notWritten(error) {
      const ndc = port.replies.ndc(null);
      runCall(context, () => port.log.error({ err: error, ndc }, 'the answer could not be written'));
      return replyAt(port, internalError(port.replies, ndc));
    },
    cutOff: (error, { ndc }) => runCall(context, () => port.log.error({ err: error, ndc }, 'the answer was cut off')),
  };
}

/** The longest body of an endpoint: short unless a token is needed and lists are read, which could fill a longer one. */
const bodiesMax = Object.fromEntries(
  Object.entries<Endpoint>(endpoints).map(([name, { access }]) => {
    const isLong = access === 'token' && readsLists(name as EndpointName);
    return [name, isLong ? bodyBytesMax : publicBodyBytesMax];
  }),
) as Readonly<Record<EndpointName, number>>;

const needsToken = (routed: Routed): boolean =>
  routed.is === 'found' && (endpoints[routed.endpoint] as Endpoint).access === 'token';

/** The endpoints that plain HTTP may reach in live: health and metrics, for the operator's tools. */
const forOperator: ReadonlySet<EndpointName> = new Set(['live', 'ready', 'metrics']);

const isForOperator = (routed: Routed): boolean => routed.is === 'found' && forOperator.has(routed.endpoint);

/** Whether the body may be so long that the token is checked before it is read. */
const mayBeLong = ({ headers }: Message): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > unknownBodyBytesMax;

/** The refusal that the head alone demands; null: the body is read. */
function refusalByHead({ replies, services, tlsBy }: Port, message: Message, routed: Routed): Reply | null {
  if (tlsBy && !isForOperator(routed) && !isSecure(message, tlsBy)) return insecure(replies);
  if (!mayBeLong(message)) return null;
  if (routed.is !== 'found') return notFound(replies);
  return services && needsToken(routed) ? unknownTokenReply(services, message) : null;
}

type Received = Pick<Request, 'body' | 'file' | 'message'> & { readonly routed: Routed };

async function replyTo(port: Port, { message, routed, ...content }: Received): Promise<Reply> {
  const { replies, services, side } = port;
  const { method, url, headers } = message;
  // Pages of other origins may not call the back office.
  const isPreflight = method === 'OPTIONS' && side === 'gateway';
  if (routed.is === 'nowhere') return isPreflight && url === '*' ? preflight(['GET', 'HEAD', 'POST']) : notFound(replies);
  if (routed.is === 'otherMethod') return isPreflight ? preflight(routed.allowed) : methodNotAllowed(replies, routed.allowed);
  const { endpoint, id, path, query } = routed;
  if (!forOperator.has(endpoint)) port.onRequest();
  if (endpoint === 'live') return live(port);
  if (endpoint === 'ready' && (services === null || port.isStopping))
    return unready(replies, services === null ? 'starting' : 'stopping');
  if (services === null) return unavailable(replies);
  return port.handle(services, { side, endpoint, id, method, path, query, headers, ...content, message }, port.log);
}

/** The span of a request; null for the operator's tools and for unknown paths. */
function spanFor(tracer: Tracer, { headers, method }: Message, routed: Routed): Span<'request'> | null {
  if (routed.is !== 'found' || isForOperator(routed)) return null;
  const { path } = endpoints[routed.endpoint];
  return tracer.start('request', {
    name: `${method} ${path}`,
    parent: readTraceContext(headers.traceparent, headers.tracestate),
    attributes: { 'http.request.method': method, 'http.route': path },
  });
}

type Recorded = {
  readonly message: Message;
  readonly routed: Routed;
  readonly context: RequestContext;
  readonly startedAt: number;
};

/** Writes one line of the log for each request, with the path of the table: the real one may carry secrets. */
function record({ metrics, log }: Port, { message, routed, context, startedAt }: Recorded, reply: Reply): void {
  const endpoint: EndpointName | 'none' = routed.is === 'found' ? routed.endpoint : 'none';
  const ms = performance.now() - startedAt;
  metrics.request(endpoint, reply.status, ms / 1000);
  if (log.info !== unwritten) {
    const { status, code, ndc, entityId, why } = reply;
    const path = endpoint === 'none' ? null : endpoints[endpoint].path;
    const about = { method: message.method, path, status, ms: Math.round(ms * 100) / 100, code, ndc, entityId, why };
    runCall(context, () => log.info(about, 'answered'));
  }
  if (context.span) endSpan(context.span, context, reply);
}

const SERVER_ERROR = 500;

function endSpan(span: Span<'request'>, { requestId }: RequestContext, { status, code, ndc, entityId }: Reply): void {
  span.set({
    'http.response.status_code': status,
    ...(requestId !== undefined && { 'turnpike.request.id': requestId }),
    ...(code !== null && { 'turnpike.result.code': code }),
    ...(ndc !== null && { 'turnpike.ndc': ndc }),
    ...(entityId !== null && { 'turnpike.entity.id': entityId }),
  });
  span.end(status >= SERVER_ERROR);
}

/** Handles a request under the test clock of its merchant; a reply of the back office from a replica says how old its data are. */
async function handle(services: Services, request: Request): Promise<Reply> {
  const own = services.hasTestClocks() ? await underMerchantClock(services, request) : services;
  const { replica } = own;
  if (replica === null || endpoints[request.endpoint].access !== 'admin') return inspected(own, request);
  const { result, ageMs } = await replica.measure(() => inspected(own, request));
  if (ageMs === null) return result;
  return { ...result, headers: [...result.headers, 'X-Turnpike-Data-Age', String(Math.ceil(ageMs / 1000))] };
}

const handlers = createHandlers(handle);

/** Records the call and its reply for the developers' inspector. */
function inspected(services: Services, request: Request): Promise<Reply> {
  const { inspector } = services.developer;
  return inspector === null ? answered(services, request) : inspector.watch(request, () => answered(services, request));
}

/** The handler authorises the call. The call then runs, unless its entity calls too often, and a command is written to the audit log. */
async function answered(services: Services, request: Request): Promise<Reply> {
  const outcome = await handlers[request.endpoint](services, request);
  const done = outcome.kind === 'authorized' ? await throttled(services, request, outcome) : outcome;
  return done.kind === undefined ? done : audited(services, done);
}

async function throttled(services: Services, request: Request, call: AuthorizedCall): Promise<Reply | AuditedReply> {
  const waitMs = await services.throttler.waitMs(call.entityId, request.endpoint, call.limit);
  return waitMs === 0 ? call.run() : tooManyRequests(services, call, waitMs);
}

/** Writes the audit entry before the reply leaves. */
async function audited({ auditLog }: Services, { entry, isRefusal, result }: AuditedReply): Promise<Reply> {
  await (isRefusal ? auditLog.writeRefused(entry) : auditLog.write(entry));
  if (result.is === 'failed') throw result.error;
  return result.reply;
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

/** The reply to a request, also when its handler throws. */
export async function handleRequest(services: Services, request: Request, log: Log): Promise<Reply> {
  try {
    return await handle(services, request);
  } catch (error) {
    return failureReply(services, request, log, error);
  }
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
