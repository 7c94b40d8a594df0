import { type Get, notifyMerchants } from '../checkouts/notifyMerchants.ts';
import type { CheckoutService } from '../checkouts/ports.ts';
import type { AdvanceSummary, Clocks } from '../merchants/clocks.ts';
import { exceptMerchants, type MerchantFilter, onlyMerchant } from '../merchants/merchantFilter.ts';
import { onShopperReturn } from '../payments/callbacks.ts';
import type { Environment } from '../payments/order.ts';
import type { World } from '../payments/ports.ts';
import { deleteExpiredRegistrations, requestNetworkTokens } from '../payments/registration/changeRegistration.ts';
import { releaseAuthorisations } from '../payments/releaseAuthorisations.ts';
import { sweep } from '../payments/sweep.ts';
import type { ScheduleService } from '../schedules/change.ts';
import { runDue } from '../schedules/runDue.ts';

/** The merchants that share one clock. `merchantId` is null for the scope of all merchants in real time. */
export type ClockScope = { readonly merchantId: string | null; readonly merchants: MerchantFilter };

/**
 * One scope for all merchants in real time, and one for each merchant with a test clock. A merchant whose clock is being advanced has none:
 * the clock advancer alone runs its work.
 */
export function clockScopes(clocks: Pick<Clocks, 'withTestClock' | 'advancing'>): readonly ClockScope[] {
  const withTestClock = clocks.withTestClock();
  const inRealTime: ClockScope = { merchantId: null, merchants: exceptMerchants(withTestClock) };
  if (withTestClock.length === 0) return [inRealTime];
  const advancing = new Set(clocks.advancing().map(({ merchantId }) => merchantId));
  return [inRealTime, ...withTestClock.filter((merchantId) => !advancing.has(merchantId)).map(merchantScope)];
}

const merchantScope = (merchantId: string): ClockScope => ({ merchantId, merchants: onlyMerchant(merchantId) });

/** Services under the clock of one merchant. */
type DueWorkServices = {
  readonly world: World;
  readonly schedules: ScheduleService;
  readonly checkouts: CheckoutService;
  readonly environment: Environment;
};

type DueWorkNeeds = {
  readonly servicesFor: (merchantId: string) => DueWorkServices;
  readonly nextRunAt: (merchantId: string) => Promise<number | null>;
  readonly get: Get;
  /** The work of connectors on batches and files of the merchant's accounts. */
  readonly upkeep: (merchantId: string) => Promise<void>;
  /** Settles the simulated acquirer's days that are over; returns their number. */
  readonly settle: (merchantId: string, merchants: MerchantFilter) => Promise<number>;
  /** Fans out and delivers the merchant's events; returns the number of attempts. */
  readonly dispatch: (merchantId: string) => Promise<number>;
};

const NOTHING_DUE = { looked: 0, runs: 0 };
const FAR_AHEAD = Number.MAX_SAFE_INTEGER;

/**
 * Asks the acquirer about open payments that are not due yet, so that a merchant who has moved the clock sees what happened until then.
 * An answer that decides nothing changes nothing. Returns whether a payment has moved.
 */
export async function inquireOnArrival({ world }: Pick<DueWorkServices, 'world'>, merchantId: string): Promise<boolean> {
  const { merchants } = merchantScope(merchantId);
  const open = await world.store.due({ now: FAR_AHEAD, limit: AT_ONCE, merchants });
  const after = await Promise.all(open.map(({ id }) => onShopperReturn(world, { merchantId, paymentId: id })));
  return after.some((payment, at) => payment !== null && payment.revision !== open[at]?.revision);
}

const AT_ONCE = 500;
/** Work may make other work due at the same instant. The limit ends a loop that never comes to rest. */
const ROUNDS_MAX = 20;

/** Runs all work of a merchant that is due by its clock, until nothing is left. */
export async function runDueWork(needs: DueWorkNeeds, merchantId: string): Promise<AdvanceSummary> {
  const { world, schedules, checkouts, environment } = needs.servicesFor(merchantId);
  const { merchants } = merchantScope(merchantId);
  const batch = { limit: AT_ONCE, merchants };
  const summary = { payments: 0, runs: 0, deliveries: 0 };
  // First, so that payments are asked about after their batch has closed.
  await needs.upkeep(merchantId);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { looked: payments, stillDue } = await sweep(world, batch);
    // Claiming schedules is a write, and mostly none is due.
    const isRunDue = ((await needs.nextRunAt(merchantId)) ?? Number.POSITIVE_INFINITY) <= world.clock.now();
    const { looked, runs } = isRunDue ? await runDue(schedules, batch) : NOTHING_DUE;
    const registrations =
      (await requestNetworkTokens(world, batch)) + (await deleteExpiredRegistrations(world, environment, batch));
    const { looked: authorisations } = await releaseAuthorisations(world, batch);
    const { called } = await notifyMerchants(checkouts, needs.get, merchants);
    const settled = await needs.settle(merchantId, merchants);
    const deliveries = await needs.dispatch(merchantId);
    summary.payments += payments + authorisations;
    summary.runs += runs;
    summary.deliveries += deliveries;
    // Whatever the payments have caused was done after them in this round.
    const unswept = payments === AT_ONCE ? payments : stillDue;
    const unreleased = authorisations === AT_ONCE ? authorisations : 0;
    if (unswept + unreleased + looked + registrations + called + settled + deliveries === 0) break;
  }
  return summary;
}
