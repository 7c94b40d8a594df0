import type { Payment } from '../payment.ts';
import type { PaymentCursor, PaymentHistory } from '../ports.ts';
import { createRoutingCount, isRouted, type RoutingCount, type RoutingTrial } from './routingCount.ts';

export type RoutingPeriod = { readonly from: number; readonly before: number };

/** `isCut`: there are more payments than were read; `until`: those that began before it were. */
export type RoutingOutcome = RoutingCount & { readonly isCut: boolean; readonly until: number };

type Needs = {
  readonly history: PaymentHistory;
  /** Other work has its turn. */
  readonly rest: () => Promise<void>;
};

const PAGE = 500;
/** Payments of the merchant that one back-test reads at most. */
export const READ_MAX = 50_000;

/** Tries rules on the past payments of a channel, the oldest first. */
export async function backtestRouting(
  trial: RoutingTrial,
  { from, before }: RoutingPeriod,
  { history, rest }: Needs,
): Promise<RoutingOutcome> {
  const { merchantId, entityId } = trial.channel;
  const count = createRoutingCount(trial);
  let after: PaymentCursor = { createdAt: from - 1, merchantId: '\uffff', id: '' };
  for (let read = 0; read < READ_MAX; read += PAGE) {
    const payments: readonly Payment[] = await history.history({ after, before, merchantId, limit: PAGE });
    for (const payment of payments) if (payment.entityId === entityId && isRouted(payment)) count.add(payment);
    const last = payments.at(-1);
    if (!last || payments.length < PAGE) return { ...count.result(), isCut: false, until: before };
    after = { createdAt: last.createdAt, merchantId: last.merchantId, id: last.id };
    await rest();
  }
  return { ...count.result(), isCut: true, until: after.createdAt };
}
