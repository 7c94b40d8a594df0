import type { Payment } from '../../payments/payment.ts';
import type { QueryStore } from '../../payments/search/listing.ts';
import type { BankNeeds } from '../in/bankAccounts.ts';
import { disagreement } from '../match/checks.ts';
import { findFileScopes, type ScopeDirectory } from '../match/matchScope.ts';
import type { SettlementStore } from '../ports.ts';
import type { Match, SettlementRecord } from '../record.ts';

export type ReversalNeeds = {
  readonly store: Pick<SettlementStore, 'exceptions' | 'recordsOfPayments' | 'saveRecord'> & Pick<QueryStore, 'families'>;
  readonly directory: ScopeDirectory;
  readonly statusesOf: BankNeeds['statusesOf'];
};

const PAGE = 500;
/** Open exceptions that are looked through, the oldest first. */
const EXCEPTIONS_MAX = 20_000;

/**
 * A bank's files come in any order: a reversal that was imported before its return found nothing to reverse, and is an exception. Matches
 * such reversals once the return is matched; returns their number. Only payments that a bank has restored before are looked at.
 */
export async function matchEarlyReversals(needs: ReversalNeeds, payment: Payment, now: number): Promise<number> {
  if (!(await needs.statusesOf(payment)).includes('restored')) return 0;
  const { store, directory } = needs;
  const tolerance = findFileScopes(directory, payment.entityId)?.whole.tolerance;
  if (!tolerance) return 0;
  let count = 0;
  for (const record of await reversalsOf(needs, payment)) {
    const earlier = await store.recordsOfPayments([payment.merchantId], [payment.id], null);
    const family = await store.families(payment.merchantId, [payment.familyId]);
    const differs = disagreement({
      line: record,
      payment,
      family,
      earlier,
      tolerance,
      format: record.format,
      fileId: record.fileId,
    });
    if (differs && !differs.isRepeat) continue;
    const { merchantId, entityId } = payment;
    const match: Match = differs ? repeatOf(record, differs.why) : matchOf(payment);
    const changed = { ...record, merchantId, entityId, match, revision: record.revision + 1 };
    if ((await store.saveRecord(changed, now)) && !differs) count += 1;
  }
  return count;
}

const BY = 'payment id';

const matchOf = ({ id }: Payment): Match => ({
  status: 'MATCHED',
  paymentIds: [id],
  by: BY,
  why: 'by its payment id; the return that it reverses was imported after it',
  isOpen: false,
});

/** A statement and a notification of the same reversal. */
const repeatOf = ({ match }: SettlementRecord, why: string): Match => ({
  ...match,
  why,
  isOpen: false,
  exception: { kind: 'duplicate', candidateIds: match.exception?.candidateIds ?? [] },
});

/** Open reversals that lead to this payment, of files of its entity and those above it. */
async function reversalsOf(
  { store, directory }: Pick<ReversalNeeds, 'store' | 'directory'>,
  payment: Payment,
): Promise<readonly SettlementRecord[]> {
  const entityIds = [...new Set([payment.entityId, ...(directory.entity(payment.entityId)?.path ?? [])])];
  const found: SettlementRecord[] = [];
  let after: string | undefined;
  for (let read = 0; read < EXCEPTIONS_MAX; read += PAGE) {
    const page = await store.exceptions({
      entityIds,
      status: 'NOT_MATCHED',
      limit: PAGE,
      ...(after !== undefined && { after }),
    });
    found.push(...page.filter((record) => isReversalOf(record, payment)));
    after = page.at(-1)?.id;
    if (page.length < PAGE) break;
  }
  return found;
}

const isReversalOf = ({ recordType, match }: SettlementRecord, { id }: Payment): boolean =>
  recordType === 'CHARGEBACK REVERSAL' && match.exception?.candidateIds.includes(id) === true;
