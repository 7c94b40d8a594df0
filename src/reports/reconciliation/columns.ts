import { amountText } from '../../money/amount.ts';
import type { Payment } from '../../payments/payment.ts';
import type { SettlementRecord } from '../../settlement/record.ts';
import { instantText } from '../../spec/formats/dates.ts';
import { type ReconciliationColumn, reconciliationColumns } from '../../spec/reconciliation.ts';
import { isChargebackReason, resultCodes } from '../../spec/resultCodes.ts';

/** The path of a channel in the hierarchy. */
export type ChannelPath = {
  readonly pspId: string | null;
  readonly divisionId: string | null;
  readonly channelName: string | null;
};

/** A record with its payment and channel path. */
export type ReportRow = {
  readonly record: SettlementRecord;
  /** The matched payment. */
  readonly payment: Payment | null;
  /** The payment with the payer's instrument: that of the family, where the matched one is a capture or refund. */
  readonly payer?: Payment | null;
  readonly channelPath: ChannelPath;
};

type Reader = (row: ReportRow) => string | readonly string[] | null;

/** Exactly the last four digits, whatever the file contains. */
const lastFour = (text: string | null): string | null => (text === null ? null : text.slice(-4));

/** `1` becomes `1.00`. A finer rate stays as written, because a rounded one would not yield the amount. */
const rateText = (rate: string): string => {
  if (/^[0-9]+\.[0-9]{2,}$/.test(rate)) return rate;
  const [, whole = '', decimals = ''] = /^([0-9]+)(?:\.([0-9]*))?$/.exec(rate) ?? [];
  return whole === '' ? rate : `${whole}.${decimals.padEnd(2, '0')}`;
};

/** Two decimals, as the specification has the column in the file; half a cent rounds up. */
function roundedRate(rate: string): string {
  const [, whole = '', decimals = ''] = /^([0-9]+)\.([0-9]{2,})$/.exec(rate) ?? [];
  if (whole === '') return rate;
  const hundredths = BigInt(whole + decimals.slice(0, 2)) + (decimals.charAt(2) >= '5' ? 1n : 0n);
  return amountText(hundredths);
}

const payerOf = ({ payment, payer }: ReportRow): Payment | null => payer ?? payment;

/** A reference of the clearing institute: from its file, or from its answer to the payment. */
const connectorTxId = ({ record, payment }: ReportRow, number: 1 | 2 | 3): string | null =>
  record.clearingInstitute[`txId${number}`] ?? payment?.details.resultDetails?.[`ConnectorTxID${number}`] ?? null;

/** The reason in the words of the acquirer, or in those of the catalogue. */
const reasonText = ({ reasonText: sent, reasonCode }: SettlementRecord): string | null =>
  sent ?? (reasonCode !== null && isChargebackReason(reasonCode) ? resultCodes[reasonCode].text : null);

const instrumentOf = (row: ReportRow): { readonly last4: string | null; readonly holder: string | null } => {
  const instrument = payerOf(row)?.instrument ?? null;
  if (instrument === null || instrument.kind === 'virtualAccount') return { last4: null, holder: null };
  return { last4: instrument.last4Digits, holder: 'holder' in instrument ? instrument.holder : null };
};

function bankCodeOf(row: ReportRow): string | null {
  const instrument = payerOf(row)?.instrument;
  return row.record.bankCode ?? (instrument?.kind === 'bankAccount' ? instrument.bankCode : null);
}

/** Whether the payer paid from a bank account; otherwise by card. */
export const isOfBank = (row: ReportRow): boolean => bankCodeOf(row) !== null || payerOf(row)?.instrument?.kind === 'bankAccount';

const isDispute = ({ record }: ReportRow): boolean =>
  record.recordType === 'CHARGEBACK' || record.recordType === 'CHARGEBACK REVERSAL';

/** The source of each column of the specification: the record first, then the payment. */
const readers: Readonly<Record<string, Reader>> = {
  ReconciliationType: ({ record }) => record.recordType,
  PaymentType: ({ record }) => record.transactionType,
  Cashflow: ({ record }) => record.cashflow,
  ClearingInstituteMerchantId: ({ record }) => record.clearingInstitute.merchantId,
  // A fee that concerns no single channel belongs to the merchant.
  MerchantAccountId: ({ record, payment }) => record.entityId ?? payment?.entityId ?? record.merchantId,
  MerchantAccountName: ({ channelPath }) => channelPath.channelName,
  PspId: ({ channelPath }) => channelPath.pspId,
  DivisionId: ({ channelPath }) => channelPath.divisionId,
  MerchantId: ({ record }) => record.merchantId,
  SettlementTxId: ({ record }) => record.settlementId,
  UniqueID: ({ record, payment }) => payment?.id ?? record.paymentId,
  ShortId: ({ record, payment }) => record.shortId ?? payment?.shortId ?? null,
  ConnectorTxId1: (row) => connectorTxId(row, 1),
  ConnectorTxId2: (row) => connectorTxId(row, 2),
  ConnectorTxId3: (row) => connectorTxId(row, 3),
  Amount: ({ record }) => amountText(record.amount),
  Currency: ({ record }) => record.currency,
  Brand: ({ record, payment }) => record.paymentBrand ?? payment?.paymentBrand ?? null,
  TxRequestTime: ({ record }) => record.presentedAt ?? instantText(record.createdAt).slice(0, 19),
  SettlementAmount: ({ record }) => amountText(record.settledAmount),
  SettlementCurrency: ({ record }) => record.settledCurrency,
  SettlementFee: ({ record }) => (record.fee === null ? null : amountText(record.fee)),
  SettlementFxRate: ({ record }) => rateText(record.fxRate),
  SettlementDate: ({ record }) => record.settledOn,
  SettlementStatus: ({ record }) => record.status,
  Descriptor: ({ record, payment }) => record.descriptor ?? payment?.descriptor ?? null,
  AccountNumberLast4: (row) => lastFour(row.record.last4 ?? instrumentOf(row).last4),
  BankCode: bankCodeOf,
  AccountHolder: (row) => row.record.holder ?? instrumentOf(row).holder,
  ReasonCode: (row) => (isDispute(row) ? row.record.reasonCode : null),
  ReasonDesc: (row) => (isDispute(row) ? reasonText(row.record) : null),
  SettlementFileFormat: ({ record }) => record.format,
  ClearingInsitituteName: ({ record }) => record.clearingInstitute.name,
  MatchingStatus: ({ record }) => record.match.status,
  MatchedTransactions: ({ record }) => record.match.paymentIds,
  ChargebackId: ({ record }) => record.chargebackId,
  TransactionId: ({ record, payment }) => record.merchantTransactionId ?? payment?.merchantTransactionId ?? null,
  InvoiceId: ({ record, payment }) => record.invoiceId ?? payment?.fields.merchantInvoiceId ?? null,
};

/** A column with its reader. `inFile`: the text in the file, where it is another one than in the report. */
export type ReadColumn = {
  readonly row: ReconciliationColumn;
  readonly read: Reader;
  readonly inFile?: (text: string) => string;
};

const fileTexts: Readonly<Record<string, (text: string) => string>> = { SettlementFxRate: roundedRate };

const known = new Map<string, ReadColumn>(
  reconciliationColumns.map((row) => {
    const read = readers[row.column];
    if (read === undefined) throw new Error(`nothing reads the column ${row.column}`);
    const inFile = fileTexts[row.column];
    return [row.column, { row, read, ...(inFile && { inFile }) }];
  }),
);

/** The columns with these names, in this order. Throws for an unknown name; `columnNames` has the known ones. */
export const columnsNamed = (names: readonly string[]): readonly ReadColumn[] =>
  names.map((name) => {
    const column = known.get(name);
    if (column === undefined) throw new Error(`there is no column ${name}`);
    return column;
  });

/** Cuts a text to the length of the specification, counted in characters. */
export const cut = (text: string, most: number | undefined): string =>
  most === undefined || text.length <= most ? text : [...text].slice(0, most).join('');

/** Whether a record lacks values that its payment may have; otherwise the payment is not read. */
export const needsPayment = (record: SettlementRecord): boolean =>
  record.shortId === null ||
  record.clearingInstitute.txId2 === null ||
  record.clearingInstitute.txId3 === null ||
  record.paymentBrand === null ||
  record.descriptor === null ||
  record.last4 === null ||
  record.holder === null ||
  record.merchantTransactionId === null;
