import type { Clocks } from '../merchants/clocks.ts';
import type { Directory } from '../merchants/directory.ts';
import { matchesMerchant } from '../merchants/merchantFilter.ts';
import { createFolders } from '../outbound/folders.ts';
import type { Timers, World } from '../payments/ports.ts';
import { type DeliverNeeds, deliverDue } from '../reports/reconciliation/deliver.ts';
import { hourOf, planFiles } from '../reports/reconciliation/plan.ts';
import { secretOf } from '../reports/reconciliation/secret.ts';
import { deliveryOf } from '../reports/reconciliation/settings.ts';
import type { TargetFolder } from '../settlement/remoteFolder.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../vault/ports.ts';
import { clockScopes } from '../workers/clockScopes.ts';
import { reconciliationJobs } from '../workers/jobs.ts';
import type { Job } from '../workers/loop.ts';

export type ReconciliationParts = {
  readonly store: Store;
  readonly directory: Pick<Directory, 'entity'>;
  readonly vault: Pick<Vault, 'ready' | 'open'>;
  readonly clocks: Clocks;
  readonly timers: Timers;
  readonly alarm: World['alarm'];
  /** Whose servers may be reached: `loopback` this machine too. */
  readonly reach: 'loopback' | 'public';
};

export type ReconciliationModule = {
  readonly jobs: readonly Job[];
  /** Begins no more deliveries, and breaks off the one that is under way: it is tried again by whoever comes next. */
  stop(): Promise<void>;
};

const BOUNDS = { openMs: 20_000, idleMs: 60_000 };
const STOP_MS = 4_000;

/** Makes merchants' reconciliation files and brings them to their servers. */
export function createReconciliationModule(parts: ReconciliationParts): ReconciliationModule {
  const { store, directory, clocks, timers, alarm } = parts;
  const opened = new Set<TargetFolder>();
  const needs = needsOf(parts, opened);
  let [busy, isStopping]: [Promise<void> | null, boolean] = [null, false];
  const deliverAll = async (): Promise<void> => {
    for (const { merchantId, merchants } of clockScopes(clocks)) {
      const about = { now: clocks.of(merchantId).now(), merchantId, isTheirs: (one: string) => matchesMerchant(merchants, one) };
      if (!isStopping) await deliverDue(needs, about);
    }
  };
  const planned = new Map<string, number | null>();
  const plan = async (): Promise<void> => {
    for (const { id, kind } of await store.entities()) {
      const settings = kind === 'merchant' ? directory.entity(id)?.settings : undefined;
      const delivery = deliveryOf(settings?.reconciliation);
      if (delivery === null || settings === undefined) continue;
      const at = { delivery, zone: settings.timeZone, now: clocks.of(id).now() };
      const hour = hourOf(delivery, at.zone, at.now);
      // To look at a hundred days is work, and there is nothing new to plan before the next hour.
      if (planned.get(id) === hour) continue;
      await planFiles({ store }, id, at);
      planned.set(id, hour);
    }
  };
  const jobs = reconciliationJobs({
    plan,
    // A slow server must not keep the process from ending: what was begun is not waited for.
    deliver: async () => {
      busy ??= deliverAll()
        .catch((error: unknown) => alarm('reconciliation files could not be delivered', { why: String(error) }))
        .finally(() => {
          busy = null;
        });
    },
  });
  const stop = async (): Promise<void> => {
    isStopping = true;
    for (const folder of opened) folder.close();
    if (busy !== null) await timers.within(STOP_MS, busy).catch(() => {});
  };
  return { jobs, stop };
}

function needsOf(parts: ReconciliationParts, opened: Set<TargetFolder>): DeliverNeeds {
  const { store, directory, vault, clocks, timers, alarm, reach } = parts;
  const openFolder = createFolders({ timers, reach });
  return {
    ...{ store, entity: directory.entity, timers, alarm },
    delivery: (merchantId) => deliveryOf(directory.entity(merchantId)?.settings.reconciliation),
    secret: (merchantId) => secretOf({ secrets: store, vault }, merchantId),
    now: (merchantId) => clocks.of(merchantId).now(),
    open: async (target, secret) => {
      const folder = await openFolder(target, secret, BOUNDS);
      opened.add(folder);
      return {
        ...folder,
        close: () => {
          opened.delete(folder);
          folder.close();
        },
      };
    },
  };
}
