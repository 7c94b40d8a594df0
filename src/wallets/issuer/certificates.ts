import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import { certificateOids } from '../certificate.ts';
import { tags } from '../der.ts';
import { der, identifier, sequence, utcTime } from './derWrite.ts';

/** The contents of a certificate. */
export type CertificateOrder = {
  readonly subject: string;
  readonly key: KeyObject;
  readonly issuer: string;
  readonly issuerKey: KeyObject;
  readonly serial: number;
  readonly isAuthority: boolean;
  /** Further extensions: the identifier, in the form of oid(), and whether it is critical. */
  readonly marks?: readonly { readonly id: string; readonly isCritical: boolean }[];
  readonly validFrom?: number;
  readonly validTo?: number;
};

/** The clock of a sandbox can be moved, so its certificates are valid as long as UTCTime can express. */
const VALID_FROM = Date.UTC(2000, 0, 1);
const VALID_TO = Date.UTC(2049, 11, 31);
const ALGORITHM = sequence(identifier(certificateOids.ecdsaSha256));
const TRUE = der(tags.boolean, Buffer.from([0xff]));
const NULL = der(tags.nothing);

/** A certificate of version 3, signed with ECDSA over SHA-256. */
export function makeCertificate(order: CertificateOrder): Buffer {
  const signed = sequence(
    der(tags.context0, der(tags.integer, Buffer.from([2]))),
    der(tags.integer, Buffer.from([0x40, order.serial])),
    ALGORITHM,
    nameOf(order.issuer),
    sequence(utcTime(order.validFrom ?? VALID_FROM), utcTime(order.validTo ?? VALID_TO)),
    nameOf(order.subject),
    createPublicKey(order.key).export({ format: 'der', type: 'spki' }),
    der(tags.context3, sequence(...extensionsOf(order))),
  );
  return sequence(signed, ALGORITHM, bitString(0, sign('sha256', signed, order.issuerKey)));
}

/** The DER encoding of a name. */
export const nameOf = (commonName: string): Buffer =>
  sequence(der(tags.set, sequence(identifier(certificateOids.commonName), der(tags.utf8String, Buffer.from(commonName)))));

/** The DER encoding of a serial number. */
export const serialOf = (serial: number): Buffer => der(tags.integer, Buffer.from([0x40, serial]));

function extensionsOf({ isAuthority, marks = [] }: CertificateOrder): Buffer[] {
  const constraints = isAuthority ? sequence(TRUE) : sequence();
  const usage = isAuthority ? bitString(1, Buffer.from([0x06])) : bitString(7, Buffer.from([0x80]));
  return [
    sequence(identifier(certificateOids.basicConstraints), TRUE, der(tags.octetString, constraints)),
    sequence(identifier(certificateOids.keyUsage), TRUE, der(tags.octetString, usage)),
    ...marks.map(({ id, isCritical }) => sequence(identifier(id), ...(isCritical ? [TRUE] : []), der(tags.octetString, NULL))),
  ];
}

const bitString = (unused: number, bytes: Uint8Array): Buffer => der(tags.bitString, Buffer.from([unused]), bytes);

/** A certificate in PEM. */
export const pemOf = (certificate: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
