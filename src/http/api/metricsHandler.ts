import type { Services } from '../services.ts';
import { addressOf, isForwardedByOthers, isInside } from '../transport/clientAddress.ts';
import { notFound } from '../transport/errorReplies.ts';
import { type Reply, textHeaders } from '../transport/reply.ts';
import type { Request } from '../transport/request.ts';

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
