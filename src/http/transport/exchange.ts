import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Endpoint, type EndpointName, endpoints } from '../../spec/endpoints.ts';
import { unwritten } from '../../telemetry/log.ts';
import { readTraceContext } from '../../telemetry/traceContext.ts';
import { type CallContext, runCall, type Span, type Tracer } from '../../telemetry/tracer.ts';
import { sendsKnownToken, unknownTokenReply } from '../api/authenticate.ts';
import { live, unready } from '../api/health.ts';
import type { Message, Request } from '../handler.ts';
import {
  ambiguous,
  bodyInCrumbs,
  bodyTooLong,
  insecure,
  internalError,
  methodNotAllowed,
  notFound,
  preflight,
  unavailable,
} from '../replies.ts';
import { type Routed, routeAt } from '../route.ts';
import { hasAmbiguousHead } from './ambiguousHead.ts';
import { announcesTooMuch, type Body, bodyMaxOf, isFull, mayBeLong, readBody, releaseBody, type Sender } from './body.ts';
import { isSecure, networkOfClient } from './clientAddress.ts';
import { type Connection, repliesOwed } from './connection.ts';
import type { PlainRequest } from './plainRequest.ts';
import { drained, PlainResponse } from './plainResponse.ts';
import { forOwnOrigin, headersOf, lengthOf, type Reply, send } from './reply.ts';
import type { Exchange, ParsedExchange, RequestCall, ServerContext } from './serverContext.ts';
import { piecesOf, takesFile } from './upload.ts';

/**
 * Handles a request from its head on: routes it, reads its body, replies, logs. What follows a broken request on the same connection is
 * ignored.
 */
export function beginExchange(context: ServerContext, request: IncomingMessage, response: ServerResponse): void {
  const exchange = exchangeOf(context, request, response);
  if (exchange === null) return;
  const { routed } = exchange;
  const bytesMax = bodyMaxOf(routed);
  const refusal = refusalByHead(context, exchange);
  if (refusal) refuse(context, exchange, refusal);
  else if (takesFile(routed)) void takeFile(context, exchange);
  else if (announcesTooMuch(request, bytesMax)) refuseBody(context, exchange, bodyTooLong(context.replies, bytesMax));
  else {
    const arrival = { buffers: context.buffers, bytesMax, senderOf: () => senderOf(context, exchange) };
    readBody(request, arrival, (body) => handleBody(context, exchange, body));
  }
}

/** What the head says of the sender. */
function senderOf({ services }: ServerContext, { request, routed }: Exchange): Sender {
  if (services === null) return { is: 'unknown', network: null };
  const needsToken = routed.is === 'found' && (endpoints[routed.endpoint] as Endpoint).access === 'token';
  if (needsToken && sendsKnownToken(services, request)) return { is: 'known' };
  return { is: 'unknown', network: networkOfClient(request, services.trust) };
}

/** Answers a request with this reply, whatever it says. Nothing after it is read. */
export function rejectRequest(
  context: ServerContext,
  { request, response }: Pick<ParsedExchange, 'request' | 'response'>,
  reply: Reply,
): void {
  const exchange = exchangeOf(context, request, response);
  if (exchange !== null) refuse(context, exchange, reply);
}

function exchangeOf(context: ServerContext, request: IncomingMessage, response: ServerResponse): ParsedExchange | null {
  const connection = request.socket as unknown as Connection;
  const { state } = connection;
  if (state.isBroken) {
    connection.discard();
    return null;
  }
  const routed = routeAt(context.side, request.method ?? '', request.url ?? '');
  const isAmbiguous = hasAmbiguousHead(request);
  const exchange = countRequest(context, { request, response, connection, routed, isAmbiguous });
  // At a request for another protocol the parser stops and drops the rest.
  state.isBroken = isAmbiguous || request.headers.upgrade !== undefined || !response.shouldKeepAlive;
  response.once('close', () => connection.releaseReply(exchange.replyBytes, true));
  return exchange;
}

type Begun<In extends Exchange['request'], Out extends Exchange['response']> = Pick<
  Exchange,
  'connection' | 'routed' | 'isAmbiguous'
> & { readonly request: In; readonly response: Out };

/** Counts a request and begins its account. */
function countRequest<In extends Exchange['request'], Out extends Exchange['response']>(
  context: ServerContext,
  { request, response, connection, routed, isAmbiguous }: Begun<In, Out>,
): Exchange & { readonly request: In; readonly response: Out } {
  const { state } = connection;
  context.open += 1;
  state.open += 1;
  state.begun += 1;
  state.latest = request;
  state.isLatestOver = false;
  connection.beginRequest();
  return {
    request,
    response,
    routed,
    connection,
    state,
    order: state.begun - 1,
    replyBytes: 0,
    isAmbiguous,
    startedAt: performance.now(),
    call: { requestId: context.requestId(), span: context.tracer && spanFor(context.tracer, request, routed) },
  };
}

/**
 * Handles a request that leaves nothing to interpretation, past the HTTP server: half of what that does for a request is for those that
 * come in pieces, in crowds, or otherwise than others. False: the HTTP server reads it.
 */
export function beginPlain(context: ServerContext, plain: PlainRequest, connection: Connection): boolean {
  const { method, url, headers, body } = plain;
  const routed = routeAt(context.side, method, url);
  if (context.isStopping || takesFile(routed)) return false;
  const request = { method, url, headers, socket: connection as unknown as Message['socket'], complete: true };
  const response = new PlainResponse(connection, context.response);
  const exchange = countRequest(context, { request, response, connection, routed, isAmbiguous: false });
  context.plainOpen += 1;
  const { buffers } = context;
  buffers.bytes += body.length;
  const refusal = refusalByHead(context, exchange) ?? (isFull(buffers) ? unavailable(context.replies) : null);
  if (refusal === null) {
    handleTogether(context, exchange, body);
    return true;
  }
  // The connection has to know of the request before it hears the reply.
  setImmediate(() => {
    releaseBody(buffers, body, false);
    finish(context, exchange, refusal);
  });
  return true;
}

/** The span of a request; null for the operator's tools and for unknown paths. */
function spanFor(
  tracer: Tracer,
  { headers, method = '' }: Pick<Message, 'headers' | 'method'>,
  routed: Routed,
): Span<'request'> | null {
  if (routed.is !== 'found' || plain.has(routed.endpoint)) return null;
  const { path } = endpoints[routed.endpoint];
  return tracer.start('request', {
    name: `${method} ${path}`,
    parent: readTraceContext(headers.traceparent, headers.tracestate),
    attributes: { 'http.request.method': method, 'http.route': path },
  });
}

/** The endpoints that plain HTTP may reach in live: health and metrics, for the operator's tools. */
const plain: ReadonlySet<EndpointName> = new Set(['live', 'ready', 'metrics']);

/** The refusal that the head alone demands; null: the body is read. */
function refusalByHead({ replies, services, tlsBy }: ServerContext, { request, routed, isAmbiguous }: Exchange): Reply | null {
  if (isAmbiguous) return null;
  const endpoint = routed.is === 'found' ? routed.endpoint : null;
  if (tlsBy && !(endpoint && plain.has(endpoint)) && !isSecure(request, tlsBy)) return insecure(replies);
  if (!mayBeLong(request)) return null;
  if (endpoint === null) return notFound(replies);
  const needsToken = (endpoints[endpoint] as Endpoint).access === 'token';
  return services && needsToken ? unknownTokenReply(services, request) : null;
}

/** Answers before the body was read. */
function refuse(context: ServerContext, exchange: ParsedExchange, reply: Reply): void {
  if (exchange.request.complete) finish(context, exchange, reply);
  else refuseBody(context, exchange, reply);
}

/** The handler reads the file itself; it may reply before the body has arrived. */
async function takeFile(context: ServerContext, exchange: ParsedExchange): Promise<void> {
  const { request, response, state, connection } = exchange;
  const isRead = (is: boolean) => {
    state.isStreaming = is;
    if (!is) context.onArrived(connection);
  };
  const reply = await replyTo(context, exchange, {
    body: NO_BODY,
    file: piecesOf({ request, response, pace: context.pace, isRead }),
  });
  if (request.complete) finish(context, exchange, reply);
  else refuseBody(context, exchange, reply);
}

const NO_BODY = Buffer.alloc(0);

function handleBody(context: ServerContext, exchange: ParsedExchange, body: Body): void {
  if (body === 'gone') endExchange(context, exchange);
  else if (body === 'tooLong') refuseBody(context, exchange, bodyTooLong(context.replies, bodyMaxOf(exchange.routed)));
  else if (body === 'crumbs') refuseBody(context, exchange, bodyInCrumbs(context.replies));
  else if (body === 'full') refuseBody(context, exchange, unavailable(context.replies));
  else handleTogether(context, exchange, body);
}

function handleTogether(context: ServerContext, exchange: Exchange, body: Buffer): void {
  if (context.arrived.push({ exchange, body }) === 1) setImmediate(handleArrived, context, 0);
}

/** How many requests are handled before the event loop looks for others. */
const TOGETHER_MAX = 32;
/** How many connections are accepted before requests are handled. */
const ACCEPTED_MAX = 16;
/** So many requests take a millisecond or two, and do not wait for connections. */
const FEW = 4;

/**
 * The requests that one turn of the event loop has read are handled together, stage by stage (`src/payments/stage.ts`): the code of a stage is
 * still in the processor's caches for the next one, which the code of sockets and parser would drive out in between. That may take ten
 * milliseconds, and a turn accepts one connection: while connections come, the turns go on without requests, or 200 clients who come at
 * once would wait for two seconds.
 */
function handleArrived(context: ServerContext, turns: number): void {
  const { accepted } = context;
  context.accepted = 0;
  if (accepted > 0 && turns < ACCEPTED_MAX && context.arrived.length > FEW) {
    setImmediate(handleArrived, context, turns + 1);
    return;
  }
  const together = context.arrived.splice(0, TOGETHER_MAX);
  if (context.arrived.length > 0) setImmediate(handleArrived, context, 0);
  for (const { exchange, body } of together) {
    const answer = (reply: Reply): void => {
      // A reply in pieces may still read its request.
      releaseBody(context.buffers, body, reply.pieces !== undefined);
      finish(context, exchange, reply);
    };
    const reply = replyTo(context, exchange, { body });
    if (reply instanceof Promise) void reply.then(answer);
    else answer(reply);
  }
}

function endExchange(context: ServerContext, { state, request, response }: Exchange): void {
  state.open -= 1;
  if (state.latest === request) state.isLatestOver = true;
  context.open -= 1;
  if (response instanceof PlainResponse) context.plainOpen -= 1;
  if (context.open === 0) context.onQuiet();
}

function replyTo(
  context: ServerContext,
  { request, routed, isAmbiguous, call }: Exchange,
  content: Pick<Request, 'body' | 'file'>,
): Reply | Promise<Reply> {
  const { replies, services } = context;
  if (isAmbiguous) return ambiguous(replies);
  // Pages of other origins may not call the back office.
  const isPreflight = request.method === 'OPTIONS' && context.side === 'gateway';
  if (routed.is === 'nowhere') return isPreflight && request.url === '*' ? preflight(['GET', 'HEAD', 'POST']) : notFound(replies);
  if (routed.is === 'otherMethod') return isPreflight ? preflight(routed.allowed) : methodNotAllowed(replies, routed.allowed);
  const { endpoint, id, path, query } = routed;
  if (!plain.has(endpoint)) context.onRequest();
  const { method = '', headers } = request;
  const routedRequest: Request = { side: context.side, endpoint, id, method, path, query, headers, ...content, message: request };
  if (endpoint === 'live') return live(context, routedRequest);
  if (endpoint === 'ready' && (services === null || context.isStopping))
    return unready(replies, services === null ? 'starting' : 'stopping');
  return services === null
    ? unavailable(replies)
    : runCall(call as CallContext, () => context.handle(services, routedRequest, context.log));
}

/** Notes that the exchange has its reply, and returns the last response of the connection once all replies are made. */
function lastResponse({ state, order, response }: Exchange): Exchange['response'] | null {
  if (state.open === 0 && !state.isBroken) {
    // Nothing is owed, and a response that is kept would outlive its request until the next one.
    state.replied = null;
    return null;
  }
  if (state.replied === null || state.replied.order < order) state.replied = { order, response };
  return state.isBroken && repliesOwed(state) <= 0 ? state.replied.response : null;
}

function finish(context: ServerContext, exchange: Exchange, made: Reply): void {
  const reply = context.side === 'backOffice' ? forOwnOrigin(made) : made;
  const { response, connection } = exchange;
  if (reply.pieces !== undefined) {
    void streamBody(context, exchange, { ...reply, pieces: reply.pieces });
    return;
  }
  endExchange(context, exchange);
  const last = lastResponse(exchange);
  if (last) context.onLast(connection, last);
  const isLast = last === response || context.isStopping || reply.isLast === true;
  const length = lengthOf(reply);
  countReplyBytes(exchange, length);
  try {
    sendReply(response, reply, { isLast, length });
    record(context, exchange, reply);
  } catch (error) {
    // Nothing has left when the head cannot be written: another reply is still possible.
    const ndc = context.replies.ndc(null);
    runCall(exchange.call as CallContext, () => context.log.error({ err: error, ndc }, 'the answer could not be written'));
    const instead = internalError(context.replies, ndc);
    countReplyBytes(exchange, lengthOf(instead) - length);
    sendReply(response, instead, { isLast, length: lengthOf(instead) });
    record(context, exchange, instead);
  }
}

const sendReply = (
  response: Exchange['response'],
  reply: Reply,
  how: { readonly isLast: boolean; readonly length: number },
): void => (response instanceof PlainResponse ? response.send(reply, how) : send(response, reply, how));

/** A long reply leaves piece by piece. One that cannot be finished is cut off, so that no client takes a part of it for the whole. */
async function streamBody(
  context: ServerContext,
  exchange: Exchange,
  reply: Reply & Required<Pick<Reply, 'pieces'>>,
): Promise<void> {
  const { request, response, connection } = exchange;
  try {
    if (response instanceof PlainResponse) response.begin(reply, context.isStopping);
    else response.writeHead(reply.status, headersOf(reply, context.isStopping));
    record(context, exchange, reply);
    if (request.method !== 'HEAD') {
      for await (const piece of reply.pieces) {
        if (response.destroyed) break;
        countReplyBytes(exchange, piece.length);
        const isTaken = response.write(piece, () => countReplyBytes(exchange, -piece.length));
        if (!isTaken && !response.destroyed) await drained(response);
      }
    }
    endExchange(context, exchange);
    const last = lastResponse(exchange);
    if (last) context.onLast(connection, last);
    response.end();
  } catch (error) {
    runCall(exchange.call as CallContext, () => context.log.error({ err: error, ndc: reply.ndc }, 'the answer was cut off'));
    response.destroy();
    endExchange(context, exchange);
  }
}

/** Counts the bytes that the client has still to read. */
function countReplyBytes(exchange: Exchange, bytes: number): void {
  exchange.replyBytes += bytes;
  if (bytes >= 0) exchange.connection.holdReply(bytes);
  else exchange.connection.releaseReply(-bytes, false);
}

/** Replies at once and drains the rest of the body for a moment, so that the client gets to read the reply. */
function refuseBody(context: ServerContext, exchange: ParsedExchange, made: Reply): void {
  const reply = context.side === 'backOffice' ? forOwnOrigin(made) : made;
  exchange.state.isBroken = true;
  countReplyBytes(exchange, lengthOf(reply));
  exchange.response.writeHead(reply.status, headersOf(reply, true));
  exchange.response.write(reply.body);
  record(context, exchange, reply);
  endExchange(context, exchange);
  lastResponse(exchange);
  context.onRefused(exchange);
}

/** One line for each request, with the path of the table: the real one may carry secrets. */
function record({ metrics, log }: ServerContext, { request, routed, startedAt, call }: Exchange, reply: Reply): void {
  const endpoint: EndpointName | 'none' = routed.is === 'found' ? routed.endpoint : 'none';
  const ms = performance.now() - startedAt;
  metrics.request(endpoint, reply.status, ms / 1000);
  if (log.info !== unwritten) {
    const { status, code, ndc, entityId, why } = reply;
    const path = endpoint === 'none' ? null : endpoints[endpoint].path;
    const about = { method: request.method, path, status, ms: Math.round(ms * 100) / 100, code, ndc, entityId, why };
    runCall(call as CallContext, () => log.info(about, 'answered'));
  }
  if (call.span) endSpan(call.span, call, reply);
}

const SERVER_ERROR = 500;

function endSpan(span: Span<'request'>, { requestId }: RequestCall, { status, code, ndc, entityId }: Reply): void {
  span.set({
    'http.response.status_code': status,
    ...(requestId !== undefined && { 'turnpike.request.id': requestId }),
    ...(code !== null && { 'turnpike.result.code': code }),
    ...(ndc !== null && { 'turnpike.ndc': ndc }),
    ...(entityId !== null && { 'turnpike.entity.id': entityId }),
  });
  span.end(status >= SERVER_ERROR);
}
