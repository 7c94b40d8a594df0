import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { type Certificate, COMMON_NAME, der, ECDSA_WITH_SHA256, pemOf, sequence, time, utf8 } from '../http/certificate.ts';

export type Issued = Certificate & { readonly fingerprint: string; readonly x509: X509Certificate };

type Wanted = {
  /** The host it is for. */
  readonly name: string;
  readonly until?: string;
  /** It may sign others. */
  readonly isAuthority?: boolean;
  /** Only for servers: no client may show it. */
  readonly isServerOnly?: boolean;
};

/** An authority that signs certificates, made anew for every test, so that no private key is ever kept in the repository. */
export type Authority = Issued & { issue(wanted: Wanted): Issued; authority(name: string): Authority };

const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const TRUE = der(0x01, Buffer.from([0xff]));
const nameOf = (name: string): Buffer => sequence(der(0x31, sequence(COMMON_NAME, utf8(name))));
const extension = (id: string, value: Buffer, isCritical = false): Buffer =>
  sequence(oid(id), ...(isCritical ? [TRUE] : []), der(0x04, value));

let serial = 1;

function bodyOf({ name, until = '491231235959Z', isAuthority, isServerOnly }: Wanted, issuer: string, key: KeyObject): Buffer {
  serial += 1;
  const extensions = sequence(
    extension('551d13', isAuthority ? sequence(TRUE) : sequence(), true),
    ...(isServerOnly ? [extension('551d25', sequence(oid('2b06010505070301')))] : []),
    extension('551d11', sequence(der(0x82, Buffer.from(name)))),
  );
  return sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, serial >> 8, serial & 0xff])),
    ECDSA_WITH_SHA256,
    nameOf(issuer),
    sequence(time('200101000000Z'), time(until)),
    nameOf(name),
    key.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
}

function signed(body: Buffer, signer: KeyObject, own: KeyObject): Issued {
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, signer));
  const cert = pemOf(sequence(body, ECDSA_WITH_SHA256, signature));
  const x509 = new X509Certificate(cert);
  const key = own.export({ type: 'pkcs8', format: 'pem' }) as string;
  return { cert, key, x509, fingerprint: x509.fingerprint256 };
}

const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** An authority with its own signature, or with that of another one. */
export function createAuthority(name: string, above?: { readonly name: string; readonly key: KeyObject }): Authority {
  const { publicKey, privateKey } = pair();
  const own = signed(bodyOf({ name, isAuthority: true }, above?.name ?? name, publicKey), above?.key ?? privateKey, privateKey);
  return {
    ...own,
    issue(wanted) {
      const keys = pair();
      return signed(bodyOf(wanted, name, keys.publicKey), privateKey, keys.privateKey);
    },
    authority: (below) => createAuthority(below, { name, key: privateKey }),
  };
}
