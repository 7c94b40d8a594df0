import type { Settings } from '../../../merchants/settings.ts';
import { amountOf } from '../../../money/amount.ts';

/** Above which amount of this currency another has to agree; null: nobody has to. */
export function approvalAbove({ approvals = {} }: Pick<Settings, 'approvals'>, currency: string): bigint | null {
  return (Object.hasOwn(approvals, currency) ? amountOf(approvals[currency] ?? '') : null) ?? null;
}
