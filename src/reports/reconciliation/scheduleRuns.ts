import { clockAt, zoneOf } from '../../schedules/calendar.ts';
import type { CronExpression } from '../../schedules/expression.ts';
import { nextRun } from '../../schedules/timetable.ts';
import type { SettlementStore } from '../../settlement/ports.ts';
import { dayText } from '../../spec/formats/dates.ts';
import { DAY_MS, HOUR_MS } from '../../spec/time.ts';
import type { ReconciliationRun, ReconciliationStore } from './ports.ts';
import type { DeliverySettings } from './settings.ts';

export type ScheduleRunsNeeds = { readonly store: Pick<SettlementStore, 'aggregations'> & ReconciliationStore };

/** How many days back late records are found. */
const LATE_DAYS = 100;
/** The search starts with the last hour, which has sixty runs at most, and widens until a run is found. */
const LOOKBACKS_MS = [HOUR_MS, DAY_MS, 40 * DAY_MS, 400 * DAY_MS];

/** The last run of an expression, at an instant or before it; null: none in more than a year. */
export function lastRun(expression: CronExpression, now: number, zone: string): number | null {
  for (const lookback of LOOKBACKS_MS) {
    let last: number | null = null;
    for (let at = nextRun(expression, now - lookback, zone); at !== null && at <= now; at = nextRun(expression, at, zone))
      last = at;
    if (last !== null) return last;
  }
  return null;
}

/** The last delivery time of a merchant. */
export const lastDeliveryTime = (delivery: DeliverySettings, zone: string, now: number): number | null =>
  lastRun(delivery.when, now, delivery.zone ?? zone);

/** The local day of a zone at an instant. */
const dayIn = (zone: string, instant: number): string => dayText(clockAt(zoneOf(zone), Math.floor(instant / 1000)) * 1000);
const before = (day: string, days: number): string => dayText(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS);

/**
 * Schedules the due files of a merchant: for every day that had ended at the last delivery time and has records that none of its files
 * contains. Returns their number. Calling it again adds nothing.
 */
export async function scheduleRuns(
  { store }: ScheduleRunsNeeds,
  merchantId: string,
  { delivery, zone, now }: { readonly delivery: DeliverySettings; readonly zone: string; readonly now: number },
): Promise<number> {
  const own = delivery.zone ?? zone;
  const fired = lastDeliveryTime(delivery, zone, now);
  if (fired === null) return 0;
  const today = dayIn(own, fired);
  const [to, early] = [before(today, 1), before(today, LATE_DAYS)];
  const from = delivery.since > early ? delivery.since : early;
  if (from > to) return 0;
  const [found, runs] = await Promise.all([
    store.aggregations({ merchantId, from, to, currency: null }),
    store.reconciliations(merchantId, from),
  ]);
  let scheduled = 0;
  for (const [day, own] of Map.groupBy(found, ({ settledOn }) => settledOn)) {
    const count = own.reduce((sum, one) => sum + one.count, 0);
    const last = runs.findLast((run) => run.day === day);
    if (!isDue(last, count)) continue;
    if (await store.addReconciliation(newRun(merchantId, { day, part: (last?.part ?? 0) + 1, now }))) scheduled += 1;
  }
  return scheduled;
}

/** A day needs a further part when its last file is done and does not cover all records. */
function isDue(last: ReconciliationRun | undefined, count: number): boolean {
  if (last === undefined) return count > 0;
  return last.state === 'done' && last.covers !== count;
}

const newRun = (
  merchantId: string,
  { day, part, now }: { readonly day: string; readonly part: number; readonly now: number },
): ReconciliationRun => ({
  merchantId,
  day,
  part,
  state: 'due',
  tries: 0,
  dueAt: now,
  claimedUntil: 0,
  name: null,
  temporaryName: null,
  digest: null,
  bytes: null,
  records: null,
  covers: null,
  files: [],
  changed: {},
  why: null,
  createdAt: now,
  movedAt: now,
  revision: 1,
});
