import type { Payment } from '../../payments/payment.ts';
import { last4Of } from '../../registrations/registration.ts';
import type { ExceptionKind } from '../../spec/answers/settlement.ts';
import { DAY_MS } from '../../spec/time.ts';
import type { ImportNeeds } from '../in/importFile.ts';
import {
  findFileScopes,
  isDispute,
  isWithin,
  type MatchScope,
  manualDisagreement,
  subjectsBelow,
  subjectsOf,
} from '../match/checks.ts';
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

/** The payments that an exception may be about. `suggestedId`: the one that is most likely meant; null: none is. */
export type Candidates = { readonly payments: readonly Payment[]; readonly suggestedId: string | null };

type CandidateNeeds = Pick<ImportNeeds, 'store' | 'directory'>;

const NONE: Candidates = { payments: [], suggestedId: null };
const ALIKE_MAX = 500;
const SHOWN_MAX = 10;

/** Exceptions that lead to no payment: payments of the same amount may be meant. */
const leadless: ReadonlySet<ExceptionKind> = new Set(['unknownReference', 'noReference']);

/** Finds the candidates of exceptions, by the id of the record. */
export async function candidatesFor(
  needs: CandidateNeeds,
  records: readonly SettlementRecord[],
): Promise<ReadonlyMap<string, Candidates>> {
  const found = new Map<string, Candidates>();
  for (const [fileId, own] of Map.groupBy(records, (record) => record.fileId)) {
    const file = await needs.store.file(fileId);
    const scope = findFileScopes(needs.directory, file?.entityId ?? '')?.whole;
    if (!scope) continue;
    for (const [id, candidates] of await candidatesWithin(needs, scope, own)) found.set(id, candidates);
  }
  return found;
}

async function candidatesWithin(
  { store }: CandidateNeeds,
  scope: MatchScope,
  records: readonly SettlementRecord[],
): Promise<ReadonlyMap<string, Candidates>> {
  const { merchantIds } = scope;
  const names = [...new Set(records.flatMap(({ match }) => match.exception?.candidateIds ?? match.paymentIds))].map(
    (value) => ({ kind: 'id', value }) as const,
  );
  const named = names.length === 0 ? [] : await store.paymentsNamed({ merchantIds, names, from: 0, before: 0, each: 1 });
  const byId = new Map(named.filter(({ payment }) => isWithin(scope, payment)).map(({ payment }) => [payment.id, payment]));
  const alike = await unsettledAlike(store, scope, records.filter(isLeadless));
  return new Map(
    records.map((record) => {
      const { match } = record;
      const leads = (match.exception?.candidateIds ?? match.paymentIds).flatMap((id) => byId.get(id) ?? []);
      const payments = leads.length > 0 || !isLeadless(record) ? leads : alike.filter((payment) => isAlike(record, payment));
      return [record.id, payments.length === 0 ? NONE : chosenAmong(record, payments)] as const;
    }),
  );
}

const isLeadless = ({ match: { exception } }: SettlementRecord): boolean =>
  exception !== undefined && leadless.has(exception.kind);

const dayOf = ({ settledOn }: SettlementRecord): number => Date.parse(`${settledOn}T00:00:00Z`);

/** Approved payments with the amounts of these lines that no line has settled yet. */
async function unsettledAlike(
  store: ImportNeeds['store'],
  scope: MatchScope,
  records: readonly SettlementRecord[],
): Promise<readonly Payment[]> {
  const lines = records.filter((record) => !isDispute(record));
  if (lines.length === 0) return [];
  const days = lines.map(dayOf);
  const from = Math.min(...days) - (scope.tolerance.daysMax + 1) * DAY_MS;
  const before = Math.max(...days) + 2 * DAY_MS;
  const sums = [...new Map(lines.map(({ amount, currency }) => [`${currency} ${amount}`, { amount, currency }])).values()];
  const { merchantIds } = scope;
  const alike = (await store.paymentsAlike({ merchantIds, from, before, sums, limit: ALIKE_MAX })).filter((payment) =>
    isWithin(scope, payment),
  );
  if (alike.length === 0) return [];
  const settled = await store.recordsOfPayments(
    merchantIds,
    alike.map(({ id }) => id),
    null,
  );
  const ids = new Set(settled.flatMap(({ match }) => match.paymentIds));
  return alike.filter(({ id }) => !ids.has(id));
}

const isAlike = (record: SettlementRecord, payment: Payment): boolean =>
  payment.amount === record.amount &&
  payment.currency === record.currency &&
  subjectsOf(record).includes(payment.paymentType) &&
  payment.createdAt < dayOf(record) + 2 * DAY_MS &&
  (record.last4 === null || (last4Of(payment.instrument) ?? record.last4) === record.last4);

/** Suggests the only candidate, or the only one with the account of the line. A duplicate is not matched again, so it has no suggestion. */
function chosenAmong(record: SettlementRecord, payments: readonly Payment[]): Candidates {
  const shown = payments.slice(0, SHOWN_MAX);
  if (record.match.exception?.kind === 'duplicate') return { payments: shown, suggestedId: null };
  const sameAccount = payments.filter(({ instrument }) => record.last4 !== null && last4Of(instrument) === record.last4);
  const [only, ...others] = payments.length === 1 ? payments : sameAccount;
  return { payments: shown, suggestedId: only && others.length === 0 ? only.id : null };
}
