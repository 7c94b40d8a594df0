import { backupKeys, makeBackup, rotateBackups } from '../../app/backup/makeBackup.ts';
import { changeBackupRecord } from '../../app/backup/records.ts';
import { instantOf } from '../../app/backup/rotation.ts';
import type { Command, Context } from '../command.ts';
import { bytesText, spanText } from '../doctor/check.ts';
import { parseFlaggedOptions } from '../options.ts';
import { formatTable } from '../table.ts';
import { withPlace } from './place.ts';

/** Makes a backup of the database, beside a gateway that may be running. */
export const backupCommand: Command = {
  name: 'backup',
  summary: 'make an encrypted backup of the database while payments are taken, or list the backups',
  usage: [
    'backup [--to place] [--rotate] [--list] [--json]',
    '  --to place   a folder, sftp://user@host/folder or s3://bucket/prefix; default: BACKUP_TO',
    '  --rotate     afterwards remove what BACKUP_KEEP does not keep',
    '  --list       make none, list those that are there',
    '  --json       the result as JSON',
  ].join('\n'),
  run: (words, context) => backup(words, context),
};

export type BackupCommandNeeds = Pick<Context, 'config' | 'masters' | 'store' | 'print' | 'printError' | 'progress' | 'clock'>;

export async function backup(words: readonly string[], context: BackupCommandNeeds): Promise<number> {
  const { texts, flags } = parseFlaggedOptions(words, ['to'], ['rotate', 'list', 'json']);
  if (flags.list) return list(texts.to, flags.json === true, context);
  const { config, masters, clock, progress, print } = context;
  return withPlace(texts.to, 'to', context, async (place) => {
    const settings = config().backup;
    const [key] = backupKeys(settings, masters());
    const last = await makeBackup({ database: config(), key, place, now: clock.now, onProgress: progress });
    const store = await context.store();
    await changeBackupRecord(store, clock.now(), (record) => ({ ...record, last, failedAt: null }));
    const removed = flags.rotate ? await rotateBackups(place, settings.keep) : [];
    if (flags.json) print(JSON.stringify({ ...last, removed }, null, 2));
    else {
      print(`${last.name}: ${bytesText(last.bytes)} in ${spanText(last.tookMs)}, encrypted with the key ${key.id}.`);
      for (const name of removed) print(`${name} is removed.`);
    }
    return 0;
  });
}

function list(to: string | undefined, isJson: boolean, context: BackupCommandNeeds): Promise<number> {
  return withPlace(to, 'to', context, async (place) => {
    const files = (await place.list())
      .filter(({ name }) => instantOf(name) !== null)
      .sort((one, other) => (one.name < other.name ? 1 : -1));
    if (isJson) context.print(JSON.stringify(files, null, 2));
    const rows = files.map(({ name, bytes }) => [name, bytesText(bytes), spanText(context.clock.now() - (instantOf(name) ?? 0))]);
    if (!isJson) for (const line of formatTable([['NAME', 'SIZE', 'AGE'], ...rows], [1, 2])) context.print(line);
    return 0;
  });
}
