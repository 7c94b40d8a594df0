import type { BackupRetention } from '../../config/backup.ts';
import { DAY_MS } from '../../spec/time.ts';

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
