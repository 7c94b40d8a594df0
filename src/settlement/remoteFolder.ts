import type { FolderAddress, FolderSecret } from '../spec/remoteFolder.ts';

/** An open folder on a merchant's server; see outbound/folder.ts. */
export interface TargetFolder {
  size(name: string): Promise<number | null>;
  put(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  close(): void;
}

/** A secret as the string that is sealed. */
export const secretText = (secret: FolderSecret): string =>
  JSON.stringify(secret.kind === 'privateKey' ? { privateKey: secret.privateKey } : { password: secret.password });

export function readSecret(text: string): FolderSecret {
  const { privateKey, password } = JSON.parse(text) as { readonly privateKey?: string; readonly password?: string };
  return privateKey === undefined ? { kind: 'password', password: password ?? '' } : { kind: 'privateKey', privateKey };
}

export type OpenTarget = (target: FolderAddress, secret: FolderSecret) => Promise<TargetFolder>;

/** The target as settings write it. */
export type FolderSettings = {
  readonly kind: FolderAddress['kind'];
  readonly host: string;
  readonly port?: number;
  readonly user: string;
  readonly directory?: string;
  readonly hostKey?: string;
  readonly ca?: string;
};

type SettingKind = { readonly description: string; readonly fits: (value: unknown) => boolean };
export type SettingKinds = Readonly<Record<string, SettingKind>>;

const PORTS = { sftp: 22, ftps: 21, ftp: 21 } as const;
const HOST = /^(?:[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})*|\[?[0-9a-fA-F:.]{2,45}\]?)$/;

export const text = (description: string, pattern: RegExp): SettingKind => ({
  description,
  fits: (value) => typeof value === 'string' && pattern.test(value),
});

/** The members of a setting that name a server and a folder on it. */
export const remoteFolderKinds = {
  kind: text('sftp, ftps or ftp', /^(?:sftp|ftps|ftp)$/),
  insecure: { description: 'true or false', fits: (value: unknown) => typeof value === 'boolean' },
  host: text('the name or the address of a server', HOST),
  port: {
    description: 'a port',
    fits: (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0 && (value as number) < 65_536,
  },
  user: text('a name of up to 128 characters', /^[^\p{Cc}]{1,128}$/u),
  directory: text('a folder, without ".."', /^(?!.*\.\.)[^\p{Cc}\\]{0,512}$/u),
  hostKey: text('a fingerprint such as SHA256:… as ssh-keygen -l writes it', /^SHA256:[A-Za-z0-9+/]{43}$/),
  ca: text('certificates as PEM', /^-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----\s*$/),
} as const satisfies SettingKinds;
export const requiredOfFolder = ['kind', 'host', 'user'] as const;

/** A sentence for each member that does not exist or does not fit. */
export function kindFaults(setting: string, kinds: SettingKinds, value: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(value).flatMap(([name, part]) => {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) return [`the setting "${setting}.${name}" does not exist`];
    return kind.fits(part) ? [] : [`the setting "${setting}.${name}" must be ${kind.description}`];
  });
}

/** Contradictions: plain FTP without `insecure`, and keys of another protocol. */
export function protocolFaults(
  setting: string,
  { kind, insecure, hostKey, ca }: Readonly<Record<string, unknown>>,
): readonly string[] {
  const faults: string[] = [];
  if (kind === 'ftp' && insecure !== true)
    faults.push(`plain FTP sends the password and the file unencrypted: it needs "${setting}.insecure": true`);
  if (kind === 'sftp' && hostKey === undefined) faults.push(`sftp needs "${setting}.hostKey", the fingerprint of the host's key`);
  if (kind !== 'sftp' && hostKey !== undefined) faults.push(`"${setting}.hostKey" belongs to sftp`);
  if (kind !== 'ftps' && ca !== undefined) faults.push(`"${setting}.ca" belongs to ftps`);
  return faults;
}

/** Reads a setting without faults. */
export function remoteFolderFrom({ kind, host, user, port, directory, hostKey, ca }: FolderSettings): FolderAddress {
  return {
    kind,
    host,
    port: port ?? PORTS[kind],
    user,
    directory: directory ?? '',
    hostKey: hostKey ?? null,
    ca: ca === undefined ? null : [ca],
  };
}
