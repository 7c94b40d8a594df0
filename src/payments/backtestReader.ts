import type { BacktestJob } from '../risk/backtestJob.ts';
import { createLedger, type Ledger } from '../risk/backtestJoin.ts';
import { sidesOf } from '../risk/backtestJudges.ts';
import { createPastLists } from '../risk/backtestLists.ts';
import { createSheetWriter, type Sheet } from '../risk/backtestSheet.ts';
import type { Lookups } from '../risk/needs.ts';
import { chargedBackBy, pastOf } from './backtestPast.ts';
import type { PaymentHistory, Place } from './needs.ts';
import type { Payment } from './payment.ts';

/** How far the reading is: up to the payment that began at this instant. */
export type ReadStep = { readonly done: number; readonly firstAt: number; readonly at: number };

export type ReaderNeeds = {
  readonly history: PaymentHistory;
  readonly lookups: Lookups;
  /** Takes over what was read; reading goes on when it says so. */
  readonly onSheet: (sheet: Sheet, step: ReadStep) => Promise<void>;
};

/** What is read together lives together: more at once would be copied about by the collector. */
const PAGE = 500;
/** No window reaches back further. */
const REACH_MS = 31 * 24 * 3_600_000;

/** Reads the past once, for both sides, and answers what the payments were worth. */
export async function readPast(job: BacktestJob, { history, lookups, onSheet }: ReaderNeeds): Promise<Ledger> {
  const { merchantId, from, until } = job;
  const sides = sidesOf(job);
  const writer = createSheetWriter(sides, { lists: await createPastLists(job.entries, until) });
  const ledger = createLedger();
  const pageAfter = (after: Place | null): Promise<readonly Payment[]> => {
    const page = history.history({ after, before: until, merchantId, limit: PAGE });
    // It fails where it is waited for, which may be later.
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
    // A server looks for the next page while this one is worked on.
    if (!isLast) next = pageAfter({ createdAt: last.createdAt, merchantId: last.merchantId, id: last.id });
    const page = payments.flatMap((payment) => pastOf(payment, lookups, job.channels.before) ?? []);
    const sheet = await writer.write(page);
    page.forEach((past, row) => {
      if (sheet.sets[row * 2] !== -1) ledger.add(past);
    });
    for (const payment of payments) {
      const id = chargedBackBy(payment);
      if (id !== null) ledger.chargeBack(id);
    }
    firstAt ||= payments[0]?.createdAt ?? 0;
    done += page.length;
    await onSheet(sheet, { done, firstAt, at: last.createdAt });
    if (isLast) break;
  }
  return ledger.ledger();
}
