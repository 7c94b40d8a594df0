import { balanceOf, isApproved } from '../../payments/balance.ts';
import type { Payment } from '../../payments/payment.ts';
import type { PaymentCursor, PaymentHistory } from '../../payments/ports.ts';
import type { QueryStore } from '../../payments/search/listing.ts';
import type { SettlementStore } from '../ports.ts';
import { settledTypes } from '../record.ts';

export type UnsettledQuery = {
  readonly merchantId: string;
  /** A channel; null: all channels of the merchant. */
  readonly entityId: string | null;
  /** The time range, `before` excluded. */
  readonly from: number;
  readonly before: number;
  readonly after: PaymentCursor | null;
  readonly limit: number;
};

/** `next`: the cursor of the next page; null: this is the last one. */
export type Unsettled = { readonly payments: readonly Payment[]; readonly next: PaymentCursor | null };

const BATCH = 500;
/** Payments scanned for one page: a merchant without missing files has none to list. */
const SCANNED_MAX = 100_000;

type Store = PaymentHistory & Pick<SettlementStore, 'recordsOfPayments'> & Pick<QueryStore, 'families'>;

/** Payments of a period that no record has settled, the oldest first. */
export async function unsettledPayments(store: Store, query: UnsettledQuery): Promise<Unsettled> {
  const { merchantId, entityId, before, limit } = query;
  const found: Payment[] = [];
  let after: PaymentCursor | null = query.after ?? { createdAt: query.from - 1, merchantId: '\uffff', id: '' };
  for (let scanned = 0; scanned < SCANNED_MAX; scanned += BATCH) {
    const batch = await store.history({ after, before, merchantId, limit: BATCH });
    const own = batch.filter((one) => settledTypes.includes(one.paymentType) && isApproved(one));
    const open = await withoutReversed(store, merchantId, await withoutRecord(store, merchantId, own));
    for (const payment of open.filter((one) => entityId === null || one.entityId === entityId)) {
      found.push(payment);
      if (found.length === limit) return { payments: found, next: cursorOf(payment) };
    }
    const last = batch.at(-1);
    if (!last || batch.length < BATCH) return { payments: found, next: null };
    after = cursorOf(last);
  }
  return { payments: found, next: after };
}

/** No acquirer settles a payment that was reversed as a whole. */
async function withoutReversed(store: Store, merchantId: string, payments: readonly Payment[]): Promise<readonly Payment[]> {
  const familyIds = [...new Set(payments.map(({ familyId }) => familyId))];
  const family = familyIds.length === 0 ? [] : await store.families(merchantId, familyIds);
  return payments.filter((payment) => balanceOf(family, payment).reversed.least < payment.amount);
}

const cursorOf = ({ createdAt, merchantId, id }: Payment): PaymentCursor => ({ createdAt, merchantId, id });

async function withoutRecord(store: Store, merchantId: string, payments: readonly Payment[]): Promise<readonly Payment[]> {
  if (payments.length === 0) return [];
  const records = await store.recordsOfPayments(
    [merchantId],
    payments.map(({ id }) => id),
    null,
  );
  const done = records.filter(({ recordType, status }) => recordType === 'SETTLED' && status === 'SUCCESS');
  const ids = new Set(done.flatMap(({ match }) => match.paymentIds));
  return payments.filter(({ id }) => !ids.has(id));
}
