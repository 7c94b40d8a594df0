/** The address of a remote folder, and how its host is authenticated. */
export type FolderAddress = {
  /** `ftps`: FTP with AUTH TLS before the login. `ftp`: unencrypted, password included. */
  readonly kind: 'sftp' | 'ftps' | 'ftp';
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly directory: string;
  /** For sftp: the fingerprint of the host key, `SHA256:` and base64 as ssh-keygen prints it. Another key is refused. */
  readonly hostKey: string | null;
  /** For ftps: trusted certificate authorities in PEM; null: the system's. */
  readonly ca: readonly string[] | null;
};

export type FolderSecret =
  | { readonly kind: 'password'; readonly password: string }
  | { readonly kind: 'privateKey'; readonly privateKey: string };
