import { amountText } from '../../money/amount.ts';
import type { Payment } from '../../payments/payment.ts';
import { type Cells, disputed, lineOf, settled, settlementHeader } from './settlement.ts';

/** What the simulated acquirer does with a payment on a day. Amounts are above zero. */
export type SettledAct = {
  readonly payment: Payment;
  /** By which number it knows the merchant; null: by one of its own. */
  readonly account: string | null;
  /** What it calls the line. */
  readonly settlementId: string;
  readonly act:
    | { readonly does: 'pay'; readonly gross: bigint; readonly fee: bigint }
    | {
        readonly does: 'chargeback' | 'reversal';
        readonly amount: bigint;
        readonly code: string;
      };
};

/** A fee is never more than what it is kept from; it comes on top of what the merchant pays. */
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

function cellsOf(day: string, { payment, account, settlementId, act }: SettledAct): Cells | null {
  const good = settled(payment, day);
  if (!good) return null;
  const cells: Cells = { ...good, ...(account !== null && { ClearingInstituteMerchantId: account }) };
  if (act.does === 'pay') return { ...paid(cells, act), SettlementTxId: settlementId };
  const type = act.does === 'chargeback' ? 'CHARGEBACK' : 'CHARGEBACK REVERSAL';
  const line = disputed({ ...cells, Amount: amountText(act.amount) }, type, act.code);
  return { ...line, SettlementTxId: settlementId };
}

/** The file of a day, `yyyy-MM-dd`, with a line for each act: the same bytes for the same acts. */
export const fileOfActs = (day: string, acts: readonly SettledAct[]): string =>
  [
    settlementHeader,
    ...acts
      .map((act) => cellsOf(day, act))
      .filter((cells) => cells !== null)
      .map(lineOf),
    '',
  ].join('\n');
