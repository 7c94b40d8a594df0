/** The messages of ISO 20022 in their versions, and the envelopes that they come in. */

export type Family = '052' | '053' | '054';

export const FAMILIES: readonly Family[] = ['052', '053', '054'];
export const [FIRST_VERSION, LAST_VERSION] = [2, 13];

const messages: Readonly<Record<Family, readonly [message: string, container: string]>> = {
  '052': ['BkToCstmrAcctRpt', 'Rpt'],
  '053': ['BkToCstmrStmt', 'Stmt'],
  '054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
};

/** How a version writes what others write otherwise. */
export type Version = {
  readonly family: Family;
  readonly namespace: string;
  readonly message: string;
  readonly container: string;
  /** From the third on, details have an amount and a direction of their own, and charges have records. */
  readonly detailAmount: boolean;
  readonly charges: 'flat' | 'records';
  readonly bic: 'BIC' | 'BICFI';
  /** From the seventh on, a status is a choice of code and words, and a party one of party and agent. */
  readonly status: boolean;
  readonly party: boolean;
};

export function versionOf(family: Family, number: number): Version {
  const [message, container] = messages[family];
  const digits = String(number).padStart(2, '0');
  return {
    family,
    namespace: `urn:iso:std:iso:20022:tech:xsd:camt.${family}.001.${digits}`,
    message,
    container,
    detailAmount: number >= 3,
    charges: number >= 3 ? 'records' : 'flat',
    bic: number >= 3 ? 'BICFI' : 'BIC',
    status: number >= 7,
    party: number >= 7,
  };
}

const PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>\n';
const HEADER_SPACE = 'urn:iso:std:iso:20022:tech:xsd:head.001.001.02';

/** A head of a business message. A signature makes it longer than what a file is usually recognised by. */
const appHeader = ({ namespace }: Version, signature: string): string =>
  `<AppHdr xmlns="${HEADER_SPACE}"><Fr><FIId><FinInstnId><BICFI>BKAUATWW</BICFI></FinInstnId></FIId></Fr><To><OrgId><Nm>Shop</Nm></OrgId></To>
<BizMsgIdr>B-1</BizMsgIdr><MsgDefIdr>${namespace.slice(-15)}</MsgDefIdr><CreDt>2031-10-01T10:00:00Z</CreDt>${signature}</AppHdr>`;

const document = ({ namespace }: Version, message: string): string => `<Document xmlns="${namespace}">${message}</Document>`;

const prefixed = (text: string, prefix: string): string => text.replaceAll(/<(\/?)(?=[A-Za-z])/g, `<$1${prefix}:`);

/** Documents bare, with a prefix, without a namespace and within others, as they come out of systems of banks. */
export const envelopes: Readonly<Record<string, (version: Version, message: string) => string>> = {
  bare: document,
  'of a schema': ({ namespace }, message) =>
    `<Document xmlns="${namespace}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${namespace} ${namespace.slice(-15)}.xsd">${message}</Document>`,
  prefixed: ({ namespace }, message) =>
    prefixed(`<Document>${message}</Document>`, 'ns2').replace('<ns2:Document', `<ns2:Document xmlns:ns2="${namespace}"`),
  'without a namespace': (_, message) => `<Document>${message}</Document>`,
  'of a country': ({ namespace }, message) =>
    `<Document xmlns="ISO:${namespace.slice(-15)}:XYZ:BANKS:payments:003">${message}</Document>`,
  'business message': (version, message) =>
    `<BizMsgEnvlp xmlns="urn:iso:std:iso:20022:tech:xsd:nvlp.001.001.01">${appHeader(version, '')}${document(version, message)}</BizMsgEnvlp>`,
  'signed message': (version, message) =>
    `<message>${appHeader(version, `<Sgntr><Sig>${'QUJD'.repeat(4_000)}</Sig></Sgntr>`)}${document(version, message)}</message>`,
  'data unit': (version, message) =>
    `<Saa:DataPDU xmlns:Saa="urn:swift:saa:xsd:saa.2.0"><Saa:Revision>2.0.13</Saa:Revision><Saa:Body>${appHeader(version, '')}
${document(version, message)}</Saa:Body></Saa:DataPDU>`,
};

/** Wraps a message, and lets each entry begin on a line of its own. */
export function pretty(version: Version, envelope: string, message: string): string {
  const wrap = envelopes[envelope];
  if (!wrap) throw new Error(`no envelope ${envelope}`);
  return PROLOGUE + wrap(version, message.replaceAll('<Ntry>', '\n<Ntry>'));
}
