import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { isRsa, type Jwe, openJwe, readJwe } from './jwe.ts';
import { attempt, isP256, type OpenKey, openKeys, sha256 } from './keys.ts';
import {
  base64Bytes,
  base64UrlBytes,
  type JsonObject,
  jsonObject,
  memberOf,
  millisecondsOf,
  objectOf,
  textOf,
  utf8Text,
} from './text.ts';
import { isFault, refusal, type WalletCard, type WalletCSetup, type WalletFault, walletCard } from './wallet.ts';

/** A public key whose signatures are trusted. */
type Signer = { readonly id: string; readonly key: KeyObject };

/** The valid keys. */
function openSigners(signers: WalletCSetup['signers']): readonly Signer[] {
  return signers.flatMap(({ id, publicKey }) => {
    const key = attempt(() => createPublicKey(publicKey));
    return key ? [{ id, key }] : [];
  });
}

/** Whether a string looks like a compact JWS. */
const looksSigned = (text: string): boolean => /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/.test(text);

type Check = (bytes: Buffer, key: KeyObject, signature: Buffer) => boolean;

const checks: ReadonlyMap<string, { readonly type: string; readonly isRight: Check }> = new Map([
  ['ES256', { type: 'ec', isRight: (bytes, key, value) => verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, value) }],
  ['RS256', { type: 'rsa', isRight: (bytes, key, value) => verify('sha256', bytes, key, value) }],
  [
    'PS256',
    {
      type: 'rsa',
      isRight: (bytes, key, value) =>
        verify('sha256', bytes, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }, value),
    },
  ],
]);

/** The payload of a compact JWS that one of the signers has signed. */
function openJws(text: string, signers: readonly Signer[]): string | WalletFault {
  const [head = '', body = '', last = ''] = text.split('.');
  const [headBytes, bytes, signature] = [head, body, last].map(base64UrlBytes);
  const header = headBytes && jsonObject(utf8Text(headBytes) ?? '');
  const clear = bytes && utf8Text(bytes);
  if (!header || !clear || !signature) return refusal('malformed', 'the signed message in the token cannot be read');
  const check = checks.get(textOf(header, 'alg') ?? '');
  if (!check || memberOf(header, 'crit') !== undefined)
    return refusal('unsupported', 'the message in the token is signed in a way that is not taken');
  const kid = memberOf(header, 'kid');
  const able = signers.filter(({ id, key }) => (kid === undefined || kid === id) && key.asymmetricKeyType === check.type);
  const signed = Buffer.from(`${head}.${body}`);
  const isTrusted = able.some(({ key }) => attempt(() => check.isRight(signed, key, signature)) === true);
  return isTrusted ? clear : refusal('untrusted', 'the message in the token is signed by no key this entity trusts');
}

/** A setup of walletC with parsed keys. */
export type OpenWalletC = {
  readonly merchantIdentifier: string;
  readonly keys: readonly OpenKey[];
  readonly signers: readonly Signer[];
  readonly requireSigned: boolean;
  readonly windowMs: number;
};

/**
 * The header that devices send, besides `kid`. Against RFC 7516 their tag does not cover the header, so it must contain nothing else; with
 * any other header the message is an ordinary JWE, whose tag covers it.
 */
export const deviceHeader = { alg: 'RSA1_5', typ: 'JOSE', channelSecurityContext: 'RSA_PKI', enc: 'A128GCM' } as const;

const NOTHING = Buffer.alloc(0);

export function prepareWalletC(setup: WalletCSetup): OpenWalletC {
  return {
    merchantIdentifier: setup.merchantIdentifier,
    keys: openKeys(setup.keys).filter(({ key }) => isRsa(key) || isP256(key)),
    signers: openSigners(setup.signers),
    requireSigned: setup.requireSigned,
    windowMs: setup.windowSeconds * 1000,
  };
}

/** Opens a JWE, and the JWS in it when there is one. */
export function openWalletC(token: string, setup: OpenWalletC, now: number): WalletCard | WalletFault {
  const compact = compactOf(token.trim());
  if (typeof compact !== 'string') return compact;
  const jwe = readJwe(compact);
  if (!jwe) return refusal('malformed', 'the token is not an encrypted message of this wallet');
  const audience = memberOf(jwe.header, 'aud');
  if (audience !== undefined && audience !== setup.merchantIdentifier)
    return refusal('otherMerchant', 'the token is made for another merchant');
  const clear = openJwe(isOfDevice(jwe.header) ? { ...jwe, additionalData: NOTHING } : jwe, setup.keys);
  if (isFault(clear)) return clear;
  const text = signedText(utf8Text(clear) ?? '', setup);
  if (typeof text !== 'string') return text;
  const payload = jsonObject(text);
  return payload ? readCard(payload, { jwe, setup, now }) : refusal('malformed', 'what is in the token is not JSON');
}

/** The compact JWE: plain, inside the credential of the device's library, or either of them in base64. */
function compactOf(token: string): string | WalletFault {
  if (token.startsWith('{')) {
    const credential = jsonObject(token);
    const holder = credential && (objectOf(credential, '3DS') ?? objectOf(credential, '3ds'));
    const data = holder && textOf(holder, 'data');
    if (!data || data.startsWith('{')) return refusal('malformed', 'the token is not the JSON of this wallet');
    const isKnown = (textOf(holder, 'version') ?? '100') === '100';
    return isKnown ? compactOf(data) : refusal('unsupported', 'only credentials of version 100 are taken');
  }
  if (token.includes('.')) return token;
  const bytes = base64Bytes(token);
  const inner = bytes && utf8Text(bytes);
  return inner && /^(?:\{|eyJ[^.]*\.)/.test(inner)
    ? compactOf(inner)
    : refusal('malformed', 'the token is neither JSON nor an encrypted message');
}

function isOfDevice(header: JsonObject): boolean {
  const isSame = Object.entries(deviceHeader).every(([name, value]) => textOf(header, name) === value);
  return isSame && textOf(header, 'kid') !== null && Object.keys(header).length === Object.keys(deviceHeader).length + 1;
}

function signedText(text: string, setup: OpenWalletC): string | WalletFault {
  if (looksSigned(text)) return openJws(text, setup.signers);
  return setup.requireSigned ? refusal('untrusted', 'the message in the token is not signed') : text;
}

type Opened = { readonly jwe: Jwe; readonly setup: OpenWalletC; readonly now: number };

function readCard(payload: JsonObject, { jwe, setup, now }: Opened): WalletCard | WalletFault {
  const madeAt = millisecondsOf(payload, 'utc');
  if (madeAt === null) return refusal('malformed', 'the token does not say when it was made');
  const validUntil = madeAt + setup.windowMs;
  // Negated, so that a window of NaN accepts nothing.
  if (!(now < validUntil)) return refusal('expired', 'the token was made too long ago');
  if (!(now >= madeAt - setup.windowMs)) return refusal('expired', 'the token was made in the future');
  const expiry = /^([0-9]{2})([0-9]{2})$/.exec(textOf(payload, 'tokenPanExpiration') ?? '');
  const given = memberOf(payload, 'amount');
  const amount = typeof given === 'number' ? String(given) : given;
  if (amount !== undefined && !(typeof amount === 'string' && /^[0-9]{1,15}$/.test(amount)))
    return refusal('malformed', 'the amount in the token is not a whole number');
  return walletCard({
    number: textOf(payload, 'tokenPAN'),
    numberType: 'DPAN',
    expiryMonth: expiry?.[1] ?? null,
    expiryYear: expiry ? `20${expiry[2]}` : null,
    cryptogram: textOf(payload, 'cryptogram'),
    eci: textOf(payload, 'eci_indicator'),
    holder: textOf(payload, 'cardholder_name'),
    minorAmount: amount === undefined ? null : BigInt(amount),
    currency: textOf(payload, 'currency_code'),
    tokenId: sha256(jwe.core).toString('hex'),
    validUntil,
  });
}
