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

export type Name = keyof typeof elementPaths;

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
export const pickMoney = (values: Values, name: Name): readonly { readonly text: string; readonly codes: string }[] =>
  elementPaths[name].flatMap((path) => {
    const text = values.get(path);
    return text === undefined ? [] : [{ text, codes: values.get(`${path}@Ccy`) ?? '' }];
  });
