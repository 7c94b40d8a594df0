import { matchesMerchant } from '../../merchants/merchantFilter.ts';
import { type DueRelease, NEVER_AGAIN, type ReleaseStore } from '../../payments/ports.ts';
import { markCells } from '../areas/payments.ts';
import { join, type Tables, type WhileOpen } from './tables.ts';

/** The end of authorisations in memory. */
export const releaseMethods = ({ releases }: Tables, whileOpen: WhileOpen): ReleaseStore => ({
  releasesDue: whileOpen(({ now, limit, merchants }) =>
    [...releases.values()]
      .filter((one) => dueAtOf(one) >= 0 && dueAtOf(one) <= now && matchesMerchant(merchants, one.merchantId))
      .sort((one, other) => dueAtOf(one) - dueAtOf(other) || (one.id < other.id ? -1 : 1))
      .slice(0, limit),
  ),
  markReleases: whileOpen((marks) => {
    for (const mark of marks) markCells(mark);
    for (const { merchantId, id, releaseAt, next } of marks) {
      const at = join(merchantId, id);
      if (releases.get(at)?.releaseAt !== releaseAt) continue;
      if (next === NEVER_AGAIN) releases.delete(at);
      else releases.set(at, { merchantId, id, releaseAt: next });
    }
  }),
});

/** An authorisation without an instant is due. */
export const dueAtOf = ({ releaseAt }: DueRelease): number => releaseAt ?? 0;
