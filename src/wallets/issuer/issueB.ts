import { createCipheriv, createHmac, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { DAY_MS } from '../../spec/time.ts';
import { pointOf, sharedSecret } from '../keys.ts';
import type { WalletBRoot, WalletBSetup } from '../wallet.ts';
import { lengthPrefixed, SENDER, walletBKeys } from '../walletB.ts';
import {
  type ByteSource,
  cryptogramOf,
  keyFor,
  type MerchantKeys,
  merchantKeys,
  p256From,
  setupKeys,
  type WalletOrder,
} from './order.ts';

/** Keys of the sandbox's walletB for one merchant. */
export type IssuerB = {
  readonly recipientId: string;
  readonly gatewayMerchantId: string;
  readonly keys: MerchantKeys;
  readonly roots: { readonly ECv1: KeyObject; readonly ECv2: KeyObject; readonly untrusted: KeyObject };
  readonly intermediate: KeyObject;
};

/** The validity of a message: a week, like real ones. */
const MESSAGE_MS = 7 * DAY_MS;
const ROOT_END = Date.UTC(2099, 0, 1);

export function createIssuerB(merchant: string, bytes: (label: string) => ByteSource): IssuerB {
  const key = (label: string): KeyObject => p256From(bytes(`walletB ${label}`));
  return {
    recipientId: 'gateway:turnpike',
    gatewayMerchantId: merchant,
    keys: merchantKeys(p256From, (label) => bytes(`walletB ${merchant} ${label}`)),
    roots: { ECv1: key('root ECv1'), ECv2: key('root ECv2'), untrusted: key('strange root') },
    intermediate: key('intermediate'),
  };
}

export function setupB({ recipientId, gatewayMerchantId, keys, roots }: IssuerB): WalletBSetup {
  const root = (protocolVersion: 'ECv1' | 'ECv2', keyExpiration: string | null): WalletBRoot => ({
    keyValue: publicText(roots[protocolVersion]),
    protocolVersion,
    keyExpiration,
  });
  return { recipientId, gatewayMerchantId, keys: setupKeys(keys), roots: [root('ECv2', String(ROOT_END)), root('ECv1', null)] };
}

const publicText = (key: KeyObject): string => createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');
const signed = (parts: readonly string[], key: KeyObject): string =>
  sign('sha256', lengthPrefixed(parts), key).toString('base64');

/** A token of version ECv2, or ECv1 when the order says so. */
export function issueB(issuer: IssuerB, order: WalletOrder, random: ByteSource): string {
  const { fault, now } = order;
  const version = order.version === 'ECv1' ? 'ECv1' : 'ECv2';
  const receiver = keyFor(order, issuer.keys).key;
  const message = encrypted(payloadOf(issuer, order, random), { receiver, version, random });
  const root = fault === 'untrusted' ? issuer.roots.untrusted : issuer.roots[version];
  const signer = version === 'ECv1' ? root : issuer.intermediate;
  const signedKey = JSON.stringify({ keyValue: publicText(signer), keyExpiration: String(now + 30 * DAY_MS) });
  const signature = signed([SENDER, issuer.recipientId, version, message], signer);
  return JSON.stringify({
    signature,
    ...(version === 'ECv1'
      ? {}
      : { intermediateSigningKey: { signedKey, signatures: [signed([SENDER, version, signedKey], root)] } }),
    protocolVersion: fault === 'unsupported' ? `${version}SigningOnly` : version,
    signedMessage: fault === 'tampered' ? changed(message) : message,
  });
}

/** The message with another first character of its ciphertext. */
const changed = (message: string): string =>
  message.replace(/(?<="encryptedMessage":")./, (first) => (first === 'A' ? 'B' : 'A'));

function payloadOf(issuer: IssuerB, order: WalletOrder, random: ByteSource): string {
  const { number, expiryMonth, expiryYear, fault, now, numberType, version } = order;
  const proof =
    numberType === 'PAN'
      ? { authMethod: 'PAN_ONLY' }
      : { authMethod: 'CRYPTOGRAM_3DS', cryptogram: cryptogramOf(order, random), eciIndicator: order.eci ?? '05' };
  return JSON.stringify({
    messageExpiration: String(fault === 'expired' ? now - 1 : now + MESSAGE_MS),
    messageId: random(24).toString('base64url'),
    gatewayMerchantId: fault === 'otherMerchant' ? `${issuer.gatewayMerchantId}.other` : issuer.gatewayMerchantId,
    ...(version === 'ECv1' && numberType !== 'PAN'
      ? firstVersion(order, random)
      : {
          paymentMethod: 'CARD',
          paymentMethodDetails: {
            pan: number,
            expirationMonth: Number.parseInt(expiryMonth, 10),
            expirationYear: Number.parseInt(expiryYear, 10),
            ...proof,
          },
        }),
  });
}

/** The encoding of a device number in ECv1. */
const firstVersion = (order: WalletOrder, random: ByteSource) => ({
  paymentMethod: 'TOKENIZED_CARD',
  paymentMethodDetails: {
    dpan: order.number,
    expirationMonth: Number.parseInt(order.expiryMonth, 10),
    expirationYear: Number.parseInt(order.expiryYear, 10),
    authMethod: '3DS',
    '3dsCryptogram': cryptogramOf(order, random),
    '3dsEciIndicator': order.eci ?? '05',
  },
});

type Receiving = { readonly receiver: KeyObject; readonly version: 'ECv1' | 'ECv2'; readonly random: ByteSource };

function encrypted(text: string, { receiver, version, random }: Receiving): string {
  const ephemeral = p256From(random);
  const point = pointOf(ephemeral);
  const { encryption, mac } = walletBKeys(point, sharedSecret(ephemeral, createPublicKey(receiver))!, version);
  const cipher = createCipheriv(version === 'ECv1' ? 'aes-128-ctr' : 'aes-256-ctr', encryption, Buffer.alloc(16));
  const bytes = cipher.update(text);
  return JSON.stringify({
    encryptedMessage: bytes.toString('base64'),
    ephemeralPublicKey: point.toString('base64'),
    tag: createHmac('sha256', mac).update(bytes).digest('base64'),
  });
}
