import type { Amount } from '../../../money/amount.ts';
import type { SettledLine } from '../../record.ts';
import { faultResult, type ReadResult, readLineResult } from './reader.ts';
import { currency, day, invalid, moment, rate, readAmount, type Value } from './values.ts';

type Values = ReadonlyMap<string, string>;

export type Entry = { readonly account: Values; readonly entry: Values; readonly line: number; readonly number: number };
export type Detail = { readonly values: Values; readonly line: number };

/** The elements that are read; all others are skipped. Newer versions move some of them, so a value has several paths. */
const elementPaths = {
  institute: ['Acct/Svcr/FinInstnId/Nm', 'Acct/Svcr/FinInstnId/BICFI', 'Acct/Svcr/FinInstnId/BIC'],
  account: ['Acct/Id/IBAN', 'Acct/Id/Othr/Id'],
  amount: ['Amt'],
  sign: ['CdtDbtInd'],
  reversed: ['RvslInd'],
  status: ['Sts/Cd', 'Sts'],
  valueDay: ['ValDt/Dt', 'ValDt/DtTm', 'BookgDt/Dt', 'BookgDt/DtTm'],
  bankRef: ['AcctSvcrRef'],
  entryRef: ['NtryRef'],
  kind: ['BkTxCd/Domn/Fmly/SubFmlyCd'],
  family: ['BkTxCd/Domn/Fmly/Cd'],
  batch: ['NtryDtls/Btch/NbOfTxs'],
  batchMessage: ['NtryDtls/Btch/MsgId'],
  batchId: ['NtryDtls/Btch/PmtInfId'],
  message: ['Refs/MsgId'],
  messageBatch: ['Refs/PmtInfId'],
  charges: ['Chrgs/TtlChrgsAndTaxAmt', 'Chrgs/Rcrd/Amt', 'Chrgs/Amt'],
  settled: ['Amt', 'AmtDtls/TxAmt/Amt'],
  instructed: ['AmtDtls/InstdAmt/Amt'],
  rate: ['AmtDtls/InstdAmt/CcyXchg/XchgRate', 'AmtDtls/TxAmt/CcyXchg/XchgRate'],
  own: ['Refs/EndToEndId', 'Refs/InstrId'],
  txId: ['Refs/TxId'],
  clearing: ['Refs/ClrSysRef', 'Refs/MndtId'],
  detailRef: ['Refs/AcctSvcrRef'],
  reason: ['RtrInf/Rsn/Cd', 'RtrInf/Rsn/Prtry', 'RtrInf/RtrBkTxCd/Domn/Fmly/SubFmlyCd'],
  reasonText: ['RtrInf/AddtlInf'],
  at: ['RltdDts/TxDtTm', 'RltdDts/AccptncDtTm'],
  payer: ['RltdPties/Dbtr/Nm', 'RltdPties/Dbtr/Pty/Nm'],
  payee: ['RltdPties/Cdtr/Nm', 'RltdPties/Cdtr/Pty/Nm'],
  payerAccount: ['RltdPties/DbtrAcct/Id/IBAN'],
  payeeAccount: ['RltdPties/CdtrAcct/Id/IBAN'],
  payerBank: ['RltdAgts/DbtrAgt/FinInstnId/BIC', 'RltdAgts/DbtrAgt/FinInstnId/BICFI'],
  remark: ['RmtInf/Ustrd', 'AddtlTxInf'],
} as const;

type Name = keyof typeof elementPaths;

const withCurrency = (paths: readonly string[]): string[] => paths.flatMap((path) => [path, `${path}@Ccy`]);
const pathsOf = (names: readonly Name[]): ReadonlySet<string> =>
  new Set(names.flatMap((name) => withCurrency(elementPaths[name])));

export const accountPaths = pathsOf(['institute', 'account']);
export const entryPaths = pathsOf([
  'amount',
  'sign',
  'reversed',
  'status',
  'valueDay',
  'bankRef',
  'entryRef',
  'kind',
  'family',
  'batch',
  'batchMessage',
  'batchId',
  'charges',
]);
export const txPaths = pathsOf([
  'settled',
  'instructed',
  'rate',
  'charges',
  'own',
  'message',
  'messageBatch',
  'txId',
  'clearing',
  'detailRef',
  'sign',
  'kind',
  'family',
  'reason',
  'reasonText',
  'at',
  'payer',
  'payee',
  'payerAccount',
  'payeeAccount',
  'payerBank',
  'remark',
]);

const pick = (values: Values, name: Name): string | null => {
  const path = elementPaths[name].find((one) => values.has(one));
  return path === undefined ? null : (values.get(path) ?? null);
};

type Money = { readonly amount: Amount; readonly currency: string };

/** Drops zeros after the second decimal, which some banks write. */
export const twoDecimals = (text: string): string => {
  const [whole = '', part = ''] = text.split('.');
  return part === '' ? whole : `${whole}.${part.replace(/0+$/, '').padEnd(2, '0')}`;
};

/** Adds up one amount, or several of one currency separated by blanks. */
function moneyIn(values: Values, name: Name): Value<Money> | null {
  const path = elementPaths[name].find((one) => values.has(one));
  if (path === undefined) return null;
  const broken = invalid(`${path} must be an amount with two decimals in one currency`);
  const [code = '', ...others] = new Set((values.get(`${path}@Ccy`) ?? '').split(' '));
  const common = currency(code);
  if (others.length > 0 || !common.ok) return broken;
  let total = 0n;
  for (const text of (values.get(path) ?? '').split(' ')) {
    const amount = readAmount(twoDecimals(text));
    if (!amount.ok) return broken;
    total += amount.value;
  }
  return { ok: true, value: { amount: total, currency: common.value } };
}

const NONE: Values = new Map();

/** Reads an entry without details: a batch, a fee, or one transaction without further data. */
export const readEntry = (entry: Entry): readonly ReadResult[] => readDetail(entry, { values: NONE, line: entry.line });

const FEES = ['CHRG', 'FEES', 'COMM', 'COME', 'COMI', 'COMT', 'TAXE'];
/** Unpaid direct debits, card chargebacks, reversals after a return. */
const RETURNS = ['UPDD', 'RPMT', 'CHBK', 'PRDD'];
/** The family of collections that the account holder issued. Money of a return that comes is the return reversed. */
const COLLECTIONS = 'IDDT';
/** A transfer of the account holder that came back. */
const RETURNED_TRANSFER = 'RRTN';

type Kind = Pick<SettledLine, 'recordType' | 'transactionType' | 'cashflow'> & { readonly isReturned: boolean };

function kindOf(entry: Values, detail: Values): Kind {
  const cashflow = (pick(detail, 'sign') ?? pick(entry, 'sign')) === 'CRDT' ? 'POS' : 'NEG';
  const kind = pick(detail, 'kind') ?? pick(entry, 'kind') ?? '';
  const isCollection = (pick(detail, 'family') ?? pick(entry, 'family')) === COLLECTIONS;
  const isReturnedTransfer = kind === RETURNED_TRANSFER && cashflow === 'POS';
  const isReturn = pick(detail, 'reason') !== null || RETURNS.includes(kind) || isReturnedTransfer;
  const of = (recordType: SettledLine['recordType'], transactionType: SettledLine['transactionType'], isReturned = false) =>
    ({ recordType, transactionType, cashflow, isReturned }) as const;
  if (isReturn && cashflow === 'NEG') return of('CHARGEBACK', 'DEBIT');
  if (isReturn && (isCollection || pick(entry, 'reversed') === 'true')) return of('CHARGEBACK REVERSAL', 'DEBIT');
  // A payout that came back was not settled after all.
  if (isReturn) return of('SETTLED', 'REFUND', true);
  if (FEES.includes(kind)) return of('FEE', 'MONTHLY');
  if (detail === NONE && pick(entry, 'batch') !== null) return of('SETTLED', 'BATCH');
  return of('SETTLED', cashflow === 'POS' ? 'DEBIT' : 'REFUND');
}

/** Reads one detail of an entry. An entry that is not booked yet yields nothing. */
export function readDetail({ account, entry, number, line: entryLine }: Entry, { values, line }: Detail): readonly ReadResult[] {
  if ((pick(entry, 'status') ?? 'BOOK') !== 'BOOK') return [];
  const wrong = (message: string): readonly ReadResult[] => [faultResult(line, message)];
  const isAlone = number <= 1 && moneyIn(values, 'settled') === null;
  const settled = moneyIn(values, 'settled') ?? (isAlone ? moneyIn(entry, 'amount') : null);
  if (settled === null) return wrong('the detail of an entry must have an amount');
  if (!settled.ok) return wrong(settled.must);
  const sign = pick(values, 'sign') ?? pick(entry, 'sign');
  if (sign !== 'CRDT' && sign !== 'DBIT') return wrong('CdtDbtInd must be CRDT or DBIT');
  const settledOn = day((pick(entry, 'valueDay') ?? '').slice(0, 10));
  if (!settledOn.ok) return wrong('ValDt or BookgDt must be a day such as 2031-10-02');
  const kind = kindOf(entry, values);
  const sums = sumsOf(settled.value, { values, entry: isAlone ? entry : NONE, isIn: kind.cashflow === 'POS' });
  if (typeof sums === 'string') return wrong(sums);
  const { isReturned, ...types } = kind;
  const result = readLineResult(
    {
      ...types,
      ...sums,
      ...referencesIn(values, entry),
      ...partiesIn(values, kind.cashflow),
      line: values === NONE ? entryLine : line,
      clearingInstitute: {
        name: cut(pick(account, 'institute'), 64) ?? 'not named',
        merchantId: cut(pick(account, 'account'), 64) ?? 'not named',
        txId1: cut(pick(values, 'detailRef') ?? pick(entry, 'bankRef'), 64),
        txId2: cut(pick(values, 'txId'), 64),
        txId3: cut(pick(values, 'clearing'), 64),
      },
      presentedAt: momentOf(pick(values, 'at')),
      settledOn: settledOn.value,
      status: isReturned ? 'FAILED' : 'SUCCESS',
      descriptor: cut(pick(values, 'remark'), 128),
      invoiceId: null,
      paymentBrand: null,
      reasonCode: kind.recordType === 'SETTLED' ? null : cut(pick(values, 'reason'), 32),
      reasonText: kind.recordType === 'SETTLED' ? null : cut(pick(values, 'reasonText'), 128),
    },
    {
      messageId: cut(pick(values, 'message') ?? pick(entry, 'batchMessage'), 35),
      batchId: cut(pick(values, 'messageBatch') ?? pick(entry, 'batchId'), 35),
      reason: cut(pick(values, 'reason'), 32),
    },
  );
  return [result];
}

type Sums = Pick<SettledLine, 'amount' | 'currency' | 'settledAmount' | 'settledCurrency' | 'fee' | 'fxRate'>;
type SumsGiven = { readonly values: Values; readonly entry: Values; readonly isIn: boolean };

const RATE_DIGITS = 6;

/** The payer paid the instructed amount. Without one, it is the booked amount with the charges taken from it. */
function sumsOf(settled: Money, { values, entry, isIn }: SumsGiven): Sums | string {
  const charges = moneyIn(values, 'charges') ?? moneyIn(entry, 'charges');
  const instructed = moneyIn(values, 'instructed');
  if (charges && !charges.ok) return charges.must;
  if (instructed && !instructed.ok) return instructed.must;
  if (charges && charges.value.currency !== settled.currency) return 'charges must be in the currency of the booking';
  const fee = charges?.value.amount ?? null;
  const whole = isIn ? settled.amount + (fee ?? 0n) : settled.amount - (fee ?? 0n);
  const gross = instructed?.value ?? { amount: whole, currency: settled.currency };
  if (gross.amount < 0n) return 'charges are more than what was booked';
  const given = rate(pick(values, 'rate') ?? '');
  const isSame = gross.currency === settled.currency;
  const fxRate = isSame ? '1.00' : given.ok ? given.value : ratio(whole, gross.amount);
  return { ...gross, settledAmount: settled.amount, settledCurrency: settled.currency, fee, fxRate };
}

/** The exchange rate, for banks that do not state it. */
function ratio(settled: bigint, gross: bigint): string {
  if (gross === 0n) return '1.00';
  const digits = String((settled * 10n ** BigInt(RATE_DIGITS)) / gross).padStart(RATE_DIGITS + 1, '0');
  return `${digits.slice(0, -RATE_DIGITS)}.${digits.slice(-RATE_DIGITS)}`;
}

/** Banks may write references in capitals. */
const PAYMENT_ID = /^[0-9a-f]{32}$/i;
const SHORT_ID = /^[0-9]{4}\.[0-9]{4}\.[0-9]{4}$/;

/** The party that collects the money chooses the reference: the payment's id, its short id or the merchant's own. */
function referencesIn(
  values: Values,
  entry: Values,
): Pick<SettledLine, 'paymentId' | 'shortId' | 'merchantTransactionId' | 'settlementId'> {
  const all = elementPaths.own.flatMap((path) => values.get(path) ?? []).filter((text) => text !== 'NOTPROVIDED');
  // The reference of a batch counts where the line has none of its own.
  const given = all.length > 0 ? all : elementPaths.messageBatch.flatMap((path) => values.get(path) ?? []);
  const other = given.find((text) => !PAYMENT_ID.test(text) && !SHORT_ID.test(text));
  return {
    paymentId: given.find((text) => PAYMENT_ID.test(text))?.toLowerCase() ?? null,
    shortId: given.find((text) => SHORT_ID.test(text)) ?? null,
    merchantTransactionId: cut(other ?? null, 255),
    settlementId: cut(pick(values, 'detailRef') ?? pick(entry, 'bankRef') ?? pick(entry, 'entryRef'), 64),
  };
}

/** Keeps only the last four characters of an account. */
function partiesIn(values: Values, cashflow: 'POS' | 'NEG'): Pick<SettledLine, 'last4' | 'holder' | 'bankCode'> {
  const isPayer = cashflow === 'POS' || pick(values, 'payerAccount') !== null;
  const iban = pick(values, isPayer ? 'payerAccount' : 'payeeAccount');
  return {
    last4: iban === null || iban.length < 4 ? null : iban.slice(-4),
    holder: cut(pick(values, isPayer ? 'payer' : 'payee'), 128),
    bankCode: cut(pick(values, 'payerBank'), 12),
  };
}

function momentOf(text: string | null): string | null {
  const read = moment((text ?? '').slice(0, 19));
  return read.ok ? read.value : null;
}

export const cut = (text: string | null, most: number): string | null => {
  const own = (text ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return own === '' ? null : own.slice(0, most);
};
