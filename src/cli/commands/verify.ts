import { type AuditVerdict, type RecordedHead, verifyAudit } from '../../audit/verify.ts';
import { sealOf } from '../../audit/writer.ts';
import type { Finding } from '../../ledger/ports.ts';
import { type Opening, type Verdict, VerifyStopped, verify } from '../../ledger/verify.ts';
import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import type { Audited } from '../../store/areas/audit.ts';
import { type AuditDatabase, withAudit } from '../../store/open.ts';
import { openReadOnlyVault } from '../../vault/vault.ts';
import { type Command, type Context, parseFlaggedOptions, UsageError } from '../command.ts';
import { counted } from '../output.ts';

/** The exit code of what Ctrl-C ended, as shells know it. */
const STOPPED = 130;

/** Proves the books and the audit log of a database, also while a gateway uses it. */
export const verifyCommand: Command = {
  name: 'verify',
  summary:
    'prove the books (balances, hash chains, every posting against its payment, every family against its sums) and the audit log',
  usage: [
    'verify [--database place] [--merchant id] [--audit-head number:hash] [--json]',
    '  --database place   a postgres:// address or a file of SQLite; default: the configured one',
    '  --merchant id      only the books of this merchant, without the audit log',
    '  --audit-head head  an end of the audit log that was kept elsewhere: it must still be there',
    '  --json             as JSON, with the head of every chain: stored elsewhere, it proves later that none was rewritten',
    '  Exit code 0: all is well; 1: something is wrong.',
  ].join('\n'),
  run: (words, context) => proof(words, context),
};

export type VerifyNeeds = Pick<Context, 'config' | 'signal' | 'print' | 'printError' | 'progress' | 'clock'> &
  Partial<Pick<Context, 'vault' | 'masters'>>;

export async function proof(words: readonly string[], context: VerifyNeeds): Promise<number> {
  const { texts, flags } = parseFlaggedOptions(words, ['database', 'merchant', 'audit-head'], ['json']);
  const place = placeOf(texts.database, context);
  const kept = keptOf(texts['audit-head']);
  const beganAt = context.clock.now();
  try {
    const signal = context.signal();
    const needs = { merchantId: texts.merchant ?? null, onStep: context.progress, signal };
    const isOwn = texts.database === undefined;
    const { books, log } = await withAudit(place, async (audit) => ({
      books: await verify(audit, { ...needs, open: isOwn ? await openingOf(audit, context) : null }),
      log: needs.merchantId === null ? await verifyLog(audit, kept, { ...context, signal, isOwn }) : null,
    }));
    const ms = context.clock.now() - beganAt;
    const isWell = books.found === 0 && (log?.found ?? 0) === 0;
    if (flags.json) context.print(JSON.stringify({ ok: isWell, ...books, ...(log && { audit: log }), ms }, null, 2));
    else for (const line of [...printed(books, ms), ...(log ? printedLog(log) : [])]) context.print(line);
    return isWell ? 0 : 1;
  } catch (error) {
    if (!(error instanceof VerifyStopped)) throw error;
    context.printError('Stopped. Nothing was changed: a proof only reads.');
    return STOPPED;
  }
}

/** Null: the keys of the gateway are not at hand. */
async function openingOf({ keys }: Audited, { masters, clock }: VerifyNeeds): Promise<Opening | null> {
  if (!masters) return null;
  try {
    return (await openReadOnlyVault({ keys, masters: masters(), now: clock.now })).open;
  } catch {
    // No keys yet, or other ones; an error of the database is met again by the form alone.
    return null;
  }
}

function keptOf(text: string | undefined): readonly RecordedHead[] {
  if (text === undefined) return [];
  const [, number, hash] = /^([1-9][0-9]{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (number === undefined || hash === undefined)
    throw new UsageError('--audit-head: a number and a hash, as this command prints them');
  return [{ number: Number(number), hash }];
}

type LogNeeds = Partial<Pick<Context, 'vault'>> & { readonly signal: AbortSignal; readonly isOwn: boolean };

/** The seal needs the master key: of a database that was only named there is none at hand. */
function verifyLog(audit: Audited, kept: readonly RecordedHead[], { vault, signal, isOwn }: LogNeeds): Promise<AuditVerdict> {
  return verifyAudit({
    head: audit.logHead,
    pages: audit.log,
    recorded: kept,
    sealOf: async (head) => {
      // A damaged file is not opened for writing: its seal stays unchecked.
      const opened = vault && isOwn ? await vault().catch(unlessOutOfOrder) : null;
      return opened && sealOf(opened.digest, head);
    },
    onProgress: () => {
      if (signal.aborted) throw new VerifyStopped('stopped');
    },
  });
}

function unlessOutOfOrder(error: unknown): null {
  if (error instanceof StoreOutOfOrder) return null;
  throw error;
}

function printedLog({ entries, head, seal, findings, found }: AuditVerdict): readonly string[] {
  const sealed = seal === 'unchecked' ? 'its seal was not checked, the master key is not at hand' : `its seal is ${seal}`;
  const summary = `${entries} entries; it ends with ${head.number}:${head.hash || '-'}, ${sealed}`;
  if (found === 0) return [`The audit log is in order: ${summary}.`];
  const lines = findings.map(({ number, says }) => `audit log${number === null ? '' : `, entry ${number}`}: ${says}`);
  const more = found > findings.length ? [`and ${found - findings.length} more`] : [];
  return [...lines, ...more, `${found} things are wrong in the audit log: ${summary}.`];
}

function placeOf(database: string | undefined, { config }: VerifyNeeds): AuditDatabase {
  if (database !== undefined) return /^postgres(?:ql)?:/.test(database) ? { databaseUrl: database } : { path: database };
  const { databaseUrl, dataDir } = config();
  return databaseUrl === null ? { dataDir } : { databaseUrl };
}

function printed(verdict: Verdict, ms: number): readonly string[] {
  const { postings, entries, blocks, unsealed, payments, families, settlements, findings, found, heads } = verdict;
  const size = `${counted(postings, 'posting')} with ${counted(entries, 'entry', 'entries')} of ${counted(heads.length, 'merchant')} in ${counted(blocks, 'block')}, ${unsealed} not sealed yet`;
  const against = `${counted(payments, 'payment')}, ${counted(families, 'family', 'families')}, ${counted(settlements, 'line')} of settlements`;
  const summary = `${size}; ${against}; ${Math.ceil(ms / 1_000)} s`;
  if (found === 0) return [`The books are in order: ${summary}.`];
  const more = found > findings.length ? [`and ${found - findings.length} more`] : [];
  return [...findings.map(lineOf), ...more, `${found} things are wrong in the books: ${summary}.`];
}

function lineOf({ merchantId, block, subjectId, says }: Finding): string {
  const at = [
    // An entity of any kind is its own owner; a table has none.
    ...(merchantId === '' ? [] : [merchantId === subjectId ? `entity ${merchantId}` : `merchant ${merchantId}`]),
    ...(block === null ? [] : [`block ${block}`]),
    ...(subjectId === null || subjectId === merchantId ? [] : [subjectId]),
  ];
  return `${at.join(', ')}: ${says}`;
}
