/** Where a folder of somebody else is, and how its host is known. */
export type FolderAddress = {
  /** `ftps`: FTP that is made secure by AUTH TLS before anything is told. `ftp`: everybody on the way can read the password. */
  readonly kind: 'sftp' | 'ftps' | 'ftp';
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly directory: string;
  /** Of sftp: the fingerprint of the host's key, `SHA256:` and base64 as ssh-keygen writes it. Another key is nobody we know. */
  readonly hostKey: string | null;
  /** Of ftps: whose signature on the certificate is believed, as PEM; null: those that everybody believes. */
  readonly ca: readonly string[] | null;
};

export type FolderSecret = { readonly password: string } | { readonly privateKey: string };

/** `mark`: when it was last written, in the other side's own words; to be compared and not to be read. */
export type RemoteFile = { readonly name: string; readonly bytes: number; readonly mark: string };

/** A folder that is open. Names are names of files in it, never paths. Everything rejects with a reason that names no secret. */
export interface RemoteFolder {
  /** Its files, without what else is in it. Rejects when there are more than `most`. */
  list(most: number): Promise<readonly RemoteFile[]>;
  /** How long a file is; null when it is not there. */
  size(name: string): Promise<number | null>;
  /** Hands a file on piece by piece. Rejects when it is longer than `bytesMax`. */
  readonly fetch: (name: string, bytesMax: number, take: (piece: Uint8Array) => Promise<void> | void) => Promise<void>;
  /** Writes a file from its beginning, over one that is there. Resolves when the other side has taken all of it. */
  put(name: string, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>;
  /** Gives a file another name; one that has the name already is replaced. */
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  close(): void;
}

export type FolderBounds = {
  /** How long we wait until it is open, and for each sign of life afterwards. */
  readonly openMs: number;
  readonly idleMs: number;
};

export type OpenFolder = (address: FolderAddress, secret: FolderSecret, bounds: FolderBounds) => Promise<RemoteFolder>;

/** A name that stays in its folder. */
export function plainName(name: string): string {
  if (!/^[^/\\\p{Cc}]{1,255}$/u.test(name) || name === '.' || name === '..') throw new Error('this is no name of a file');
  return name;
}

/** The path of a file in a folder; a directory that is not set is where one begins after signing in. */
export const pathIn = (directory: string, name: string): string =>
  directory === '' ? plainName(name) : `${directory.replace(/\/+$/, '')}/${plainName(name)}`;
