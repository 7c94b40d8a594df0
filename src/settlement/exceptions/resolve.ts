import type { ImportNeeds } from '../in/importFile.ts';
import { manualDisagreement, subjectsBelow } from '../match/checks.ts';
import { findFileScopes, isWithin } from '../match/matchScope.ts';
import type { Match, SettlementRecord } from '../record.ts';

/** A user's decision about an exception: the line is about this payment, or (null) about none. */
export type Decision = { readonly who: string; readonly paymentId: string | null; readonly note: string };

/** `moved`: the record has changed in between. */
export type Resolution =
  | { readonly is: 'done'; readonly record: SettlementRecord }
  | { readonly is: 'refused'; readonly name: 'paymentId' | 'leave'; readonly message: string }
  | { readonly is: 'moved' };

type Needs = Pick<ImportNeeds, 'store' | 'directory' | 'clock' | 'nowOf'>;

/** Stores a user's decision about a line. Amounts, days and fees may then differ; the owner of the payment may not. */
export async function resolve(needs: Needs, record: SettlementRecord, decision: Decision): Promise<Resolution> {
  const refused = (message: string, name: 'paymentId' | 'leave' = 'paymentId'): Resolution => ({ is: 'refused', name, message });
  if (record.chargebackId !== null)
    return refused('has a transaction already, which cannot be undone here', decision.paymentId === null ? 'leave' : 'paymentId');
  const by = `by hand, ${decision.who}`;
  if (decision.paymentId === null) {
    // A dismissed duplicate stays out of the reports.
    const { exception } = record.match;
    const match: Match = { status: 'NOT_MATCHED', paymentIds: [], by, why: decision.note, isOpen: false };
    return save(needs, { ...record, match: exception ? { ...match, exception } : match });
  }
  if (record.match.exception?.kind === 'unreadable' && record.settledAmount === 0n)
    return refused('cannot settle a payment: the line has no amount that could be read; dismiss it');
  const file = await needs.store.file(record.fileId);
  const scopes = findFileScopes(needs.directory, file?.entityId ?? '');
  if (!scopes) return refused('is not known');
  const { merchantIds, tolerance } = scopes.whole;
  const names = [{ kind: 'id', value: decision.paymentId }] as const;
  const found = await needs.store.paymentsNamed({ merchantIds, names, from: 0, before: 0, each: 1 });
  const [payment] = found.map((one) => one.payment).filter((one) => isWithin(scopes.whole, one));
  if (!payment) return refused('is not a payment of the entity that owns the file');
  const family = await needs.store.families(payment.merchantId, [payment.familyId]);
  const subjects = subjectsBelow(record, payment, family);
  if (!subjects.some(({ id }) => id === payment.id))
    return refused(`is nothing that a ${record.recordType} of a ${record.transactionType} can be about`);
  const earlier = (await needs.store.recordsOfPayments(merchantIds, [payment.id], null)).filter(({ id }) => id !== record.id);
  const why = manualDisagreement({
    line: record,
    payment,
    family,
    earlier,
    tolerance,
    format: record.format,
    fileId: record.fileId,
  });
  if (why !== null) return refused(`does not fit: ${why}`);
  const match = { status: 'MATCHED', paymentIds: [payment.id], by, why: decision.note, isOpen: false } as const;
  return save(needs, { ...record, merchantId: payment.merchantId, entityId: payment.entityId, match });
}

async function save({ store, clock, nowOf = clock.now }: Needs, changed: SettlementRecord): Promise<Resolution> {
  const record = { ...changed, revision: changed.revision + 1 };
  return (await store.saveRecord(record, nowOf(record.merchantId))) ? { is: 'done', record } : { is: 'moved' };
}
