import type { Responder } from '../server/replies.ts';
import type { Reply } from '../server/reply.ts';
import type { Request } from '../server/request.ts';
import type { Services } from '../services.ts';

/** The process answers; nothing else is promised. */
export const live = ({ respond }: { readonly respond: Responder }, _request: Request): Reply =>
  respond.json(200, { status: 'live' });

export const unready = (respond: Responder, status: 'starting' | 'stopping'): Reply => respond.json(503, { status });

/** Whether this node can take payments, and if not, what keeps it from doing so. */
export async function ready({ respond, health }: Services, _request: Request): Promise<Reply> {
  const problems = await health.problems();
  return problems.length === 0 ? respond.json(200, { status: 'ready' }) : respond.json(503, { status: 'not ready', problems });
}
