import type { PastPayment } from '../../risk/backtest/backtest.ts';
import { createBacktestLists } from '../../risk/backtest/backtestLists.ts';
import type { BacktestJob } from '../../risk/backtest/job.ts';
import { createPaymentLabels, type PaymentLabels } from '../../risk/backtest/joinTraces.ts';
import { createBatchWriter, type IdentifiedPayment, type PaymentBatch } from '../../risk/backtest/paymentBatch.ts';
import { createSides } from '../../risk/backtest/ruleSelector.ts';
import type { Lookups } from '../../risk/ports.ts';
import { RISK_CHECK } from '../../spec/paymentTypes.ts';
import { countsAs } from '../../spec/resultCodes/countsAs.ts';
import { DAY_MS } from '../../spec/time.ts';
import { isApproved } from '../balance.ts';
import type { Payment } from '../payment.ts';
import type { PaymentCursor, PaymentHistory } from '../ports.ts';
import { factsAbout, isJudged } from '../risk.ts';

/** By entityId: the time zone of every channel of the merchant. */
type Zones = Readonly<Record<string, { readonly timeZone: string }>>;

/** A payment as a back-test evaluates it; null when it is never evaluated, and for a risk check without a payment. */
export function pastOf(payment: Payment, lookups: Lookups, channels: Zones): IdentifiedPayment | null {
  if (!isJudged(payment) || payment.paymentType === RISK_CHECK) return null;
  const { phase } = payment;
  return {
    id: payment.id,
    facts: factsAbout({ risk: { lookups } }, payment, channels[payment.entityId]?.timeZone ?? 'UTC'),
    is: outcomeOf(payment),
    code: phase.at === 'final' ? phase.code : null,
    isChargedBack: false,
  };
}

function outcomeOf(payment: Payment): PastPayment['is'] {
  const { phase, risk } = payment;
  if (risk?.verdict.is === 'decline') return 'blocked';
  if (phase.at !== 'final') return 'open';
  return isApproved(payment) ? 'approved' : countsAs(phase.code);
}

const CHARGE_BACK: string = 'CB';

/** The id of the payment that this one charges back; null when this is no chargeback. */
export const chargedBackBy = ({ paymentType, familyId }: Payment): string | null =>
  paymentType === CHARGE_BACK ? familyId : null;

/** Progress of the reader. `at`: the creation of the last payment read. */
export type ReadStep = { readonly done: number; readonly firstAt: number; readonly at: number };

export type ReaderNeeds = {
  readonly history: PaymentHistory;
  readonly lookups: Lookups;
  /** Receives a batch. Reading continues when the promise resolves. */
  readonly onBatch: (batch: PaymentBatch, step: ReadStep) => Promise<void>;
};

/** A larger page survives the young generation of the heap, and the garbage collector copies it. */
const PAGE = 500;
/** The longest velocity window. */
const REACH_MS = 31 * DAY_MS;

/** Reads the stored payments once, for both rule sets, and returns their labels. */
export async function readPast(job: BacktestJob, { history, lookups, onBatch }: ReaderNeeds): Promise<PaymentLabels> {
  const { merchantId, from, until } = job;
  const sides = createSides(job);
  const writer = createBatchWriter(sides, { lists: await createBacktestLists(job.entries, until) });
  const ledger = createPaymentLabels();
  const pageAfter = (after: PaymentCursor | null): Promise<readonly Payment[]> => {
    const page = history.history({ after, before: until, merchantId, limit: PAGE });
    // The error is thrown where the page is awaited, which may be later.
    page.catch(() => {});
    return page;
  };
  let next = pageAfter(from === null ? null : { createdAt: from - REACH_MS, merchantId: '', id: '' });
  let [done, firstAt] = [0, 0];
  for (;;) {
    const payments = await next;
    const last = payments.at(-1);
    if (!last) break;
    const isLast = payments.length < PAGE;
    // The database reads the next page while this one is evaluated.
    if (!isLast) next = pageAfter({ createdAt: last.createdAt, merchantId: last.merchantId, id: last.id });
    const page = payments.flatMap((payment) => pastOf(payment, lookups, job.channels.before) ?? []);
    const batch = await writer.write(page);
    page.forEach((past, row) => {
      if (batch.sets[row * 2] !== -1) ledger.add(past);
    });
    for (const payment of payments) {
      const id = chargedBackBy(payment);
      if (id !== null) ledger.chargeBack(id);
    }
    firstAt ||= payments[0]?.createdAt ?? 0;
    done += page.length;
    await onBatch(batch, { done, firstAt, at: last.createdAt });
    if (isLast) break;
  }
  return ledger.labels();
}
