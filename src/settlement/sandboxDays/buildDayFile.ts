import { isApproved } from '../../payments/balance.ts';
import type { Payment } from '../../payments/payment.ts';
import type { QueryStore } from '../../payments/search/listing.ts';
import { dayText } from '../../spec/dates.ts';
import type { SettlementStore } from '../ports.ts';
import type { ScheduledSettlement, SettledAct } from './ports.ts';

export type DayFileNeeds = {
  readonly store: Pick<QueryStore, 'families'> & Pick<SettlementStore, 'paymentsNamed' | 'recordsOfPayments'>;
  /** The account number of a payment's channel at the acquirer; null: the acquirer's default. */
  readonly account: (payment: Payment) => string | null;
  readonly formatFile: (day: string, acts: readonly SettledAct[]) => string;
};

/** Builds the acquirer's file of a day from the actions of one merchant that are due at one instant; null: it would be empty. */
export async function buildDayFile(
  needs: DayFileNeeds,
  acts: readonly [ScheduledSettlement, ...ScheduledSettlement[]],
): Promise<string | null> {
  const [{ merchantId, dueAt }] = acts;
  const ids = [...new Set(acts.map(({ paymentId }) => paymentId))];
  const family = await loadFamilies(needs, merchantId, ids);
  const settledBefore = await settledElsewhere(needs, merchantId, ids);
  const settled = acts.flatMap((scheduled) => {
    const payment = family.get(scheduled.paymentId);
    if (!payment || settledBefore.has(settledIdOf(scheduled) ?? '')) return [];
    const act = remainingAct(scheduled, payment, reversedOf(payment, family, dueAt));
    return act ? [{ payment, account: needs.account(payment), settlementId: settlementIdOf(scheduled), act }] : [];
  });
  return settled.length === 0 ? null : needs.formatFile(dayText(dueAt), settled);
}

/** The payments with their families, by id. */
async function loadFamilies(
  { store }: DayFileNeeds,
  merchantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Payment>> {
  const names = ids.map((value) => ({ kind: 'id', value }) as const);
  const found = await store.paymentsNamed({
    merchantIds: [merchantId],
    names,
    from: 0,
    before: Number.MAX_SAFE_INTEGER,
    each: 1,
  });
  const families = await store.families(merchantId, [...new Set(found.map(({ payment }) => payment.familyId))]);
  return new Map(families.map((payment) => [payment.id, payment]));
}

const ID_PREFIX = 'SIM-';

/** A payment settled twice by mistake has the same id twice; chargebacks have ids of their own. */
function settlementIdOf({ paymentId, act }: ScheduledSettlement): string {
  if (act.does === 'pay' || act.does === 'look') return ID_PREFIX + paymentId;
  if (act.recordedId !== undefined) return `${ID_PREFIX}${act.recordedId}`;
  return `${ID_PREFIX}${act.does === 'chargeback' ? 'C' : 'R'}${act.number}-${paymentId}`;
}

/** Payments and recorded transactions that a merchant has settled with own test files: the simulated acquirer leaves them out. */
async function settledElsewhere(
  { store }: DayFileNeeds,
  merchantId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const records = await store.recordsOfPayments([merchantId], ids, null);
  const others = records.filter(
    ({ recordType, settlementId }) => recordType === 'SETTLED' && !settlementId?.startsWith(ID_PREFIX),
  );
  const cleared = records.flatMap(({ chargebackId }) => chargebackId ?? []);
  return new Set([...others.flatMap(({ match }) => match.paymentIds), ...cleared]);
}

/** The payment, or the recorded transaction, that an action settles. */
const settledIdOf = ({ paymentId, act }: ScheduledSettlement): string | null =>
  act.does === 'pay' ? paymentId : act.does === 'look' ? null : (act.recordedId ?? null);

/** The amount reversed before the time of the file, so that the file is the same however often it is built. */
function reversedOf({ id }: Payment, family: ReadonlyMap<string, Payment>, before: number): bigint {
  const reversals = [...family.values()].filter(
    (one) => one.paymentType === 'RV' && one.referencedId === id && isApproved(one) && one.movedAt < before,
  );
  return reversals.reduce((sum, { amount }) => sum + amount, 0n);
}

/**
 * An action less the reversed amount, which is missing in the first settlement; null: nothing remains. A recorded chargeback has its line
 * whatever became of the payment: it may have been given back, and the payment reversed afterwards.
 */
function remainingAct({ act }: ScheduledSettlement, { amount }: Payment, reversed: bigint): SettledAct['act'] | null {
  if (act.does === 'look') return null;
  const isRecorded = act.does !== 'pay' && act.recordedId !== undefined;
  if (reversed >= amount && !isRecorded) return null;
  if (act.does === 'pay') {
    const gross = BigInt(act.gross) - (act.number === 0 ? reversed : 0n);
    return gross > 0n ? { does: 'pay', gross, fee: BigInt(act.fee) } : null;
  }
  return { does: act.does, amount: BigInt(act.amount), code: act.code };
}

export const fileName = ({ merchantId, dueAt }: ScheduledSettlement): string => `simulator-${merchantId}-${dayText(dueAt)}.csv`;
