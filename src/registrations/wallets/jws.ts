import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { attempt } from './keys.ts';
import { base64UrlBytes, jsonObject, memberOf, textOf, utf8Text } from './text.ts';
import { refusal, type WalletCSetup, type WalletFault } from './wallet.ts';

/** A public key whose signatures are trusted. */
export type Signer = { readonly id: string; readonly key: KeyObject };

/** The keys that can be read. */
export function openSigners(signers: WalletCSetup['signers']): readonly Signer[] {
  return signers.flatMap(({ id, publicKey }) => {
    const key = attempt(() => createPublicKey(publicKey));
    return key ? [{ id, key }] : [];
  });
}

/** Whether a text has the three parts of a compact signed message. */
export const looksSigned = (text: string): boolean => /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/.test(text);

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

/** What a compact signed message carries, once one of the signers is found to have signed it. */
export function openJws(text: string, signers: readonly Signer[]): string | WalletFault {
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
