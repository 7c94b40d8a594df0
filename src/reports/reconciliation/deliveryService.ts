import type { Clocks } from '../../merchants/clocks.ts';
import type { Directory } from '../../merchants/directory.ts';
import { type MerchantFilter, matchesMerchant } from '../../merchants/merchantFilter.ts';
import { clockAt, zoneOf } from '../../schedules/calendar.ts';
import type { CronExpression } from '../../schedules/expression.ts';
import { nextRun } from '../../schedules/timetable.ts';
import type { SettlementStore } from '../../settlement/ports.ts';
import type { OpenTarget, TargetFolder } from '../../settlement/remoteFolder.ts';
import { dayText } from '../../spec/formats/dates.ts';
import { DAY_MS, HOUR_MS } from '../../spec/time.ts';
import { type DeliverNeeds, deliverDue } from './deliver.ts';
import type { ReconciliationRun, ReconciliationStore } from './ports.ts';
import { type DeliverySettings, deliverySettings } from './settings.ts';

type DeliveryServiceNeeds = {
  readonly store: DeliverNeeds['store'] & ScheduleRunsNeeds['store'];
  readonly directory: Pick<Directory, 'entity' | 'ownersOf' | 'idsBelow'>;
  readonly clocks: Clocks;
  /** The merchants that share a clock, as in `clockScopes`. */
  readonly scopes: () => readonly { readonly merchantId: string | null; readonly merchants: MerchantFilter }[];
  readonly timers: DeliverNeeds['timers'];
  readonly open: OpenTarget;
  readonly secret: DeliverNeeds['secret'];
  readonly alarm: DeliverNeeds['alarm'];
};

interface DeliveryService {
  /** Schedules the files of all merchants that are due. */
  schedule(): Promise<void>;
  /** Starts due deliveries without waiting for their end: a slow server must not delay a shutdown. */
  deliver(): Promise<void>;
  /** Starts no more deliveries and aborts the current one. The next process retries it. */
  stop(): Promise<void>;
}

const STOP_MS = 4_000;

/** Makes merchants' reconciliation files and delivers them to their servers. */
export function createDeliveryService(needs: DeliveryServiceNeeds): DeliveryService {
  const { store, directory, clocks, scopes, timers, alarm } = needs;
  const openFolders = new Set<TargetFolder>();
  const deliverNeeds: DeliverNeeds = {
    store,
    entity: directory.entity,
    timers,
    alarm,
    delivery: (merchantId) => deliverySettings(directory.entity(merchantId)?.settings.reconciliation),
    secret: needs.secret,
    now: (merchantId) => clocks.of(merchantId).now(),
    open: trackOpen(needs.open, openFolders),
  };
  let [busy, isStopping]: [Promise<void> | null, boolean] = [null, false];
  const deliverAll = async (): Promise<void> => {
    for (const { merchantId, merchants } of scopes()) {
      const now = clocks.of(merchantId).now();
      if (!isStopping) await deliverDue(deliverNeeds, { now, merchantId, isTheirs: (one) => matchesMerchant(merchants, one) });
    }
  };
  const scheduledAt = new Map<string, number | null>();
  return {
    async schedule() {
      const merchants = new Set(directory.ownersOf('reconciliation').flatMap((id) => directory.idsBelow(id, 'merchant')));
      for (const id of merchants) {
        const settings = directory.entity(id)?.settings;
        const delivery = deliverySettings(settings?.reconciliation);
        if (delivery === null || settings === undefined) continue;
        const at = { delivery, zone: settings.timeZone, now: clocks.of(id).now() };
        const hour = lastDeliveryTime(delivery, at.zone, at.now);
        // A check reads a hundred days, and nothing new is due before the next delivery time.
        if (scheduledAt.get(id) === hour) continue;
        await scheduleRuns({ store }, id, at);
        scheduledAt.set(id, hour);
      }
    },
    async deliver() {
      busy ??= deliverAll()
        .catch((error: unknown) => alarm('reconciliation files could not be delivered', { why: String(error) }))
        .finally(() => {
          busy = null;
        });
    },
    async stop() {
      isStopping = true;
      for (const folder of openFolders) folder.close();
      if (busy !== null) await timers.within(STOP_MS, busy).catch(() => {});
    },
  };
}

/** The same `open`, with every open folder in the set. */
const trackOpen =
  (open: OpenTarget, openFolders: Set<TargetFolder>): OpenTarget =>
  async (target, secret) => {
    const folder = await open(target, secret);
    openFolders.add(folder);
    return {
      ...folder,
      close: () => {
        openFolders.delete(folder);
        folder.close();
      },
    };
  };

type ScheduleRunsNeeds = { readonly store: Pick<SettlementStore, 'aggregations'> & ReconciliationStore };

/** How many days back late records are found. */
const LATE_DAYS = 100;
/** The search starts with the last hour, which has sixty runs at most, and widens until a run is found. */
const LOOKBACKS_MS = [HOUR_MS, DAY_MS, 40 * DAY_MS, 400 * DAY_MS];

/** The last run of an expression, at an instant or before it; null: none in more than a year. */
function lastRun(expression: CronExpression, now: number, zone: string): number | null {
  for (const lookback of LOOKBACKS_MS) {
    let last: number | null = null;
    for (let at = nextRun(expression, now - lookback, zone); at !== null && at <= now; at = nextRun(expression, at, zone))
      last = at;
    if (last !== null) return last;
  }
  return null;
}

/** The last delivery time of a merchant. */
const lastDeliveryTime = (delivery: DeliverySettings, zone: string, now: number): number | null =>
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
