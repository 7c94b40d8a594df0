import { mayAt, useMe, useScope } from '../app/me.ts';
import { useApiQuery } from '../app/useApi.ts';
import type { RailName } from '../pages.ts';

const EVERY_MS = 60_000;
/** One more than is shown: `99+`. */
const COUNT_MAX = 100;

/** What waits for the user at the chosen entity, by the entry of the rail that leads to it. */
export function useTaskCounts(): Readonly<Partial<Record<RailName, number>>> {
  const me = useMe();
  const { entityId } = useScope();
  const values = { entityId, limit: COUNT_MAX };
  const wanted = (right: 'approve' | 'review' | 'settlement') => ({
    everyMs: EVERY_MS,
    isWanted: entityId !== '' && mayAt(me, right, entityId),
  });
  const approvals = useApiQuery('listApprovals', { ...values, state: 'waiting' }, wanted('approve'));
  const reviews = useApiQuery('listReviews', { ...values, state: 'waiting' }, wanted('review'));
  const exceptions = useApiQuery('listExceptions', values, wanted('settlement'));
  return {
    administration: approvals.data?.approvals.length ?? 0,
    risk: reviews.data?.reviews.length ?? 0,
    settlement: exceptions.data?.exceptions.length ?? 0,
  };
}

export const countText = (count: number): string => (count >= COUNT_MAX ? `${COUNT_MAX - 1}+` : String(count));
