import type { Services } from '../services.ts';
import type { Replies } from '../transport/replies.ts';
import type { Reply } from '../transport/reply.ts';
import type { Request } from '../transport/request.ts';

/** The process is alive; nothing else is promised. */
export const live = ({ replies }: { readonly replies: Replies }, _request: Request): Reply =>
  replies.json(200, { status: 'live' });

export const unready = (replies: Replies, status: 'starting' | 'stopping'): Reply => replies.json(503, { status });

/** Whether this node can take payments, and if not, why. */
export async function ready({ replies, health }: Pick<Services, 'health' | 'replies'>, _request: Request): Promise<Reply> {
  const problems = await health.problems();
  if (problems.length > 0) return replies.json(503, { status: 'not ready', problems });
  // Anyone may ask: the sentences with names and ids are printed at the start.
  const missing = [...new Set((await health.missing()).map(({ kind }) => kind))];
  // Other accounts take payments: the node stays ready.
  const unreachable = health.unreachable();
  // Browsers refuse a changed file where the shop compares hashes; payments of the API go on.
  const changed = health.changedFiles();
  return replies.json(200, {
    status: 'ready',
    ...(missing.length > 0 && { missing }),
    ...(unreachable > 0 && { unreachableAccounts: unreachable }),
    ...(changed > 0 && { changedWidgetFiles: changed }),
  });
}
