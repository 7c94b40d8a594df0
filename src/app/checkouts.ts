import { integrityOf } from '../assets/asset.ts';
import { createWidgetFiles } from '../assets/files.ts';
import { selfCheck } from '../assets/selfCheck.ts';
import { type Get, notifyMerchants } from '../checkouts/notifyMerchants.ts';
import type { CheckoutService } from '../checkouts/ports.ts';
import type { Services } from '../http/services.ts';
import type { Clocks } from '../merchants/clocks.ts';
import type { Directory } from '../merchants/directory.ts';
import { createOutbound } from '../outbound/client.ts';
import type { World } from '../payments/ports.ts';
import { clockScopes } from '../workers/clockScopes.ts';
import { checkoutJobs } from '../workers/jobs.ts';
import type { Job } from '../workers/loop.ts';
import type { AppOptions } from './options.ts';

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
});

/** The jobs of checkouts and of the widget. */
export function createWidgetJobs(
  options: AppOptions,
  services: Services,
  { clocks, get }: { readonly clocks: Clocks; readonly get: Get },
): readonly Job[] {
  const { store, widget } = options;
  const { files, world } = services.checkouts;
  return checkoutJobs({
    clock: { now: clocks.earliest },
    store,
    sendNotifications: async () => {
      for (const { merchantId, merchants } of clockScopes(clocks))
        await notifyMerchants(services.forMerchant(merchantId).checkouts, get, merchants);
    },
    publishBuild: () => publishBuild(options),
    verifyFiles: async () => {
      const changed = await selfCheck(files, widget);
      if (changed.length > 0) world.alarm('widget files differ from their build', { files: changed.join(', ') });
    },
  });
}
