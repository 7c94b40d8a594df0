import { DamagedTable } from '../payments/storeErrors.ts';
import type { SealedRow, SealedTable, Vault } from '../vault/ports.ts';
import { keyOfText, VaultRefused } from '../vault/sealedText.ts';
import { createTally, partOf, type Tally } from './chain.ts';
import { readLine } from './entry.ts';
import { type Audit, type Finding, findingOf, type ProofStep, type Report, type Unreadable } from './ports.ts';
import { type ChainCount, verifyChain } from './verifyChain.ts';
import { type Corrections, createCorrections, type PaymentCount, verifyPayments } from './verifyPayments.ts';
import { reportSettlements, verifySettlements } from './verifySettlements.ts';

export type Verdict = ChainCount &
  PaymentCount & {
    /** Matched lines of settlements that move money. */
    readonly settlements: number;
    /** The first findings. */
    readonly findings: readonly Finding[];
    /** The number of all findings. */
    readonly found: number;
  };

export type VerifyNeeds = {
  /** Null: all merchants. */
  readonly merchantId: string | null;
  readonly onStep: (step: ProofStep) => void;
  readonly signal: AbortSignal;
  /** Default: none; then only the form of sealed texts is looked at. */
  readonly open?: Opening | null;
};

/** The operator has stopped the verification. */
export class VerifyStopped extends Error {
  override readonly name = 'VerifyStopped';
}

const FINDINGS_MAX = 100;
/** The most parts in which single postings are searched; a longer list is of no use. */
const PARTS_MAX = 100;
/** Of more damaged records the postings are reported too. */
const EXCLUDED_MAX = 100_000;

const NO_CHAIN: ChainCount = { postings: 0, entries: 0, blocks: 0, unsealed: 0, heads: [] };
const NO_PAYMENTS: PaymentCount = { payments: 0, families: 0 };

/** Verifies the ledger: chains and balances, then every posting against its payment or record, and every family against its fold. */
export async function verify(audit: Audit, { merchantId, onStep, signal, open = null }: VerifyNeeds): Promise<Verdict> {
  const findings: Finding[] = [];
  let found = 0;
  const report: Report = {
    find: (finding) => {
      found += 1;
      if (findings.length < FINDINGS_MAX) findings.push(finding);
    },
    step: (at) => {
      if (signal.aborted) throw new VerifyStopped('stopped');
      onStep(at);
    },
  };
  const tally = createTally();
  const settled = createTally();
  const counts = await audit.counts(merchantId);
  const corrections = createCorrections();
  const isWhole = { books: true };
  /** Of a damaged table the finding is reported, and no comparison is made with half of its rows. */
  const orElse = async <Count>(count: Promise<Count>, none: Count): Promise<Count> => {
    try {
      return await count;
    } catch (error) {
      report.find(findingOf(damagedTable(error)));
      isWhole.books = false;
      return none;
    }
  };
  const scope = { merchantId, total: counts.postings };
  const chain = await orElse(verifyChain(audit, scope, { ...report, tally, settled, corrections }), NO_CHAIN);
  const excluded = new Set<string>();
  const exclude = (owner: string, id: string): void => {
    if (excluded.size < EXCLUDED_MAX) excluded.add(`${owner} ${id}`);
  };
  const expect = (owner: string, line: string): void => tally.subtract(owner, corrections.postedFor(owner, line));
  const paying = { ...report, expect, exclude };
  const payments = await orElse(verifyPayments(audit, { merchantId, total: counts.payments }, paying), NO_PAYMENTS);
  if (isWhole.books) corrections.reportUnused(report);
  const settling = { merchantId, before: payments.payments, total: counts.payments };
  const settlements = await orElse(verifySettlements(audit, settling, { ...report, expect: settled.subtract, exclude }), 0);
  for await (const page of damagedRecords(audit, merchantId, open)) for (const one of page) report.find(findingOf(one));
  if (!isWhole.books) return { ...chain, ...payments, settlements, findings, found };
  const differing = (compared: Tally) => ({ ...report, excluded, parts: new Set(compared.differing().slice(0, PARTS_MAX)) });
  const paid = differing(tally);
  const booked = differing(settled);
  if (paid.parts.size > 0) await reportPayments(audit, merchantId, { ...paid, corrections });
  if (booked.parts.size > 0) await reportSettlements(audit, merchantId, booked);
  return { ...chain, ...payments, settlements, findings, found };
}

type LedgerLine = { readonly merchantId: string; readonly line: string; readonly block: number | null };

/** Reports the postings that differ from their payments, in the given parts. */
async function reportPayments(
  audit: Audit,
  merchantId: string | null,
  out: Report & {
    readonly parts: ReadonlySet<number>;
    readonly excluded: ReadonlySet<string>;
    readonly corrections: Corrections;
  },
): Promise<void> {
  const posted = new Map<string, LedgerLine[]>();
  const missing: LedgerLine[] = [];
  const accounted = new Set<string>();
  const isSearched = (owner: string, line: string) => out.parts.has(partOf(owner, line));
  for await (const page of audit.postings(merchantId)) {
    for (const { merchantId: owner, block, line } of page) {
      const { kind, revision, subjectId } = readLine(line);
      if (kind !== 'payment' || revision < 0 || !isSearched(owner, line) || out.excluded.has(`${owner} ${subjectId}`)) continue;
      const key = `${owner} ${line}`;
      posted.set(key, [...(posted.get(key) ?? []), { merchantId: owner, line, block: block === 0 ? null : block }]);
    }
  }
  await verifyPayments(
    audit,
    { merchantId, total: 0 },
    {
      find: () => {},
      step: () => {},
      exclude: () => {},
      expect: (owner, said) => {
        const line = out.corrections.postedFor(owner, said);
        if (!isSearched(owner, line)) return;
        const there = posted.get(`${owner} ${line}`);
        if (there?.shift()) accounted.add(`${owner} ${line}`);
        else missing.push({ merchantId: owner, line, block: null });
      },
    },
  );
  const left = [...posted.values()].flat();
  const isTwice = ({ merchantId: owner, line }: LedgerLine) => accounted.has(`${owner} ${line}`);
  for (const { line, ...place } of left.filter(isTwice)) {
    out.find({ ...place, subjectId: readLine(line).subjectId, says: `it is in the books more than once: ${line}` });
  }
  reportDifferences(
    out,
    left.filter((one) => !isTwice(one)),
    missing,
  );
}

/** An unexpected posting and a missing one of the same event are reported as one changed posting. */
function reportDifferences({ find }: Report, left: readonly LedgerLine[], missing: readonly LedgerLine[]): void {
  const eventOf = ({ merchantId, line }: LedgerLine) => `${merchantId} ${line.split('|', 2).join('|')}`;
  const unmatched = new Map(missing.map((one) => [eventOf(one), one]));
  for (const one of left) {
    const { merchantId, block, line } = one;
    const expected = unmatched.get(eventOf(one));
    if (expected) unmatched.delete(eventOf(one));
    const says = expected ? `its payment says ${expected.line}, the books say ${line}` : `no payment accounts for it: ${line}`;
    find({ merchantId, block, subjectId: readLine(line).subjectId, says });
  }
  for (const { merchantId, line } of unmatched.values()) {
    find({ merchantId, block: null, subjectId: readLine(line).subjectId, says: `it is not in the books: ${line}` });
  }
}

/** Opens a text; rejects with VaultRefused when it cannot be opened. */
export type Opening = Vault['open'];

const nouns: Readonly<Record<SealedTable, string>> = {
  payment: 'payment',
  proof: 'payment',
  registration: 'registration',
  secret: 'secret',
};

/** Records that cannot be read, and sealed texts that cannot be opened. `open` null: the keys are not at hand, and the form is looked at. */
export async function* damagedRecords(
  audit: Audit,
  merchantId: string | null,
  open: Opening | null,
  leftOut: SealedTable | null = null,
): AsyncGenerator<readonly Unreadable[]> {
  yield* audit.unreadable(merchantId);
  try {
    const opening = open ?? (await formOnly(audit));
    for await (const page of audit.sealed(merchantId)) {
      const found: Unreadable[] = [];
      for (const row of page.filter(({ table }) => table !== leftOut)) {
        const why = await refusalOf(row, opening);
        const says = `this ${nouns[row.table]} cannot be opened: ${why}`;
        if (why !== null) found.push({ merchantId: row.merchantId, id: idOf(row), says });
      }
      yield found;
    }
  } catch (error) {
    yield [damagedTable(error)];
  }
}

/** As a finding that names the table; throws every other error. */
export function damagedTable(error: unknown): Unreadable {
  if (!(error instanceof DamagedTable)) throw error;
  return { merchantId: '', id: error.table, says: error.message };
}

const idOf = ({ table, recordId, field }: SealedRow): string => (table === 'secret' ? `${recordId}/${field}` : recordId);

async function refusalOf({ table: _, sealed, ...record }: SealedRow, open: Opening): Promise<string | null> {
  try {
    await open(record, sealed);
    return null;
  } catch (error) {
    if (!(error instanceof VaultRefused)) throw error;
    return error.message;
  }
}

/** Looks at the format, the length, and whether there is a key of its version. */
async function formOnly(audit: Audit): Promise<Opening> {
  const keys = await audit.keys(null);
  const known = new Map(keys.filter(({ purpose }) => purpose === 'data').map((key) => [`${key.owner} ${key.version}`, key]));
  return async ({ merchantId }, sealed) => {
    const version = keyOfText(sealed);
    if (version === null) throw new VaultRefused('damaged');
    if (version === 'derived') return '';
    const key = known.get(`${merchantId} ${version}`);
    if (!key) throw new VaultRefused('unknownKey');
    if (key.wrapped === null) throw new VaultRefused('retired');
    return '';
  };
}
