import { allMerchants, type MerchantFilter } from '../merchants/merchantFilter.ts';
import { withOutcome } from '../payments/resultUrl.ts';
import { type Checkout, isOver, resourcePathOf } from './checkout.ts';
import { updateCheckout } from './find.ts';
import type { CheckoutService } from './ports.ts';
import { shopUrlOf } from './submission.ts';

/** Sends a GET request and returns the status. The body is ignored. */
export type Get = (
  url: string,
  bounds: { readonly answerBytesMax: number; readonly withinMs: number },
) => Promise<{ readonly status: number }>;

const BOUNDS = { answerBytesMax: 65_536, withinMs: 15_000 };
/** Three tries fit into the last minute. */
const AGAIN_MS = 20_000;
const AT_ONCE = 50;

export type NotifyResult = { readonly called: number; readonly failed: number };

/**
 * Notifies merchants of submitted checkouts whose status their server has not read, one minute before the checkout expires. The node that
 * saves the time of the next attempt first makes this one, so that many nodes call once. A failed call is repeated twice at most.
 */
export async function notifyMerchants(
  service: Pick<CheckoutService, 'heldCodes' | 'store' | 'world'>,
  get: Get,
  merchants: MerchantFilter = allMerchants,
): Promise<NotifyResult> {
  // The same round deletes the codes of forms that no merchant confirmed.
  service.heldCodes.forget();
  const due = await service.store.callsDue({ now: service.world.clock.now(), limit: AT_ONCE, merchants });
  const outcomes = await Promise.all(due.map((checkout) => notify(service, checkout, get)));
  return {
    called: outcomes.filter((outcome) => outcome !== 'left').length,
    failed: outcomes.filter((outcome) => outcome === 'failed').length,
  };
}

async function notify(
  service: Pick<CheckoutService, 'store' | 'world'>,
  checkout: Checkout,
  get: Get,
): Promise<'called' | 'failed' | 'left'> {
  const now = service.world.clock.now();
  const url = addressOf(checkout);
  const next = now + AGAIN_MS < checkout.expiresAt ? now + AGAIN_MS : null;
  const isDone = url === null || isOver(checkout, now);
  const claimed: Checkout = { ...checkout, callAt: isDone ? null : next, revision: checkout.revision + 1 };
  if (!(await service.store.saveCheckout(claimed)) || isDone) return 'left';
  const isHeard = await get(url, BOUNDS).then(
    ({ status }) => status >= 200 && status < 400,
    () => false,
  );
  if (!isHeard) return 'failed';
  await updateCheckout(service, claimed, (current) =>
    current.callAt === next && next !== null ? { ...current, callAt: null } : current,
  );
  return 'called';
}

/** The notification address, or the result page. */
function addressOf(checkout: Checkout): string | null {
  const url = checkout.fields.notificationUrl ?? shopUrlOf(checkout);
  return url === null ? null : withOutcome(url, checkout.id, resourcePathOf(checkout, checkout.isRegistering));
}
