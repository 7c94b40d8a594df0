import { readLine } from './entry.ts';
import type { Finding, ProofStep, Report } from './finding.ts';
import type { Audit } from './ports.ts';
import { createTally, partOf, type Tally } from './tally.ts';
import { type ChainCount, verifyChain } from './verifyChain.ts';
import { type PaymentCount, verifyPayments } from './verifyPayments.ts';
import { nameSettlements, verifySettlements } from './verifySettlements.ts';

export type Verdict = ChainCount &
  PaymentCount & {
    /** Matched lines of settlements that move money. */
    readonly settlements: number;
    /** The first of them. */
    readonly findings: readonly Finding[];
    /** How many there are in all, as far as they were looked for. */
    readonly found: number;
  };

export type VerifyNeeds = {
  /** Null: of all merchants. */
  readonly merchantId: string | null;
  readonly onStep: (step: ProofStep) => void;
  readonly signal: AbortSignal;
};

/** Ctrl-C while the books were proven. */
export class VerifyStopped extends Error {
  override readonly name = 'VerifyStopped';
}

const FINDINGS_MAX = 100;
/** Parts in which single postings are looked for: beyond that a list is of no use. */
const PARTS_MAX = 100;

/** Proves the books: chains and balances, then every posting against its payment or line, and every family against its fold. */
export async function verify(audit: Audit, { merchantId, onStep, signal }: VerifyNeeds): Promise<Verdict> {
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
  const [tally, settled] = [createTally(), createTally()];
  const counts = await audit.counts(merchantId);
  const chain = await verifyChain(audit, { merchantId, total: counts.postings }, { ...report, tally, settled });
  const payments = await verifyPayments(audit, { merchantId, total: counts.payments }, { ...report, expect: tally.take });
  const settling = { merchantId, before: payments.payments, total: counts.payments };
  const settlements = await verifySettlements(audit, settling, { ...report, expect: settled.take });
  const differing = (heaps: Tally) => ({ ...report, parts: new Set(heaps.differing().slice(0, PARTS_MAX)) });
  const [paid, booked] = [differing(tally), differing(settled)];
  if (paid.parts.size > 0) await name(audit, merchantId, paid);
  if (booked.parts.size > 0) await nameSettlements(audit, merchantId, booked);
  return { ...chain, ...payments, settlements, findings, found };
}

type Named = { readonly merchantId: string; readonly line: string; readonly block: number | null };

/** Looks through the parts in which payments and postings differ, and says which ones do. */
async function name(
  audit: Audit,
  merchantId: string | null,
  out: Report & { readonly parts: ReadonlySet<number> },
): Promise<void> {
  const posted = new Map<string, Named[]>();
  const missing: Named[] = [];
  const accounted = new Set<string>();
  const isMeant = (owner: string, line: string) => out.parts.has(partOf(owner, line));
  for await (const page of audit.postings(merchantId)) {
    for (const { merchantId: owner, block, line } of page) {
      if (readLine(line).kind !== 'payment' || !isMeant(owner, line)) continue;
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
      expect: (owner, line) => {
        if (!isMeant(owner, line)) return;
        const there = posted.get(`${owner} ${line}`);
        if (there?.shift()) accounted.add(`${owner} ${line}`);
        else missing.push({ merchantId: owner, line, block: null });
      },
    },
  );
  const left = [...posted.values()].flat();
  const isTwice = ({ merchantId: owner, line }: Named) => accounted.has(`${owner} ${line}`);
  for (const { line, ...place } of left.filter(isTwice)) {
    out.find({ ...place, subjectId: readLine(line).subjectId, says: `it is in the books more than once: ${line}` });
  }
  tellDifferences(
    out,
    left.filter((one) => !isTwice(one)),
    missing,
  );
}

/** A posting that should not be there and one that should, of the same event, are one that was changed. */
function tellDifferences({ find }: Report, left: readonly Named[], missing: readonly Named[]): void {
  const eventOf = ({ merchantId, line }: Named) => `${merchantId} ${line.split('|', 2).join('|')}`;
  const lacking = new Map(missing.map((one) => [eventOf(one), one]));
  for (const one of left) {
    const { merchantId, block, line } = one;
    const meant = lacking.get(eventOf(one));
    if (meant) lacking.delete(eventOf(one));
    const says = meant ? `its payment says ${meant.line}, the books say ${line}` : `no payment accounts for it: ${line}`;
    find({ merchantId, block, subjectId: readLine(line).subjectId, says });
  }
  for (const { merchantId, line } of lacking.values()) {
    find({ merchantId, block: null, subjectId: readLine(line).subjectId, says: `it is not in the books: ${line}` });
  }
}
