import type { DueQuery } from '../merchants/merchantFilter.ts';

/** The mark of an authorisation that is never looked at again. */
export const NEVER_AGAIN = -1;

/** An approved authorisation whose rest is to be looked at. `releaseAt` null: from before the column, or written by an older node. */
export type DueRelease = { readonly merchantId: string; readonly id: string; readonly releaseAt: number | null };

/** When an authorisation is looked at again; kept only where the mark is still the one that was read. */
export type ReleaseMark = DueRelease & { readonly next: number };

/** When the rest of authorisations is looked at. */
export interface ReleaseStore {
  /** Approved authorisations whose rest is due to be looked at, the longest overdue first; those without an instant come before all. */
  releasesDue(asked: DueQuery): Promise<readonly DueRelease[]>;
  /** Sets the next look of authorisations; a negative one is never due. */
  markReleases(marks: readonly ReleaseMark[]): Promise<void>;
}
