import { amountText } from '../../money/amount.ts';
import { isApproved } from '../../payments/balance.ts';
import type { Payment } from '../../payments/payment.ts';
import { dayText } from '../../spec/formats/dates.ts';
import { DAY_MS } from '../../spec/time.ts';

/** Faults that can be requested in the simulated acquirer's file. `missing` leaves the line out. */
export const settlementFaults = [
  'missing',
  'doubled',
  'wrongAmount',
  'wrongCurrency',
  'unknownId',
  'truncatedId',
  'feeTooHigh',
  'otherDate',
  'badLine',
] as const;
export type SettlementFault = (typeof settlementFaults)[number];

/** Faults and disputes of the acquirer's file of a day. */
export type SettlementScript = {
  /** Faults by the id of the payment whose line has them. */
  readonly faults?: ReadonlyMap<string, SettlementFault>;
  /** Payments charged back on this day, with the reason. */
  readonly chargebacks?: ReadonlyMap<string, string>;
  /** Payments whose chargeback is reversed on this day. */
  readonly reversals?: ReadonlySet<string>;
};

const columns = [
  'ReconciliationType',
  'PaymentType',
  'Cashflow',
  'ClearingInstituteMerchantId',
  'SettlementTxId',
  'UniqueID',
  'ShortId',
  'ConnectorTxId1',
  'Amount',
  'Currency',
  'Brand',
  'TxRequestTime',
  'SettlementAmount',
  'SettlementCurrency',
  'SettlementFee',
  'SettlementFxRate',
  'SettlementDate',
  'SettlementStatus',
  'AccountNumberLast4',
  'ReasonCode',
  'ClearingInstituteName',
  'TransactionId',
] as const;

/** One line of the file. */
type Cells = Readonly<Partial<Record<(typeof columns)[number], string>>>;

/** In basis points of the amount, plus a fixed fee. */
const [FEE_BASIS_POINTS, FEE_FIXED] = [140n, 10n];
const UNKNOWN = '0'.repeat(32);

const feeOf = (amount: bigint): bigint => {
  const fee = (amount * FEE_BASIS_POINTS) / 10_000n + FEE_FIXED;
  return fee < amount ? fee : 0n;
};

const quoted = (text: string): string => (/[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const lineOf = (cells: Cells): string => columns.map((name) => quoted(cells[name] ?? '')).join(';');

const kinds: Readonly<Partial<Record<Payment['paymentType'], Cells>>> = {
  DB: { PaymentType: 'DEBIT', Cashflow: 'POS' },
  CP: { PaymentType: 'DEBIT', Cashflow: 'POS' },
  RB: { PaymentType: 'DEBIT', Cashflow: 'POS' },
  RC: { PaymentType: 'DEBIT', Cashflow: 'POS' },
  CD: { PaymentType: 'CREDIT', Cashflow: 'NEG' },
  RF: { PaymentType: 'REFUND', Cashflow: 'NEG' },
};

/** The line that settles a payment; null when there is nothing to settle. */
function settled(payment: Payment, day: string): Cells | null {
  const kind = kinds[payment.paymentType];
  if (!kind || !isApproved(payment)) return null;
  const { amount, currency, instrument } = payment;
  const fee = kind.Cashflow === 'POS' ? feeOf(amount) : 0n;
  const last4 = instrument && 'last4Digits' in instrument ? (instrument.last4Digits ?? '') : '';
  return {
    ...kind,
    ReconciliationType: 'SETTLED',
    ClearingInstituteMerchantId: `SIM-${payment.merchantId.slice(0, 16)}`,
    SettlementTxId: `S${payment.id.slice(0, 24)}`,
    UniqueID: payment.id,
    ShortId: payment.shortId,
    ConnectorTxId1: payment.details.resultDetails?.ConnectorTxID1 ?? '',
    Amount: amountText(amount),
    Currency: currency,
    Brand: payment.paymentBrand ?? '',
    TxRequestTime: new Date(payment.createdAt).toISOString().slice(0, 19).replace('T', ' '),
    SettlementAmount: amountText(amount - fee),
    SettlementCurrency: currency,
    SettlementFee: amountText(fee),
    SettlementFxRate: '1.00',
    SettlementDate: day,
    SettlementStatus: 'SUCCESS',
    AccountNumberLast4: last4,
    ClearingInstituteName: 'Turnpike simulator',
    TransactionId: payment.merchantTransactionId ?? '',
  };
}

/** A chargeback or its reversal: of the whole payment, without a refund of the fee. */
const disputed = (cells: Cells, type: 'CHARGEBACK' | 'CHARGEBACK REVERSAL', reason: string): Cells => ({
  ...cells,
  ReconciliationType: type,
  // A refund that came back is the merchant's again.
  Cashflow: (type === 'CHARGEBACK') === (cells.Cashflow === 'POS') ? 'NEG' : 'POS',
  SettlementTxId: `${type === 'CHARGEBACK' ? 'C' : 'R'}${cells.UniqueID?.slice(0, 24)}`,
  SettlementAmount: cells.Amount ?? '',
  SettlementFee: '0.00',
  ReasonCode: reason,
});

const more = (amount: string | undefined): string => amountText(BigInt((amount ?? '0').replace('.', '')) + 100n);
const otherCurrency = (currency: string | undefined): string => (currency === 'CHF' ? 'EUR' : 'CHF');

/** The lines that replace the correct one. */
const faultyLines: Readonly<Record<SettlementFault, (cells: Cells) => readonly Cells[]>> = {
  missing: () => [],
  doubled: (cells) => [cells, cells],
  wrongAmount: (cells) => [{ ...cells, Amount: more(cells.Amount), SettlementAmount: more(cells.SettlementAmount) }],
  wrongCurrency: (cells) => [
    { ...cells, Currency: otherCurrency(cells.Currency), SettlementCurrency: otherCurrency(cells.Currency) },
  ],
  unknownId: (cells) => [{ ...cells, UniqueID: UNKNOWN }],
  truncatedId: (cells) => [
    { ...cells, UniqueID: cells.UniqueID?.slice(0, 20) ?? '', ShortId: '', ConnectorTxId1: '', TransactionId: '' },
  ],
  feeTooHigh: (cells) => [{ ...cells, SettlementFee: cells.Amount ?? '', SettlementAmount: '0.00' }],
  otherDate: (cells) => [{ ...cells, SettlementDate: '2000-01-01' }],
  badLine: (cells) => [{ ...cells, Amount: '-1' }],
};

/** The header of the acquirer's file. */
export const settlementHeader = columns.join(';');

/** The lines of one payment in the acquirer's file of a day. */
export function settlementLinesOf(day: string, payment: Payment, script: SettlementScript = {}): readonly string[] {
  const good = settled(payment, day);
  if (!good) return [];
  const fault = script.faults?.get(payment.id);
  const reason = script.chargebacks?.get(payment.id);
  const isGivenBack = script.reversals?.has(payment.id) === true;
  const isOfToday = dayText(payment.createdAt + DAY_MS) === day;
  const lines = [
    // A payment is settled on the next day.
    ...(isOfToday ? (fault === undefined ? [good] : faultyLines[fault](good)) : []),
    ...(reason === undefined ? [] : [disputed(good, 'CHARGEBACK', reason)]),
    ...(isGivenBack ? [disputed(good, 'CHARGEBACK REVERSAL', '')] : []),
  ];
  return lines.map(lineOf);
}

/** The file that the simulated acquirer sends on a day, `yyyy-MM-dd`, in our own CSV. */
export const settlementFileOf = (day: string, payments: readonly Payment[], script: SettlementScript = {}): string =>
  [settlementHeader, ...payments.flatMap((payment) => settlementLinesOf(day, payment, script)), ''].join('\n');

/** One line of the simulated acquirer's file. Amounts are above zero. */
type SettlementAction = {
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
