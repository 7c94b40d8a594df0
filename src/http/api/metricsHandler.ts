import { addressOf, isForwardedByOthers, isInside } from '../server/clientAddress.ts';
import { notFound } from '../server/errorReplies.ts';
import { type Reply, textHeaders } from '../server/reply.ts';
import type { Request } from '../server/request.ts';
import type { Services } from '../services.ts';

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
  }: Pick<Services, 'directory' | 'health' | 'metrics' | 'replies' | 'trust'>,
  request: Request,
): Promise<Reply> {
  const { message } = request;
  if (isForwardedByOthers(message, trust) || !isInside(addressOf(message, trust))) return notFound(replies);
  const body = figures.page({ directoryMs: directory.ageMs(), jobs: health.jobs() });
  return { status: 200, headers: textHeaders, body, code: null, ndc: null, entityId: null };
}
