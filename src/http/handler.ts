import type { AuditAction } from '../audit/entry.ts';
import type { Limit } from '../merchants/settings.ts';
import type { Request } from './request.ts';
import type { Services } from './services.ts';
import { originOf } from './transport/clientAddress.ts';
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
