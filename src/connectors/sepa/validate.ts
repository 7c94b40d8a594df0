import { isValidBIC, isValidIBAN } from 'ibantools';
import { amountOf, amountText } from '../../money/amount.ts';
import { addDays, isTargetDay } from './calendar.ts';
import { isSepaId, isSepaText } from './characters.ts';
import { isCreditorId } from './mandates.ts';
import { isModern, type MessageVersion, readXml, type XmlElement, XmlFault } from './messages.ts';

/** The children of an element in their order; `?` marks one that may be missing, `+` one that may be repeated. */
const ORDER: Readonly<Record<string, string>> = {
  CstmrDrctDbtInitn: 'GrpHdr PmtInf+',
  CstmrCdtTrfInitn: 'GrpHdr PmtInf+',
  GrpHdr: 'MsgId CreDtTm NbOfTxs CtrlSum InitgPty',
  InitgPty: 'Nm',
  'CstmrDrctDbtInitn/PmtInf':
    'PmtInfId PmtMtd BtchBookg NbOfTxs CtrlSum PmtTpInf ReqdColltnDt Cdtr CdtrAcct CdtrAgt ChrgBr CdtrSchmeId DrctDbtTxInf+',
  'CstmrCdtTrfInitn/PmtInf':
    'PmtInfId PmtMtd BtchBookg NbOfTxs CtrlSum PmtTpInf ReqdExctnDt Dbtr DbtrAcct DbtrAgt ChrgBr CdtTrfTxInf+',
  PmtTpInf: 'SvcLvl LclInstrm? SeqTp?',
  SvcLvl: 'Cd',
  LclInstrm: 'Cd',
  ReqdExctnDt: 'Dt',
  Cdtr: 'Nm PstlAdr?',
  Dbtr: 'Nm PstlAdr?',
  PstlAdr: 'StrtNm? BldgNb? PstCd? TwnNm Ctry',
  CdtrAcct: 'Id',
  DbtrAcct: 'Id',
  OrgnlDbtrAcct: 'Id',
  'CdtrAcct/Id': 'IBAN',
  'DbtrAcct/Id': 'IBAN',
  'OrgnlDbtrAcct/Id': 'IBAN? Othr?',
  CdtrAgt: 'FinInstnId',
  DbtrAgt: 'FinInstnId',
  FinInstnId: 'BIC? BICFI? Othr?',
  CdtrSchmeId: 'Id',
  OrgnlCdtrSchmeId: 'Nm? Id?',
  'CdtrSchmeId/Id': 'PrvtId',
  'OrgnlCdtrSchmeId/Id': 'PrvtId',
  PrvtId: 'Othr',
  'PrvtId/Othr': 'Id SchmeNm',
  SchmeNm: 'Prtry',
  Othr: 'Id',
  DrctDbtTxInf: 'PmtId InstdAmt DrctDbtTx DbtrAgt Dbtr DbtrAcct RmtInf?',
  CdtTrfTxInf: 'PmtId Amt CdtrAgt? Cdtr CdtrAcct RmtInf?',
  PmtId: 'InstrId EndToEndId',
  Amt: 'InstdAmt',
  DrctDbtTx: 'MndtRltdInf',
  MndtRltdInf: 'MndtId DtOfSgntr AmdmntInd AmdmntInfDtls?',
  AmdmntInfDtls: 'OrgnlMndtId? OrgnlCdtrSchmeId? OrgnlDbtrAcct?',
  RmtInf: 'Ustrd',
};

const oneOf =
  (...words: readonly string[]) =>
  (text: string): boolean =>
    words.includes(text);
const upTo =
  (max: number) =>
  (text: string): boolean =>
    isSepaText(text, max) && text.trim() === text;
const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && addDays(text, 0) === text;
const isSettlementDay = (text: string): boolean => isDay(text) && isTargetDay(text);
const AMOUNT_MAX = 99_999_999_999n;
const isAmount = (text: string): boolean => {
  const amount = amountOf(text);
  return amount !== undefined && amount > 0n && amount <= AMOUNT_MAX && amountText(amount) === text;
};

/** The rule for the text of an element, by its name or by its parent's and its own. */
const TEXTS: Readonly<Record<string, (text: string) => boolean>> = {
  MsgId: isSepaId,
  PmtInfId: isSepaId,
  InstrId: isSepaId,
  EndToEndId: isSepaId,
  MndtId: isSepaId,
  OrgnlMndtId: isSepaId,
  CreDtTm: (text) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text),
  NbOfTxs: (text) => /^[1-9]\d{0,14}$/.test(text),
  CtrlSum: (text) => /^(?:0|[1-9]\d{0,14})\.\d{2}$/.test(text),
  InstdAmt: isAmount,
  Nm: upTo(70),
  Ustrd: upTo(140),
  StrtNm: upTo(70),
  BldgNb: upTo(16),
  PstCd: upTo(16),
  TwnNm: upTo(35),
  Ctry: (text) => /^[A-Z]{2}$/.test(text),
  PmtMtd: oneOf('DD', 'TRF'),
  BtchBookg: oneOf('true', 'false'),
  AmdmntInd: oneOf('true', 'false'),
  'SvcLvl/Cd': oneOf('SEPA'),
  'LclInstrm/Cd': oneOf('CORE', 'B2B'),
  SeqTp: oneOf('FRST', 'RCUR', 'OOFF', 'FNAL'),
  ReqdColltnDt: isSettlementDay,
  ReqdExctnDt: isSettlementDay,
  Dt: isSettlementDay,
  DtOfSgntr: isDay,
  IBAN: (text) => isValidIBAN(text),
  BIC: (text) => isValidBIC(text),
  BICFI: (text) => isValidBIC(text),
  ChrgBr: oneOf('SLEV'),
  Prtry: oneOf('SEPA'),
  'FinInstnId/Othr/Id': oneOf('NOTPROVIDED'),
  'OrgnlDbtrAcct/Id/Othr/Id': oneOf('SMNDA'),
  'PrvtId/Othr/Id': isCreditorId,
};

type Child = { readonly name: string; readonly isOptional: boolean; readonly isRepeated: boolean };
/** The content that a path may have: elements in an order, or a text. */
type PathRule =
  | { readonly kind: 'elements'; readonly children: readonly Child[] }
  | { readonly kind: 'text'; readonly fits: (text: string) => boolean }
  | { readonly kind: 'unknown' };

/** The value at the longest end of the path that a table knows. */
function ofPath<Value>(table: Readonly<Record<string, Value>>, path: string): Value | undefined {
  const names = path.split('/');
  for (let length = Math.min(4, names.length); length > 0; length -= 1) {
    const found = table[names.slice(-length).join('/')];
    if (found !== undefined) return found;
  }
  return undefined;
}

function ruleOf(path: string, version: MessageVersion): PathRule {
  const order = path.endsWith('/ReqdExctnDt') && !isModern(version) ? undefined : ofPath(ORDER, path);
  if (order !== undefined) {
    const children = order.split(' ').map((word): Child => {
      const mark = /[?+]$/.exec(word)?.[0];
      return { name: word.replace(/[?+]$/, ''), isOptional: mark === '?', isRepeated: mark === '+' };
    });
    return { kind: 'elements', children };
  }
  const fits = ofPath(TEXTS, path);
  return fits ? { kind: 'text', fits } : { kind: 'unknown' };
}

/** Finds the rule of a path; each is worked out once for a file. */
function createRules(version: MessageVersion): (path: string) => PathRule {
  const known = new Map<string, PathRule>();
  return (path) => {
    const rule = known.get(path) ?? ruleOf(path, version);
    known.set(path, rule);
    return rule;
  };
}

/** Only the first faults are of use. */
const FAULTS_MAX = 20;

/**
 * The faults of a file that is about to leave, each with its element and never with a value. It reads the file as a bank would:
 * well-formed, elements in their order, texts, lengths and characters, counts and sums, ids that are unique.
 */
export function fileFaults(text: string, version: MessageVersion): readonly string[] {
  const faults: string[] = [];
  try {
    const root = readXml(text);
    if (root.name !== 'Document' || root.attributes?.xmlns !== `urn:iso:std:iso:20022:tech:xsd:${version}`)
      faults.push(`Document is not ${version}`);
    const [message] = childrenOf(root);
    if (!message || message.name !== (version.startsWith('pain.008') ? 'CstmrDrctDbtInitn' : 'CstmrCdtTrfInitn'))
      return [...faults, 'Document has no message'];
    checkElement(message, message.name, { version, faults, ruleOf: createRules(version) });
    faults.push(...sumFaults(message), ...idFaults(message), ...ruleFaults(message));
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    faults.push(error.message);
  }
  return faults.slice(0, FAULTS_MAX);
}

const childrenOf = ({ content }: XmlElement): readonly XmlElement[] =>
  typeof content === 'string' ? [] : (content as readonly XmlElement[]);
const textOf = ({ content }: XmlElement): string => (typeof content === 'string' ? content : '');
const child = (parent: XmlElement, name: string): XmlElement | undefined => childrenOf(parent).find((one) => one.name === name);
const textIn = (parent: XmlElement, ...names: readonly string[]): string => {
  const found = names.reduce<XmlElement | undefined>((one, name) => one && child(one, name), parent);
  return found ? textOf(found) : '';
};

type Check = {
  readonly version: MessageVersion;
  readonly faults: string[];
  readonly ruleOf: (path: string) => PathRule;
};

function checkElement(one: XmlElement, path: string, check: Check): void {
  const { faults, version } = check;
  if (faults.length >= FAULTS_MAX) return;
  const rule = check.ruleOf(path);
  const { name } = one;
  if (name === 'BIC' && isModern(version)) faults.push('BIC must be BICFI in this version');
  if (name === 'BICFI' && !isModern(version)) faults.push('BICFI must be BIC in this version');
  if (rule.kind === 'elements') {
    faults.push(...orderFaults(one, rule.children, path));
    for (const inner of childrenOf(one)) checkElement(inner, `${path}/${inner.name}`, check);
    return;
  }
  if (rule.kind === 'unknown' || childrenOf(one).length > 0) faults.push(`${path} is not allowed`);
  else if (!rule.fits(textOf(one))) faults.push(`${path} has a text that is not allowed`);
  if (name === 'InstdAmt' && one.attributes?.Ccy !== 'EUR') faults.push('InstdAmt is not in EUR');
}

function orderFaults(one: XmlElement, order: readonly Child[], path: string): readonly string[] {
  const found = childrenOf(one);
  let at = 0;
  const faults: string[] = [];
  for (const { name, isOptional, isRepeated } of order) {
    const from = at;
    while (found[at]?.name === name && (at === from || isRepeated)) at += 1;
    if (at === from && !isOptional) faults.push(`${path} has no ${name} where it belongs`);
  }
  return at === found.length ? faults : [...faults, `${path} has ${found[at]?.name} where it does not belong`];
}

const TRANSACTIONS = new Set(['DrctDbtTxInf', 'CdtTrfTxInf']);
const partsOf = (message: XmlElement) => childrenOf(message).filter(({ name }) => name === 'PmtInf');
const transactionsOf = (part: XmlElement) => childrenOf(part).filter(({ name }) => TRANSACTIONS.has(name));
const amountIn = (one: XmlElement): bigint => amountOf(textIn(one, 'InstdAmt') || textIn(one, 'Amt', 'InstdAmt')) ?? 0n;

/** Counts and control sums of the message and of each part. */
function sumFaults(message: XmlElement): readonly string[] {
  const header = child(message, 'GrpHdr');
  const sumsFit = (named: XmlElement | undefined, all: readonly XmlElement[]): boolean =>
    named !== undefined &&
    textIn(named, 'NbOfTxs') === String(all.length) &&
    textIn(named, 'CtrlSum') === amountText(all.reduce((sum, one) => sum + amountIn(one), 0n));
  return [
    ...(sumsFit(header, partsOf(message).flatMap(transactionsOf)) ? [] : ['GrpHdr has a count or sum that is wrong']),
    ...partsOf(message).flatMap((part) =>
      sumsFit(part, transactionsOf(part)) ? [] : ['PmtInf has a count or sum that is wrong'],
    ),
  ];
}

function idFaults(message: XmlElement): readonly string[] {
  const isUnique = (ids: readonly string[]): boolean => new Set(ids).size === ids.length;
  const parts = partsOf(message).map((part) => textIn(part, 'PmtInfId'));
  const transactions = partsOf(message)
    .flatMap(transactionsOf)
    .map((one) => textIn(one, 'PmtId', 'EndToEndId'));
  return [
    ...(isUnique(parts) ? [] : ['PmtInfId is not unique']),
    ...(isUnique(transactions) ? [] : ['EndToEndId is not unique']),
  ];
}

/** Rules between elements. */
function ruleFaults(message: XmlElement): readonly string[] {
  const isDebit = message.name === 'CstmrDrctDbtInitn';
  return partsOf(message).flatMap((part) => {
    const type = child(part, 'PmtTpInf');
    const hasTypes = type !== undefined && textIn(type, 'LclInstrm', 'Cd') !== '' && textIn(type, 'SeqTp') !== '';
    const amendments = transactionsOf(part).flatMap((one) => {
      const mandate = child(child(one, 'DrctDbtTx') ?? one, 'MndtRltdInf');
      const isAmended = mandate !== undefined && child(mandate, 'AmdmntInfDtls') !== undefined;
      return mandate === undefined || isAmended === (textIn(mandate, 'AmdmntInd') === 'true') ? [] : ['AmdmntInd is wrong'];
    });
    return [
      ...(isDebit && !hasTypes ? ['PmtTpInf has no LclInstrm or SeqTp'] : []),
      ...(textIn(part, 'PmtMtd') === (isDebit ? 'DD' : 'TRF') ? [] : ['PmtMtd is wrong']),
      ...amendments,
    ];
  });
}
