import { type Amount, NO_CURRENCY } from '../../../money/amount.ts';
import type { SettledLine } from '../../record.ts';
import { currency, decimal, rate } from './reader.ts';

/** The values of an element, by their path. */
export type Values = ReadonlyMap<string, string>;

/** The elements that are read; all others are ignored. Newer versions move some of them, so a value has several paths. */
const elementPaths = {
  institute: ['Acct/Svcr/FinInstnId/Nm', 'Acct/Svcr/FinInstnId/BICFI', 'Acct/Svcr/FinInstnId/BIC'],
  account: ['Acct/Id/IBAN', 'Acct/Id/Othr/Id'],
  periodEnd: ['FrToDt/ToDtTm', 'FrToDt/ToDt'],
  createdAt: ['CreDtTm'],
  amount: ['Amt'],
  sign: ['CdtDbtInd'],
  reversed: ['RvslInd'],
  status: ['Sts/Cd', 'Sts/Prtry', 'Sts'],
  valueDay: ['ValDt/Dt', 'ValDt/DtTm'],
  bookingDay: ['BookgDt/Dt', 'BookgDt/DtTm'],
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
  chargesIncluded: ['Chrgs/Rcrd/ChrgInclInd'],
  part: ['Amt', 'AmtDtls/TxAmt/Amt', 'AmtDtls/CntrValAmt/Amt', 'AmtDtls/InstdAmt/Amt'],
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

export const headerPaths = pathsOf(['createdAt']);
export const accountPaths = pathsOf(['institute', 'account', 'periodEnd', 'createdAt']);
export const entryPaths = pathsOf([
  'amount',
  'sign',
  'reversed',
  'status',
  'valueDay',
  'bookingDay',
  'bankRef',
  'entryRef',
  'kind',
  'family',
  'batch',
  'batchMessage',
  'batchId',
  'charges',
  'chargesIncluded',
]);
export const txPaths = pathsOf([
  'part',
  'instructed',
  'rate',
  'charges',
  'chargesIncluded',
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

export const pick = (values: Values, name: Name): string | null => {
  const path = elementPaths[name].find((one) => values.has(one));
  return path === undefined ? null : (values.get(path) ?? null);
};

/** All values of a name, in the order of its paths. */
export const pickAll = (values: Values, name: Name): readonly string[] =>
  elementPaths[name].flatMap((path) => values.get(path) ?? []);

/** All values of a name with their currencies. */
const pickMoney = (values: Values, name: Name): readonly { readonly text: string; readonly codes: string }[] =>
  elementPaths[name].flatMap((path) => {
    const text = values.get(path);
    return text === undefined ? [] : [{ text, codes: values.get(`${path}@Ccy`) ?? '' }];
  });

export type Money = { readonly amount: Amount; readonly currency: string };

/** `why`: its fault; the money is then as near as it can be given. */
type BookedMoney = { readonly money: Money; readonly why: string | null };

/** The amount of an entry. Nothing else replaces it. */
export function bookedMoney(entry: Values): BookedMoney {
  const [found] = pickMoney(entry, 'amount');
  if (!found) return { money: { amount: 0n, currency: NO_CURRENCY }, why: 'it has no Amt' };
  const { text, codes: code } = found;
  const number = decimal(text);
  const isCode = /^[A-Z]{3}$/.test(code);
  const money = { amount: number?.amount ?? 0n, currency: isCode ? code : NO_CURRENCY };
  const shown = JSON.stringify(`${text} ${code}`.trim().slice(0, 64));
  if (!number) return { money, why: `its amount ${shown} is none that a payment can have` };
  if (!currency(code).ok) return { money, why: `the currency of its amount ${shown} is none of ISO 4217` };
  return { money, why: number.isExact ? null : `its amount ${shown} has more than two decimals` };
}

/** The first amount of this name that can be read, in this currency where one is given; null: there is none. */
function moneyIn(values: Values, name: Name, wanted?: string): Money | null {
  for (const { text, codes: code } of pickMoney(values, name)) {
    const number = decimal(text);
    if (number?.isExact && currency(code).ok && code === (wanted ?? code)) return { amount: number.amount, currency: code };
  }
  return null;
}

/** The part that one of several details has in an entry, in the currency of the entry. */
export const partOf = (detail: Values, code: string): Money | null => moneyIn(detail, 'part', code);

/** The charges within the amount of the booking, in its currency. Charges in another one are between the banks. */
export function chargesIn(values: Values, wanted: string): Amount | null {
  const isApart = (pick(values, 'chargesIncluded') ?? '').split(' ').map((flag) => flag === 'false' || flag === '0');
  for (const { text, codes } of pickMoney(values, 'charges')) {
    const amounts = text.split(' ');
    // Where some charges are booked apart, the total is of all of them.
    if (isApart.includes(true) && isApart.length !== amounts.length) continue;
    const own = codes
      .split(' ')
      .flatMap((code, at) => (code === wanted && isApart[at] !== true ? [decimal(amounts[at] ?? '')] : []));
    if (own.length > 0 && own.every((one) => one?.isExact === true))
      return own.reduce((sum, one) => sum + (one?.amount ?? 0n), 0n);
  }
  return null;
}

type Sums = Pick<SettledLine, 'amount' | 'currency' | 'settledAmount' | 'settledCurrency' | 'fee' | 'fxRate'>;
type SumsGiven = { readonly detail: Values; readonly charges: Amount | null; readonly isIn: boolean; readonly isReturn: boolean };

const RATE_DIGITS = 6;

/** The payer paid the instructed amount. Without one, it is the booked amount with the charges taken from it. */
export function sumsOf(booked: Money, { detail, charges, isIn, isReturn }: SumsGiven): Sums {
  // Charges above the amount of a debit were not booked with it.
  const fee = charges !== null && (isIn || charges <= booked.amount) ? charges : null;
  const whole = isIn ? booked.amount + (fee ?? 0n) : booked.amount - (fee ?? 0n);
  const instructed = moneyIn(detail, 'instructed');
  const gross =
    instructed && isPlausible(instructed, booked, { isIn, isReturn }) ? instructed : { amount: whole, currency: booked.currency };
  const given = rate(pick(detail, 'rate') ?? '');
  const isSame = gross.currency === booked.currency;
  const fxRate = isSame ? '1.00' : given.ok ? given.value : ratio(whole, gross.amount);
  return { ...gross, settledAmount: booked.amount, settledCurrency: booked.currency, fee, fxRate };
}

/**
 * In one currency, charges reduce an incoming and increase an outgoing amount. Charges of a return may exceed its amount, others not: any
 * other instructed amount is not that of the payment.
 */
function isPlausible(instructed: Money, booked: Money, { isIn, isReturn }: Pick<SumsGiven, 'isIn' | 'isReturn'>): boolean {
  if (instructed.currency !== booked.currency) return true;
  const [least, most] = isIn ? [booked.amount, instructed.amount] : [instructed.amount, booked.amount];
  return least <= most && (isReturn || most - least <= least);
}

/** The exchange rate, for banks that do not state it. */
function ratio(settled: bigint, gross: bigint): string {
  if (gross === 0n) return '1.00';
  const digits = String((settled * 10n ** BigInt(RATE_DIGITS)) / gross).padStart(RATE_DIGITS + 1, '0');
  return `${digits.slice(0, -RATE_DIGITS)}.${digits.slice(-RATE_DIGITS)}`;
}
