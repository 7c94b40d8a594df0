import { createDecipheriv, createHmac, hkdfSync, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { attempt, isP256, type OpenKey, openKeys, p256Key, p256Point, sharedSecret } from './keys.ts';
import {
  base64Bytes,
  bytesOf,
  type JsonObject,
  jsonObject,
  memberOf,
  millisecondsOf,
  objectOf,
  textOf,
  tokenObject,
  utf8Text,
} from './text.ts';
import { isFault, refusal, type WalletBSetup, type WalletCard, type WalletFault, walletCard } from './wallet.ts';

/** A setup of walletB with parsed keys. */
export type OpenWalletB = {
  readonly recipientId: string;
  readonly gatewayMerchantId: string | null;
  readonly keys: readonly OpenKey[];
  readonly roots: readonly Root[];
};

type Root = { readonly key: KeyObject; readonly version: string; readonly expiresAt: number };

/** The sender id of the wallet's provider. */
export const SENDER = 'Google';

/** Bytes of the encryption key and of the authentication key, by version of the protocol. */
export const walletBKeyBytes = { ECv1: 16, ECv2: 32 } as const;
type Version = keyof typeof walletBKeyBytes;

const SALT = Buffer.alloc(32);
const IV = Buffer.alloc(16);
const SIGNATURES_MAX = 4;

type Message = { readonly version: Version; readonly signed: string; readonly signature: Buffer; readonly object: JsonObject };

export function prepareWalletB(setup: WalletBSetup): OpenWalletB {
  const roots = setup.roots.flatMap(({ keyValue, protocolVersion: version, keyExpiration }): Root[] => {
    const spki = base64Bytes(keyValue);
    const key = spki && p256Key(spki);
    // Only roots of ECv1 have no expiry.
    const end = keyExpiration === null && version === 'ECv1' ? String(Number.MAX_SAFE_INTEGER) : (keyExpiration ?? '');
    return key && /^[0-9]{1,16}$/.test(end) ? [{ key, version, expiresAt: Number.parseInt(end, 10) }] : [];
  });
  const { recipientId, gatewayMerchantId } = setup;
  return { recipientId, gatewayMerchantId, keys: openKeys(setup.keys).filter(({ key }) => isP256(key)), roots };
}

/** Opens a message of version ECv1 or ECv2: checks signing key and signature, decrypts, and checks the contents. */
export function openWalletB(token: string, setup: OpenWalletB, now: number): WalletCard | WalletFault {
  const message = readMessage(token);
  if (isFault(message)) return message;
  const roots = setup.roots.filter(({ version, expiresAt }) => version === message.version && now < expiresAt);
  if (roots.length === 0) return refusal('untrusted', 'this entity trusts no signing key of this version now');
  const rootKeys = roots.map(({ key }) => key);
  const signers = message.version === 'ECv2' ? intermediateKey(message.object, rootKeys, now) : rootKeys;
  if (isFault(signers)) return signers;
  const signed = lengthPrefixed([SENDER, setup.recipientId, message.version, message.signed]);
  if (!signers.some((key) => isSigned(signed, key, message.signature)))
    return refusal('tampered', 'no trusted key signed this message, as it stands, for this recipient');
  const clear = decrypted(message, setup.keys);
  if (isFault(clear)) return clear;
  const payload = jsonObject(utf8Text(clear) ?? '');
  return payload ? readCard(payload, setup, now) : refusal('malformed', 'what is in the token is not JSON');
}

function readMessage(token: string): Message | WalletFault {
  const object = tokenObject(token);
  const version = object && textOf(object, 'protocolVersion');
  if (!object || version === null) return refusal('malformed', 'the token is not the JSON of this wallet');
  if (version !== 'ECv1' && version !== 'ECv2') return refusal('unsupported', 'only protocol versions ECv1 and ECv2 are taken');
  const signed = textOf(object, 'signedMessage');
  const signature = bytesOf(object, 'signature');
  if (!signed || !signature) return refusal('malformed', 'the message in the token or its signature is missing');
  return { version, signed, signature, object };
}

/** The intermediate signing key, when a root has signed it. */
function intermediateKey(object: JsonObject, roots: readonly KeyObject[], now: number): readonly KeyObject[] | WalletFault {
  const holder = objectOf(object, 'intermediateSigningKey');
  const signedKey = holder && textOf(holder, 'signedKey');
  const list = holder && memberOf(holder, 'signatures');
  if (!signedKey || !Array.isArray(list) || list.length > SIGNATURES_MAX)
    return refusal('malformed', 'the signing key in the token or its signature is missing');
  const signatures = list.flatMap((one: unknown) => (typeof one === 'string' ? (base64Bytes(one) ?? []) : []));
  const signed = lengthPrefixed([SENDER, 'ECv2', signedKey]);
  if (!signatures.some((signature) => roots.some((root) => isSigned(signed, root, signature))))
    return refusal('untrusted', 'no root this entity trusts vouches for the signing key');
  const facts = jsonObject(signedKey);
  const spki = facts && bytesOf(facts, 'keyValue');
  const key = spki && p256Key(spki);
  const expiresAt = facts && millisecondsOf(facts, 'keyExpiration');
  if (!key || expiresAt === null) return refusal('malformed', 'the signing key in the token cannot be read');
  return now < expiresAt ? [key] : refusal('expired', 'the signing key in the token has expired');
}

/** Each part preceded by its length in four little-endian bytes. */
export function lengthPrefixed(parts: readonly string[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );
}

const isSigned = (bytes: Buffer, key: KeyObject, signature: Buffer): boolean =>
  attempt(() => verify('sha256', bytes, key, signature)) === true;

/** Derives encryption and authentication key from the shared secret. */
export function walletBKeys(
  point: Buffer,
  secret: Buffer,
  version: Version,
): { readonly encryption: Buffer; readonly mac: Buffer } {
  const size = walletBKeyBytes[version];
  const bytes = Buffer.from(hkdfSync('sha256', Buffer.concat([point, secret]), SALT, SENDER, 2 * size));
  return { encryption: bytes.subarray(0, size), mac: bytes.subarray(size) };
}

/** Decrypts with the first key whose MAC matches; a message without a valid MAC is never decrypted. */
function decrypted({ signed, version }: Message, keys: readonly OpenKey[]): Buffer | WalletFault {
  const object = jsonObject(signed);
  const encrypted = object && bytesOf(object, 'encryptedMessage');
  const point = object && bytesOf(object, 'ephemeralPublicKey');
  const tag = object && bytesOf(object, 'tag');
  const publicKey = point && p256Point(point);
  if (!encrypted || !tag || !publicKey || tag.length !== SALT.length)
    return refusal('malformed', 'a part of the message is missing or not encoded as it should be');
  for (const { key } of keys) {
    const secret = sharedSecret(key, publicKey);
    if (!secret) continue;
    const { encryption, mac } = walletBKeys(point, secret, version);
    if (!timingSafeEqual(createHmac('sha256', mac).update(encrypted).digest(), tag)) continue;
    return createDecipheriv(version === 'ECv1' ? 'aes-128-ctr' : 'aes-256-ctr', encryption, IV).update(encrypted);
  }
  return refusal('unknownKey', 'the token is encrypted for a key this entity does not have');
}

/** ECv1 has its own payment method and member names for device numbers. */
const memberNames = {
  CARD: { number: 'pan', cryptogram: 'cryptogram', eci: 'eciIndicator' },
  TOKENIZED_CARD: { number: 'dpan', cryptogram: '3dsCryptogram', eci: '3dsEciIndicator' },
} as const;

function readCard(payload: JsonObject, setup: OpenWalletB, now: number): WalletCard | WalletFault {
  const validUntil = millisecondsOf(payload, 'messageExpiration');
  const tokenId = textOf(payload, 'messageId');
  const details = objectOf(payload, 'paymentMethodDetails');
  if (validUntil === null || !tokenId || !details) return refusal('malformed', 'a part of the payment data is missing');
  if (now >= validUntil) return refusal('expired', 'the token has expired');
  if ((textOf(payload, 'gatewayMerchantId') ?? null) !== setup.gatewayMerchantId)
    return refusal('otherMerchant', 'the token is made for another merchant of the gateway');
  const method = textOf(payload, 'paymentMethod');
  if (method !== 'CARD' && method !== 'TOKENIZED_CARD') return refusal('unsupported', 'only cards are taken');
  const names = memberNames[method];
  const authMethod = textOf(details, 'authMethod') ?? (method === 'CARD' ? 'PAN_ONLY' : '3DS');
  const isDevice = authMethod === 'CRYPTOGRAM_3DS' || (method === 'TOKENIZED_CARD' && authMethod === '3DS');
  if (!isDevice && authMethod !== 'PAN_ONLY') return refusal('unsupported', 'the way this card was authenticated is not known');
  const month = memberOf(details, 'expirationMonth');
  const year = memberOf(details, 'expirationYear');
  return walletCard({
    number: textOf(details, names.number),
    numberType: isDevice ? 'DPAN' : 'PAN',
    expiryMonth: typeof month === 'number' ? String(month).padStart(2, '0') : null,
    expiryYear: typeof year === 'number' ? String(year) : null,
    cryptogram: isDevice ? textOf(details, names.cryptogram) : null,
    eci: isDevice ? textOf(details, names.eci) : null,
    holder: null,
    minorAmount: null,
    currency: null,
    tokenId,
    validUntil,
  });
}
