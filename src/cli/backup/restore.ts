import { join } from 'node:path';
import { backupKeys } from '../../app/backup/makeBackup.ts';
import { findBackup, restoreBackup } from '../../app/backup/restoreBackup.ts';
import { OperatorError } from '../../app/operatorError.ts';
import type { Config } from '../../config/config.ts';
import { addressOf } from '../../store/postgres/address.ts';
import { writeDown } from '../audited.ts';
import type { Command, Context } from '../command.ts';
import { parseFlaggedOptions } from '../options.ts';
import { withPlace } from './place.ts';

/** Puts a backup into the configured database. */
export const restoreCommand: Command = {
  name: 'restore',
  summary: 'put a backup into the database of the configuration, all of it or nothing',
  usage: [
    'restore [--from place] [--overwrite]',
    '  --from place   where the backup is, or the backup itself; default: the newest of BACKUP_TO',
    '  --overwrite    replace the content of a database that is not empty; every gateway must be stopped',
  ].join('\n'),
  run: (words, context) => restore(words, context, process.env),
};

/** The database that would be written, as an operator knows it. Never its password. */
function targetOf({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  if (databaseUrl === null) return join(dataDir, 'turnpike.db');
  const { servers, database } = addressOf(databaseUrl);
  return `the database ${database} at ${servers.map(({ host, port }) => `${host}:${port}`).join(', ')}`;
}

/** An operator who names a folder means it. */
function refuseUnused({ DATA_DIR: folder }: Env, { databaseUrl }: Config, target: string): void {
  if (databaseUrl === null || !folder) return;
  throw new OperatorError(
    [
      `DATA_DIR: ${folder} would have no effect: DATABASE_URL is set, and the restore would go into ${target}. Nothing was changed.`,
      'For that database unset DATA_DIR: env -u DATA_DIR npx turnpike restore …',
      `For the folder unset DATABASE_URL: env -u DATABASE_URL DATA_DIR=${folder} npx turnpike restore …`,
      'For another database name it: DATABASE_URL=postgres://…/recovered npx turnpike restore … A backup of PostgreSQL does not fit into a file.',
    ].join('\n'),
  );
}

type Env = Readonly<Record<string, string | undefined>>;

export async function restore(words: readonly string[], context: Context, env: Env = {}): Promise<number> {
  const { texts, flags } = parseFlaggedOptions(words, ['from'], ['overwrite']);
  const { config, masters, clock, progress, print, printError } = context;
  const target = targetOf(config());
  refuseUnused(env, config(), target);
  return withPlace(texts.from, 'from', context, async (place, given) => {
    const { name } = await findBackup(place, given);
    printError(`Restoring ${name} into ${target}.`);
    const needs = { database: config(), overwrites: flags.overwrite === true, now: clock.now, onProgress: progress };
    const { createdAt, kept } = await restoreBackup(place.get(name), backupKeys(config().backup, masters()), needs);
    // In the database that was restored: its log says from now on that it was.
    await writeDown(restoreCommand, [], context, 'done');
    print(`${name} is restored into ${target}: it is as it was on ${new Date(createdAt).toISOString()}.`);
    if (kept !== null) print(`What was there before is kept as ${kept}.`);
    print('npx turnpike verify proves the books; payments since then are at the acquirers (docs/backup.md).');
    return 0;
  });
}
