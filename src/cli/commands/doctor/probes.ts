import { execFile } from 'node:child_process';
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { elapsed } from '../../../app/system.ts';
import { systemAddresses } from '../../../outbound/address.ts';
import { askLocal, type Handshake, type LocalAnswer, probeTcp, probeTls } from '../../../outbound/probe.ts';
import { systemRandom } from '../../../vault/randomBytes.ts';

export type FileState = { readonly mode: number; readonly uid: number; readonly bytes: number; readonly isFolder: boolean };
export type DiskState = { readonly freeBytes: number; readonly bytes: number; readonly isInMemory: boolean };

/** The questions of the checks to the machine and the network. They change nothing. */
export interface Probes {
  readonly uid: number | null;
  /** Null when there is none, or it may not be read. */
  file(path: string): FileState | null;
  readText(path: string): string;
  disk(folder: string): DiskState;
  /** The median time of a write that reaches the disk, in milliseconds. */
  syncMs(folder: string): number;
  /** Rejects when the name has none. */
  addresses(host: string): Promise<readonly string[]>;
  tls(host: string, port: number): Promise<Handshake>;
  /** Null: it accepts connections; otherwise the reason. */
  tcp(host: string, port: number): Promise<string | null>;
  local(url: string): Promise<LocalAnswer | null>;
  /** Null: the system does not say. */
  isClockSynchronised(): Promise<boolean | null>;
  timeZone(): string;
  /** Null: the system does not say. */
  openFilesMax(): number | null;
}

const NETWORK_MS = 3_000;
const SYNCS = 11;
const SYNC_BYTES = 4_096;
/** Of Linux: tmpfs and ramfs. */
const MEMORY_SYSTEMS = [0x01021994, 0x858458f6];

export const thisSystem: Probes = {
  uid: process.getuid?.() ?? null,
  file(path) {
    try {
      const stats = statSync(path);
      return { mode: stats.mode & 0o7777, uid: stats.uid, bytes: stats.size, isFolder: stats.isDirectory() };
    } catch {
      return null;
    }
  },
  readText: (path) => readFileSync(path, 'utf8'),
  disk(folder) {
    const { bavail, blocks, bsize, type } = statfsSync(folder);
    return { freeBytes: bavail * bsize, bytes: blocks * bsize, isInMemory: MEMORY_SYSTEMS.includes(type) };
  },
  syncMs,
  addresses: async (host) => (await systemAddresses(host)).map(({ address }) => address),
  tls: (host, port) => probeTls(host, port, NETWORK_MS),
  tcp: (host, port) => probeTcp(host, port, NETWORK_MS),
  local: (url) => askLocal(url, NETWORK_MS),
  isClockSynchronised: () =>
    new Promise((resolve) => {
      execFile('timedatectl', ['show', '--property=NTPSynchronized', '--value'], { timeout: NETWORK_MS }, (error, said) =>
        resolve(error || !/^(?:yes|no)\s*$/.test(said) ? null : said.startsWith('yes')),
      );
    }),
  timeZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
  openFilesMax() {
    try {
      const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
      return soft === undefined ? null : Number(soft);
    } catch {
      return null;
    }
  },
};

/** The file has no name while it is written: nothing stays behind however the process ends. */
function syncMs(folder: string): number {
  const mark = Buffer.alloc(8);
  systemRandom(mark);
  const path = join(folder, `.fsync-${mark.toString('hex')}`);
  const file = openSync(path, 'wx', 0o600);
  try {
    rmSync(path);
    const times = Array.from({ length: SYNCS }, (_, at) => {
      writeSync(file, Buffer.alloc(SYNC_BYTES, at), 0, SYNC_BYTES, at * SYNC_BYTES);
      const began = elapsed();
      fsyncSync(file);
      return elapsed() - began;
    });
    return times.sort((one, other) => one - other)[SYNCS >> 1] ?? 0;
  } finally {
    closeSync(file);
  }
}
