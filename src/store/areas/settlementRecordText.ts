import type { SettlementRecord } from '../../settlement/record.ts';

/** What a record says and no column of its own holds; amounts as text. */
type Written = Omit<SettlementRecord, Column | 'amount' | 'settledAmount' | 'fee'> & {
  readonly amount: string;
  readonly settledAmount: string;
  readonly fee: string | null;
};
type Column = 'id' | 'fileId' | 'merchantId' | 'entityId' | 'line' | 'createdAt' | 'revision';
type Match = Written['match'];
type Institute = Written['clearingInstitute'];

/**
 * The values without their names, in an order that is never changed: a new one is put at the end. A file for a merchant is made of a
 * million records, and reading the names of each again took half of the time and of the space.
 */
type RecordTuple = readonly [
  format: Written['format'],
  status: Match['status'],
  paymentIds: Match['paymentIds'],
  by: Match['by'],
  why: Match['why'],
  isOpen: Match['isOpen'],
  chargebackId: Written['chargebackId'],
  recordType: Written['recordType'],
  transactionType: Written['transactionType'],
  cashflow: Written['cashflow'],
  instituteName: Institute['name'],
  instituteMerchantId: Institute['merchantId'],
  txId1: Institute['txId1'],
  txId2: Institute['txId2'],
  txId3: Institute['txId3'],
  settlementId: Written['settlementId'],
  paymentId: Written['paymentId'],
  shortId: Written['shortId'],
  merchantTransactionId: Written['merchantTransactionId'],
  invoiceId: Written['invoiceId'],
  amount: Written['amount'],
  currency: Written['currency'],
  paymentBrand: Written['paymentBrand'],
  presentedAt: Written['presentedAt'],
  settledAmount: Written['settledAmount'],
  settledCurrency: Written['settledCurrency'],
  fee: Written['fee'],
  fxRate: Written['fxRate'],
  settledOn: Written['settledOn'],
  settled: Written['status'],
  descriptor: Written['descriptor'],
  last4: Written['last4'],
  bankCode: Written['bankCode'],
  holder: Written['holder'],
  reasonCode: Written['reasonCode'],
  reasonText: Written['reasonText'],
  /** Left out where there is none, as for most. */
  exception?: NonNullable<Match['exception']>,
];

function saidIn(record: Written): RecordTuple {
  const { match, clearingInstitute: institute } = record;
  return [
    record.format,
    match.status,
    match.paymentIds,
    match.by,
    match.why,
    match.isOpen,
    record.chargebackId,
    record.recordType,
    record.transactionType,
    record.cashflow,
    institute.name,
    institute.merchantId,
    institute.txId1,
    institute.txId2,
    institute.txId3,
    record.settlementId,
    record.paymentId,
    record.shortId,
    record.merchantTransactionId,
    record.invoiceId,
    record.amount,
    record.currency,
    record.paymentBrand,
    record.presentedAt,
    record.settledAmount,
    record.settledCurrency,
    record.fee,
    record.fxRate,
    record.settledOn,
    record.status,
    record.descriptor,
    record.last4,
    record.bankCode,
    record.holder,
    record.reasonCode,
    record.reasonText,
    ...(match.exception ? ([match.exception] as const) : ([] as const)),
  ];
}

/** The text of a record's column `data`. */
export function recordText(record: Omit<SettlementRecord, Column>): string {
  const { amount, settledAmount, fee } = record;
  const texts = { amount: String(amount), settledAmount: String(settledAmount), fee: fee === null ? null : String(fee) };
  return JSON.stringify(saidIn({ ...record, ...texts }));
}

/** What the text says, filled up with what the columns say. Texts of the first kind have the names too. */
export function readRecord(text: string, columns: Pick<SettlementRecord, Column>): SettlementRecord {
  const read = JSON.parse(text) as RecordTuple | Written;
  const said = 'format' in read ? saidIn(read) : read;
  return {
    id: columns.id,
    fileId: columns.fileId,
    format: said[0],
    merchantId: columns.merchantId,
    entityId: columns.entityId,
    match: {
      status: said[1],
      paymentIds: said[2],
      by: said[3],
      why: said[4],
      isOpen: said[5],
      ...(said[36] && { exception: said[36] }),
    },
    chargebackId: said[6],
    createdAt: columns.createdAt,
    revision: columns.revision,
    line: columns.line,
    recordType: said[7],
    transactionType: said[8],
    cashflow: said[9],
    clearingInstitute: { name: said[10], merchantId: said[11], txId1: said[12], txId2: said[13], txId3: said[14] },
    settlementId: said[15],
    paymentId: said[16],
    shortId: said[17],
    merchantTransactionId: said[18],
    invoiceId: said[19],
    amount: BigInt(said[20]),
    currency: said[21],
    paymentBrand: said[22],
    presentedAt: said[23],
    settledAmount: BigInt(said[24]),
    settledCurrency: said[25],
    fee: said[26] === null ? null : BigInt(said[26]),
    fxRate: said[27],
    settledOn: said[28],
    status: said[29],
    descriptor: said[30],
    last4: said[31],
    bankCode: said[32],
    holder: said[33],
    reasonCode: said[34],
    reasonText: said[35],
  };
}
