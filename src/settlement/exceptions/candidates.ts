import type { Payment } from '../../payments/payment.ts';
import { last4Of } from '../../registrations/last4.ts';
import type { ExceptionKind } from '../../spec/exceptionKinds.ts';
import { DAY_MS } from '../../spec/time.ts';
import type { ImportNeeds } from '../in/importFile.ts';
import { isDispute, subjectsOf } from '../match/checks.ts';
import { findFileScopes, isWithin, type MatchScope } from '../match/matchScope.ts';
import type { SettlementRecord } from '../record.ts';

/** The payments that an exception may be about. `suggestedId`: the one that is most likely meant; null: none is. */
export type Candidates = { readonly payments: readonly Payment[]; readonly suggestedId: string | null };

const NONE: Candidates = { payments: [], suggestedId: null };
const ALIKE_MAX = 500;
const SHOWN_MAX = 10;

/** Exceptions that lead to no payment: payments of the same amount may be meant. */
const leadless: ReadonlySet<ExceptionKind> = new Set(['unknownReference', 'noReference']);

type Needs = Pick<ImportNeeds, 'store' | 'directory'>;

/** Finds the candidates of exceptions, by the id of the record. */
export async function candidatesFor(
  needs: Needs,
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
  { store }: Needs,
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
  store: Needs['store'],
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
