import { type DueRelease, NEVER_AGAIN, type ReleaseMark } from '../../payments/ports.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import type { Cell } from './payments.ts';

/** Every statement about the end of authorisations, in the form of statements.ts. */

/** The rows of the indexes payment_release and payment_release_of_merchant. An authorisation without an instant is due. */
export const releasable = "payment_type = 'PA' AND state = 'approved' AND COALESCE(release_at, 0) >= 0";
export const releaseAt = 'COALESCE(release_at, 0)';

export const releasesDue = (merchants: string): string => `
    SELECT merchant_id, id, release_at FROM payment
    WHERE ${releasable} AND ${releaseAt} <= ?1 AND ${merchants} ORDER BY ${releaseAt}, id LIMIT ?2`;

export const releaseWrites = {
  markRelease: `
    UPDATE payment SET release_at = ?4
    WHERE merchant_id = ?1 AND id = ?2 AND payment_type = 'PA' AND state = 'approved' AND release_at IS NOT DISTINCT FROM ?3`,
} as const;

export const postgresReleases = {
  markReleases: `
    UPDATE payment p SET release_at = c.next
    FROM json_to_recordset(?1::text::json) AS c (merchant_id text, id text, release_at bigint, next bigint)
    WHERE p.merchant_id = c.merchant_id AND p.id = c.id AND p.payment_type = 'PA' AND p.state = 'approved'
      AND p.release_at IS NOT DISTINCT FROM c.release_at`,
} as const;

/** PostgreSQL answers large integers as text. */
export type ReleaseRow = { readonly merchant_id: string; readonly id: string; readonly release_at: number | string | null };

export const dueReleaseOf = ({ merchant_id, id, release_at }: ReleaseRow): DueRelease => ({
  merchantId: merchant_id,
  id,
  releaseAt: release_at === null ? null : Number(release_at),
});

/** The cells of a mark. Throws when no store could keep it. */
export function markCells({ merchantId, id, releaseAt: from, next }: ReleaseMark): Cell[] {
  if (!Number.isSafeInteger(next) || next < NEVER_AGAIN) throw new BrokenCommit(`the mark of ${id} is no instant`);
  return [merchantId, id, from, next];
}
