import { execFile } from 'node:child_process';
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { elapsed } from '../../../app/system.ts';
import type { Config } from '../../../config/config.ts';
import { systemAddresses } from '../../../outbound/address.ts';
import { askLocal, type Handshake, type LocalAnswer, probeTcp, probeTls } from '../../../outbound/probe.ts';
import type { Reader } from '../../../store/open.ts';
import type { Masters } from '../../../vault/masterKey.ts';
import { systemRandom } from '../../../vault/randomBytes.ts';

const severities = ['error', 'warning', 'note'] as const;
export type Severity = (typeof severities)[number];

/** One thing that is wrong, as a sentence without secrets, and what to do about it where the row's own remedy is not exact enough. */
export type Finding = { readonly says: string; readonly remedy?: string };

export type Env = Readonly<Record<string, string | undefined>>;

/** The input of the checks. The configuration is valid, and the database is there and can be read. */
export type Exam = {
  readonly env: Env;
  readonly config: Config;
  readonly now: () => number;
  readonly probes: Probes;
  readonly database: Reader;
  /** Checks that read whole tables run too. */
  readonly isDeep: boolean;
  readonly onStep: (step: { readonly phase: 'examining'; readonly done: number; readonly total: number }) => void;
  /** Throws when there is no master key yet. */
  readonly masters: () => Masters;
};

/** The condition of a check. Without it the check is left out. */
export type Need = 'environment' | 'configuration' | 'database' | 'sqlite' | 'postgres' | 'schema';

type ExamOf = {
  readonly environment: Pick<Exam, 'env' | 'probes' | 'now'> & { readonly faults: readonly string[] };
  /** `databaseFault`: why the database cannot be opened, as a sentence; null: it can, or there is none yet. */
  readonly configuration: Omit<Exam, 'database'> & { readonly databaseFault: string | null };
  readonly database: Exam;
  readonly sqlite: Exam;
  readonly postgres: Exam;
  /** The schema is that of this program. */
  readonly schema: Exam;
};

/** One row of the table of checks. It only reads, and needs no gateway to be stopped. */
export type Check = {
  readonly [N in Need]: {
    readonly id: string;
    /** The subject of the check, for the documentation. */
    readonly looksAt: string;
    /** Of every finding. */
    readonly severity: Severity;
    /** To be pasted, or to be done. */
    readonly remedy: string;
    readonly needs: N;
    /** It runs with `--deep` alone. */
    readonly isDeep?: true;
    /** Default: 5 s. */
    readonly withinMs?: number;
    readonly find: (exam: ExamOf[N]) => Promise<readonly Finding[]>;
  };
}[Need];

/** A finding for each thing that is wrong. */
export const findings = (...found: readonly (string | false | null | undefined)[]): readonly Finding[] =>
  found.flatMap((says) => (says ? [{ says }] : []));

/** `12 s`, `3 min`, `5 h`, `9 days`. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} days`;
}

/** `12 MB`, `1.5 GB`: decimal units. */
export function bytesText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const at = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1_000 ** at;
  return `${value >= 10 || at === 0 ? Math.round(value) : Math.round(value * 10) / 10} ${units[at]}`;
}

type FileState = { readonly mode: number; readonly uid: number; readonly bytes: number; readonly isFolder: boolean };
type DiskState = { readonly freeBytes: number; readonly bytes: number; readonly isInMemory: boolean };

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
