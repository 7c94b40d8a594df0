import type { IncomingHttpHeaders } from 'node:http';
import type { AuditAction } from '../audit/entry.ts';
import type { Decoded } from '../form/decode.ts';
import type { Limit } from '../merchants/settings.ts';
import type { EndpointName } from '../spec/endpoints.ts';
import type { Services } from './services.ts';
import { originOf } from './transport/clientAddress.ts';
import type { Message } from './transport/message.ts';
import type { Reply } from './transport/reply.ts';

/**
 * Handles a request of one endpoint. Refusals and declines are replies; only a bug or a broken dependency throws. A handler names in its
 * type the services that it uses, `Pick<Services, …>`, and receives no others. One without anything to wait for may return its reply itself.
 */
export type Handler = (services: Services, request: Request) => Outcome | Promise<Outcome>;

/** Handles a request as if it had come from a client, for handlers that send requests to the gateway themselves. */
export type Handle = (services: Services, request: Request) => Promise<Reply>;

/** The result of a handler: a reply, an authorised call that still has to pass the throttle, or a reply with its audit entry. */
export type Outcome = Reply | AuthorizedCall | AuditedReply;

/** A call whose sender may make it. The gateway runs it, or refuses it if the entity calls too often. */
export type AuthorizedCall = {
  readonly kind: 'authorized';
  /** Calls are counted per entity and endpoint. */
  readonly entityId: string;
  /** The entity's own limit; undefined: that of the endpoint. */
  readonly limit: Limit | undefined;
  readonly run: () => Promise<Reply | AuditedReply>;
  /** Adds the audit entry of a refused call. */
  readonly refuse?: (reply: Reply) => AuditedReply;
  /** The name of the request, if it has one already. */
  readonly ndc?: string;
};

/** `failed`: the handler threw, and the error is thrown again once the entry is written. */
export type AuditedResult =
  | { readonly is: 'replied'; readonly reply: Reply }
  | { readonly is: 'failed'; readonly error: unknown };

/** A reply and the audit entry that is written before the reply leaves. */
export type AuditedReply = {
  readonly kind: 'audited';
  readonly entry: AuditAction;
  /** Refused calls are counted instead of written one by one when there are many. */
  readonly isRefusal: boolean;
  readonly result: AuditedResult;
};

/**
 * The origin under which browsers and merchants reach the gateway, such as `https://pay.example`: the operator's setting, otherwise what
 * this request came by. Null when that forms none.
 */
export const originFor = ({ publicUrl, trust }: Pick<Services, 'publicUrl' | 'trust'>, { message }: Request): string | null =>
  publicUrl ?? originOf(message, trust);

/** The port of the API, or that of the back office. */
export type Side = 'gateway' | 'backOffice';

/** A request that was routed and read to its end, but for a file. */
export type Request = {
  /** The port that it arrived at. */
  readonly side: Side;
  readonly endpoint: EndpointName;
  /** The segment in the place of `{id}`. */
  readonly id: string | null;
  readonly method: string;
  /** The normalised path: single slashes, none at the end, no query. */
  readonly path: string;
  /** The raw query string, without the question mark. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The fields of the query or the body, once decoded. */
  decoded?: Decoded;
  /** Instead of `body`, if that is a file: the handler reads it after authorisation. */
  readonly file?: AsyncIterable<Uint8Array>;
  /**
   * Set by the gateway when it makes a request for an authorised user, as if a token of the entity had been sent. Never read from the
   * wire.
   */
  readonly actsFor?: { readonly entityId: string; readonly who: string; readonly callId: string };
  /** The request as it arrived, with the client that sent it. */
  readonly message: Message;
};

/** A longer form is decoded and checked in slices, and other requests come in between. */
export const LONG_FORM_BYTES = 32_768;

/** Parameters come in the body of a POST, and in the query of a GET; some clients send a body with it, and both are one form. */
export function formOf({ method, query, body }: Request): Buffer {
  if (method === 'POST') return body;
  const queryBytes = Buffer.from(query, 'latin1');
  return body.length === 0 ? queryBytes : Buffer.concat([queryBytes, Buffer.from('&'), body]);
}
