import { X509Certificate } from 'node:crypto';
import { type Der, oid, oidOf, readDer, tags } from './der.ts';
import { attempt } from './keys.ts';

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
export function readCertificate(der: Der): Certificate | null {
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
