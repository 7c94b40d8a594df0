import { createCipheriv, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { certificateOids, cmsOids, der, identifier, indefinite, oid, sequence, tags, utcTime } from '../cms.ts';
import { sha256, sharedSecret } from '../keys.ts';
import { currencyNumbers } from '../text.ts';
import { type WalletASetup, WINDOW_SECONDS } from '../wallet.ts';
import { walletAKey, walletAMarks } from '../walletA.ts';
import {
  type ByteSource,
  cryptogramOf,
  keyFor,
  type MerchantKeys,
  merchantKeys,
  minorAmount,
  p256From,
  setupKeys,
  type WalletOrder,
} from './order.ts';

/** Keys and certificates of the sandbox's walletA for one merchant. */
type IssuerA = {
  readonly merchantIdentifier: string;
  readonly keys: MerchantKeys;
  readonly root: Buffer;
  /** A chain that the merchant's setup trusts, and one with another root. */
  readonly chain: Chain;
  readonly untrustedChain: Chain;
};

/** The key that signs tokens, and its certificates. */
type Chain = { readonly key: KeyObject; readonly leaf: Buffer; readonly intermediate: Buffer };

const LEAF_SERIAL = 3;
const INTERMEDIATE = 'Sandbox wallet intermediate';
const ROOT = 'Sandbox wallet root';
const SHA256 = sequence(identifier(oid('2.16.840.1.101.3.4.2.1')));
const VERSION_1 = der(tags.integer, Buffer.from([1]));
const TAG_BYTES = 16;

export function createIssuerA(merchant: string, bytes: (label: string) => ByteSource): IssuerA {
  const rootKey = p256From(bytes('walletA root'));
  const own = (label: string): ByteSource => bytes(`walletA ${merchant} ${label}`);
  return {
    merchantIdentifier: `merchant.${merchant}`,
    keys: merchantKeys(p256From, own),
    root: makeCertificate({ subject: ROOT, key: rootKey, issuer: ROOT, issuerKey: rootKey, serial: 1, isAuthority: true }),
    chain: makeChain(rootKey, bytes),
    untrustedChain: makeChain(p256From(bytes('walletA strange root')), bytes),
  };
}

/** A chain under a root; tests override parts of a certificate to see it refused. */
export function makeChain(
  rootKey: KeyObject,
  bytes: (label: string) => ByteSource,
  other: { readonly leaf?: Partial<CertificateOrder>; readonly intermediate?: Partial<CertificateOrder> } = {},
): Chain {
  const key = p256From(bytes('walletA leaf'));
  const intermediateKey = p256From(bytes('walletA intermediate'));
  return {
    key,
    leaf: makeCertificate({
      subject: 'Sandbox wallet signer',
      key,
      issuer: INTERMEDIATE,
      issuerKey: intermediateKey,
      serial: LEAF_SERIAL,
      isAuthority: false,
      marks: [{ id: walletAMarks.leaf, isCritical: false }],
      ...other.leaf,
    }),
    intermediate: makeCertificate({
      subject: INTERMEDIATE,
      key: intermediateKey,
      issuer: ROOT,
      issuerKey: rootKey,
      serial: 2,
      isAuthority: true,
      marks: [{ id: walletAMarks.intermediate, isCritical: false }],
      ...other.intermediate,
    }),
  };
}

export const setupA = ({ merchantIdentifier, keys, root }: IssuerA): WalletASetup => ({
  merchantIdentifier,
  keys: setupKeys(keys),
  roots: [pemOf(root)],
  windowSeconds: WINDOW_SECONDS,
});

/** A token of version EC_v1. */
export function issueA(issuer: IssuerA, order: WalletOrder, random: ByteSource): string {
  const { fault } = order;
  const merchant = fault === 'otherMerchant' ? `${issuer.merchantIdentifier}.other` : issuer.merchantIdentifier;
  const receiver = keyFor(order, issuer.keys);
  const ephemeral = p256From(random);
  const data = encrypted(
    payloadOf(order, random),
    walletAKey(sharedSecret(ephemeral, createPublicKey(receiver.key))!, sha256(merchant)),
  );
  const ephemeralPublicKey = createPublicKey(ephemeral).export({ format: 'der', type: 'spki' });
  const transaction = random(32);
  const digest = sha256(Buffer.concat([ephemeralPublicKey, data, transaction]));
  const signedAt = fault === 'expired' ? order.now - 2 * WINDOW_SECONDS * 1000 : order.now;
  const signature = signedData({ digest, signedAt, chain: fault === 'untrusted' ? issuer.untrustedChain : issuer.chain });
  if (fault === 'tampered') data[0] = (data[0] as number) ^ 1;
  return JSON.stringify({
    version: fault === 'unsupported' ? 'RSA_v1' : 'EC_v1',
    data: data.toString('base64'),
    signature: signature.toString('base64'),
    header: {
      ephemeralPublicKey: ephemeralPublicKey.toString('base64'),
      publicKeyHash: receiver.id,
      transactionId: transaction.toString('hex'),
    },
  });
}

function payloadOf(order: WalletOrder, random: ByteSource): string {
  const { number, expiryMonth, expiryYear, currency, holder, eci } = order;
  const text = JSON.stringify({
    applicationPrimaryAccountNumber: number,
    applicationExpirationDate: `${expiryYear.slice(2)}${expiryMonth}28`,
    currencyCode: currencyNumbers.get(currency),
    ...(holder === undefined ? {} : { cardholderName: holder }),
    deviceManufacturerIdentifier: '000000000000',
    paymentDataType: '3DSecure',
    paymentData: { onlinePaymentCryptogram: cryptogramOf(order, random), ...(eci === undefined ? {} : { eciIndicator: eci }) },
  });
  // The amount is written as a string, so it never becomes a float.
  return `${text.slice(0, -1)},"transactionAmount":${minorAmount(order)}}`;
}

function encrypted(text: string, key: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(16), { authTagLength: TAG_BYTES });
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** A detached signature as devices encode it: indefinite lengths outside, definite ones inside. */
export function signedData({ digest, signedAt, chain }: { digest: Buffer; signedAt: number; chain: Chain }): Buffer {
  const attribute = (id: string, value: Buffer): Buffer => sequence(identifier(id), der(tags.set, value));
  const attributes = Buffer.concat([
    attribute(cmsOids.contentType, identifier(cmsOids.data)),
    attribute(cmsOids.signingTime, utcTime(signedAt)),
    attribute(cmsOids.messageDigest, der(tags.octetString, digest)),
  ]);
  const signer = sequence(
    VERSION_1,
    sequence(nameOf(INTERMEDIATE), serialOf(LEAF_SERIAL)),
    SHA256,
    der(tags.context0, attributes),
    sequence(identifier(certificateOids.ecdsaSha256)),
    der(tags.octetString, sign('sha256', der(tags.set, attributes), chain.key)),
  );
  const content = indefinite(
    tags.sequence,
    VERSION_1,
    der(tags.set, SHA256),
    indefinite(tags.sequence, identifier(cmsOids.data)),
    indefinite(tags.context0, chain.leaf, chain.intermediate),
    der(tags.set, signer),
  );
  return indefinite(tags.sequence, identifier(cmsOids.signedData), indefinite(tags.context0, content));
}

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
function makeCertificate(order: CertificateOrder): Buffer {
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
const nameOf = (commonName: string): Buffer =>
  sequence(der(tags.set, sequence(identifier(certificateOids.commonName), der(tags.utf8String, Buffer.from(commonName)))));

/** The DER encoding of a serial number. */
const serialOf = (serial: number): Buffer => der(tags.integer, Buffer.from([0x40, serial]));

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
const pemOf = (certificate: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
