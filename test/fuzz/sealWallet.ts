import { createCipheriv, createHmac, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { createIssuerA, signedData } from '../../src/wallets/issuer/issueA.ts';
import { createIssuerB } from '../../src/wallets/issuer/issueB.ts';
import { createIssuerC } from '../../src/wallets/issuer/issueC.ts';
import { bytesFrom, p256From } from '../../src/wallets/issuer/order.ts';
import { wrappingKey } from '../../src/wallets/jwe.ts';
import { pointOf, sha256, sharedSecret } from '../../src/wallets/keys.ts';
import type { WalletName } from '../../src/wallets/wallet.ts';
import { walletAKey } from '../../src/wallets/walletA.ts';
import { lengthPrefixed, SENDER, walletBKeys } from '../../src/wallets/walletB.ts';

/** Makes a good token of any contents: encrypted and signed as the wallet would. */
type Seal = (contents: Buffer) => string;

/** One key of the sender for all tokens: what is derived from it is derived once. */
const ephemeral = p256From(bytesFrom('fuzz', 'ephemeral'));
const TAG = { authTagLength: 16 } as const;
const NOTHING = Buffer.alloc(0);

const secretWith = (receiver: KeyObject): Buffer => sharedSecret(ephemeral, createPublicKey(receiver)) as Buffer;
const base64Url = (bytes: Uint8Array | string): string => Buffer.from(bytes as Uint8Array).toString('base64url');

function sealerA(merchant: string, bytes: Parameters<typeof createIssuerA>[1], now: number): Seal {
  const { keys, merchantIdentifier, chain } = createIssuerA(merchant, bytes);
  const key = walletAKey(secretWith(keys.current.key), sha256(merchantIdentifier));
  const point = createPublicKey(ephemeral).export({ format: 'der', type: 'spki' });
  const transaction = Buffer.alloc(32, 1);
  return (contents) => {
    const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(16), TAG);
    const data = Buffer.concat([cipher.update(contents), cipher.final(), cipher.getAuthTag()]);
    const signature = signedData({ digest: sha256(Buffer.concat([point, data, transaction])), signedAt: now, chain });
    return JSON.stringify({
      version: 'EC_v1',
      data: data.toString('base64'),
      signature: signature.toString('base64'),
      header: {
        ephemeralPublicKey: point.toString('base64'),
        publicKeyHash: keys.current.id,
        transactionId: transaction.toString('hex'),
      },
    });
  };
}

function sealerB(merchant: string, bytes: Parameters<typeof createIssuerB>[1]): Seal {
  const { keys, recipientId, roots } = createIssuerB(merchant, bytes);
  const point = pointOf(ephemeral);
  const { encryption, mac } = walletBKeys(point, secretWith(keys.current.key), 'ECv1');
  return (contents) => {
    const encrypted = createCipheriv('aes-128-ctr', encryption, Buffer.alloc(16)).update(contents);
    const signedMessage = JSON.stringify({
      encryptedMessage: encrypted.toString('base64'),
      ephemeralPublicKey: point.toString('base64'),
      tag: createHmac('sha256', mac).update(encrypted).digest('base64'),
    });
    const signature = sign('sha256', lengthPrefixed([SENDER, recipientId, 'ECv1', signedMessage]), roots.ECv1);
    return JSON.stringify({ signature: signature.toString('base64'), protocolVersion: 'ECv1', signedMessage });
  };
}

function sealerC(merchant: string, bytes: Parameters<typeof createIssuerC>[1]): Seal {
  const { curve, merchantIdentifier } = createIssuerC(merchant, bytes);
  const contentKey = Buffer.alloc(32, 2);
  const iv = Buffer.alloc(12, 3);
  const wrap = createCipheriv(
    'id-aes256-wrap',
    wrappingKey(secretWith(curve.current.key), [NOTHING, NOTHING]),
    Buffer.from('a6a6a6a6a6a6a6a6', 'hex'),
  );
  const key = base64Url(Buffer.concat([wrap.update(contentKey), wrap.final()]));
  const epk = createPublicKey(ephemeral).export({ format: 'jwk' });
  const header = { alg: 'ECDH-ES+A256KW', enc: 'A256GCM', kid: curve.current.id, aud: merchantIdentifier, epk };
  const head = base64Url(JSON.stringify(header));
  return (contents) => {
    const cipher = createCipheriv('aes-256-gcm', contentKey, iv, TAG);
    cipher.setAAD(Buffer.from(head));
    const text = Buffer.concat([cipher.update(contents), cipher.final()]);
    return [head, key, ...[iv, text, cipher.getAuthTag()].map(base64Url)].join('.');
  };
}

/** Sealers with the keys of the issuer of this seed and merchant. */
export function createSealers(seed: string, merchant: string, now: number): Readonly<Record<WalletName, Seal>> {
  const bytes = (label: string) => bytesFrom(seed, label);
  return { walletA: sealerA(merchant, bytes, now), walletB: sealerB(merchant, bytes), walletC: sealerC(merchant, bytes) };
}
