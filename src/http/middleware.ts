import { endpoints } from '../spec/endpoints.ts';
import type { AuditedReply, AuthorizedCall, Outcome } from './handler.ts';
import type { Services } from './services.ts';
import type { Reply } from './transport/reply.ts';
import type { Request } from './transport/request.ts';

/** The step of the pipeline behind a middleware. */
type Next<Result> = (services: Services, request: Request) => Result | Promise<Result>;

/** Says how old the data of a reply of the back office may be, in seconds, where they come from a replica. */
export const dataAge =
  (next: Next<Reply>): Next<Reply> =>
  (services, request) => {
    const { replica } = services;
    if (replica === null || endpoints[request.endpoint].access !== 'admin') return next(services, request);
    return replica
      .measure(() => next(services, request))
      .then(({ result, ageMs }) =>
        ageMs === null
          ? result
          : { ...result, headers: [...result.headers, 'X-Turnpike-Data-Age', String(Math.ceil(ageMs / 1000))] },
      );
  };

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
  (services, request) => {
    const write = (outcome: Reply | AuditedReply) => (outcome.kind === undefined ? outcome : writeEntry(services, outcome));
    const outcome = next(services, request);
    return outcome instanceof Promise ? outcome.then(write) : write(outcome);
  };

async function writeEntry({ auditLog }: Pick<Services, 'auditLog'>, { entry, isRefusal, result }: AuditedReply): Promise<Reply> {
  await (isRefusal ? auditLog.writeRefused(entry) : auditLog.write(entry));
  if (result.is === 'failed') throw result.error;
  return result.reply;
}

/** Runs an authorised call, or answers 429 when its entity calls this endpoint too often. */
export const throttling =
  (next: Next<Outcome>): Next<Reply | AuditedReply> =>
  (services, request) => {
    const pass = (outcome: Outcome) => {
      if (outcome.kind !== 'authorized') return outcome;
      const waitMs = services.throttler.waitMs(outcome.entityId, request.endpoint, outcome.limit);
      const proceed = (ms: number) => (ms === 0 ? outcome.run() : tooManyRequests(services, outcome, ms));
      return typeof waitMs === 'number' ? proceed(waitMs) : waitMs.then(proceed);
    };
    const outcome = next(services, request);
    return outcome instanceof Promise ? outcome.then(pass) : pass(outcome);
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
