import { isApproved } from '../payments/balance.ts';
import type { PaymentHistory, Place } from '../payments/needs.ts';
import type { Payment } from '../payments/payment.ts';
import { factsAbout, isJudged, SAYS_NOTHING } from '../payments/risk.ts';
import type { Past } from '../risk/backtest.ts';
import { createLedger, type Ledger } from '../risk/backtestJoin.ts';
import { createPastLists } from '../risk/backtestLists.ts';
import { createSide, type Named, type Trace } from '../risk/backtestSide.ts';
import type { ListEntry, Lookups } from '../risk/needs.ts';
import type { WindowLimits } from '../risk/windows.ts';
import { RISK_CHECK } from '../spec/paymentTypes.ts';
import { type ChannelRisk, judgesFor } from './backtestJudges.ts';

/** One side of a back-test as data: what one of the two threads is told. */
export type SideJob = {
  readonly merchantId: string;
  /** The first instant that counts; null: from the first payment on. */
  readonly from: number | null;
  /** The instant before which every payment is read: the same for both sides. */
  readonly before: number;
  /** By entityId: every channel of the merchant. */
  readonly channels: Readonly<Record<string, ChannelRisk>>;
  readonly entries: readonly ListEntry[];
  /** One of the sides writes down what the payments were worth. */
  readonly keepsLedger: boolean;
  readonly limits?: Partial<WindowLimits>;
};

export type SideDone = { readonly trace: Trace; readonly ledger: Ledger | null };
export type SideStep = { readonly done: number; readonly firstAt: number; readonly at: number };
export type SideNeeds = {
  readonly history: PaymentHistory;
  readonly lookups: Lookups;
  readonly onStep: (step: SideStep) => void;
};

/** What is read together lives together: more at once would be copied about by the collector. */
const PAGE = 500;
/** No window reaches back further. */
const REACH_MS = 31 * 24 * 3_600_000;

/** Reads the past once and judges it by one rule set. */
export async function runSide(job: SideJob, { history, lookups, onStep }: SideNeeds): Promise<SideDone> {
  const { merchantId, before, from } = job;
  const lists = await createPastLists(job.entries, before);
  const side = createSide({ rules: judgesFor(job), lists, ...(job.limits && { limits: job.limits }) });
  const ledger = job.keepsLedger ? createLedger() : null;
  let after: Place | null = from === null ? null : { createdAt: from - REACH_MS, merchantId: '', id: '' };
  let [done, firstAt] = [0, 0];
  for (;;) {
    const payments: readonly Payment[] = await history.history({ after, before, merchantId, limit: PAGE });
    const last = payments.at(-1);
    if (!last) break;
    const page = payments.flatMap((payment) => pastOf(payment, lookups, job.channels) ?? []);
    const counts = await side.take(page);
    if (ledger) {
      for (const [at, past] of page.entries()) if (counts[at]) ledger.add(past);
      for (const payment of payments) {
        const id = chargedBackBy(payment);
        if (id !== null) ledger.chargeBack(id);
      }
    }
    after = { createdAt: last.createdAt, merchantId: last.merchantId, id: last.id };
    firstAt ||= payments[0]?.createdAt ?? 0;
    done += page.length;
    onStep({ done, firstAt, at: last.createdAt });
    if (payments.length < PAGE) break;
  }
  return { trace: side.trace(), ledger: ledger?.ledger() ?? null };
}

/** A payment as a back-test sees it; null for what is never judged, and for a question that was no attempt. */
export function pastOf(payment: Payment, lookups: Lookups, channels: SideJob['channels']): Named | null {
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

function outcomeOf(payment: Payment): Past['is'] {
  const { phase, risk } = payment;
  if (risk?.verdict.is === 'decline') return 'blocked';
  if (phase.at !== 'final' || SAYS_NOTHING.test(phase.code)) return 'open';
  return isApproved(payment) ? 'approved' : 'declined';
}

const CHARGE_BACK: string = 'CB';

/** The payment that was charged back with this one; null when this is no charge-back. The only place that knows one. */
export const chargedBackBy = ({ paymentType, familyId }: Payment): string | null =>
  paymentType === CHARGE_BACK ? familyId : null;
