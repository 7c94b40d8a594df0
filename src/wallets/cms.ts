import { verify, X509Certificate } from 'node:crypto';
import { type Der, oid, oidOf, readDer, tags } from './der.ts';
import { attempt } from './keys.ts';

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
