import { amountText } from '../../money/amount.ts';
import type { Payment } from '../../payments/payment.ts';
import { type Cells, disputed, lineOf, settled, settlementHeader } from './settlement.ts';

/** One line of the simulated acquirer's file. Amounts are above zero. */
export type SettlementAction = {
  readonly payment: Payment;
  /** The merchant's account number at the acquirer; null: a generated one. */
  readonly account: string | null;
  /** The id of the line. */
  readonly settlementId: string;
  readonly act:
    | { readonly does: 'pay'; readonly gross: bigint; readonly fee: bigint }
    | {
        readonly does: 'chargeback' | 'reversal';
        readonly amount: bigint;
        readonly code: string;
      };
};

/** A fee never exceeds an incoming amount; for an outgoing amount it is added. */
function paid(cells: Cells, { gross, fee }: { readonly gross: bigint; readonly fee: bigint }): Cells {
  const isIn = cells.Cashflow === 'POS';
  const kept = isIn && fee > gross ? gross : fee;
  return {
    ...cells,
    Amount: amountText(gross),
    SettlementAmount: amountText(isIn ? gross - kept : gross + kept),
    SettlementFee: amountText(kept),
  };
}

function cellsOf(day: string, { payment, account, settlementId, act }: SettlementAction): Cells | null {
  const good = settled(payment, day);
  if (!good) return null;
  const cells: Cells = { ...good, ...(account !== null && { ClearingInstituteMerchantId: account }) };
  if (act.does === 'pay') return { ...paid(cells, act), SettlementTxId: settlementId };
  const type = act.does === 'chargeback' ? 'CHARGEBACK' : 'CHARGEBACK REVERSAL';
  const line = disputed({ ...cells, Amount: amountText(act.amount) }, type, act.code);
  return { ...line, SettlementTxId: settlementId };
}

/** The file of a day, `yyyy-MM-dd`, with a line for each act: the same bytes for the same acts. */
export const settlementFileFor = (day: string, acts: readonly SettlementAction[]): string =>
  [
    settlementHeader,
    ...acts
      .map((act) => cellsOf(day, act))
      .filter((cells) => cells !== null)
      .map(lineOf),
    '',
  ].join('\n');
