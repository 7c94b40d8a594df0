import type { IncomingMessage, ServerResponse } from 'node:http';
import { announcesTooMuch, type Body, type Pace, piecesOf, readBody, releaseBody, type Sender } from './body.ts';
import type { Budget } from './budget.ts';
import type { Connection } from './connection.ts';
import { hasAmbiguousHead, type Message } from './message.ts';
import { lengthOf, parsedResponse, type Reply, type Response } from './reply.ts';

/** A request on its way through the server, as the program behind the server sees it. */
export interface Call {
  /** The longest body that is read for it. */
  readonly bodyBytesMax: number;
  /** The body is a file: the handler reads it piece by piece. */
  readonly takesFile: boolean;
  /** The reply that the head alone demands; null: the body is read. */
  refuseByHead(): Reply | null;
  /** Asked when there is a body. */
  sender(): Sender;
  /** Handles the request. Never rejects. */
  handle(content: Content): Promise<Reply>;
  /** The reply leaves, or its first piece. */
  replied(reply: Reply): void;
  /** The reply could not be written; nothing of it has left. Returns another one. */
  notWritten(error: unknown): Reply;
  /** The pieces of the reply ended with an error. */
  cutOff(error: unknown, reply: Reply): void;
}

/** A body, or a file that was not read yet. */
export type Content = { readonly body: Buffer; readonly file?: AsyncIterable<Uint8Array> };

/** Why the server answers a request without its program. */
export type Refusal =
  | { readonly is: 'ambiguous' | 'unexpected' | 'crumbs' | 'full' }
  | { readonly is: 'tooLong'; readonly bytesMax: number }
  /** It cannot be parsed, or did not come in time. */
  | { readonly is: 'unreadable'; readonly status: number; readonly remark: string };

/** The state that all exchanges of a server share. */
export type ServerContext = {
  /** Finds the program for a request, by its head. */
  readonly route: (message: Message) => Call;
  /** The reply to a request that the server refuses. */
  readonly refuse: (refusal: Refusal) => Reply;
  readonly budget: Budget;
  /** How fast files must arrive. */
  readonly pace: Pace;
  /** The server is about to end: each reply is the last of its connection. */
  isStopping: boolean;
  /** Connections that were accepted since requests were handled last, or `handleArrived` looked for them. */
  accepted: number;
  /** Requests that were read and wait for the end of this tick of the event loop. */
  readonly arrived: { readonly exchange: Exchange; readonly body: Buffer }[];
  /** Closes a connection after a moment in which the client can read the reply. */
  readonly closeGracefully: (connection: Connection) => void;
  /** Drains a refused body for a moment, then ends the response. */
  readonly drain: (exchange: ParsedExchange) => void;
};

/** One request and its reply. */
type Exchange = {
  readonly call: Call;
  readonly message: Message;
  readonly request: Pick<IncomingMessage, 'complete' | 'headers'>;
  readonly response: Response;
  readonly connection: Connection;
  /** The number of its request on the connection. */
  readonly order: number;
  /** The bytes of the reply that have not left yet. */
  replyBytes: number;
  /** The head can be read in two ways. */
  readonly isAmbiguous: boolean;
};

/** An exchange whose request node:http has read. */
export type ParsedExchange = Exchange & { readonly request: IncomingMessage; readonly parsed: ServerResponse };

/** The expectation that the client waits for before it sends the body. */
type Expects = 'nothing' | '100-continue' | 'unknown';

/**
 * Handles a request from its head on: routes it, reads its body, replies. Everything that follows a broken request on the same connection
 * is ignored.
 */
export function beginExchange(
  context: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
  expects: Expects = 'nothing',
): void {
  const exchange = parsedExchange(context, request, response);
  if (exchange === null) return;
  const { call } = exchange;
  const bytesMax = call.bodyBytesMax;
  // A file is requested after its sender was authorised.
  if (expects === '100-continue' && !call.takesFile && !announcesTooMuch(request, bytesMax)) response.writeContinue();
  const refusal = expects === 'unknown' ? context.refuse({ is: 'unexpected' }) : refusalByHead(exchange);
  if (refusal) refuse(context, exchange, refusal);
  else if (call.takesFile) void takeFile(context, exchange);
  else if (announcesTooMuch(request, bytesMax)) refuseBody(context, exchange, context.refuse({ is: 'tooLong', bytesMax }));
  else {
    const arrival = { bodies: context.budget.bodies, bytesMax, senderOf: () => call.sender() };
    readBody(request, arrival, (body) => handleBody(context, exchange, body));
  }
}

/**
 * Handles an unambiguous request that arrived complete, without node:http. False: node:http has to read it.
 */
export function beginComplete(
  context: ServerContext,
  { method, url, headers, body }: Pick<Message, 'method' | 'url' | 'headers'> & { readonly body: Buffer },
  connection: Connection,
  response: Response,
): boolean {
  if (context.isStopping) return false;
  const message: Message = { method, url, headers, peer: connection.peer };
  const call = context.route(message);
  if (call.takesFile) return false;
  const request = { complete: true, headers };
  const exchange: Exchange = { ...begun(connection, request), call, message, request, response, isAmbiguous: false };
  const { bodies } = context.budget;
  bodies.hold(body.length);
  const refusal = refusalByHead(exchange) ?? (bodies.isFull(false) ? context.refuse({ is: 'full' }) : null);
  if (refusal === null) {
    handleTogether(context, exchange, body);
    return true;
  }
  // The connection has to know of the request before it gets the reply.
  setImmediate(() => {
    releaseBody(bodies, body, false);
    finish(context, exchange, refusal);
  });
  return true;
}

function parsedExchange(context: ServerContext, request: IncomingMessage, response: ServerResponse): ParsedExchange | null {
  const connection = request.socket as unknown as Connection;
  const { state } = connection;
  if (state.isBroken) {
    connection.discard();
    return null;
  }
  const { method = '', url = '', headers } = request;
  const message: Message = { method, url, headers, peer: connection.peer };
  const isAmbiguous = hasAmbiguousHead(request);
  const call = context.route(message);
  const own = begun(connection, request);
  const exchange = { ...own, call, message, request, response: parsedResponse(response), parsed: response, isAmbiguous };
  // At a request for another protocol the parser stops and drops the rest.
  state.isBroken = isAmbiguous || headers.upgrade !== undefined || !response.shouldKeepAlive;
  response.once('close', () => connection.replySent(exchange.replyBytes));
  return exchange;
}

/** Enters a request into the account of its connection. */
function begun(connection: Connection, request: Exchange['request']): Pick<Exchange, 'connection' | 'order' | 'replyBytes'> {
  const { state, account } = connection;
  account.begin();
  state.latest = request;
  state.isLatestOver = false;
  return { connection, order: account.begun - 1, replyBytes: 0 };
}

const refusalByHead = ({ call, isAmbiguous }: Exchange): Reply | null => (isAmbiguous ? null : call.refuseByHead());

/** Answers before the body was read. */
function refuse(context: ServerContext, exchange: ParsedExchange, reply: Reply): void {
  if (exchange.request.complete) finish(context, exchange, reply);
  else refuseBody(context, exchange, reply);
}

/** The handler reads the file itself; it may reply before the body has arrived. */
async function takeFile(context: ServerContext, exchange: ParsedExchange): Promise<void> {
  const { request, parsed, connection } = exchange;
  const isRead = (is: boolean) => {
    connection.state.isStreaming = is;
    // Nothing moves on the connection while the file is imported.
    if (!is) connection.suspendTimeout();
  };
  const file = piecesOf({ request, response: parsed, pace: context.pace, isRead });
  refuse(context, exchange, await replyTo(context, exchange, { body: NO_BODY, file }));
}

const NO_BODY = Buffer.alloc(0);

function handleBody(context: ServerContext, exchange: ParsedExchange, body: Body): void {
  if (body === 'gone') endExchange(exchange);
  else if (body === 'tooLong') refuseBody(context, exchange, context.refuse({ is: body, bytesMax: exchange.call.bodyBytesMax }));
  else if (body === 'crumbs' || body === 'full') refuseBody(context, exchange, context.refuse({ is: body }));
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
 * The requests that one tick of the event loop has read are handled together, stage by stage: the code of a stage is still in the
 * processor's caches for the next request, and the code of sockets and parser would drive it out. That may take ten milliseconds, but a
 * tick accepts only one connection. So ticks pass without requests while connections come: otherwise 200 clients who come together would
 * wait for two seconds.
 */
function handleArrived(context: ServerContext, ticks: number): void {
  const { accepted } = context;
  context.accepted = 0;
  if (accepted > 0 && ticks < ACCEPTED_MAX && context.arrived.length > FEW) {
    setImmediate(handleArrived, context, ticks + 1);
    return;
  }
  const together = context.arrived.splice(0, TOGETHER_MAX);
  if (context.arrived.length > 0) setImmediate(handleArrived, context, 0);
  for (const { exchange, body } of together) void answer(context, exchange, body);
}

async function answer(context: ServerContext, exchange: Exchange, body: Buffer): Promise<void> {
  const reply = await replyTo(context, exchange, { body });
  // A reply in pieces may still read its request.
  releaseBody(context.budget.bodies, body, reply.pieces !== undefined);
  finish(context, exchange, reply);
}

const replyTo = async (context: ServerContext, { call, isAmbiguous }: Exchange, content: Content): Promise<Reply> =>
  isAmbiguous ? context.refuse({ is: 'ambiguous' }) : call.handle(content);

function endExchange({ connection, request }: Exchange): void {
  connection.account.answered();
  if (connection.state.latest === request) connection.state.isLatestOver = true;
}

/** Notes that the exchange has its reply, and returns the last response of the connection once all replies are made. */
function lastResponse({ connection, order, response }: Exchange): Response | null {
  const { state, account } = connection;
  if (account.unanswered === 0 && !state.isBroken) {
    // Nothing is owed, and a response that is kept would outlive its request until the next one.
    state.replied = null;
    return null;
  }
  if (state.replied === null || state.replied.order < order) state.replied = { order, response };
  return state.isBroken && connection.repliesOwed <= 0 ? state.replied.response : null;
}

/** Ends the exchange; returns whether this response is the last of its connection, which then closes. */
function endWithReply(context: ServerContext, exchange: Exchange): boolean {
  endExchange(exchange);
  const last = lastResponse(exchange);
  last?.onClose(() => context.closeGracefully(exchange.connection));
  return last === exchange.response;
}

function finish(context: ServerContext, exchange: Exchange, reply: Reply): void {
  if (reply.pieces !== undefined) {
    void streamBody(context, exchange, { ...reply, pieces: reply.pieces });
    return;
  }
  const isLast = endWithReply(context, exchange) || context.isStopping || reply.isLast === true;
  try {
    send(exchange, reply, isLast);
  } catch (error) {
    holdReply(exchange, -exchange.replyBytes);
    send(exchange, exchange.call.notWritten(error), isLast);
  }
}

function send(exchange: Exchange, reply: Reply, isLast: boolean): void {
  holdReply(exchange, lengthOf(reply));
  exchange.response.send(reply, isLast);
  exchange.call.replied(reply);
}

/** A long reply leaves piece by piece. One that cannot be finished is cut off, so that no client takes a part of it for the whole. */
async function streamBody(
  context: ServerContext,
  exchange: Exchange,
  reply: Reply & Required<Pick<Reply, 'pieces'>>,
): Promise<void> {
  const { message, response, call } = exchange;
  try {
    response.begin(reply, context.isStopping);
    call.replied(reply);
    if (message.method !== 'HEAD') {
      for await (const piece of reply.pieces) {
        if (response.destroyed) break;
        holdReply(exchange, piece.length);
        const isTaken = response.write(piece, () => holdReply(exchange, -piece.length));
        if (!isTaken && !response.destroyed) await response.drained();
      }
    }
    endWithReply(context, exchange);
    response.end();
  } catch (error) {
    call.cutOff(error, reply);
    response.destroy();
    endExchange(exchange);
  }
}

/** Counts the bytes that the client has still to read; less than 0: it has read them. */
function holdReply(exchange: Exchange, bytes: number): void {
  exchange.replyBytes += bytes;
  if (bytes >= 0) exchange.connection.account.holdReply(bytes);
  else exchange.connection.releaseReply(-bytes);
}

/** Replies immediately and drains the rest of the body for a moment, so that the client gets to read the reply. */
function refuseBody(context: ServerContext, exchange: ParsedExchange, reply: Reply): void {
  const { connection, response, call } = exchange;
  connection.state.isBroken = true;
  holdReply(exchange, lengthOf(reply));
  response.begin(reply, true);
  response.write(Buffer.from(reply.body), () => {});
  call.replied(reply);
  endExchange(exchange);
  lastResponse(exchange);
  context.drain(exchange);
}
