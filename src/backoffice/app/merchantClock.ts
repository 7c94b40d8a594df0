import { useMe, useMerchant } from './me.ts';
import { useApiQuery } from './useApi.ts';

const CLOCK_MS = 30_000;

type ShownClock = { readonly now: string; readonly isReal: boolean; readonly isFrozen: boolean };

/** The test clock of the chosen merchant. Null: real time, or a clock that the user may not read. Undefined: it was not read yet. */
export function useTestClock(): ShownClock | null | undefined {
  const me = useMe();
  const merchant = useMerchant();
  const isWanted = me.environment === 'test' && merchant !== null && me.grants.some(({ rights }) => rights.includes('clock'));
  const { data, error } = useApiQuery('readClock', { entityId: merchant?.id ?? '' }, { isWanted, everyMs: CLOCK_MS });
  const clock = data as ShownClock | undefined;
  if (!isWanted || clock?.isReal || (error && !clock)) return null;
  return clock;
}
