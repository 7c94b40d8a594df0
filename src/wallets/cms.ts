import { verify, X509Certificate } from 'node:crypto';
import { attempt } from './keys.ts';

/**
 * An ASN.1 value: its tag with class and form, its whole encoding, its content, and the values inside when it is constructed.
 */
type Der = {
  readonly tag: number;
  readonly bytes: Buffer;
  readonly body: Buffer;
  readonly children: readonly Der[];
};

/** Tags in certificates and signatures. */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  nothing: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  context0: 0xa0,
  context3: 0xa3,
} as const;

const DEPTH_MAX = 16;
const VALUES_MAX = 2000;
const CONSTRUCTED = 0x20;
const INDEFINITE = 0x80;

type Cursor = { at: number; values: number; readonly bytes: Buffer; readonly openTo: number };

/**
 * Parses exactly one value with all its children, or returns null. Lengths must be definite and minimal, tags have one byte; only the
 * outermost `openTo` levels may have an indefinite length, as in the envelopes of real signatures.
 */
export function readDer(bytes: Buffer, openTo = 0): Der | null {
  const cursor: Cursor = { at: 0, values: 0, bytes, openTo };
  const value = readValue(cursor, bytes.length, 0);
  return value && cursor.at === bytes.length ? value : null;
}

function readValue(cursor: Cursor, end: number, depth: number): Der | null {
  const start = cursor.at;
  cursor.values += 1;
  if (end - start < 2 || depth > DEPTH_MAX || cursor.values > VALUES_MAX) return null;
  const tag = cursor.bytes[cursor.at++] as number;
  if (tag === 0 || (tag & 0x1f) === 0x1f) return null;
  if (cursor.bytes[cursor.at] === INDEFINITE) return readIndefinite(cursor, { start, end, depth, tag });
  const length = readLength(cursor, end);
  if (length === null || length > end - cursor.at) return null;
  const bodyStart = cursor.at;
  const bodyEnd = bodyStart + length;
  const inside: Der[] = [];
  if (tag & CONSTRUCTED) {
    while (cursor.at < bodyEnd) {
      const value = readValue(cursor, bodyEnd, depth + 1);
      if (!value) return null;
      inside.push(value);
    }
  }
  cursor.at = bodyEnd;
  return { tag, bytes: cursor.bytes.subarray(start, bodyEnd), body: cursor.bytes.subarray(bodyStart, bodyEnd), children: inside };
}

type ValueStart = { readonly start: number; readonly end: number; readonly depth: number; readonly tag: number };

/** A value of indefinite length: two zero bytes end it. */
function readIndefinite(cursor: Cursor, { start, end, depth, tag }: ValueStart): Der | null {
  if (!(tag & CONSTRUCTED) || depth >= cursor.openTo) return null;
  cursor.at += 1;
  const bodyStart = cursor.at;
  const inside: Der[] = [];
  while (end - cursor.at >= 2 && cursor.bytes.readUInt16BE(cursor.at) !== 0) {
    const value = readValue(cursor, end, depth + 1);
    if (!value) return null;
    inside.push(value);
  }
  if (end - cursor.at < 2) return null;
  const body = cursor.bytes.subarray(bodyStart, cursor.at);
  cursor.at += 2;
  return { tag, bytes: cursor.bytes.subarray(start, cursor.at), body, children: inside };
}

/** A length of one to three bytes in its shortest form. */
function readLength(cursor: Cursor, end: number): number | null {
  const first = cursor.bytes[cursor.at++] as number;
  if (first < 0x80) return first;
  const size = first & 0x7f;
  if (size > 2 || end - cursor.at < size) return null;
  const length = cursor.bytes.readUIntBE(cursor.at, size);
  cursor.at += size;
  return length >= (size === 1 ? 0x80 : 0x100) ? length : null;
}

/** The content of the object identifier `1.2.840.10045` in hexadecimal: identifiers are compared in this form. */
export function oid(dotted: string): string {
  const [first = 0, second = 0, ...others] = dotted.split('.').map((part) => Number.parseInt(part, 10));
  return [first * 40 + second, ...others].map(base128).join('');
}

function base128(number: number): string {
  const groups = [number & 0x7f];
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 0x7f) | 0x80);
  return Buffer.from(groups).toString('hex');
}

/** The object identifier of a value, in the form of oid(); null when it is none. */
const oidOf = (value: Der | undefined): string | null => (value?.tag === tags.oid ? value.body.toString('hex') : null);

/** An ASN.1 value of definite length. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  return Buffer.from(length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]);
}

/** A value of indefinite length, as in the envelopes of real signatures. */
export const indefinite = (tag: number, ...parts: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.from([tag, 0x80]), ...parts, Buffer.from([0, 0])]);

export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(tags.sequence, ...parts);

/** An object identifier, from the form of oid(). */
export const identifier = (hex: string): Buffer => der(tags.oid, Buffer.from(hex, 'hex'));

/** `230307053348Z`. */
export function utcTime(time: number): Buffer {
  const text = new Date(time).toISOString().replace(/[-:T]/g, '');
  return der(tags.utcTime, Buffer.from(`${text.slice(2, 14)}Z`));
}

/** A detached CMS signature: signer, signing time and digest of the content. */
export type Signature = {
  readonly certificates: readonly Certificate[];
  readonly signer: Certificate;
  readonly signedAt: number;
  readonly digest: Buffer;
  /** The signed bytes, and the signature value. */
  readonly attributes: Buffer;
  readonly value: Buffer;
};

/** Object identifiers in signatures. */
export const cmsOids = {
  data: oid('1.2.840.113549.1.7.1'),
  signedData: oid('1.2.840.113549.1.7.2'),
  contentType: oid('1.2.840.113549.1.9.3'),
  messageDigest: oid('1.2.840.113549.1.9.4'),
  signingTime: oid('1.2.840.113549.1.9.5'),
} as const;

/** The signer's certificate and its issuer's. */
const CERTIFICATES_MAX = 2;
/** Content, its explicit tag, the signed data and the two lists in it: real signatures use indefinite lengths here. */
const OPEN_LEVELS = 4;
const VERSION_1 = Buffer.from('020101', 'hex');
const SHA256 = ['300b0609608648016503040201', '300d06096086480165030402010500'].map((hex) => Buffer.from(hex, 'hex'));
const ECDSA_SHA256 = Buffer.from('300a06082a8648ce3d040302', 'hex');

/** Parses a signature with one signer and ECDSA over SHA-256; null for anything else. Does not verify it. */
export function readSignature(bytes: Buffer): Signature | null {
  const data = signedData(readDer(bytes, OPEN_LEVELS));
  const [version, digests, content, certificateSet, signers] = data?.children ?? [];
  if (
    data?.tag !== tags.sequence ||
    data.children.length !== 5 ||
    !version?.bytes.equals(VERSION_1) ||
    !isSha256(only(digests, tags.set))
  )
    return null;
  if (content?.tag !== tags.sequence || oidOf(content.children[0]) !== cmsOids.data || content.children.length !== 1) return null;
  if (certificateSet?.tag !== tags.context0 || certificateSet.children.length > CERTIFICATES_MAX) return null;
  const certificates = certificateSet.children.map(readCertificate);
  return certificates.every((one) => one !== null) ? readSigner(only(signers, tags.set), certificates) : null;
}

function signedData(content: Der | null): Der | null {
  const [type, holder] = content?.children ?? [];
  if (content?.tag !== tags.sequence || content.children.length !== 2 || oidOf(type) !== cmsOids.signedData) return null;
  return only(holder, tags.context0) ?? null;
}

function readSigner(signer: Der | undefined, certificates: readonly Certificate[]): Signature | null {
  const [version, name, digest, attributes, algorithm, value] = signer?.children ?? [];
  if (signer?.tag !== tags.sequence || signer.children.length !== 6 || !version?.bytes.equals(VERSION_1) || !isSha256(digest))
    return null;
  if (!algorithm?.bytes.equals(ECDSA_SHA256) || value?.tag !== tags.octetString || name?.tag !== tags.sequence) return null;
  const [issuer, serial] = name.children;
  const certificate = certificates.find((one) => issuer?.bytes.equals(one.issuer) && serial?.bytes.equals(one.serial));
  const facts = readAttributes(attributes);
  if (!certificate || !facts || !attributes || name.children.length !== 2) return null;
  // The signature covers the attributes with the tag SET, though they are encoded with another tag: RFC 5652, 5.4.
  const signed = Buffer.from(attributes.bytes);
  signed[0] = tags.set;
  return { certificates, signer: certificate, ...facts, attributes: signed, value: value.body };
}

function readAttributes(attributes: Der | undefined): { readonly signedAt: number; readonly digest: Buffer } | null {
  if (attributes?.tag !== tags.context0) return null;
  const values = new Map<string, Der>();
  for (const attribute of attributes.children) {
    const id = oidOf(attribute.children[0]);
    const value = only(attribute.children[1], tags.set);
    if (attribute.tag !== tags.sequence || id === null || !value || values.has(id)) return null;
    values.set(id, value);
  }
  const digest = values.get(cmsOids.messageDigest);
  const signedAt = timeOf(values.get(cmsOids.signingTime));
  if (oidOf(values.get(cmsOids.contentType)) !== cmsOids.data || digest?.tag !== tags.octetString || signedAt === null)
    return null;
  return { signedAt, digest: digest.body };
}

/** The single child of a value with this tag. */
const only = (holder: Der | null | undefined, tag: number): Der | undefined =>
  holder?.tag === tag && holder.children.length === 1 ? holder.children[0] : undefined;

const isSha256 = (algorithm: Der | undefined): boolean => SHA256.some((known) => algorithm?.bytes.equals(known));

const UTC_TIME = /^([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})Z$/;

/** Milliseconds of `230307053348Z`, or of the same with a year of four digits. */
function timeOf(value: Der | undefined): number | null {
  if (value?.tag !== tags.utcTime && value?.tag !== tags.generalizedTime) return null;
  const text = value.body.toString('latin1');
  const century = value.tag === tags.utcTime ? (text < '50' ? '20' : '19') : text.slice(0, 2);
  const parts = UTC_TIME.exec(value.tag === tags.utcTime ? text : text.slice(2));
  if (!parts || !/^[0-9]{2}$/.test(century)) return null;
  const [, year, month, day, hour, minute, second] = parts;
  const iso = `${century}${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const time = Date.parse(iso);
  return Number.isNaN(time) || new Date(time).toISOString() !== iso ? null : time;
}

/** Whether the signer's key made this signature over these attributes. */
export function isSignedBySigner({ signer, attributes, value }: Signature): boolean {
  const publicKey = attempt(() => signer.x509.publicKey);
  return publicKey?.asymmetricKeyType === 'ec' && attempt(() => verify('sha256', attributes, publicKey, value)) === true;
}

/** A certificate with the parts that Node does not expose: the bytes of its names and its extensions. */
export type Certificate = {
  readonly x509: X509Certificate;
  readonly serial: Buffer;
  readonly issuer: Buffer;
  readonly extensions: ReadonlyMap<string, Extension>;
};

type Extension = { readonly isCritical: boolean; readonly value: Buffer };

/** Object identifiers in certificates. */
export const certificateOids = {
  ecdsaSha256: oid('1.2.840.10045.4.3.2'),
  ecdsaSha384: oid('1.2.840.10045.4.3.3'),
  ecdsaSha512: oid('1.2.840.10045.4.3.4'),
  keyUsage: oid('2.5.29.15'),
  basicConstraints: oid('2.5.29.19'),
  commonName: oid('2.5.4.3'),
} as const;

const SIGNATURES: readonly string[] = [certificateOids.ecdsaSha256, certificateOids.ecdsaSha384, certificateOids.ecdsaSha512];
const UNDERSTOOD: readonly string[] = [certificateOids.keyUsage, certificateOids.basicConstraints];
const DIGITAL_SIGNATURE = 0x80;
const CERTIFICATE_SIGN = 0x04;
const VERSION_3 = Buffer.from('a003020102', 'hex');
const IS_CA = Buffer.from('0101ff', 'hex');

/** Parses an X.509 v3 certificate that is signed with ECDSA; null for anything else. */
function readCertificate(der: Der): Certificate | null {
  const [signed] = der.children;
  if (der.tag !== tags.sequence || der.children.length !== 3 || signed?.tag !== tags.sequence) return null;
  const [version, serial, algorithm, issuer, , , , ...others] = signed.children;
  if (!version?.bytes.equals(VERSION_3) || serial?.tag !== tags.integer || issuer?.tag !== tags.sequence) return null;
  if (!SIGNATURES.includes(oidOf(algorithm?.children[0]) ?? '')) return null;
  const extensions = readExtensions(others.find(({ tag }) => tag === tags.context3));
  const x509 = attempt(() => new X509Certificate(der.bytes));
  return extensions && x509 && { x509, serial: serial.bytes, issuer: issuer.bytes, extensions };
}

/** Parses a certificate in PEM or DER. */
export function parseCertificate(text: string): Certificate | null {
  const x509 = attempt(() => new X509Certificate(text));
  const der = x509 && readDer(x509.raw);
  return der && readCertificate(der);
}

function readExtensions(holder: Der | undefined): ReadonlyMap<string, Extension> | null {
  const extensions = new Map<string, Extension>();
  for (const { children } of holder?.children[0]?.children ?? []) {
    const id = oidOf(children[0]);
    const value = children.at(-1);
    const flag = children.length === 3 ? children[1]?.body[0] : 0;
    if (id === null || value?.tag !== tags.octetString || children.length > 3 || extensions.has(id)) return null;
    if (flag !== 0 && flag !== 0xff) return null;
    extensions.set(id, { isCritical: flag === 0xff, value: value.body });
  }
  return extensions;
}

/** Whether the certificate may sign messages: no CA, and no unsupported critical extension. */
export const isSigner = (certificate: Certificate): boolean =>
  isUnderstood(certificate) && !isCa(certificate) && mayUse(certificate, DIGITAL_SIGNATURE);

/** Whether the certificate may sign certificates. */
export const isAuthority = (certificate: Certificate): boolean =>
  isUnderstood(certificate) && isCa(certificate) && mayUse(certificate, CERTIFICATE_SIGN);

const isUnderstood = ({ extensions }: Certificate): boolean =>
  [...extensions].every(([id, { isCritical }]) => !isCritical || UNDERSTOOD.includes(id));

function isCa({ extensions }: Certificate): boolean {
  const value = extensions.get(certificateOids.basicConstraints)?.value;
  const [flag] = (value && readDer(value))?.children ?? [];
  return flag?.bytes.equals(IS_CA) ?? false;
}

function mayUse({ extensions }: Certificate, use: number): boolean {
  const value = extensions.get(certificateOids.keyUsage)?.value;
  if (!value) return true;
  const bits = readDer(value);
  return bits?.tag === tags.bitString && ((bits.body[1] ?? 0) & use) !== 0;
}

export const isValidAt = ({ x509 }: Certificate, now: number): boolean =>
  now >= x509.validFromDate.getTime() && now <= x509.validToDate.getTime();

/** Whether the key of `issuer` signed `certificate`, and their names agree. */
export const isIssuedBy = (certificate: Certificate, issuer: Certificate): boolean =>
  certificate.x509.checkIssued(issuer.x509) && attempt(() => certificate.x509.verify(issuer.x509.publicKey)) === true;
