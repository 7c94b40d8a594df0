import { recordTypes, type SettledLine, transactionTypes } from '../../record.ts';
import { amount, currency, day, last4, moment, oneOf, type ReadValue, rate, text } from './values.ts';

/** One column of our own CSV. */
export type Column = {
  readonly name: string;
  readonly isNeeded: boolean;
  readonly read: ReadValue<unknown>;
  /** Its place in a line. */
  readonly member: string;
};

const column = (name: string, member: string, read: ReadValue<unknown>, isNeeded = false): Column => ({
  name,
  member,
  read,
  isNeeded,
});
const needed = (name: string, member: string, read: ReadValue<unknown>): Column => column(name, member, read, true);

/** The names are those of the reconciliation record, in its order; see docs/settlement.md. */
export const columns: readonly Column[] = [
  needed('ReconciliationType', 'recordType', oneOf(recordTypes)),
  needed('PaymentType', 'transactionType', oneOf(transactionTypes)),
  needed('Cashflow', 'cashflow', oneOf(['POS', 'NEG'])),
  needed('ClearingInstituteMerchantId', 'acquirerMerchantId', text(5, 64)),
  column('SettlementTxId', 'settlementId', text(1, 64)),
  column('UniqueID', 'paymentId', text(1, 64)),
  column('ShortId', 'shortId', text(1, 14)),
  column('ConnectorTxId1', 'txId1', text(1, 64)),
  column('ConnectorTxId2', 'txId2', text(1, 64)),
  column('ConnectorTxId3', 'txId3', text(1, 64)),
  needed('Amount', 'amount', amount),
  needed('Currency', 'currency', currency),
  column('Brand', 'paymentBrand', text(1, 32)),
  column('TxRequestTime', 'presentedAt', moment),
  needed('SettlementAmount', 'settledAmount', amount),
  needed('SettlementCurrency', 'settledCurrency', currency),
  column('SettlementFee', 'fee', amount),
  column('SettlementFxRate', 'fxRate', rate),
  needed('SettlementDate', 'settledOn', day),
  column('SettlementStatus', 'status', oneOf(['SUCCESS', 'FAILED'])),
  column('Descriptor', 'descriptor', text(1, 128)),
  column('AccountNumberLast4', 'last4', last4),
  column('BankCode', 'bankCode', text(1, 12)),
  column('AccountHolder', 'holder', text(1, 128)),
  column('ReasonCode', 'reasonCode', text(1, 32)),
  column('ReasonDesc', 'reasonText', text(1, 128)),
  needed('ClearingInstituteName', 'acquirerName', text(1, 64)),
  column('TransactionId', 'merchantTransactionId', text(1, 255)),
  column('InvoiceId', 'invoiceId', text(1, 255)),
];

/** Columns of the reconciliation record that tell what we know better: they may stand there and are not read. */
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

/** The reconciliation record spells it so. */
export const aliases: Readonly<Record<string, string>> = { clearinginsititutename: 'clearinginstitutename' };

type Values = Readonly<Record<string, unknown>>;

/** A line of what was read; or the sentence about what does not go together. */
export function lineOf(line: number, values: Values): SettledLine | string {
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
