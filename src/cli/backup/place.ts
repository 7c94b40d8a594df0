import { basename, dirname } from 'node:path';
import { type BackupPlace, openPlace } from '../../app/backup/places.ts';
import { instantOf } from '../../app/backup/rotation.ts';
import { OperatorError } from '../../app/operatorError.ts';
import { type BackupAddress, backupAddress } from '../../config/backup.ts';
import { isFault } from '../../config/readers.ts';
import { type Context, UsageError } from '../command.ts';

type Given = { readonly address: BackupAddress; readonly name: string | null };

/** The place that an option names; the end of its path may be the name of one backup. Default: BACKUP_TO. */
function givenPlace(text: string | undefined, option: string, { config }: Pick<Context, 'config'>): Given {
  if (text === undefined) {
    const { to } = config().backup;
    if (to === null)
      throw new UsageError(`--${option}: name a folder, sftp://user@host/folder or s3://bucket/prefix, or set BACKUP_TO`);
    return { address: to, name: null };
  }
  const isOne = instantOf(basename(text)) !== null;
  const address = backupAddress(isOne ? text.replace(/\/?[^/]*$/, '') || dirname(text) : text);
  if (isFault(address)) throw new OperatorError(`--${option}: ${address.fault}`);
  return { address, name: isOne ? basename(text) : null };
}

/** Opens the place of an option for `work`. */
export async function withPlace<T>(
  text: string | undefined,
  option: string,
  context: Pick<Context, 'config'>,
  work: (place: BackupPlace, name: string | null) => Promise<T>,
): Promise<T> {
  const { address, name } = givenPlace(text, option, context);
  const place = await openPlace(address, context.config().backup);
  try {
    return await work(place, name);
  } finally {
    place.close();
  }
}
