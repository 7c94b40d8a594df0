import { integrityOf } from '../../assets/asset.ts';
import { loadWidget } from '../../assets/assets.ts';
import { createSelfCheck, createWidgetFiles } from '../../assets/files.ts';
import { createHeldCodes } from '../../checkouts/heldCodes.ts';
import { type Get, notifyMerchants } from '../../checkouts/notifyMerchants.ts';
import type { CheckoutService } from '../../checkouts/ports.ts';
import type { Services } from '../../http/services.ts';
import type { Clocks } from '../../merchants/clocks.ts';
import type { Directory } from '../../merchants/directory.ts';
import { createOutbound } from '../../outbound/client.ts';
import type { World } from '../../payments/ports.ts';
import { ticks } from '../../runtime/ticks.ts';
import { clockScopes } from '../../workers/dueWork.ts';
import { checkoutJobs } from '../../workers/jobs.ts';
import type { Job } from '../../workers/loop.ts';
import type { AppOptions } from '../options.ts';

/** Other nodes serve this node's build too, as long as a checkout of it lives. */
export const publishBuild = ({ store, widget, clock }: AppOptions): Promise<void> =>
  store.putAssets(
    widget.files.map((file) => ({ build: widget.name, ...file })),
    clock.now(),
  );

export const createCheckoutService = (
  { environment, store, timers, widget, nodeName }: AppOptions,
  world: World,
  { entity }: Pick<Directory, 'entity'>,
): CheckoutService => ({
  world,
  environment,
  store,
  files: createWidgetFiles(widget, store),
  integrityOf,
  entity,
  nodeName,
  secrets: store,
  postAs: createOutbound({ timers }).poster,
  heldCodes: createHeldCodes(),
  rest: ticks.next,
});

/** The findings of the last check of the widget's files. */
export type WidgetCheck = { readonly changedFiles: () => number; record(changed: readonly string[]): void };

export function createWidgetCheck({ metrics }: Pick<AppOptions, 'metrics'>, alarm: World['alarm']): WidgetCheck {
  let count = 0;
  return {
    changedFiles: () => count,
    record(changed) {
      count = changed.length;
      metrics.widgetFilesChanged(count);
      if (count > 0) alarm('widget files differ from their build', { files: changed.join(', ') });
    },
  };
}

type WidgetJobNeeds = { readonly clocks: Clocks; readonly get: Get; readonly check: WidgetCheck };

/** The jobs of checkouts and of the widget. */
export function createWidgetJobs(
  options: AppOptions,
  services: Services,
  { clocks, get, check }: WidgetJobNeeds,
): readonly Job[] {
  const { store, widget, reloadWidget: reload = loadWidget } = options;
  const { files } = services.checkouts;
  const findChanged = createSelfCheck({ build: widget, files, store, reload });
  return checkoutJobs({
    clock: { now: clocks.earliest },
    store,
    sendNotifications: async () => {
      for (const { merchantId, merchants } of clockScopes(clocks))
        await notifyMerchants(services.forMerchant(merchantId).checkouts, get, merchants);
    },
    publishBuild: () => publishBuild(options),
    verifyFiles: async () => check.record(await findChanged()),
  });
}
