import { amountOf, amountText } from '../../../money/amount.ts';
import type { StatisticsAnswer, TypeFigures } from '../../../spec/answers/statistics.ts';

const CHARGES: readonly string[] = ['DB', 'PA'];

/** Approved transactions that are no attempts, by type and currency. */
type OtherTransactions = TypeFigures & { readonly isCharge: boolean };

/**
 * Attempts reference nothing. A debit or a preauthorization that names another payment (NO_SHOW, an increment) is in no volume, and stands
 * here, as the sum of all these types less the attempts.
 */
export function otherTransactions({ types, total }: Pick<StatisticsAnswer, 'types' | 'total'>): readonly OtherTransactions[] {
  const charges = Map.groupBy(
    types.filter(({ type }) => CHARGES.includes(type)),
    ({ currency }) => currency,
  );
  const referring = [...charges].flatMap(([currency, all]): readonly OtherTransactions[] => {
    const count = all.reduce((sum, one) => sum + one.count, 0) - (total.approved[currency] ?? 0);
    const amount =
      all.reduce((sum, one) => sum + (amountOf(one.amount) ?? 0n), 0n) - (amountOf(total.volume[currency] ?? '0.00') ?? 0n);
    return count > 0 ? [{ type: CHARGES.join(', '), currency, count, amount: amountText(amount), isCharge: true }] : [];
  });
  return [...referring, ...types.filter(({ type }) => !CHARGES.includes(type)).map((one) => ({ ...one, isCharge: false }))];
}
