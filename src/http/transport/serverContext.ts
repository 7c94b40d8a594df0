import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { CallContext, Span, Tracer } from '../../telemetry/tracer.ts';
import type { Message, Side } from '../handler.ts';
import type { Replies } from '../replies.ts';
import type { Routed } from '../route.ts';
import type { handleRequest } from '../router.ts';
import type { Services } from '../services.ts';
import type { Buffers } from './body.ts';
import type { TrustedProxies } from './clientAddress.ts';
import type { Connection, ConnectionState } from './connection.ts';
import type { PlainResponse, ResponseContext } from './plainResponse.ts';
import type { Pace } from './upload.ts';

/** What all exchanges of a server share. */
export type ServerContext = {
  readonly side: Side;
  readonly replies: Replies;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Null: requests are not traced. */
  readonly tracer: Tracer | null;
  /** The next id of a request, for the log. */
  readonly requestId: () => string;
  /** Null until the gateway can take payments. */
  services: Services | null;
  /** Answers a request that was routed and read. */
  readonly handle: typeof handleRequest;
  /** The gateway is about to end: it is not ready, and each reply is the last of its connection. */
  isStopping: boolean;
  /** No connections are accepted any more. */
  isClosing: boolean;
  /** Requests that have begun and are not answered yet. */
  open: number;
  /** Those of them that the HTTP server has not seen. */
  plainOpen: number;
  /** What the responses to those say. */
  readonly response: ResponseContext;
  /** Connections that were accepted since requests were handled last, or `handleArrived` looked for them. */
  accepted: number;
  /** Requests that were read and wait for the end of this turn of the event loop. */
  readonly arrived: { readonly exchange: Exchange; readonly body: Buffer }[];
  readonly buffers: Buffers;
  /** The proxies that may say that a request came by TLS; null: it need not. */
  readonly tlsBy: TrustedProxies | null;
  /** How fast files must arrive. */
  readonly pace: Pace;
  /** Called for every request but those of the operator's tools. */
  readonly onRequest: () => void;
  /** Called when no request is open any more. */
  onQuiet: () => void;
  /** Called with the last response on a broken connection, which closes after it. */
  readonly onLast: (connection: Connection, response: ServerResponse | PlainResponse) => void;
  /** Called when a file has arrived: its import may take longer than the limit of a request. */
  readonly onArrived: (connection: Connection) => void;
  /** Drains a refused body. */
  readonly onRefused: (exchange: ParsedExchange) => void;
};

/** An exchange that the HTTP server has parsed. */
export type ParsedExchange = Exchange & { readonly request: IncomingMessage; readonly response: ServerResponse };

export type Exchange = {
  readonly request: Message & Pick<IncomingMessage, 'complete'>;
  readonly response: ServerResponse | PlainResponse;
  readonly routed: Routed;
  readonly connection: Connection;
  readonly state: ConnectionState;
  /** The number of its request on the connection. */
  readonly order: number;
  /** The bytes of the reply that have not left yet. */
  replyBytes: number;
  /** The head can be read in two ways. */
  readonly isAmbiguous: boolean;
  readonly startedAt: number;
  readonly call: RequestCall;
};

/** The context of log lines and traces, while a request is handled. */
export type RequestCall = CallContext & { readonly span: Span<'request'> | null };
