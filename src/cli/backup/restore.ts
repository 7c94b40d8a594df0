import { backupKeys } from '../../app/backup/makeBackup.ts';
import { findBackup, restoreBackup } from '../../app/backup/restoreBackup.ts';
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
  run: (words, context) => restore(words, context),
};

export async function restore(words: readonly string[], context: Context): Promise<number> {
  const { texts, flags } = parseFlaggedOptions(words, ['from'], ['overwrite']);
  const { config, masters, clock, progress, print } = context;
  return withPlace(texts.from, 'from', context, async (place, given) => {
    const { name } = await findBackup(place, given);
    const needs = { database: config(), overwrites: flags.overwrite === true, now: clock.now, onProgress: progress };
    const { createdAt, kept } = await restoreBackup(place.get(name), backupKeys(config().backup, masters()), needs);
    // In the database that was restored: its log says from now on that it was.
    await writeDown(restoreCommand, [], context, 'done');
    print(`${name} is restored: the database is as it was on ${new Date(createdAt).toISOString()}.`);
    if (kept !== null) print(`What was there before is kept as ${kept}.`);
    print('npx turnpike verify proves the books; payments since then are at the acquirers (docs/backup.md).');
    return 0;
  });
}
