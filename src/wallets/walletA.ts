import { createDecipheriv, timingSafeEqual } from 'node:crypto';
import {
  type Certificate,
  isAuthority,
  isIssuedBy,
  isSignedBySigner,
  isSigner,
  isValidAt,
  oid,
  parseCertificate,
  readSignature,
  type Signature,
} from './cms.ts';
import { attempt, isP256, type OpenKey, openKeys, p256Key, sha256, sharedSecret } from './keys.ts';
import {
  bytesOf,
  currencyByNumber,
  hexBytes,
  type JsonObject,
  jsonObject,
  memberOf,
  objectOf,
  textOf,
  tokenObject,
  utf8Text,
} from './text.ts';
import { isFault, refusal, type WalletASetup, type WalletCard, type WalletFault, walletCard } from './wallet.ts';

/** A setup of walletA with parsed keys and certificates. */
export type OpenWalletA = {
  readonly merchantHash: Buffer;
  readonly keys: readonly OpenKey[];
  readonly roots: readonly Certificate[];
  readonly windowMs: number;
  /** Verified chains with their roots: certificate signatures are the most expensive part. */
  readonly anchors: Map<string, Certificate>;
};

const ANCHORS_MAX = 16;

/** Extensions that the wallet's provider sets in its certificates. */
export const walletAMarks = { leaf: oid('1.2.840.113635.100.6.29'), intermediate: oid('1.2.840.113635.100.6.2.14') } as const;

const IV = Buffer.alloc(16);
const TAG_BYTES = 16;
const KDF_HEAD = Buffer.from('00000001', 'hex');
const KDF_TAIL = Buffer.from('\x0did-aes256-GCMApple', 'latin1');

type Parts = {
  readonly data: Buffer;
  readonly signature: Signature;
  readonly ephemeral: Buffer;
  readonly keyHash: string;
  readonly transaction: Buffer;
  readonly application: Buffer;
};

export function prepareWalletA(setup: WalletASetup): OpenWalletA {
  return {
    merchantHash: sha256(setup.merchantIdentifier),
    keys: openKeys(setup.keys).filter(({ key }) => isP256(key)),
    roots: setup.roots.flatMap((root) => parseCertificate(root) ?? []),
    windowMs: setup.windowSeconds * 1000,
    anchors: new Map(),
  };
}

/** Opens a token of version EC_v1: checks key, chain, signature and time, then decrypts. */
export function openWalletA(token: string, setup: OpenWalletA, now: number): WalletCard | WalletFault {
  const parts = readParts(token);
  if (isFault(parts)) return parts;
  const key = setup.keys.find(({ hash }) => hash === parts.keyHash);
  if (!key) return refusal('unknownKey', 'the token is encrypted for a key this entity does not have');
  const fault = chainFault(parts.signature, setup, now) ?? signatureFault(parts);
  if (fault) return fault;
  const { signedAt } = parts.signature;
  // Negated, so that a window of NaN accepts nothing.
  if (!(now < signedAt + setup.windowMs)) return refusal('expired', 'the token was signed too long ago');
  if (!(now >= signedAt - setup.windowMs)) return refusal('expired', 'the token was signed in the future');
  const clear = decrypted(parts, key, setup.merchantHash);
  if (!clear) return refusal('otherMerchant', 'the token is made for another merchant identifier');
  const payload = jsonObject(utf8Text(clear) ?? '');
  if (!payload) return refusal('malformed', 'what is in the token is not JSON');
  return readCard(payload, { tokenId: parts.transaction.toString('hex'), validUntil: signedAt + setup.windowMs });
}

function readParts(token: string): Parts | WalletFault {
  const outer = tokenObject(token);
  const object = outer && (objectOf(outer, 'paymentData') ?? outer);
  const version = object && textOf(object, 'version');
  if (!object || version === null) return refusal('malformed', 'the token is not the JSON of this wallet');
  if (version !== 'EC_v1') return refusal('unsupported', 'only tokens of version EC_v1 are taken');
  const header = objectOf(object, 'header');
  const data = bytesOf(object, 'data');
  const ephemeral = header && bytesOf(header, 'ephemeralPublicKey');
  const keyHash = header && bytesOf(header, 'publicKeyHash');
  const transaction = header && hexBytes(textOf(header, 'transactionId') ?? '');
  const application = header && hexBytes(textOf(header, 'applicationData') ?? '');
  const cms = bytesOf(object, 'signature');
  if (!data || !ephemeral || !keyHash || !transaction?.length || !application || !cms || data.length <= TAG_BYTES)
    return refusal('malformed', 'a part of the token is missing or not encoded as it should be');
  if (transaction.length > 64) return refusal('malformed', 'the transaction identifier in the token is too long');
  const signature = readSignature(cms);
  if (!signature) return refusal('malformed', 'the signature in the token is not one of this wallet');
  return { data, signature, ephemeral, keyHash: keyHash.toString('base64'), transaction, application };
}

/** Checks the chain from leaf to intermediate to a trusted root: validity, extensions and key usage. */
function chainFault({ signer, certificates }: Signature, setup: OpenWalletA, now: number): WalletFault | null {
  const untrusted = (says: string): WalletFault => refusal('untrusted', says);
  const intermediate = certificates.find(({ extensions }) => extensions.has(walletAMarks.intermediate));
  if (!signer.extensions.has(walletAMarks.leaf) || !intermediate)
    return untrusted('the certificates are not those of this wallet');
  if (!isSigner(signer) || !isAuthority(intermediate)) return untrusted('a certificate is used for what it was not issued for');
  if (!isValidAt(signer, now) || !isValidAt(intermediate, now)) return untrusted('a certificate is not valid now');
  const root = anchorOf(signer, intermediate, setup);
  if (!root) return untrusted('the certificates lead to no root this entity trusts');
  return isValidAt(root, now) ? null : untrusted('the root of the certificates is not valid now');
}

/** The root of the chain. Only valid chains are cached, so that an attacker cannot fill the cache. */
function anchorOf(signer: Certificate, intermediate: Certificate, { roots, anchors }: OpenWalletA): Certificate | null {
  const chain = `${signer.x509.fingerprint256} ${intermediate.x509.fingerprint256}`;
  const before = anchors.get(chain);
  if (before) return before;
  if (!isIssuedBy(signer, intermediate)) return null;
  const root = roots.find((one) => isAuthority(one) && isIssuedBy(intermediate, one));
  if (!root) return null;
  if (anchors.size >= ANCHORS_MAX) anchors.clear();
  anchors.set(chain, root);
  return root;
}

function signatureFault({ data, signature, ephemeral, transaction, application }: Parts): WalletFault | null {
  const digest = sha256(Buffer.concat([ephemeral, data, transaction, application]));
  const isSame = signature.digest.length === digest.length && timingSafeEqual(signature.digest, digest);
  return isSame && isSignedBySigner(signature) ? null : refusal('tampered', 'the signature does not fit the token');
}

function decrypted({ data, ephemeral }: Parts, { key }: OpenKey, merchantHash: Buffer): Buffer | null {
  const publicKey = p256Key(ephemeral);
  const secret = publicKey && sharedSecret(key, publicKey);
  if (!secret) return null;
  const decipher = createDecipheriv('aes-256-gcm', walletAKey(secret, merchantHash), IV, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(data.subarray(data.length - TAG_BYTES));
  return attempt(() => Buffer.concat([decipher.update(data.subarray(0, data.length - TAG_BYTES)), decipher.final()]));
}

/** One step of the key derivation of NIST SP 800-56A over the shared secret, the algorithm and both parties. */
export const walletAKey = (secret: Buffer, merchantHash: Buffer): Buffer =>
  sha256(Buffer.concat([KDF_HEAD, secret, KDF_TAIL, merchantHash]));

function readCard(payload: JsonObject, token: Pick<WalletCard, 'tokenId' | 'validUntil'>): WalletCard | WalletFault {
  const kind = textOf(payload, 'paymentDataType');
  if (kind !== '3DSecure') return refusal('unsupported', 'only payment data of type 3DSecure is taken');
  const proof = objectOf(payload, 'paymentData');
  const expiry = /^([0-9]{2})([0-9]{2})(?:0[1-9]|[12][0-9]|3[01])$/.exec(textOf(payload, 'applicationExpirationDate') ?? '');
  const amount = memberOf(payload, 'transactionAmount');
  if (amount !== undefined && !(typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0))
    return refusal('malformed', 'the amount in the token is not a whole number');
  const number = textOf(payload, 'currencyCode');
  const currency = number === null ? null : currencyByNumber.get(number);
  if (currency === undefined) return refusal('unsupported', 'the currency in the token is not one that can be paid in');
  return walletCard({
    number: textOf(payload, 'applicationPrimaryAccountNumber'),
    numberType: 'DPAN',
    expiryMonth: expiry?.[2] ?? null,
    expiryYear: expiry ? `20${expiry[1]}` : null,
    cryptogram: proof && textOf(proof, 'onlinePaymentCryptogram'),
    eci: proof && textOf(proof, 'eciIndicator'),
    holder: textOf(payload, 'cardholderName'),
    minorAmount: amount === undefined ? null : BigInt(amount),
    currency,
    ...token,
  });
}
