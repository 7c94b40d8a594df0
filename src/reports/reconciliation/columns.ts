import { amountText } from '../../money/amount.ts';
import type { Payment } from '../../payments/payment.ts';
import type { SettlementRecord } from '../../settlement/record.ts';
import { instantText } from '../../spec/dates.ts';
import { type ReconciliationColumn, reconciliationColumns } from '../../spec/reconciliation.ts';

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

const instrumentOf = ({ payment }: ReportRow): { readonly last4: string | null; readonly holder: string | null } => {
  const instrument = payment?.instrument ?? null;
  if (instrument === null || instrument.kind === 'virtualAccount') return { last4: null, holder: null };
  return { last4: instrument.last4Digits, holder: 'holder' in instrument ? instrument.holder : null };
};

const bankCodeOf = ({ record, payment }: ReportRow): string | null =>
  record.bankCode ?? (payment?.instrument?.kind === 'bankAccount' ? payment.instrument.bankCode : null);

/** Whether the payer paid from a bank account; otherwise by card. */
export const isOfBank = (row: ReportRow): boolean => bankCodeOf(row) !== null || row.payment?.instrument?.kind === 'bankAccount';

const isDispute = ({ record }: ReportRow): boolean =>
  record.recordType === 'CHARGEBACK' || record.recordType === 'CHARGEBACK REVERSAL';

/** The source of each column of the specification: the record first, then the payment. */
const readers: Readonly<Record<string, Reader>> = {
  ReconciliationType: ({ record }) => record.recordType,
  PaymentType: ({ record }) => record.transactionType,
  Cashflow: ({ record }) => record.cashflow,
  ClearingInstituteMerchantId: ({ record }) => record.clearingInstitute.merchantId,
  MerchantAccountId: ({ record, payment }) => record.entityId ?? payment?.entityId ?? null,
  MerchantAccountName: ({ channelPath }) => channelPath.channelName,
  PspId: ({ channelPath }) => channelPath.pspId,
  DivisionId: ({ channelPath }) => channelPath.divisionId,
  MerchantId: ({ record }) => record.merchantId,
  SettlementTxId: ({ record }) => record.settlementId,
  UniqueID: ({ record, payment }) => payment?.id ?? record.paymentId,
  ShortId: ({ record, payment }) => record.shortId ?? payment?.shortId ?? null,
  ConnectorTxId1: ({ record }) => record.clearingInstitute.txId1,
  ConnectorTxId2: ({ record }) => record.clearingInstitute.txId2,
  ConnectorTxId3: ({ record }) => record.clearingInstitute.txId3,
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
  ReasonDesc: (row) => (isDispute(row) ? row.record.reasonText : null),
  SettlementFileFormat: ({ record }) => record.format,
  ClearingInsitituteName: ({ record }) => record.clearingInstitute.name,
  MatchingStatus: ({ record }) => record.match.status,
  MatchedTransactions: ({ record }) => record.match.paymentIds,
  ChargebackId: ({ record }) => record.chargebackId,
  TransactionId: ({ record, payment }) => record.merchantTransactionId ?? payment?.merchantTransactionId ?? null,
  InvoiceId: ({ record, payment }) => record.invoiceId ?? payment?.fields.merchantInvoiceId ?? null,
};

/** A column with its reader. */
export type ReadColumn = { readonly row: ReconciliationColumn; readonly read: Reader };

const known = new Map<string, ReadColumn>(
  reconciliationColumns.map((row) => {
    const read = readers[row.column];
    if (read === undefined) throw new Error(`nothing reads the column ${row.column}`);
    return [row.column, { row, read }];
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
  record.paymentBrand === null ||
  record.descriptor === null ||
  record.last4 === null ||
  record.holder === null ||
  record.merchantTransactionId === null;
