import { generateKeyPairSync, sign } from 'node:crypto';

export type Certificate = { readonly cert: string; readonly key: string };

/** One element of DER: tag, length, content. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
export const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text));
export const time = (text: string): Buffer => der(0x17, Buffer.from(text));
export const ECDSA_WITH_SHA256 = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
export const COMMON_NAME = der(0x06, Buffer.from('550403', 'hex'));

/** An empty line would end the head of a PEM text and not its body: there must be none, whatever the length. */
export const pemOf = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n')}\n-----END CERTIFICATE-----\n`;

export type CertificateOptions = {
  /** The end of its validity, as a UTCTime. */
  readonly until?: string;
  /** Another issuer than itself. */
  readonly issuer?: string;
  /** Its alternative names, which then count instead of the common name. */
  readonly names?: readonly string[];
};

const ALTERNATIVE_NAMES = der(0x06, Buffer.from('551d11', 'hex'));
const [DNS_TAG, V3, EXTENSIONS] = [0x82, der(0xa0, der(0x02, Buffer.from([2]))), 0xa3];
const alternatives = (names: readonly string[]): Buffer => {
  const list = sequence(...names.map((name) => der(DNS_TAG, Buffer.from(name))));
  return der(EXTENSIONS, sequence(sequence(ALTERNATIVE_NAMES, der(0x04, list))));
};

const nameOf = (text: string): Buffer => sequence(der(0x31, sequence(COMMON_NAME, utf8(text))));

/** A self-signed certificate for `localhost`, made anew for every test, so that no private key is ever kept in the repository. */
export function selfSigned({ until = '491231235959Z', issuer = 'localhost', names = [] }: CertificateOptions = {}): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const hasNames = names.length > 0;
  const body = sequence(
    ...(hasNames ? [V3] : []),
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    nameOf(issuer),
    sequence(time('200101000000Z'), time(until)),
    nameOf('localhost'),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(hasNames ? [alternatives(names)] : []),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  return {
    cert: pemOf(sequence(body, ECDSA_WITH_SHA256, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}
