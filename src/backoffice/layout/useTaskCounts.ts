import { mayAt, useMe, useScope } from '../app/me.ts';
import { useApiQuery } from '../app/useApi.ts';
import type { RailName } from '../pages.ts';

const EVERY_MS = 60_000;
/** The server counts no further. */
const COUNT_MAX = 100;

/** What waits for the user at the chosen entity, by the entry of the rail that leads to it. */
export function useTaskCounts(): Readonly<Partial<Record<RailName, number>>> {
  const me = useMe();
  const { entityId } = useScope();
  const isWanted = (['approve', 'review', 'settlement', 'webhooks', 'tokens', 'keys'] as const).some((right) =>
    mayAt(me, right, entityId),
  );
  const { data } = useApiQuery('countTasks', { entityId }, { everyMs: EVERY_MS, isWanted: entityId !== '' && isWanted });
  const { approvals = 0, notices = 0, reviews = 0, exceptions = 0 } = data ?? {};
  return { administration: Math.min(approvals + notices, COUNT_MAX), risk: reviews, settlement: exceptions };
}

export const countText = (count: number): string => (count >= COUNT_MAX ? `${COUNT_MAX - 1}+` : String(count));
