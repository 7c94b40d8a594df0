import type { AuditAction } from '../audit/entry.ts';
import type { Limit } from '../merchants/settings.ts';
import type { Services } from './services.ts';
import type { Reply } from './transport/reply.ts';
import type { Request } from './transport/request.ts';

/**
 * Handles a request of one endpoint. Refusals and declines are replies; only a bug or a broken dependency throws. A handler names in its
 * type the services that it uses, `Pick<Services, …>`, and receives no others.
 */
export type Handler = (services: Services, request: Request) => Outcome | Promise<Outcome>;

/** Handles a request with all middleware, for handlers that send requests to the gateway themselves. */
export type Handle = (services: Services, request: Request) => Reply | Promise<Reply>;

/** What a handler returns: a reply, an authorised call that still has to pass the throttle, or a reply with its audit entry. */
export type Outcome = Reply | AuthorizedCall | AuditedReply;

/** A call whose sender may make it. The middleware `throttling` runs it, or refuses it. */
export type AuthorizedCall = {
  readonly kind: 'authorized';
  /** Calls are counted per entity and endpoint. */
  readonly entityId: string;
  /** The entity's own limit; undefined: that of the endpoint. */
  readonly limit: Limit | undefined;
  readonly run: () => Reply | AuditedReply | Promise<Reply | AuditedReply>;
  /** Adds what the audit log keeps of a call that was refused. */
  readonly refuse?: (reply: Reply) => AuditedReply;
  /** The name of the request, when it has one already. */
  readonly ndc?: string;
};

/** `failed`: the handler threw, and the error is thrown again once the entry is written. */
export type AuditedResult =
  | { readonly is: 'replied'; readonly reply: Reply }
  | { readonly is: 'failed'; readonly error: unknown };

/** A reply and the entry that the middleware `audit` writes before the reply leaves. */
export type AuditedReply = {
  readonly kind: 'audited';
  readonly entry: AuditAction;
  /** Refused calls are counted instead of written one by one when there are many. */
  readonly isRefusal: boolean;
  readonly result: AuditedResult;
};
