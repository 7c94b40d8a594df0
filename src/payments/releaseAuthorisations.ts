import type { DueQuery } from '../merchants/merchantFilter.ts';
import { HOUR_MS } from '../spec/time.ts';
import { recordOrder } from './chargebacks/chargeBack.ts';
import { commitPayment, eventFor } from './commitPayment.ts';
import { draft } from './draft.ts';
import { SUCCESS } from './lifecycle.ts';
import type { Family, Payment } from './payment.ts';
import { type DueRelease, NEVER_AGAIN, type ReleaseMark, type World } from './ports.ts';
import { planRelease, releasedBy, withKnownValidities } from './validity.ts';

export type ReleaseResult = {
  readonly looked: number;
  readonly released: number;
  /** Authorisations that could not be checked; each is tried again after an hour. */
  readonly failed: number;
};

/** The source of a release, where a record names who made it. */
const RECORDED_BY = 'validity';

/** Marks a release in webhooks and queries, so that it differs from a reversal that the merchant sent. */
const REASON = { ReversalReason: 'AUTHORIZATION_EXPIRED' } as const;

/** Families that are read together. */
const LANES = 8;
/** An authorisation that cannot be read must not stand before the others for ever. */
const FAILED_WAIT_MS = HOUR_MS;

/**
 * Releases the rest of authorisations whose validity has ended, one batch of due ones. Each release is one commit with the state,
 * the posting and the outbox event, on the version of the family that it was decided on: a capture that arrives meanwhile wins or is
 * refused, on any number of nodes. The mark of the next check only saves work: a crash before it is written costs one more check.
 */
export async function releaseAuthorisations(world: World, batch: Omit<DueQuery, 'now'>): Promise<ReleaseResult> {
  const due = await world.store.releasesDue({ ...batch, now: world.clock.now() });
  const left = [...due];
  const marks: ReleaseMark[] = [];
  let [released, failed] = [0, 0];
  const lane = async (): Promise<void> => {
    for (let one = left.shift(); one; one = left.shift()) {
      const tried = await tryRelease(world, one);
      if (tried.next !== null) marks.push({ ...one, next: tried.next });
      if (tried.isReleased) released += 1;
      if (tried.isFailed) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  if (marks.length > 0) await world.store.markReleases(marks);
  return { looked: due.length, released, failed };
}

/** `next` null: the mark stays, and the authorisation is due again. */
type Attempted = { readonly next: number | null; readonly isReleased?: true; readonly isFailed?: true };

async function tryRelease(world: World, { merchantId, id }: DueRelease): Promise<Attempted> {
  try {
    const family = await world.store.family(merchantId, id);
    const named = family?.payments.find((payment) => payment.id === id);
    if (!family || !named) throw new Error('it is gone');
    return await releaseRest(world, family, releasedBy(family.payments, named).id);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    world.alarm('the rest of an authorisation cannot be released', { paymentId: id, why });
    return { next: world.clock.now() + FAILED_WAIT_MS, isFailed: true };
  }
}

async function releaseRest(world: World, family: Family, id: string): Promise<Attempted> {
  const known = withKnownValidities(family.payments, world);
  const payment = known.find((one) => one.id === id);
  if (payment?.paymentType !== 'PA') throw new Error(`${payment?.paymentType} ${id} is no authorisation`);
  const plan = planRelease(known, payment, world.clock.now());
  if (plan.is === 'done') return { next: NEVER_AGAIN };
  if (plan.is === 'wait') return { next: plan.until };
  const order = recordOrder(payment, { type: 'RV', amount: plan.amount, code: null });
  const drafted = draft(world, {
    order,
    route: null,
    referenced: payment,
    amount: plan.amount,
    phase: { at: 'final', code: SUCCESS[payment.mode] },
    channelName: world.channel(payment.entityId)?.name ?? '',
  });
  const release: Payment = {
    ...drafted,
    details: { isRelease: true, resultDetails: REASON },
    recordedBy: RECORDED_BY,
  };
  const outcome = await commitPayment(world, {
    payment: release,
    version: family.version,
    event: eventFor(world, release, null),
  });
  switch (outcome.is) {
    case 'kept':
      return { next: NEVER_AGAIN, isReleased: true };
    case 'moved':
      return { next: null };
    default:
      throw new Error(`the store answered ${outcome.is} to its release ${release.id}`);
  }
}
