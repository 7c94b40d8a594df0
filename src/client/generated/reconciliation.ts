// Generated from the tables of src/spec by scripts/docs.ts: change those.

/** A line of a reconciliation file: the columns that the file has. Amounts are counts of hundredths. */
export type ReconciliationRecord = {
  /** Type of the record. SETTLED, CHARGEBACK, CHARGEBACK REVERSAL, FEE. */
  readonly ReconciliationType?: 'SETTLED' | 'CHARGEBACK' | 'CHARGEBACK REVERSAL' | 'FEE' | '';
  /** What was settled. DEBIT, CREDIT, REFUND, BATCH, MONTHLY, SUBMERCHANT, PAYMENT_FACILITATOR, AUTH_FEE, CAPTURE_FEE, CANCEL_FEE, REFUND_FEE. */
  readonly PaymentType?: 'DEBIT' | 'CREDIT' | 'REFUND' | 'BATCH' | 'MONTHLY' | 'SUBMERCHANT' | 'PAYMENT_FACILITATOR' | 'AUTH_FEE' | 'CAPTURE_FEE' | 'CANCEL_FEE' | 'REFUND_FEE' | '';
  /** To or from the merchant. POS, NEG. */
  readonly Cashflow?: 'POS' | 'NEG' | '';
  /** The merchant number at the acquirer. AN 5-64. */
  readonly ClearingInstituteMerchantId?: string;
  /** The channel. AN32 letters/digits. */
  readonly MerchantAccountId?: string;
  /** Its name. AN32. */
  readonly MerchantAccountName?: string;
  /** Who stands above all of them. AN32 letters/digits. */
  readonly PspId?: string;
  /** The division of the merchant. AN32 letters/digits. */
  readonly DivisionId?: string;
  /** The merchant. AN32 letters/digits. */
  readonly MerchantId?: string;
  /** The acquirer’s reference. AN 0-64. */
  readonly SettlementTxId?: string;
  /** The payment. AN32 letters/digits. */
  readonly UniqueID?: string;
  /** Its short id. AN14. */
  readonly ShortId?: string;
  /** First reference of the clearing institute. AN64. */
  readonly ConnectorTxId1?: string;
  /** Second reference of the clearing institute. AN64. */
  readonly ConnectorTxId2?: string;
  /** Third reference of the clearing institute. AN64. */
  readonly ConnectorTxId3?: string;
  /** What was paid. N13, two decimals. */
  readonly Amount?: bigint | null;
  /** The currency. A3 ISO 4217. */
  readonly Currency?: string;
  /** The brand that was paid with. A16. */
  readonly Brand?: string;
  /** Time of the request by the clearing institute; if its file has none, the time of the import (UTC). timestamp. */
  readonly TxRequestTime?: string;
  /** What was settled. N13, two decimals. */
  readonly SettlementAmount?: bigint | null;
  /** The currency. A3 ISO 4217. */
  readonly SettlementCurrency?: string;
  /** The fees. N13, two decimals. */
  readonly SettlementFee?: bigint | null;
  /** The exchange rate: two decimals in the file, all decimals of the acquirer in the report. N13, two decimals. */
  readonly SettlementFxRate?: string;
  /** The day, on the calendar of the clearing institute. date. */
  readonly SettlementDate?: string;
  /** Whether it was settled. SUCCESS, FAILED. */
  readonly SettlementStatus?: 'SUCCESS' | 'FAILED' | '';
  /** Text on the shopper’s statement. AN128. */
  readonly Descriptor?: string;
  /** The last four of the card or account. AN4. */
  readonly AccountNumberLast4?: string;
  /** The bank of the account. AN12. */
  readonly BankCode?: string;
  /** Whose card or account it is. AN128. */
  readonly AccountHolder?: string;
  /** Why; of chargebacks only. AN 2-11 digits and dots. */
  readonly ReasonCode?: string;
  /** The reason in words. AN128. */
  readonly ReasonDesc?: string;
  /** What kind of file it came in. AN32. */
  readonly SettlementFileFormat?: string;
  /** Who settles. AN64. */
  readonly ClearingInsitituteName?: string;
  /** Result of the matching. MATCHED, MULTIPLE_MATCHES, NOT_MATCHED. */
  readonly MatchingStatus?: 'MATCHED' | 'MULTIPLE_MATCHES' | 'NOT_MATCHED' | '';
  /** The matched payments, comma-separated. AN32. */
  readonly MatchedTransactions?: string;
  /** The transaction of the chargeback. AN32. */
  readonly ChargebackId?: string;
  /** The merchant’s own reference. AN 8-255. */
  readonly TransactionId?: string;
  /** The merchant’s invoice. AN 8-255. */
  readonly InvoiceId?: string;
};

export const columnKinds: Readonly<Record<string, 'amount' | 'text' | 'other'>> = {
  ReconciliationType: 'other',
  PaymentType: 'other',
  Cashflow: 'other',
  ClearingInstituteMerchantId: 'text',
  MerchantAccountId: 'text',
  MerchantAccountName: 'text',
  PspId: 'text',
  DivisionId: 'text',
  MerchantId: 'text',
  SettlementTxId: 'text',
  UniqueID: 'text',
  ShortId: 'text',
  ConnectorTxId1: 'text',
  ConnectorTxId2: 'text',
  ConnectorTxId3: 'text',
  Amount: 'amount',
  Currency: 'text',
  Brand: 'text',
  TxRequestTime: 'text',
  SettlementAmount: 'amount',
  SettlementCurrency: 'text',
  SettlementFee: 'amount',
  SettlementFxRate: 'other',
  SettlementDate: 'text',
  SettlementStatus: 'other',
  Descriptor: 'text',
  AccountNumberLast4: 'text',
  BankCode: 'text',
  AccountHolder: 'text',
  ReasonCode: 'text',
  ReasonDesc: 'text',
  SettlementFileFormat: 'text',
  ClearingInsitituteName: 'text',
  MatchingStatus: 'other',
  MatchedTransactions: 'text',
  ChargebackId: 'text',
  TransactionId: 'text',
  InvoiceId: 'text',
};
