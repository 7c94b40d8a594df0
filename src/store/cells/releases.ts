import type { DueRelease, ReleaseMark } from '../../payments/releaseStore.ts';
import { by, merged } from './merges.ts';
import { ofFilter, split } from './route.ts';

/** The end of authorisations, each where its merchant lives. */
export const releaseRoutes = {
  releasesDue: ofFilter<'releasesDue'>(
    ({ merchants }) => merchants,
    (lists, { limit }) =>
      merged(
        lists,
        by<DueRelease>(
          ({ releaseAt }) => releaseAt ?? 0,
          ({ id }) => id,
        ),
        limit,
      ),
  ),
  markReleases: split<'markReleases', ReleaseMark>(
    (marks) => marks,
    ({ merchantId }) => merchantId,
    (marks) => [marks],
    () => undefined,
  ),
} as const;
