import { basename, dirname, join } from 'node:path';
import { changeBackupRecord } from '../../app/backup/backupJob.ts';
import { backupKeys, makeBackup, rotateBackups } from '../../app/backup/makeBackup.ts';
import { type BackupPlace, instantOf, openPlace } from '../../app/backup/places.ts';
import { proveBackup } from '../../app/backup/proveBackup.ts';
import { findBackup, restoreBackup } from '../../app/backup/restoreBackup.ts';
import { OperatorError } from '../../app/operatorError.ts';
import { type BackupAddress, backupAddress } from '../../config/backup.ts';
import type { Config } from '../../config/config.ts';
import { isFault } from '../../config/readers.ts';
import { addressOf } from '../../store/postgres/address.ts';
import { writeDown } from '../audited.ts';
import { type Command, type Context, parseFlaggedOptions, UsageError } from '../command.ts';
import { counted, formatTable } from '../output.ts';
import { bytesText, spanText } from './doctor/check.ts';

/** Makes a backup of the database, also while a gateway uses it. */
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

/** Shows that a backup can be restored, also while a gateway runs. */
export const proveCommand: Command = {
  name: 'prove',
  summary: 'restore a backup into a scratch database, verify the books and open sealed records',
  usage: [
    'prove [--from place] [--json]',
    '  --from place   where the backup is, or the backup itself; default: the newest of BACKUP_TO',
    '  --json         the result as JSON',
    '  Exit code 0: the backup is good; 1: something is wrong. With PostgreSQL the user needs the right CREATEDB.',
  ].join('\n'),
  run: (words, context) => prove(words, context),
};

export type ProveCommandNeeds = Pick<Context, 'config' | 'masters' | 'store' | 'signal' | 'print' | 'progress' | 'clock'>;

export async function prove(words: readonly string[], context: ProveCommandNeeds): Promise<number> {
  const { texts, flags } = parseFlaggedOptions(words, ['from'], ['json']);
  const { config, masters, clock, progress, print } = context;
  return withPlace(texts.from, 'from', context, async (place, given) => {
    const { name, bytes } = await findBackup(place, given);
    const keys = backupKeys(config().backup, masters());
    const needs = { database: config(), keys, masters: masters(), now: clock.now, signal: context.signal(), onStep: progress };
    const proof = await proveBackup(place.get(name), needs);
    const store = await context.store();
    await changeBackupRecord(store, clock.now(), (record) => ({ ...record, proof: { at: clock.now(), name, ok: proof.ok } }));
    const ageMs = clock.now() - proof.createdAt;
    if (flags.json) print(JSON.stringify({ name, bytes, ageMs, ...proof }, null, 2));
    else {
      for (const fault of proof.faults) print(fault);
      const { payments, postings, auditEntries, drawn, unopened } = proof;
      const counts = `${counted(payments, 'payment')}, ${counted(postings, 'posting')}, ${counted(auditEntries, 'audit entry', 'audit entries')}; ${drawn - unopened} of ${drawn} sealed records opened`;
      print(`${name} is ${proof.ok ? 'good' : 'NOT good'}: ${spanText(ageMs)} old, ${bytesText(bytes)}; ${counts}.`);
    }
    return proof.ok ? 0 : 1;
  });
}
