import { HOUR_MS } from '../spec/time.ts';
import { fault, isFault, quoted, type SettingReader, type SettingsReading, wholeFrom } from './readers.ts';

/** Where backups are kept. */
export type BackupAddress =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'sftp'; readonly host: string; readonly port: number; readonly user: string; readonly directory: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string };

/** The number of days, weeks and months of which the last backup is kept. */
export type BackupRetention = { readonly daily: number; readonly weekly: number; readonly monthly: number };

/** How backups are made, kept and reached. */
export type BackupSettings = {
  /** Null: the gateway makes none by itself. */
  readonly to: BackupAddress | null;
  readonly everyMs: number;
  readonly keep: BackupRetention;
  /** Null: the master key encrypts backups. */
  readonly key: Uint8Array | null;
  readonly s3: {
    readonly endpoint: string | null;
    readonly region: string;
    readonly accessKey: string | null;
    readonly secretKey: string | null;
  };
  readonly sftp: { readonly hostKey: string | null; readonly password: string | null; readonly privateKey: string | null };
};

export const backupAddress: SettingReader<BackupAddress> = (text) => {
  const scheme = /^([a-z0-9+.-]+):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return { kind: 'folder', path: text };
  const url = URL.parse(text);
  if (scheme === 'sftp' && url && url.hostname !== '' && url.username !== '' && url.password === '') {
    const directory = decodeURIComponent(url.pathname).replace(/\/+$/, '');
    return { kind: 'sftp', host: url.hostname, port: Number(url.port) || 22, user: decodeURIComponent(url.username), directory };
  }
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9._/-]*))?$/.exec(text) ?? [];
  if (bucket !== undefined) return { kind: 's3', bucket, prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/` };
  return fault('must be a folder, sftp://user@host/folder without a password, or s3://bucket/prefix');
};

/** Daily, weekly and monthly. */
const retention: SettingReader<BackupRetention> = (text) => {
  const [, daily, weekly, monthly] = /^(\d{1,3}),(\d{1,3}),(\d{1,3})$/.exec(text.replaceAll(' ', '')) ?? [];
  return daily === undefined || Number(daily) < 1
    ? fault(`${quoted(text)} is not three numbers such as 7,4,12: days (at least 1), weeks and months`)
    : { daily: Number(daily), weekly: Number(weekly), monthly: Number(monthly) };
};

const hours: SettingReader<number> = (text) => {
  const value = wholeFrom(1, 168)(text);
  return isFault(value) ? value : value * HOUR_MS;
};

const endpoint: SettingReader<string> = (text) => {
  const url = URL.parse(text);
  const isOrigin =
    url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.username === '' && url.search === '';
  return isOrigin ? url.origin : fault(`${quoted(text)} is not an address such as https://s3.eu-central-1.amazonaws.com`);
};

const hostKey: SettingReader<string> = (text) =>
  /^SHA256:[A-Za-z0-9+/]{43}$/.test(text) ? text : fault('must be SHA256: and 43 characters, as ssh-keygen -l prints it');

/** The value is never repeated: it is a secret. */
const secret: SettingReader<string> = (text) =>
  text.length >= 1 && text.length <= 1_024 ? text : fault('must have 1 to 1024 characters');
const word: SettingReader<string> = (text) =>
  /^[\x21-\x7e]{1,128}$/.test(text) ? text : fault('must be 1 to 128 letters, digits and signs');

type FileReaders = { readonly key: SettingReader<Uint8Array>; readonly pem: SettingReader<string> };

/** The settings whose names begin with BACKUP_. */
export const readBackup = ({ read, readSecret }: SettingsReading, { key, pem }: FileReaders): BackupSettings => ({
  to: read('BACKUP_TO', backupAddress, null),
  everyMs: read('BACKUP_EVERY_HOURS', hours, 24 * HOUR_MS),
  keep: read('BACKUP_KEEP', retention, { daily: 7, weekly: 4, monthly: 12 }),
  key: readSecret('BACKUP_KEY', key),
  s3: {
    endpoint: read('BACKUP_S3_ENDPOINT', endpoint, null),
    region: read('BACKUP_S3_REGION', word, 'us-east-1'),
    accessKey: read('BACKUP_S3_ACCESS_KEY', word, null),
    secretKey: readSecret('BACKUP_S3_SECRET_KEY', secret),
  },
  sftp: {
    hostKey: read('BACKUP_SFTP_HOST_KEY', hostKey, null),
    password: readSecret('BACKUP_SFTP_PASSWORD', secret),
    privateKey: read('BACKUP_SFTP_KEY_FILE', pem, null),
  },
});

/** The settings that a place needs in addition to its address, for `BACKUP_TO` and for the options of commands. */
export function addressFaults(address: BackupAddress, { s3, sftp }: BackupSettings): readonly string[] {
  if (address.kind === 'sftp') {
    return [
      ...(sftp.hostKey === null ? ['BACKUP_SFTP_HOST_KEY: is missing; ssh-keyscan HOST | ssh-keygen -lf - prints it'] : []),
      ...(sftp.password === null && sftp.privateKey === null
        ? ['BACKUP_SFTP_KEY_FILE: is missing; or set BACKUP_SFTP_PASSWORD']
        : []),
    ];
  }
  const isWhole = address.kind !== 's3' || (s3.accessKey !== null && s3.secretKey !== null);
  return isWhole ? [] : ['BACKUP_S3_ACCESS_KEY: is missing; s3:// needs BACKUP_S3_ACCESS_KEY and BACKUP_S3_SECRET_KEY'];
}

export const backupFaults = (backup: BackupSettings): readonly string[] =>
  backup.to === null ? [] : addressFaults(backup.to, backup);
