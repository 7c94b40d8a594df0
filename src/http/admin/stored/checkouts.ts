import { outcomeOf, standing } from '../../../checkouts/attempts.ts';
import { type Checkout, isOver } from '../../../checkouts/checkout.ts';
import { anyCheckout } from '../../../checkouts/find.ts';
import type { ListPlace } from '../../../merchants/listing.ts';
import type { Payment } from '../../../payments/payment.ts';
import { instantShown, paymentSeen } from '../../../payments/summary.ts';
import type { CheckoutDetail, CheckoutPage, CheckoutState, SeenCheckout } from '../../../spec/answers/stored.ts';
import type { Rooms } from '../../services.ts';
import { enterEntity, looking, noSuch } from '../authorize.ts';
import { beginOf, isWithin, nextOf, PAGE, reachOf } from './reach.ts';

/** Sessions of the payment widget. */

function stateOf(checkout: Checkout, attempts: readonly Payment[], now: number): CheckoutState {
  const stands = standing(attempts);
  const outcome = stands && outcomeOf(stands);
  if (outcome === 'success') return 'paid';
  if (outcome === 'pending') return 'trying';
  return isOver(checkout, now) ? 'over' : 'open';
}

const attemptsOf = ({ checkouts }: Rooms, { merchantId, id }: Checkout): Promise<readonly Payment[]> =>
  checkouts.store.attempts(merchantId, id);

function checkoutSeen(rooms: Rooms, checkout: Checkout, attempts: readonly Payment[]): SeenCheckout {
  const { fields } = checkout;
  return {
    ...{ id: checkout.id, merchantId: checkout.merchantId, entityId: checkout.entityId },
    state: stateOf(checkout, attempts, rooms.at(checkout.merchantId).world.clock.now()),
    amount: fields.amount ?? null,
    currency: fields.currency ?? null,
    paymentType: fields.paymentType ?? null,
    merchantTransactionId: fields.merchantTransactionId ?? null,
    isRegistering: checkout.isRegistering,
    createdAt: instantShown(checkout.createdAt),
    expiresAt: instantShown(checkout.expiresAt),
    attempts: attempts.length,
  };
}

/** Behind everything of this instant: what began before it comes next. */
const beforeInstant = (instant: number): ListPlace => ({ createdAt: instant, id: '' });

const sooner = (one: ListPlace | null, other: ListPlace | null): ListPlace | null =>
  one && other ? (one.createdAt <= other.createdAt ? one : other) : (one ?? other);

const listCheckouts = looking('listCheckouts', enterEntity, async (rooms, { entity, values }) => {
  const { id, state, from, to, after, limit = PAGE } = values;
  const reach = reachOf(rooms, entity.id);
  const before = sooner(beginOf(after), to === undefined ? null : beforeInstant(to));
  const now = rooms.world.clock.now();
  const named = id === undefined ? null : await checkoutIn(rooms, entity.id, id);
  const asked = { reach, before, limit, livingAt: state === 'open' ? now : null };
  const listed = id === undefined ? await rooms.stored.checkoutsListed(asked) : named ? [named] : [];
  const meant = listed
    .filter(({ createdAt }) => from === undefined || createdAt >= from)
    .filter((checkout) => state !== 'over' || isOver(checkout, now));
  const checkouts = await Promise.all(
    meant.map(async (checkout) => checkoutSeen(rooms, checkout, await attemptsOf(rooms, checkout))),
  );
  const isPast = from !== undefined && (listed.at(-1)?.createdAt ?? from) < from;
  const body: CheckoutPage = { checkouts, next: id !== undefined || isPast ? null : nextOf(listed, limit) };
  return rooms.respond.json(200, body, { entityId: entity.id });
});

async function checkoutIn(rooms: Rooms, entityId: string, id: string): Promise<Checkout | null> {
  const checkout = await anyCheckout(rooms.checkouts, id);
  return checkout && isWithin(reachOf(rooms, entityId), checkout) ? checkout : null;
}

/** Nothing about the shopper: names without a part in front, and what a series is told by. */
const TOLD = /^(?:[A-Za-z]+|standingInstruction\.[A-Za-z]+|registrations\[[0-9]+\]\.id)$/;

const seeCheckout = looking('seeCheckout', enterEntity, async (rooms, { entity }, request) => {
  const checkout = await checkoutIn(rooms, entity.id, request.id ?? '');
  if (!checkout) return noSuch(rooms, 'checkout');
  const attempts = await attemptsOf(rooms, checkout);
  const { click, askedAt, fields, origin } = checkout;
  const body: CheckoutDetail = {
    ...checkoutSeen(rooms, checkout, attempts),
    origin,
    clickedAt: click ? instantShown(click.at) : null,
    shopOrigin: click?.shopOrigin ?? null,
    askedAt: askedAt === null ? null : instantShown(askedAt),
    tried: attempts.map(paymentSeen),
    fields: Object.entries(fields).flatMap(([name, value]) => (TOLD.test(name) ? [{ name, value }] : [])),
  };
  return rooms.respond.json(200, body, { entityId: entity.id });
});

export const checkoutOfficeHandlers = { listCheckouts, seeCheckout };
