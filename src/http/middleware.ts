import type { AuditedReply, AuthorizedCall, Outcome } from './handler.ts';
import type { Reply } from './server/reply.ts';
import type { Request } from './server/request.ts';
import type { Services } from './services.ts';

/** The step of the pipeline behind a middleware. */
type Next<Result> = (services: Services, request: Request) => Result | Promise<Result>;

/** Records a call and its reply for the developers' inspector. */
export const inspection =
  (next: Next<Reply>): Next<Reply> =>
  (services, request) => {
    const { inspector } = services.developer;
    return inspector === null ? next(services, request) : inspector.watch(request, () => next(services, request));
  };

/** Writes the audit entry that a handler returns, before the reply leaves. */
export const audit =
  (next: Next<Reply | AuditedReply>): Next<Reply> =>
  async (services, request) => {
    const outcome = await next(services, request);
    if (outcome.kind === undefined) return outcome;
    const { entry, isRefusal, result } = outcome;
    await (isRefusal ? services.auditLog.writeRefused(entry) : services.auditLog.write(entry));
    if (result.is === 'failed') throw result.error;
    return result.reply;
  };

/** Runs an authorised call, or answers 429 when its entity calls this endpoint too often. */
export const throttling =
  (next: Next<Outcome>): Next<Reply | AuditedReply> =>
  async (services, request) => {
    const outcome = await next(services, request);
    if (outcome.kind !== 'authorized') return outcome;
    const waitMs = services.throttler.waitMs(outcome.entityId, request.endpoint, outcome.limit);
    return waitMs === 0 ? outcome.run() : tooManyRequests(services, outcome, waitMs);
  };

function tooManyRequests(
  { replies }: Pick<Services, 'replies'>,
  { entityId, ndc, refuse }: AuthorizedCall,
  waitMs: number,
): Reply | AuditedReply {
  const headers = ['Retry-After', String(Math.ceil(waitMs / 1000))];
  const reply = replies.result('800.120.100', entityId, { headers, ...(ndc !== undefined && { ndc }) });
  return refuse ? refuse(reply) : reply;
}
