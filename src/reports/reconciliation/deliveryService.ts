import type { Clocks } from '../../merchants/clocks.ts';
import type { Directory } from '../../merchants/directory.ts';
import { type MerchantFilter, matchesMerchant } from '../../merchants/merchantFilter.ts';
import type { OpenTarget, TargetFolder } from '../../settlement/remoteFolder.ts';
import { type DeliverNeeds, deliverDue } from './deliver.ts';
import { lastDeliveryTime, type ScheduleRunsNeeds, scheduleRuns } from './scheduleRuns.ts';
import { deliverySettings } from './settings.ts';

export type DeliveryServiceNeeds = {
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

export interface DeliveryService {
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
