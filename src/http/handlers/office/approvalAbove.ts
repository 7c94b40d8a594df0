import type { Settings } from '../../../merchants/settings.ts';
import { amountOf } from '../../../money/amount.ts';

/** Above which amount of this currency another has to agree; null: nobody has to. Currencies that are not named always wait. */
export function approvalAbove({ approvals = {} }: Pick<Settings, 'approvals'>, currency: string): bigint | null {
  if (Object.keys(approvals).length === 0) return null;
  return amountOf(approvals[currency] ?? approvals['*'] ?? '0') ?? 0n;
}
