import { createFolders } from '../../outbound/folders.ts';
import { createDeliveryService } from '../../reports/reconciliation/deliveryService.ts';
import { deliverySecret } from '../../reports/reconciliation/settings.ts';
import { clockScopes } from '../../workers/dueWork.ts';
import { reconciliationJobs } from '../../workers/jobs.ts';
import type { Job } from '../../workers/loop.ts';
import type { Foundation } from '../foundation.ts';
import { type AppOptions, outboundReach } from '../options.ts';

export type ReconciliationModule = { readonly jobs: readonly Job[]; stop(): Promise<void> };

const TIMEOUTS = { openMs: 20_000, idleMs: 60_000 };

/** Reconciliation files: made and delivered to merchants' servers. */
export function createReconciliationModule(
  options: AppOptions,
  { directory, vault, clocks, alarm }: Foundation,
): ReconciliationModule {
  const { store, timers } = options;
  const openFolder = createFolders({ timers, reach: outboundReach(options) });
  const service = createDeliveryService({
    store,
    directory,
    clocks,
    scopes: () => clockScopes(clocks),
    timers,
    alarm,
    open: (target, secret) => openFolder(target, secret, TIMEOUTS),
    secret: (merchantId) => deliverySecret({ secrets: store, vault }, merchantId),
  });
  return { jobs: reconciliationJobs(service), stop: service.stop };
}
