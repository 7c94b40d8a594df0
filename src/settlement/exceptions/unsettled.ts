import { isApproved } from '../../payments/balance.ts';
import type { Payment } from '../../payments/payment.ts';
import type { PaymentCursor, PaymentHistory } from '../../payments/ports.ts';
import type { TransactionType } from '../../spec/paymentTypes.ts';
import type { SettlementStore } from '../ports.ts';

export type UnsettledQuery = {
  readonly merchantId: string;
  /** A channel; null: all of the merchant's. */
  readonly entityId: string | null;
  /** From an instant on and strictly before another. */
  readonly from: number;
  readonly before: number;
  readonly after: PaymentCursor | null;
  readonly limit: number;
};

/** `next`: where the next page begins; null when there is nothing more. */
export type Unsettled = { readonly payments: readonly Payment[]; readonly next: PaymentCursor | null };

const PORTION = 500;
/** Of payments that are looked at for one page: a merchant whose files are all there has none to show. */
const LOOKED_MAX = 100_000;

/** Whatever moves money at the acquirer, and so must come back in one of his files. */
const settled: readonly TransactionType[] = ['DB', 'CP', 'CD', 'RF'];

type Store = PaymentHistory & Pick<SettlementStore, 'recordsOfPayments'>;

/** The payments of a time that no line has settled, the oldest first. */
export async function unsettledPayments(store: Store, asked: UnsettledQuery): Promise<Unsettled> {
  const { merchantId, entityId, before, limit } = asked;
  const found: Payment[] = [];
  let after: PaymentCursor | null = asked.after ?? { createdAt: asked.from - 1, merchantId: '\uffff', id: '' };
  for (let looked = 0; looked < LOOKED_MAX; looked += PORTION) {
    const portion = await store.history({ after, before, merchantId, limit: PORTION });
    const own = portion.filter((one) => settled.includes(one.paymentType) && isApproved(one));
    const open = await withoutRecord(store, merchantId, own);
    for (const payment of open.filter((one) => entityId === null || one.entityId === entityId)) {
      found.push(payment);
      if (found.length === limit) return { payments: found, next: placeOf(payment) };
    }
    const last = portion.at(-1);
    if (!last || portion.length < PORTION) return { payments: found, next: null };
    after = placeOf(last);
  }
  return { payments: found, next: after };
}

const placeOf = ({ createdAt, merchantId, id }: Payment): PaymentCursor => ({ createdAt, merchantId, id });

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
