import { constants, createCipheriv, createPublicKey, type KeyObject, publicEncrypt, sign } from 'node:crypto';
import { contentKeyBytes, wrappingKey } from '../jwe.ts';
import { sharedSecret } from '../keys.ts';
import { type WalletCSetup, WINDOW_SECONDS } from '../wallet.ts';
import { deviceHeader } from '../walletC.ts';
import {
  type ByteSource,
  cryptogramOf,
  keyFor,
  type MerchantKeys,
  merchantKeys,
  minorAmount,
  type NamedKey,
  p256From,
  rsaFrom,
  setupKeys,
  type WalletOrder,
} from './order.ts';

/** Keys of the sandbox's walletC for one merchant. */
export type IssuerC = {
  readonly merchantIdentifier: string;
  readonly rsa: MerchantKeys;
  readonly curve: MerchantKeys;
  readonly signer: NamedKey;
  readonly untrustedSigner: KeyObject;
};

const NOTHING = Buffer.alloc(0);
const WRAP_IV = Buffer.from('a6a6a6a6a6a6a6a6', 'hex');

export function createIssuerC(merchant: string, bytes: (label: string) => ByteSource): IssuerC {
  const own = (label: string): ByteSource => bytes(`walletC ${merchant} ${label}`);
  return {
    merchantIdentifier: `merchant.${merchant}`,
    rsa: merchantKeys(rsaFrom, (label) => own(`rsa ${label}`)),
    curve: merchantKeys(p256From, (label) => own(`curve ${label}`)),
    signer: { id: 'sandbox', key: p256From(bytes('walletC signer')) },
    untrustedSigner: p256From(bytes('walletC strange signer')),
  };
}

export const setupC = ({ merchantIdentifier, rsa, curve, signer }: IssuerC): WalletCSetup => ({
  merchantIdentifier,
  keys: [...setupKeys(rsa), ...setupKeys(curve)],
  signers: [{ id: signer.id, publicKey: createPublicKey(signer.key).export({ format: 'pem', type: 'spki' }) as string }],
  requireSigned: false,
  windowSeconds: WINDOW_SECONDS,
});

/** A token as devices encode it, or with another algorithm when the order says so. A wrong audience or signature needs another one. */
export function issueC(issuer: IssuerC, order: WalletOrder, random: ByteSource): string {
  const { fault } = order;
  const usual = fault === 'otherMerchant' ? 'RSA-OAEP-256' : 'RSA_PKI';
  const version = order.version ?? usual;
  const isOfDevice = version === 'RSA_PKI' && fault !== 'otherMerchant';
  const alg = version === 'RSA_PKI' ? deviceHeader.alg : version;
  const enc = fault === 'unsupported' ? 'A192GCM' : isOfDevice ? deviceHeader.enc : 'A256GCM';
  const receiver = keyFor(order, alg.startsWith('RSA') ? issuer.rsa : issuer.curve);
  const contentKey = random(contentKeyBytes.get(enc) ?? 16);
  const wrapped = wrap(alg, { receiver: receiver.key, contentKey, random });
  const audience = fault === 'otherMerchant' ? `${issuer.merchantIdentifier}.other` : issuer.merchantIdentifier;
  const header = isOfDevice
    ? { ...deviceHeader, kid: receiver.id, enc }
    : { alg, enc, kid: receiver.id, aud: audience, ...wrapped.header };
  const text = payloadOf(order, random);
  const isSigned = order.signed === true || fault === 'untrusted';
  const inner = isSigned
    ? signedText(text, fault === 'untrusted' ? issuer.untrustedSigner : issuer.signer.key, issuer.signer.id)
    : text;
  const head = base64Url(JSON.stringify(header));
  const iv = random(12);
  const cipher = createCipheriv(contentKey.length === 16 ? 'aes-128-gcm' : 'aes-256-gcm', contentKey, iv, { authTagLength: 16 });
  cipher.setAAD(isOfDevice ? NOTHING : Buffer.from(head));
  const ciphertext = Buffer.concat([cipher.update(inner), cipher.final()]);
  if (fault === 'tampered') ciphertext[0] = (ciphertext[0] as number) ^ 1;
  return [head, ...[wrapped.key, iv, ciphertext, cipher.getAuthTag()].map(base64Url)].join('.');
}

const base64Url = (data: string | Uint8Array): string => Buffer.from(data as Uint8Array).toString('base64url');

function payloadOf(order: WalletOrder, random: ByteSource): string {
  const madeAt = order.fault === 'expired' ? order.now - 2 * WINDOW_SECONDS * 1000 : order.now;
  return JSON.stringify({
    amount: String(minorAmount(order)),
    currency_code: order.currency,
    utc: String(madeAt),
    eci_indicator: order.eci ?? '5',
    tokenPAN: order.number,
    tokenPanExpiration: `${order.expiryMonth}${order.expiryYear.slice(2)}`,
    cryptogram: cryptogramOf(order, random),
    ...(order.holder === undefined ? {} : { cardholder_name: order.holder }),
  });
}

type Wrapping = { readonly receiver: KeyObject; readonly contentKey: Buffer; readonly random: ByteSource };

function wrap(alg: string, { receiver, contentKey, random }: Wrapping): { readonly key: Buffer; readonly header: object } {
  const key = createPublicKey(receiver);
  if (alg === 'RSA1_5') return { key: publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, contentKey), header: {} };
  if (alg.startsWith('RSA'))
    return { key: publicEncrypt({ key, oaepHash: alg === 'RSA-OAEP' ? 'sha1' : 'sha256' }, contentKey), header: {} };
  const ephemeral = p256From(random);
  const cipher = createCipheriv('id-aes256-wrap', wrappingKey(sharedSecret(ephemeral, key)!, [NOTHING, NOTHING]), WRAP_IV);
  return {
    key: Buffer.concat([cipher.update(contentKey), cipher.final()]),
    header: { epk: createPublicKey(ephemeral).export({ format: 'jwk' }) },
  };
}

function signedText(text: string, key: KeyObject, kid: string): string {
  const signed = `${base64Url(JSON.stringify({ alg: 'ES256', kid }))}.${base64Url(text)}`;
  return `${signed}.${base64Url(sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }))}`;
}
