import { backupKeys } from '../../app/backup/makeBackup.ts';
import { proveBackup } from '../../app/backup/proveBackup.ts';
import { changeBackupRecord } from '../../app/backup/records.ts';
import { findBackup } from '../../app/backup/restoreBackup.ts';
import type { Command, Context } from '../command.ts';
import { counted } from '../counted.ts';
import { bytesText, spanText } from '../doctor/check.ts';
import { parseFlaggedOptions } from '../options.ts';
import { withPlace } from './place.ts';

/** Shows that a backup can be restored, beside a gateway that may be running. */
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
