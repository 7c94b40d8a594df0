import type { BankStatus, SettledLine } from '../../record.ts';
import { cut } from './camt.ts';
import { currency, day, decimal, type Format, faultResult, type ReadResult } from './reader.ts';
import { isMessage, type MessageKind, type OpenElement, readMessage, type Visitor } from './xml.ts';

const kind: MessageKind = { name: 'pain.002', versions: /^(?:03|10|11)$/, versionsText: '03, 10 and 11' };

/** A report about payments that were sent: which of them the bank refuses, of the message, its batches and its transactions. */
export const paymentStatus: Format = {
  name: kind.name,
  description: `ISO 20022 ${kind.name}, versions ${kind.versionsText}`,
  recognises: (head) => isMessage(kind, head),
  read: (bytes) => readMessage(kind, createVisitor(), bytes),
};

/** The words of a refusal. All others leave the payment as it is, whether the standard has them or not. */
const refusals = ['RJCT', 'CANC'];
/** Some are refused: the transactions say which. */
const parts = ['PART', 'PRES'];

/** Results of a verification of the payee: match, close match, no match, not possible, and a group with several of them. */
const verifications = ['RCVC', 'RVMC', 'RVNM', 'RVNA', 'RVCM'];

const reasonPaths = ['StsRsnInf/Rsn/Cd', 'StsRsnInf/Rsn/Prtry', 'StsRsnInf/AddtlInf'];
const headerPaths = new Set(['CreDtTm', 'MsgId']);
const groupPaths = new Set(['OrgnlMsgId', 'OrgnlMsgNmId', 'GrpSts', ...reasonPaths]);
const batchPaths = new Set(['OrgnlPmtInfId', 'PmtInfSts', ...reasonPaths]);
const txPaths = new Set([
  'OrgnlEndToEndId',
  'OrgnlInstrId',
  'TxSts',
  'AcctSvcrRef',
  'OrgnlTxRef/Amt/InstdAmt',
  'OrgnlTxRef/Amt/InstdAmt@Ccy',
  ...reasonPaths,
]);

const PAYMENT_ID = /^[0-9a-f]{32}$/i;

/** The status of a batch or of the message comes after the statuses of its transactions, which are more precise. */
function createVisitor(): Visitor {
  const results: ReadResult[] = [];
  let header: OpenElement | null = null;
  let group: OpenElement | null = null;
  let batch: OpenElement | null = null;
  let tx: OpenElement | null = null;
  let current: OpenElement | null = null;
  const read = (level: Level, own: OpenElement): void => {
    const found = readStatus(level, {
      own,
      on: (header?.values.get('CreDtTm') ?? '').slice(0, 10),
      messageId: group?.values.get('OrgnlMsgId') ?? null,
      batchId: level === 'group' ? null : (batch?.values.get('OrgnlPmtInfId') ?? null),
    });
    if (found) results.push(found);
  };
  return {
    results,
    inner: () => current,
    open(path, line) {
      const name = path.at(-1);
      const openElement = (paths: ReadonlySet<string>): OpenElement => ({ values: new Map(), depth: path.length, paths, line });
      if (path.length === 3 && name === 'GrpHdr') current = header = openElement(headerPaths);
      else if (path.length === 3 && name === 'OrgnlGrpInfAndSts') current = group = openElement(groupPaths);
      else if (path.length === 3 && name === 'OrgnlPmtInfAndSts') current = batch = openElement(batchPaths);
      else if (path.length === 4 && batch && name === 'TxInfAndSts') current = tx = openElement(txPaths);
    },
    close(path) {
      if (tx && path.length === 4 && current === tx) {
        read('transaction', tx);
        current = batch;
        tx = null;
      } else if (path.length === 3) {
        if (batch && current === batch) read('batch', batch);
        batch = current = null;
      } else if (path.length === 2) {
        if (group) read('group', group);
        group = header = null;
      }
    },
  };
}

type Level = 'group' | 'batch' | 'transaction';
const statusNames: Readonly<Record<Level, string>> = { group: 'GrpSts', batch: 'PmtInfSts', transaction: 'TxSts' };

type StatusGiven = {
  readonly own: OpenElement;
  readonly on: string;
  readonly messageId: string | null;
  readonly batchId: string | null;
};

/** Reads one status; null: it says nothing about payments. */
function readStatus(level: Level, { own, on, messageId, batchId }: StatusGiven): ReadResult | null {
  const { values, line } = own;
  const wrong = (message: string): ReadResult => faultResult(line, message);
  const word = values.get(statusNames[level])?.toUpperCase() ?? null;
  // A message may leave the status to its parts.
  if (word === null) return level === 'transaction' ? wrong('a transaction must have a TxSts') : null;
  if (!/^[A-Z]{4}$/.test(word)) return wrong(`${statusNames[level]} must be four letters such as RJCT`);
  if (parts.includes(word)) return null;
  if (messageId === null) return wrong('OrgnlMsgId must be there');
  const settledOn = day(on);
  if (!settledOn.ok) return wrong('CreDtTm of the message must begin with a day such as 2031-10-02');
  const given = [values.get('OrgnlEndToEndId'), values.get('OrgnlInstrId')].filter((text) => text !== undefined);
  if (level === 'transaction' && given.length === 0)
    return wrong('a transaction must have an OrgnlEndToEndId or an OrgnlInstrId');
  // It only informs, so an amount that ours cannot express is left out.
  const amount = decimal(values.get('OrgnlTxRef/Amt/InstdAmt') ?? '0');
  const code = currency(values.get('OrgnlTxRef/Amt/InstdAmt@Ccy') ?? 'EUR');
  if (amount === null || !code.ok) return wrong('OrgnlTxRef/Amt/InstdAmt must be an amount and a currency');
  const reason = cut(values.get('StsRsnInf/Rsn/Cd') ?? values.get('StsRsnInf/Rsn/Prtry') ?? null, 32);
  const status: BankStatus = {
    is: refusals.includes(word) ? 'rejected' : 'accepted',
    isWhole: level !== 'transaction',
    paymentId: given.find((text) => PAYMENT_ID.test(text))?.toLowerCase() ?? null,
    reference: cut(given.find((text) => text !== 'NOTPROVIDED') ?? batchId ?? messageId, 64) ?? '',
    messageId: cut(messageId, 35),
    batchId: cut(batchId, 35),
    word,
    reason,
    verification: [word, reason].find((text) => text !== null && verifications.includes(text)) ?? null,
  };
  const sums = { amount: amount.isExact ? amount.amount : 0n, currency: code.value, settledOn: settledOn.value };
  return { kind: 'status', line: lineFor(own, status, sums), status };
}

type Sums = Pick<SettledLine, 'amount' | 'currency' | 'settledOn'>;

/** The status as a line of its file. It settles nothing. */
function lineFor({ values, line }: OpenElement, status: BankStatus, sums: Sums): SettledLine {
  const { isWhole, paymentId, reference, messageId, batchId, reason } = status;
  return {
    ...sums,
    line,
    recordType: 'SETTLED',
    transactionType: isWhole ? 'BATCH' : 'DEBIT',
    cashflow: 'POS',
    clearingInstitute: { name: 'not named', merchantId: 'not named', txId1: messageId, txId2: batchId, txId3: null },
    settlementId: cut(values.get('AcctSvcrRef') ?? (isWhole ? reference : null), 64),
    paymentId,
    shortId: null,
    merchantTransactionId: paymentId === null && !isWhole ? reference : null,
    invoiceId: null,
    paymentBrand: null,
    presentedAt: null,
    settledAmount: 0n,
    settledCurrency: sums.currency,
    fee: null,
    fxRate: '1.00',
    status: 'FAILED',
    descriptor: cut(values.get('StsRsnInf/AddtlInf') ?? null, 128),
    last4: null,
    bankCode: null,
    holder: null,
    reasonCode: reason,
    reasonText: null,
  };
}
