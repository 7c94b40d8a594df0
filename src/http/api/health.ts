import { notFound, type Replies } from '../replies.ts';
import type { Request } from '../request.ts';
import type { Services } from '../services.ts';
import { addressOf, isForwardedByOthers, isInside } from '../transport/clientAddress.ts';
import { type Reply, textHeaders } from '../transport/reply.ts';

/** The process is alive; nothing else is promised. */
export const live = ({ replies }: { readonly replies: Replies }): Reply => replies.json(200, { status: 'live' });

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

/**
 * Metrics for Prometheus, for loopback and private networks alone: for others there is no such page. An untrusted proxy may be on such a
 * network while its clients are not.
 */
export async function metrics(
  {
    replies,
    metrics: figures,
    directory,
    trust,
    health,
    threadFigures,
  }: Pick<Services, 'directory' | 'health' | 'metrics' | 'replies' | 'threadFigures' | 'trust'>,
  request: Request,
): Promise<Reply> {
  const { message } = request;
  if (isForwardedByOthers(message, trust) || !isInside(addressOf(message, trust))) return notFound(replies);
  const others = threadFigures ? await threadFigures() : [];
  const body = figures.mergedPage({ directoryMs: directory.ageMs(), jobs: health.jobs() }, others);
  return { status: 200, headers: textHeaders, body, code: null, ndc: null, entityId: null };
}
