import type { Finding } from '../ledger/finding.ts';
import { type Verdict, VerifyStopped, verify } from '../ledger/verify.ts';
import { type AuditPlace, withAudit } from '../store/openAudit.ts';
import type { Command, Context } from './command.ts';
import { flaggedOptionsOf } from './options.ts';

/** The exit code of what Ctrl-C ended, as shells know it. */
const STOPPED = 130;

/** Proves the books of a database, beside a gateway that may be running. */
export const verifyCommand: Command = {
  name: 'verify',
  summary: 'prove the books: balances, hash chains, every posting against its payment, every family against its sums',
  usage: [
    'verify [--database place] [--merchant id] [--json]',
    '  --database place   a postgres:// address or a file of SQLite; the one that is configured where nothing is said',
    '  --merchant id      only the books of this merchant',
    '  --json             for machines, with the end of every chain: keep it elsewhere, and nobody can write the books anew',
    '  Exit code 0: all is well; 1: something is wrong.',
  ].join('\n'),
  run: (words, context) => proof(words, context),
};

export type VerifyNeeds = Pick<Context, 'config' | 'signal' | 'tell' | 'complain' | 'progress' | 'clock'>;

export async function proof(words: readonly string[], context: VerifyNeeds): Promise<number> {
  const { texts, flags } = flaggedOptionsOf(words, ['database', 'merchant'], ['json']);
  const place = placeOf(texts.database, context);
  const beganAt = context.clock.now();
  try {
    const needs = { merchantId: texts.merchant ?? null, onStep: context.progress, signal: context.signal() };
    const verdict = await withAudit(place, (audit) => verify(audit, needs));
    const ms = context.clock.now() - beganAt;
    if (flags.json) context.tell(JSON.stringify({ ok: verdict.found === 0, ...verdict, ms }, null, 2));
    else for (const line of printed(verdict, ms)) context.tell(line);
    return verdict.found === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof VerifyStopped)) throw error;
    context.complain('Stopped. Nothing was changed: a proof only reads.');
    return STOPPED;
  }
}

function placeOf(database: string | undefined, { config }: VerifyNeeds): AuditPlace {
  if (database !== undefined) return /^postgres(?:ql)?:/.test(database) ? { databaseUrl: database } : { path: database };
  const { databaseUrl, dataDir } = config();
  return databaseUrl === null ? { dataDir } : { databaseUrl };
}

function printed(verdict: Verdict, ms: number): readonly string[] {
  const { postings, entries, blocks, unsealed, payments, families, settlements, findings, found, heads } = verdict;
  const size = `${postings} postings with ${entries} entries of ${heads.length} merchants in ${blocks} blocks, ${unsealed} not sealed yet`;
  const against = `${payments} payments, ${families} families, ${settlements} lines of settlements`;
  const summary = `${size}; ${against}; ${Math.ceil(ms / 1_000)} s`;
  if (found === 0) return [`The books are in order: ${summary}.`];
  const more = found > findings.length ? [`and ${found - findings.length} more`] : [];
  return [...findings.map(lineOf), ...more, `${found} things are wrong in the books: ${summary}.`];
}

function lineOf({ merchantId, block, subjectId, says }: Finding): string {
  const at = [
    `merchant ${merchantId}`,
    ...(block === null ? [] : [`block ${block}`]),
    ...(subjectId === null ? [] : [subjectId]),
  ];
  return `${at.join(', ')}: ${says}`;
}
