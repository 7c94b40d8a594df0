import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { addressFaults, type BackupAddress, type BackupRetention, type BackupSettings } from '../../config/backup.ts';
import { openLocalFolder, type RemoteFolder } from '../../outbound/folder.ts';
import { createFolders } from '../../outbound/folders.ts';
import { openS3 } from '../../outbound/s3.ts';
import { DAY_MS } from '../../spec/time.ts';
import { OperatorError } from '../operatorError.ts';
import { clock, timers } from '../system.ts';

/** Where backups are. A file is there under its name only when all of it has arrived. */
export interface BackupPlace {
  list(): Promise<readonly { readonly name: string; readonly bytes: number }[]>;
  put(name: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  get(name: string): AsyncIterable<Uint8Array>;
  remove(name: string): Promise<void>;
  close(): void;
}

const TIMEOUTS = { openMs: 20_000, idleMs: 60_000 };
const FILES_MAX = 20_000;

/** Opens a place. Rejects with a sentence for the operator; it never holds a secret. */
export async function openPlace(address: BackupAddress, settings: BackupSettings): Promise<BackupPlace> {
  const faults = addressFaults(address, settings);
  if (faults.length > 0) throw new OperatorError(faults.join('\n'));
  if (address.kind === 'folder') return localPlace(address.path);
  try {
    return address.kind === 's3' ? s3Place(address, settings) : await sftpPlace(address, settings);
  } catch (error) {
    throw new OperatorError(`The place of the backups cannot be opened: ${(error as Error).message}.`);
  }
}

async function localPlace(path: string): Promise<BackupPlace> {
  const folder = await openLocalFolder(path);
  return {
    list: async () => {
      const names = await readdir(path);
      return Promise.all(names.map(async (name) => ({ name, bytes: (await stat(join(path, name))).size })));
    },
    put: async (name, chunks) => {
      try {
        await folder.put(`${name}${PART}`, chunks);
        await folder.rename(`${name}${PART}`, name);
      } catch (error) {
        await rm(join(path, `${name}${PART}`), { force: true });
        throw error;
      }
    },
    get: (name) => createReadStream(join(path, name)),
    remove: (name) => folder.remove(name),
    close: () => folder.close(),
  };
}

type Sftp = Extract<BackupAddress, { kind: 'sftp' }>;

async function sftpPlace(address: Sftp, { sftp }: BackupSettings): Promise<BackupPlace> {
  // The operator has named the host: it may be inside the network.
  const open = createFolders({ timers, privateHosts: [address.host] });
  const secret =
    sftp.privateKey === null
      ? ({ kind: 'password', password: sftp.password ?? '' } as const)
      : ({ kind: 'privateKey', privateKey: sftp.privateKey } as const);
  const folder = await open({ ...address, hostKey: sftp.hostKey, ca: null }, secret, TIMEOUTS);
  return {
    list: () => folder.list(FILES_MAX),
    put: async (name, chunks) => {
      await folder.put(`${name}${PART}`, chunks);
      await folder.rename(`${name}${PART}`, name);
    },
    get: (name) => fetched(folder, name),
    remove: (name) => folder.remove(name),
    close: () => folder.close(),
  };
}

/** Turns pushed chunks into a stream that is pulled: the server waits while the reader does. */
async function* fetched(folder: RemoteFolder, name: string): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const done = folder
    .fetch(name, Number.MAX_SAFE_INTEGER, (chunk) => writer.write(chunk))
    .then(
      () => writer.close(),
      (error: unknown) => writer.abort(error),
    )
    .catch(() => {});
  yield* readable;
  await done;
}

function s3Place({ bucket, prefix }: Extract<BackupAddress, { kind: 's3' }>, { s3 }: BackupSettings): BackupPlace {
  const { endpoint, region, accessKey, secretKey } = s3;
  const key = { region, accessKey: accessKey ?? '', secretKey: secretKey ?? '' };
  const address = { ...key, bucket, prefix, endpoint: endpoint ?? `https://s3.${region}.amazonaws.com` };
  return { ...openS3(address, { now: clock.now, idleMs: TIMEOUTS.idleMs }), close: () => {} };
}

/** The names of backups have the instant in them; any other file of the place is left alone. */
const NAME = /^turnpike-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.backup$/;

/** The ending of a file that has not arrived completely. */
export const PART = '.part';

export const backupName = (at: number): string => `turnpike-${new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')}.backup`;

/** The instant of a backup, by its name; null when it is none. */
export function instantOf(name: string): number | null {
  const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
  return year === undefined
    ? null
    : Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
}

const THURSDAY_OF_1970 = 3;

/** In UTC; weeks begin on Monday. */
const periods: readonly (readonly [kind: keyof BackupRetention, periodOf: (at: number) => string])[] = [
  ['daily', (at) => String(Math.floor(at / DAY_MS))],
  ['weekly', (at) => String(Math.floor((at / DAY_MS + THURSDAY_OF_1970) / 7))],
  ['monthly', (at) => new Date(at).toISOString().slice(0, 7)],
];

/**
 * The files to remove: backups that are not the last of one of the newest days, weeks and months, but never the newest of all; and parts
 * that a process has abandoned for a day.
 */
export function outdatedBackups(names: readonly string[], retention: BackupRetention): readonly string[] {
  const backups = names
    .flatMap((name) => {
      const at = instantOf(name);
      return at === null ? [] : [{ name, at }];
    })
    .sort((one, other) => other.at - one.at);
  const kept = new Set(backups.slice(0, 1).map(({ name }) => name));
  for (const [kind, periodOf] of periods) {
    const last = Map.groupBy(backups, ({ at }) => periodOf(at));
    for (const [, [newest]] of [...last].slice(0, retention[kind])) if (newest) kept.add(newest.name);
  }
  const newest = backups[0]?.at ?? 0;
  const isAbandoned = (name: string): boolean => {
    const at = name.endsWith(PART) ? instantOf(name.slice(0, -PART.length)) : null;
    return at !== null && newest - at > DAY_MS;
  };
  return [...backups.filter(({ name }) => !kept.has(name)).map(({ name }) => name), ...names.filter(isAbandoned)];
}
