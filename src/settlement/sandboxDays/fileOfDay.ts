import { isApproved } from '../../payments/balance.ts';
import type { Payment } from '../../payments/payment.ts';
import type { QueryStore } from '../../payments/search/listing.ts';
import { dayText } from '../../spec/dates.ts';
import type { SettlementStore } from '../ports.ts';
import type { ScheduledSettlement, SettledAct } from './ports.ts';

export type FileNeeds = {
  readonly store: Pick<QueryStore, 'families'> & Pick<SettlementStore, 'paymentsNamed' | 'recordsOfPayments'>;
  /** By which number the acquirer knows whoever took the payment; null: by one of its own. */
  readonly account: (payment: Payment) => string | null;
  readonly fileOf: (day: string, acts: readonly SettledAct[]) => string;
};

/** Acts of one merchant that are due at one instant as the acquirer's file of that day; null: nothing is left to say. */
export async function fileOfDay(
  needs: FileNeeds,
  acts: readonly [ScheduledSettlement, ...ScheduledSettlement[]],
): Promise<string | null> {
  const [{ merchantId, dueAt }] = acts;
  const ids = [...new Set(acts.map(({ paymentId }) => paymentId))];
  const family = await familiesOf(needs, merchantId, ids);
  const brought = await settledElsewhere(needs, merchantId, ids);
  const settled = acts.flatMap((later) => {
    const payment = family.get(later.paymentId);
    if (!payment || (later.act.does === 'pay' && brought.has(payment.id))) return [];
    const act = told(later, payment, reversedOf(payment, family, dueAt));
    return act ? [{ payment, account: needs.account(payment), settlementId: settlementIdOf(later), act }] : [];
  });
  return settled.length === 0 ? null : needs.fileOf(dayText(dueAt), settled);
}

/** The payments of the acts with everything that references them. */
async function familiesOf(
  { store }: FileNeeds,
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

const OWN = 'SIM-';

/** A payment that is paid twice by mistake has the same line twice; chargebacks are told apart. */
function settlementIdOf({ paymentId, act }: ScheduledSettlement): string {
  if (act.does === 'pay' || act.does === 'look') return OWN + paymentId;
  return `${OWN}${act.does === 'chargeback' ? 'C' : 'R'}${act.number}-${paymentId}`;
}

/** Whoever tries files of his own has settled payments himself: the acquirer does not come with them again. */
async function settledElsewhere({ store }: FileNeeds, merchantId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const records = await store.recordsOfPayments([merchantId], ids, null);
  const others = records.filter(({ recordType, settlementId }) => recordType === 'SETTLED' && !settlementId?.startsWith(OWN));
  return new Set(others.flatMap(({ match }) => match.paymentIds));
}

/** What was cancelled before the file was made: looked at again later, it is the same. */
function reversedOf({ id }: Payment, family: ReadonlyMap<string, Payment>, before: number): bigint {
  const reversals = [...family.values()].filter(
    (one) => one.paymentType === 'RV' && one.referencedId === id && isApproved(one) && one.movedAt < before,
  );
  return reversals.reduce((sum, { amount }) => sum + amount, 0n);
}

/** An act as far as there is money left for it. What was cancelled is missing where the money first comes. */
function told({ act }: ScheduledSettlement, { amount }: Payment, reversed: bigint): SettledAct['act'] | null {
  if (act.does === 'look' || reversed >= amount) return null;
  if (act.does === 'pay') {
    const gross = BigInt(act.gross) - (act.number === 0 ? reversed : 0n);
    return gross > 0n ? { does: 'pay', gross, fee: BigInt(act.fee) } : null;
  }
  return { does: act.does, amount: BigInt(act.amount), code: act.code };
}

/** The name of the file. */
export const fileName = ({ merchantId, dueAt }: ScheduledSettlement): string => `simulator-${merchantId}-${dayText(dueAt)}.csv`;
