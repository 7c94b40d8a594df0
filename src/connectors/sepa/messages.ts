import { SaxesParser } from 'saxes';
import { type Amount, amountText } from '../../money/amount.ts';
import type { Day } from './calendar.ts';
import { sepaText } from './characters.ts';
import type { Amendment, Mandate, Scheme, Sequence } from './mandates.ts';

export const debitVersions = ['pain.008.001.02', 'pain.008.001.08'] as const;
export type DebitVersion = (typeof debitVersions)[number];
export const creditVersions = ['pain.001.001.03', 'pain.001.001.09'] as const;
export type CreditVersion = (typeof creditVersions)[number];
export type MessageVersion = DebitVersion | CreditVersion;

/** The account that money goes to or comes from. */
type OwnAccount = { readonly name: string; readonly iban: string; readonly bic: string | null };

/** Structured: lines of an address without town and country are forbidden since November 2026. */
export type Address = {
  readonly street: string | null;
  readonly building: string | null;
  readonly postcode: string | null;
  readonly town: string;
  readonly country: string;
};

/** One transaction of a file, towards a payer or a payee. */
export type Transfer = {
  /** Comes back in every message about it. */
  readonly id: string;
  readonly amount: Amount;
  readonly dueOn: Day;
  readonly name: string;
  readonly iban: string;
  readonly bic: string | null;
  readonly address: Address | null;
  readonly remittance: string;
};

export type Collection = Transfer & {
  readonly sequence: Sequence;
  readonly scheme: Scheme;
  readonly mandate: Mandate;
  readonly amendment: Amendment | null;
};

/** The header of a file. */
type Heading = {
  readonly messageId: string;
  readonly createdAt: number;
  /** One booking for all transactions of a day. */
  readonly isBatchBooking: boolean;
};

export const NAME_MAX = 70;
export const REMITTANCE_MAX = 140;

/** Versions since 2019 write BICFI and put the day of execution into an element of its own. */
export const isModern = (version: MessageVersion): boolean => version === 'pain.008.001.08' || version === 'pain.001.001.09';

export const total = (transfers: readonly Pick<Transfer, 'amount'>[]): Amount =>
  transfers.reduce((sum, { amount }) => sum + amount, 0n);

const sums = (transfers: readonly Transfer[]): readonly XmlElement[] => [
  element('NbOfTxs', String(transfers.length)),
  element('CtrlSum', amountText(total(transfers))),
];

const groupHeader = ({ messageId, createdAt }: Heading, transfers: readonly Transfer[], { name }: OwnAccount): XmlElement =>
  element('GrpHdr', [
    element('MsgId', messageId),
    element('CreDtTm', `${new Date(createdAt).toISOString().slice(0, 19)}Z`),
    ...sums(transfers),
    element('InitgPty', [element('Nm', sepaText(name, NAME_MAX))]),
  ]);

const amountElement = (amount: Amount): XmlElement => element('InstdAmt', amountText(amount), { Ccy: 'EUR' });

const paymentIdElement = (id: string): XmlElement => element('PmtId', [element('InstrId', id), element('EndToEndId', id)]);

const agent = (name: string, bic: string | null, version: MessageVersion): XmlElement =>
  element(name, [
    element('FinInstnId', [
      bic === null
        ? element('Othr', [element('Id', 'NOTPROVIDED')])
        : element(isModern(version) ? 'BICFI' : 'BIC', bic.toUpperCase()),
    ]),
  ]);

const account = (name: string, iban: string): XmlElement => element(name, [element('Id', [element('IBAN', iban.toUpperCase())])]);

const party = (role: string, { name, address }: Pick<Transfer, 'name'> & Partial<Pick<Transfer, 'address'>>): XmlElement =>
  element(role, [element('Nm', sepaText(name, NAME_MAX)), address ? addressElement(address) : null]);

/** Versions before 2019 have room for the street, the building, the postcode, the town and the country too. */
function addressElement({ street, building, postcode, town, country }: Address): XmlElement {
  const part = (name: string, text: string | null, max: number) => {
    const safe = text === null ? '' : sepaText(text, max);
    return safe === '' ? null : element(name, safe);
  };
  return element('PstlAdr', [
    part('StrtNm', street, 70),
    part('BldgNb', building, 16),
    part('PstCd', postcode, 16),
    part('TwnNm', town, 35),
    element('Ctry', country),
  ]);
}

function remittanceElement(text: string): XmlElement | null {
  const safe = sepaText(text, REMITTANCE_MAX);
  return safe === '' ? null : element('RmtInf', [element('Ustrd', safe)]);
}

/** Transactions by a key, sorted by key and then by id: the same transactions make the same file. */
function grouped<One extends Transfer>(
  transfers: readonly One[],
  keyOf: (one: One) => string,
): readonly (readonly [string, readonly [One, ...One[]]])[] {
  const groups = new Map<string, [One, ...One[]]>();
  const sorted = transfers.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  for (const one of sorted) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** The message and its parts, which files of collections and of transfers have in common. */
type Frame<One extends Transfer> = {
  readonly version: MessageVersion;
  readonly heading: Heading;
  readonly own: OwnAccount;
  /** The element of the message. */
  readonly message: string;
  /** Transactions with the same key are one part. */
  keyOf(one: One): string;
  /** The elements of a part after its sums. */
  partOf(members: readonly [One, ...One[]]): readonly (XmlElement | null)[];
  /** PmtMtd. */
  readonly method: 'DD' | 'TRF';
};

/** Writes a file. The same transactions make the same bytes. */
function writeMessage<One extends Transfer & { readonly sequence?: Sequence }>(
  transfers: readonly One[],
  { version, heading, own, message, method, keyOf, partOf }: Frame<One>,
): string {
  const { messageId, isBatchBooking } = heading;
  const parts = grouped(transfers, keyOf).map(([, members]) =>
    element('PmtInf', [
      element('PmtInfId', partId(messageId, members[0])),
      element('PmtMtd', method),
      element('BtchBookg', String(isBatchBooking)),
      ...sums(members),
      ...partOf(members),
    ]),
  );
  const body = element(message, [groupHeader(heading, transfers, own), ...parts]);
  return xmlDocument(element('Document', [body], { xmlns: `urn:iso:std:iso:20022:tech:xsd:${version}` }));
}

const SEQUENCE_LETTERS: Readonly<Record<Sequence, string>> = { FRST: 'F', RCUR: 'R', OOFF: 'O', FNAL: 'L' };

/** The id of the part of a file with one due date and, for collections, one sequence. Both follow from the transaction. */
export const partId = (messageId: string, { dueOn, sequence }: { readonly dueOn: Day; readonly sequence?: Sequence }): string =>
  `${messageId}-${dueOn.slice(2).replaceAll('-', '')}${sequence ? SEQUENCE_LETTERS[sequence] : 'C'}`;

/** The file of a batch of credit transfers: one part for each day of execution. */
export const writeTransfers = (
  version: CreditVersion,
  heading: Heading,
  debtor: OwnAccount,
  transfers: readonly Transfer[],
): string =>
  writeMessage(transfers, {
    version,
    heading,
    own: debtor,
    message: 'CstmrCdtTrfInitn',
    method: 'TRF',
    keyOf: ({ dueOn }) => dueOn,
    partOf: (members) => [
      element('PmtTpInf', [element('SvcLvl', [element('Cd', 'SEPA')])]),
      element('ReqdExctnDt', isModern(version) ? [element('Dt', members[0].dueOn)] : members[0].dueOn),
      party('Dbtr', debtor),
      account('DbtrAcct', debtor.iban),
      agent('DbtrAgt', debtor.bic, version),
      element('ChrgBr', 'SLEV'),
      ...members.map((one) => transferElement(version, one)),
    ],
  });

function transferElement(version: CreditVersion, one: Transfer): XmlElement {
  return element('CdtTrfTxInf', [
    paymentIdElement(one.id),
    element('Amt', [amountElement(one.amount)]),
    one.bic === null ? null : agent('CdtrAgt', one.bic, version),
    party('Cdtr', one),
    account('CdtrAcct', one.iban),
    remittanceElement(one.remittance),
  ]);
}

export type Creditor = OwnAccount & { readonly creditorId: string };

/** The file of a batch of collections: one part for each due date, sequence and scheme. */
export const writeCollections = (
  version: DebitVersion,
  heading: Heading,
  creditor: Creditor,
  collections: readonly Collection[],
): string =>
  writeMessage(collections, {
    version,
    heading,
    own: creditor,
    message: 'CstmrDrctDbtInitn',
    method: 'DD',
    keyOf: ({ dueOn, sequence, scheme }) => `${dueOn} ${sequence} ${scheme}`,
    partOf: (members) => [
      element('PmtTpInf', [
        element('SvcLvl', [element('Cd', 'SEPA')]),
        element('LclInstrm', [element('Cd', members[0].scheme)]),
        element('SeqTp', members[0].sequence),
      ]),
      element('ReqdColltnDt', members[0].dueOn),
      party('Cdtr', creditor),
      account('CdtrAcct', creditor.iban),
      agent('CdtrAgt', creditor.bic, version),
      element('ChrgBr', 'SLEV'),
      element('CdtrSchmeId', [schemeId(creditor.creditorId)]),
      ...members.map((one) => collectionElement(version, one)),
    ],
  });

const schemeId = (creditorId: string): XmlElement =>
  element('Id', [
    element('PrvtId', [element('Othr', [element('Id', creditorId), element('SchmeNm', [element('Prtry', 'SEPA')])])]),
  ]);

function collectionElement(version: DebitVersion, one: Collection): XmlElement {
  const { id, amount, mandate, amendment, iban, bic, remittance } = one;
  return element('DrctDbtTxInf', [
    paymentIdElement(id),
    amountElement(amount),
    element('DrctDbtTx', [
      element('MndtRltdInf', [
        element('MndtId', mandate.id),
        element('DtOfSgntr', mandate.signedOn),
        element('AmdmntInd', String(amendment !== null)),
        amendment && amendmentElement(amendment),
      ]),
    ]),
    agent('DbtrAgt', bic, version),
    party('Dbtr', one),
    account('DbtrAcct', iban),
    remittanceElement(remittance),
  ]);
}

function amendmentElement(amendment: Amendment): XmlElement {
  const { originalId, originalCreditorId, originalCreditorName, isOtherAccount } = amendment;
  const isOtherCreditor = originalCreditorId !== undefined || originalCreditorName !== undefined;
  return element('AmdmntInfDtls', [
    originalId === undefined ? null : element('OrgnlMndtId', originalId),
    isOtherCreditor
      ? element('OrgnlCdtrSchmeId', [
          originalCreditorName === undefined ? null : element('Nm', sepaText(originalCreditorName, NAME_MAX)),
          originalCreditorId === undefined ? null : schemeId(originalCreditorId),
        ])
      : null,
    isOtherAccount ? element('OrgnlDbtrAcct', [element('Id', [element('Othr', [element('Id', 'SMNDA')])])]) : null,
  ]);
}

/** An element with text or with elements in it. Absent children are left out. */
export type XmlElement = {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly content: string | readonly (XmlElement | null)[];
};

const element = (name: string, content: XmlElement['content'], attributes?: Readonly<Record<string, string>>): XmlElement => ({
  name,
  content,
  ...(attributes && { attributes }),
});

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

function write({ name, attributes = {}, content }: XmlElement, parts: string[]): void {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  parts.push('<', name, ...written, '>');
  if (typeof content === 'string') parts.push(escaped(content));
  else for (const child of content) if (child) write(child, parts);
  parts.push('</', name, '>');
}

/** A whole document in UTF-8, without white space between elements. */
function xmlDocument(root: XmlElement): string {
  const parts = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  write(root, parts);
  parts.push('\n');
  return parts.join('');
}

/** A file that is no well-formed XML of this form. */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';
}

type Opened = {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: XmlElement[];
  text: string;
};

/** Our messages are about ten elements deep. */
const DEPTH_MAX = 40;
const REFUSED = ['comment', 'cdata', 'doctype', 'processinginstruction'] as const;

/** Reads a document of elements, attributes and text: no comments, no document type, no entities beyond the five of XML. */
export function readXml(text: string): XmlElement {
  if (text.includes('&#')) throw new XmlFault('it has a numeric entity');
  const open: Opened[] = [];
  let root: XmlElement | null = null;
  const parser = new SaxesParser();
  for (const part of REFUSED) {
    parser.on(part, () => {
      throw new XmlFault(`it has a part that is not allowed: ${part}`);
    });
  }
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length >= DEPTH_MAX) throw new XmlFault(`elements stand more than ${DEPTH_MAX} deep inside each other`);
    open.push({ name, attributes, children: [], text: '' });
  });
  parser.on('text', (piece) => {
    const top = open.at(-1);
    if (top) top.text += piece;
  });
  parser.on('closetag', () => {
    const done = closed(open.pop() as Opened);
    const parent = open.at(-1);
    if (parent) parent.children.push(done);
    else root = done;
  });
  try {
    parser.write(text).close();
  } catch (error) {
    throw error instanceof XmlFault ? error : new XmlFault('it is no well-formed XML');
  }
  return root ?? fault('it has no root');
}

const fault = (message: string): never => {
  throw new XmlFault(message);
};

function closed({ name, attributes, children, text }: Opened): XmlElement {
  if (children.length > 0 && text.trim() !== '') throw new XmlFault(`${name} has text beside elements`);
  return { name, attributes, content: children.length > 0 ? children : text };
}
