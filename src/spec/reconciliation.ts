import type { Need } from './row.ts';

/** `text` comes from outside and must never be read as a formula; `number` and `code` are written by the gateway. */
export type CellKind = 'text' | 'number' | 'code';

/** A column of the reconciliation record: its name in the file, its field in the settlement report, its format in the document. */
export type ReconciliationColumn = {
  readonly column: string;
  /** Null: it is in the file only. A column that belongs to a card or to a bank account has two places; `[n]`: one for each. */
  readonly api: string | null;
  readonly orApi?: string;
  readonly format: string;
  readonly need: Need;
  readonly kind: CellKind;
  /** The longest text; a longer one is cut. */
  readonly most?: number;
  readonly says: string;
};

const column = (
  [name, api, orApi]: readonly [name: string, api: string | null, orApi?: string],
  [need, kind, format, most]: readonly [need: Need, kind: CellKind, format: string, most?: number],
  says: string,
): ReconciliationColumn => ({
  column: name,
  api,
  format,
  need,
  kind,
  says,
  ...(orApi !== undefined && { orApi }),
  ...(most !== undefined && { most }),
});

const id = 'AN32 letters/digits';
const money = 'N13, two decimals';
const iso = 'A3 ISO 4217';

/** The columns of the file in the order of the document, with the document's own spelling. */
export const reconciliationColumns = [
  column(
    ['ReconciliationType', 'recordType'],
    ['R', 'code', 'SETTLED, CHARGEBACK, CHARGEBACK REVERSAL, FEE'],
    'Type of the record.',
  ),
  column(
    ['PaymentType', 'transactionType'],
    [
      'R',
      'code',
      'DEBIT, CREDIT, REFUND, BATCH, MONTHLY, SUBMERCHANT, PAYMENT_FACILITATOR, AUTH_FEE, CAPTURE_FEE, CANCEL_FEE, REFUND_FEE',
    ],
    'What was settled.',
  ),
  column(['Cashflow', 'settlement.cashflow'], ['R', 'code', 'POS, NEG'], 'To or from the merchant.'),
  column(
    ['ClearingInstituteMerchantId', 'clearingInstitute.merchantId'],
    ['R', 'text', 'AN 5-64', 64],
    'The merchant number at the acquirer.',
  ),
  column(['MerchantAccountId', 'merchantAccount.id'], ['R', 'text', id, 32], 'The channel.'),
  column(['MerchantAccountName', 'merchantAccount.name'], ['O', 'text', 'AN32', 32], 'Its name.'),
  column(['PspId', 'pspEntityId'], ['R', 'text', id, 32], 'Who stands above all of them.'),
  column(['DivisionId', 'divisionEntityId'], ['O', 'text', id, 32], 'The division of the merchant.'),
  column(['MerchantId', 'merchantEntityId'], ['R', 'text', id, 32], 'The merchant.'),
  column(['SettlementTxId', 'settlement.id'], ['O', 'text', 'AN 0-64', 64], 'The acquirer’s reference.'),
  column(['UniqueID', 'payment.id'], ['O', 'text', id, 32], 'The payment.'),
  column(['ShortId', null], ['O', 'text', 'AN14', 14], 'Its short id.'),
  column(['ConnectorTxId1', 'clearingInstitute.txId1'], ['O', 'text', 'AN64', 64], 'First reference of the clearing institute.'),
  column(['ConnectorTxId2', 'clearingInstitute.txId2'], ['O', 'text', 'AN64', 64], 'Second reference of the clearing institute.'),
  column(['ConnectorTxId3', 'clearingInstitute.txId3'], ['O', 'text', 'AN64', 64], 'Third reference of the clearing institute.'),
  column(['Amount', 'amount'], ['R', 'number', money], 'What was paid.'),
  column(['Currency', 'currency'], ['R', 'text', iso, 3], 'The currency.'),
  column(['Brand', 'paymentBrand'], ['O', 'text', 'A16', 16], 'The brand that was paid with.'),
  column(
    ['TxRequestTime', 'presentmentDate'],
    ['O', 'text', 'timestamp', 19],
    'Time of the request by the clearing institute; if its file has none, the time of the import (UTC).',
  ),
  column(['SettlementAmount', 'settlement.amount'], ['R', 'number', money], 'What was settled.'),
  column(['SettlementCurrency', 'settlement.currency'], ['R', 'text', iso, 3], 'The currency.'),
  column(['SettlementFee', 'settlement.fee'], ['O', 'number', money], 'The fees.'),
  column(
    ['SettlementFxRate', 'settlement.fxRate'],
    ['R', 'number', money],
    'The exchange rate: two decimals in the file, all decimals of the acquirer in the report.',
  ),
  column(['SettlementDate', 'settlement.date'], ['R', 'text', 'date', 10], 'The day, on the calendar of the clearing institute.'),
  column(['SettlementStatus', 'settlement.status'], ['R', 'code', 'SUCCESS, FAILED'], 'Whether it was settled.'),
  column(['Descriptor', 'descriptor'], ['O', 'text', 'AN128', 128], 'Text on the shopper’s statement.'),
  column(
    ['AccountNumberLast4', 'card.last4Digits', 'bankAccount.last4Digits'],
    ['O', 'text', 'AN4', 4],
    'The last four of the card or account.',
  ),
  column(['BankCode', 'bankAccount.bankCode'], ['O', 'text', 'AN12', 12], 'The bank of the account.'),
  column(['AccountHolder', 'card.holder', 'bankAccount.holder'], ['O', 'text', 'AN128', 128], 'Whose card or account it is.'),
  column(['ReasonCode', 'result.code'], ['O', 'text', 'AN 2-11 digits and dots', 11], 'Why; of chargebacks only.'),
  column(['ReasonDesc', 'result.description'], ['O', 'text', 'AN128', 128], 'The reason in words.'),
  column(['SettlementFileFormat', 'settlement.format'], ['R', 'text', 'AN32', 32], 'What kind of file it came in.'),
  column(['ClearingInsitituteName', 'clearingInstitute.name'], ['R', 'text', 'AN64', 64], 'Who settles.'),
  column(
    ['MatchingStatus', 'matchedTransactions.status'],
    ['C', 'code', 'MATCHED, MULTIPLE_MATCHES, NOT_MATCHED'],
    'Result of the matching.',
  ),
  column(
    ['MatchedTransactions', 'matchedTransactions.payment[n].id'],
    ['C', 'text', 'AN32'],
    'The matched payments, comma-separated.',
  ),
  column(['ChargebackId', 'chargebackTransaction.id'], ['C', 'text', 'AN32', 32], 'The transaction of the chargeback.'),
  column(['TransactionId', 'merchantTransactionId'], ['R', 'text', 'AN 8-255', 255], 'The merchant’s own reference.'),
  column(['InvoiceId', 'merchantInvoiceId'], ['O', 'text', 'AN 8-255', 255], 'The merchant’s invoice.'),
] as const;

export type ColumnName = string;

/** The two that the document describes and leaves out of its list: they stand behind the others when they are asked for. */
export const selectableColumns: readonly ColumnName[] = ['TransactionId', 'InvoiceId'];

/** The columns of a file by default: the document's list. */
export const defaultColumns: readonly ColumnName[] = reconciliationColumns
  .map((row) => row.column)
  .filter((name) => !selectableColumns.includes(name));

export const columnNames: readonly ColumnName[] = reconciliationColumns.map((row) => row.column);
