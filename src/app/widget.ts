import { integrityOf } from '../assets/asset.ts';
import { createWidgetFiles } from '../assets/files.ts';
import { selfCheck } from '../assets/selfCheck.ts';
import { callMerchants } from '../checkouts/callMerchants.ts';
import type { CheckoutService } from '../checkouts/ports.ts';
import type { Services } from '../http/services.ts';
import type { Directory } from '../merchants/directory.ts';
import { createOutbound } from '../outbound/client.ts';
import type { World } from '../payments/ports.ts';
import { clockScopes } from '../workers/clockScopes.ts';
import { checkoutJobs } from '../workers/jobs.ts';
import type { Job } from '../workers/loop.ts';
import type { ClockParts } from './clocks.ts';
import type { AppOptions } from './options.ts';

/** Other nodes serve this node's build too, for as long as a checkout of it lives. */
export const putBuild = ({ store, widget, clock }: AppOptions): Promise<void> =>
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

/** What checkouts and the widget need when nobody asks. */
export function widgetJobs(
  parts: AppOptions,
  services: Services,
  { clocks, get }: Pick<ClockParts, 'clocks' | 'get'>,
): readonly Job[] {
  const { store, widget } = parts;
  const { files, world } = services.checkouts;
  return checkoutJobs({
    clock: { now: clocks.earliest },
    store,
    callMerchants: async () => {
      for (const { merchantId, merchants } of clockScopes(clocks))
        await callMerchants(services.forMerchant(merchantId).checkouts, get, merchants);
    },
    putBuild: () => putBuild(parts),
    checkFiles: async () => {
      const changed = await selfCheck(files, widget);
      if (changed.length > 0) world.alarm('files of the widget are not what they were built from', { files: changed.join(', ') });
    },
  });
}
