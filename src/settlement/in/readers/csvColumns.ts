import { recordTypes, type SettledLine, transactionTypes } from '../../record.ts';
import { currency, day, last4, moment, oneOf, type ReadValue, rate, readAmount, text } from './values.ts';

/** One column of the gateway's own CSV. */
export type Column = {
  readonly name: string;
  readonly isRequired: boolean;
  readonly read: ReadValue<unknown>;
  /** The member of a line that it fills. */
  readonly member: string;
};

const column = (name: string, member: string, read: ReadValue<unknown>, isRequired = false): Column => ({
  name,
  member,
  read,
  isRequired,
});
const required = (name: string, member: string, read: ReadValue<unknown>): Column => column(name, member, read, true);

/** The names are those of the reconciliation record, in its order; see docs/settlement.md. */
export const columns: readonly Column[] = [
  required('ReconciliationType', 'recordType', oneOf(recordTypes)),
  required('PaymentType', 'transactionType', oneOf(transactionTypes)),
  required('Cashflow', 'cashflow', oneOf(['POS', 'NEG'])),
  required('ClearingInstituteMerchantId', 'acquirerMerchantId', text(5, 64)),
  column('SettlementTxId', 'settlementId', text(1, 64)),
  column('UniqueID', 'paymentId', text(1, 64)),
  column('ShortId', 'shortId', text(1, 14)),
  column('ConnectorTxId1', 'txId1', text(1, 64)),
  column('ConnectorTxId2', 'txId2', text(1, 64)),
  column('ConnectorTxId3', 'txId3', text(1, 64)),
  required('Amount', 'amount', readAmount),
  required('Currency', 'currency', currency),
  column('Brand', 'paymentBrand', text(1, 32)),
  column('TxRequestTime', 'presentedAt', moment),
  required('SettlementAmount', 'settledAmount', readAmount),
  required('SettlementCurrency', 'settledCurrency', currency),
  column('SettlementFee', 'fee', readAmount),
  column('SettlementFxRate', 'fxRate', rate),
  required('SettlementDate', 'settledOn', day),
  column('SettlementStatus', 'status', oneOf(['SUCCESS', 'FAILED'])),
  column('Descriptor', 'descriptor', text(1, 128)),
  column('AccountNumberLast4', 'last4', last4),
  column('BankCode', 'bankCode', text(1, 12)),
  column('AccountHolder', 'holder', text(1, 128)),
  column('ReasonCode', 'reasonCode', text(1, 32)),
  column('ReasonDesc', 'reasonText', text(1, 128)),
  required('ClearingInstituteName', 'acquirerName', text(1, 64)),
  column('TransactionId', 'merchantTransactionId', text(1, 255)),
  column('InvoiceId', 'invoiceId', text(1, 255)),
];

/** Columns of the reconciliation record that are accepted and ignored: the gateway knows their values itself. */
export const unreadColumns: readonly string[] = [
  'MerchantAccountId',
  'MerchantAccountName',
  'PspId',
  'DivisionId',
  'MerchantId',
  'SettlementFileFormat',
  'MatchingStatus',
  'MatchedTransactions',
  'ChargebackId',
];

/** The misspelling of the reconciliation record. */
export const aliases: Readonly<Record<string, string>> = { clearinginsititutename: 'clearinginstitutename' };

type Values = Readonly<Record<string, unknown>>;

/** Builds a line from its values; returns a message when they contradict each other. */
export function buildLine(line: number, values: Values): SettledLine | string {
  const { acquirerName, acquirerMerchantId, txId1 = null, txId2 = null, txId3 = null, ...rest } = values;
  if (rest.fxRate === undefined && rest.currency !== rest.settledCurrency) {
    return 'SettlementFxRate may not be empty where the money was exchanged';
  }
  return {
    ...absent,
    fxRate: '1.00',
    status: 'SUCCESS',
    ...rest,
    line,
    clearingInstitute: { name: acquirerName, merchantId: acquirerMerchantId, txId1, txId2, txId3 },
  } as SettledLine;
}

const absent = {
  settlementId: null,
  paymentId: null,
  shortId: null,
  merchantTransactionId: null,
  invoiceId: null,
  paymentBrand: null,
  presentedAt: null,
  fee: null,
  descriptor: null,
  last4: null,
  bankCode: null,
  holder: null,
  reasonCode: null,
  reasonText: null,
} as const satisfies Partial<SettledLine>;
