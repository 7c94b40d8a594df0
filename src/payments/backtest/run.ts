import type { BacktestReport, PastPayment } from '../../risk/backtest/backtest.ts';
import { createBatchEvaluator } from '../../risk/backtest/batchEvaluator.ts';
import { createPaymentLabels, joinTraces, type PaymentLabels, type Samples, samplesOf } from '../../risk/backtest/joinTraces.ts';
import {
  createBacktestLists,
  createBatchWriter,
  type IdentifiedPayment,
  type PaymentBatch,
} from '../../risk/backtest/paymentBatch.ts';
import { type BacktestJob, createSides } from '../../risk/backtest/ruleSelector.ts';
import type { Lookups } from '../../risk/ports.ts';
import { hashOf } from '../../risk/velocity/hashIndex.ts';
import { RISK_CHECK } from '../../spec/paymentTypes.ts';
import { countsAs } from '../../spec/resultCodes/retryRules.ts';
import { DAY_MS } from '../../spec/time.ts';
import { isApproved } from '../balance.ts';
import type { Payment } from '../payment.ts';
import type { PaymentCursor, PaymentHistory } from '../ports.ts';
import { factsAbout, isJudged } from '../screen.ts';

export type BacktestRun = {
  readonly job: BacktestJob;
  readonly signal: AbortSignal;
  /** Reports how far the evaluation is. */
  readonly onStep: (step: ReadStep) => void;
  /** Examples of changed verdicts, before the report is complete. */
  readonly onSamples?: (samples: Samples) => void;
};

export type RunBacktest = (run: BacktestRun) => Promise<BacktestReport>;

/** A back-test was cancelled. */
export class BacktestStopped extends Error {
  override readonly name = 'BacktestStopped';
}

type Here = { readonly history: PaymentHistory; readonly lookups: Lookups; readonly rest: () => Promise<void> };

/** Back-tests in this thread, for a store that no other thread can open. Other work has its turn after every page. */
export const backtestHere =
  ({ history, lookups, rest }: Here): RunBacktest =>
  async ({ job, signal, onStep, onSamples }) => {
    const evaluator = createBatchEvaluator(createSides(job));
    const goOn = async (): Promise<void> => {
      await rest();
      if (signal.aborted) throw new BacktestStopped('stopped');
    };
    await goOn();
    const ledger = await readPast(job, {
      history,
      lookups,
      onBatch: async (batch, step) => {
        evaluator.take(batch);
        onStep(step);
        await goOn();
      },
    });
    onSamples?.(samplesOf(evaluator.traces(), ledger));
    return joinTraces(...evaluator.traces(), ledger);
  };

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

const [CHARGE_BACK, REFUND]: readonly string[] = ['CB', 'RF'];
const SEED = 0x2ef0;

/**
 * Reads payments in any order, and names the payments that were charged back. A refund that came back is recorded as a chargeback of the
 * refund, which says nothing against the payment. A refund from before all that was read has its payment there too.
 */
export function createChargebackReader() {
  const refunds = new Set<number>();
  const chargebacks: { readonly about: number; readonly paymentId: string }[] = [];
  return {
    read({ id, paymentType, referencedId, familyId }: Payment): void {
      if (paymentType === REFUND) refunds.add(hashOf(id, SEED));
      if (paymentType === CHARGE_BACK) chargebacks.push({ about: hashOf(referencedId ?? '', SEED), paymentId: familyId });
    },
    chargedBack: (): readonly string[] =>
      chargebacks.filter(({ about }) => !refunds.has(about)).map(({ paymentId }) => paymentId),
  };
}

/** Progress of the reader. `at`: the creation of the last payment read. */
export type ReadStep = { readonly done: number; readonly firstAt: number; readonly at: number };

type ReaderNeeds = {
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
  const chargebacks = createChargebackReader();
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
    payments.forEach(chargebacks.read);
    firstAt ||= payments[0]?.createdAt ?? 0;
    done += page.length;
    await onBatch(batch, { done, firstAt, at: last.createdAt });
    if (isLast) break;
  }
  for (const id of chargebacks.chargedBack()) ledger.chargeBack(id);
  return ledger.labels();
}
