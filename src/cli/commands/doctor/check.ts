import type { Config } from '../../../config/config.ts';
import type { Reader } from '../../../store/open.ts';
import type { Masters } from '../../../vault/masterKey.ts';
import type { Probes } from './probes.ts';

export const severities = ['error', 'warning', 'note'] as const;
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
    readonly find: (exam: ExamOf[N]) => Promise<readonly Finding[]> | readonly Finding[];
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
