import { integrityOf } from '../assets/asset.ts';
import { createWidgetFiles } from '../assets/files.ts';
import { selfCheck } from '../assets/selfCheck.ts';
import { callMerchants } from '../checkouts/callMerchants.ts';
import type { CheckoutRoom } from '../checkouts/ports.ts';
import type { Rooms } from '../http/services.ts';
import type { Directory } from '../merchants/directory.ts';
import { createOutbound } from '../outbound/client.ts';
import type { World } from '../payments/ports.ts';
import { checkoutJobs } from '../workers/jobs.ts';
import type { Job } from '../workers/loop.ts';
import { turnsOf } from '../workers/turns.ts';
import type { ClockParts } from './clocks.ts';
import type { HouseParts } from './options.ts';

/** Other nodes serve this node's build too, for as long as a checkout of it lives. */
export const putBuild = ({ store, widget, clock }: HouseParts): Promise<void> =>
  store.putAssets(
    widget.files.map((file) => ({ build: widget.name, ...file })),
    clock.now(),
  );

export const checkoutRoom = (
  { environment, store, timers, widget, nodeName }: HouseParts,
  world: World,
  { entity }: Pick<Directory, 'entity'>,
): CheckoutRoom => ({
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
export function widgetJobs(parts: HouseParts, rooms: Rooms, { clocks, get }: Pick<ClockParts, 'clocks' | 'get'>): readonly Job[] {
  const { store, widget } = parts;
  const { files, world } = rooms.checkouts;
  return checkoutJobs({
    clock: { now: clocks.earliest },
    store,
    callMerchants: async () => {
      for (const { merchantId, whose } of turnsOf(clocks)) await callMerchants(rooms.at(merchantId).checkouts, get, whose);
    },
    putBuild: () => putBuild(parts),
    checkFiles: async () => {
      const changed = await selfCheck(files, widget);
      if (changed.length > 0) world.alarm('files of the widget are not what they were built from', { files: changed.join(', ') });
    },
  });
}
