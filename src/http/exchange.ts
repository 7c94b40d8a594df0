import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bodyBytesMax } from '../form/limits.ts';
import { type EndpointName, endpoints } from '../spec/endpoints.ts';
import { answer } from './answer.ts';
import { announcesTooMuch, type Body, type Buffers, readBody } from './body.ts';
import { isAmbiguous } from './framing.ts';
import { live, unready } from './handlers/health.ts';
import { type Pace, piecesOf, takesFile } from './incoming.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { forOwnOrigin, headersOf, type Reply, send } from './reply.ts';
import type { Request, Side } from './request.ts';
import type { Responder } from './respond.ts';
import type { Rooms } from './rooms.ts';
import { type Routed, routeAt } from './route.ts';
import { ambiguous, failed, nothingHere, otherMethod, preflight, tooLong, unavailable } from './turnAway.ts';

/** What all exchanges of a server share. */
export type Door = {
  readonly side: Side;
  readonly respond: Responder;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Null until the gateway can take payments. */
  rooms: Rooms | null;
  isStopping: boolean;
  /** Requests that were begun and are not answered yet. */
  open: number;
  readonly lines: WeakMap<Socket, Line>;
  readonly buffers: Buffers;
  /** How fast files must arrive. */
  readonly pace: Pace;
  /** Called when no request is open any more. */
  onQuiet: () => void;
  /** Called with the last response on a connection that broke: it closes behind it. */
  readonly onLast: (socket: Socket, response: ServerResponse) => void;
  /** Called when a file has arrived: what is made of it may take its time. */
  readonly onArrived: (socket: Socket) => void;
  /** How a refused body is let run out. */
  readonly onRefused: (exchange: Exchange) => void;
};

/** One connection: the requests on it that are not answered yet, the youngest of them, and whether more can be read. */
export type Line = {
  open: number;
  latest: IncomingMessage;
  isBroken: boolean;
  /** The body of the youngest is a file that is being read, for as long as it takes. */
  isPouring: boolean;
};

export type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly routed: Routed;
  readonly line: Line;
  /** The head can be read in two ways. */
  readonly isAmbiguous: boolean;
  readonly startedAt: number;
};

/** How many requests were read to their end and must be answered, whatever comes behind them. */
export const answersOwed = ({ open, latest }: Line): number => open - (latest.complete ? 0 : 1);

/** A request from its head on: routed, read, answered, written down. Behind a broken one nothing is believed. */
export function begin(door: Door, request: IncomingMessage, response: ServerResponse): void {
  const line = lineOf(door, request);
  if (line.isBroken) return;
  const routed = routeAt(door.side, request.method ?? '', request.url ?? '');
  const exchange: Exchange = {
    request,
    response,
    routed,
    line,
    isAmbiguous: isAmbiguous(request.rawHeaders),
    startedAt: performance.now(),
  };
  door.open += 1;
  line.open += 1;
  line.isBroken = exchange.isAmbiguous;
  if (takesFile(routed)) void takeFile(door, exchange);
  else if (announcesTooMuch(request)) refuseBody(door, exchange, tooLong(door.respond, bodyBytesMax));
  else readBody(request, door.buffers, (body) => go(door, exchange, body));
}

/** The answer is made while the body arrives, or before it was asked for. */
async function takeFile(door: Door, exchange: Exchange): Promise<void> {
  const { request, response, line } = exchange;
  const isRead = (is: boolean) => {
    line.isPouring = is;
    if (!is) door.onArrived(request.socket);
  };
  const reply = await replyTo(door, exchange, { body: NONE, file: piecesOf({ request, response, pace: door.pace, isRead }) });
  if (request.complete) finish(door, exchange, reply);
  else refuseBody(door, exchange, reply);
}

const NONE = Buffer.alloc(0);

function lineOf({ lines }: Door, request: IncomingMessage): Line {
  const known = lines.get(request.socket);
  if (known) {
    known.latest = request;
    return known;
  }
  const line: Line = { open: 0, latest: request, isBroken: false, isPouring: false };
  lines.set(request.socket, line);
  return line;
}

function go(door: Door, exchange: Exchange, body: Body): void {
  if (body === 'gone') leave(door, exchange);
  else if (body === 'tooLong') refuseBody(door, exchange, tooLong(door.respond, bodyBytesMax));
  else if (body === 'full') refuseBody(door, exchange, unavailable(door.respond));
  else {
    const reply = replyTo(door, exchange, { body });
    if (reply instanceof Promise) void reply.then((late) => finish(door, exchange, late));
    else finish(door, exchange, reply);
  }
}

function leave(door: Door, { line }: Exchange): void {
  line.open -= 1;
  door.open -= 1;
  if (door.open === 0) door.onQuiet();
}

function replyTo(
  door: Door,
  { request, routed, isAmbiguous: isTwofold }: Exchange,
  content: Pick<Request, 'body' | 'file'>,
): Reply | Promise<Reply> {
  const { respond, rooms } = door;
  if (isTwofold) return ambiguous(respond);
  // Pages of other origins have nothing to ask the back office.
  const isAsking = request.method === 'OPTIONS' && door.side === 'gateway';
  if (routed.is === 'nowhere') return isAsking && request.url === '*' ? preflight(['GET', 'HEAD', 'POST']) : nothingHere(respond);
  if (routed.is === 'otherMethod') return isAsking ? preflight(routed.allowed) : otherMethod(respond, routed.allowed);
  const { endpoint, id, path, query } = routed;
  const { method = '', headers } = request;
  const asked: Request = { side: door.side, endpoint, id, method, path, query, headers, ...content, message: request };
  if (endpoint === 'live') return live(door, asked);
  if (endpoint === 'ready' && (rooms === null || door.isStopping))
    return unready(respond, rooms === null ? 'starting' : 'stopping');
  return rooms === null ? unavailable(respond) : answer(rooms, asked, door.log);
}

function finish(door: Door, exchange: Exchange, said: Reply): void {
  const reply = door.side === 'backOffice' ? forOwnOrigin(said) : said;
  const { request, response, line } = exchange;
  if (reply.pieces !== undefined) {
    void pour(door, exchange, { ...reply, pieces: reply.pieces });
    return;
  }
  leave(door, exchange);
  if (line.isBroken && answersOwed(line) === 0) door.onLast(request.socket, response);
  const isLast = door.isStopping || reply.isLast === true;
  try {
    send(response, reply, isLast);
    record(door, exchange, reply);
  } catch (error) {
    // A head that cannot be written has not been written: there is still an answer to give.
    const ndc = door.respond.ndc(null);
    door.log.error({ err: error, ndc }, 'the answer could not be written');
    const instead = failed(door.respond, ndc);
    send(response, instead, isLast);
    record(door, exchange, instead);
  }
}

/** A long answer leaves piece by piece. What cannot be finished is cut off, so that nobody takes a part of it for the whole. */
async function pour(door: Door, exchange: Exchange, reply: Reply & Required<Pick<Reply, 'pieces'>>): Promise<void> {
  const { request, response, line } = exchange;
  const gone = new Promise<void>((resolve) => void response.once('close', resolve));
  try {
    response.writeHead(reply.status, headersOf(reply, door.isStopping));
    record(door, exchange, reply);
    if (request.method !== 'HEAD') {
      for await (const piece of reply.pieces) {
        if (response.destroyed) break;
        if (!response.write(piece))
          await Promise.race([gone, new Promise<void>((resolve) => void response.once('drain', resolve))]);
      }
    }
    leave(door, exchange);
    if (line.isBroken && answersOwed(line) === 0) door.onLast(request.socket, response);
    response.end();
  } catch (error) {
    door.log.error({ err: error, ndc: reply.ndc }, 'the answer was cut off');
    response.destroy();
    leave(door, exchange);
  }
}

/** The answer goes out at once; the rest of the body is thrown away for a moment, so that the client gets to read it. */
function refuseBody(door: Door, exchange: Exchange, said: Reply): void {
  const reply = door.side === 'backOffice' ? forOwnOrigin(said) : said;
  exchange.line.isBroken = true;
  exchange.response.writeHead(reply.status, headersOf(reply, true));
  exchange.response.write(reply.body);
  record(door, exchange, reply);
  leave(door, exchange);
  door.onRefused(exchange);
}

/** One line a request: the path as the table has it, because a real one may carry what nobody should read. */
function record({ metrics, log }: Door, { request, routed, startedAt }: Exchange, reply: Reply): void {
  const endpoint: EndpointName | 'none' = routed.is === 'found' ? routed.endpoint : 'none';
  const ms = performance.now() - startedAt;
  metrics.request(endpoint, reply.status, ms / 1000);
  const { status, code, ndc, entityId, why } = reply;
  const path = endpoint === 'none' ? null : endpoints[endpoint].path;
  log.info({ method: request.method, path, status, ms: Math.round(ms * 100) / 100, code, ndc, entityId, why }, 'answered');
}
