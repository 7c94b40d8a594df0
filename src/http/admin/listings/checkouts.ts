import { type Checkout, decisiveAttempt, isOver, linkPathOf, outcomeOf } from '../../../checkouts/checkout.ts';
import { anyCheckout } from '../../../checkouts/find.ts';
import type { ListCursor } from '../../../merchants/listing.ts';
import type { Payment } from '../../../payments/payment.ts';
import { instantShown, paymentView } from '../../../payments/reply/paymentView.ts';
import { readFamilies } from '../../../payments/search/search.ts';
import { namesOf } from '../../../runtime/json.ts';
import type { CheckoutDetail, CheckoutPage, CheckoutState, CheckoutView } from '../../../spec/answers/stored.ts';
import type { Services } from '../../services.ts';
import { authorizeEntity, noSuch } from '../authorize.ts';
import { query } from '../command.ts';
import { cursorOf, isWithin, nextCursor, PAGE, reachOf } from './reach.ts';

/** Checkouts: sessions of the payment widget. */

function stateOf(checkout: Checkout, attempts: readonly Payment[], now: number): CheckoutState {
  const attempt = decisiveAttempt(attempts);
  const outcome = attempt && outcomeOf(attempt);
  if (outcome === 'success') return 'paid';
  if (outcome === 'pending') return 'trying';
  return isOver(checkout, now) ? 'over' : 'open';
}

const attemptsOf = ({ checkouts }: Pick<Services, 'checkouts'>, { merchantId, id }: Checkout): Promise<readonly Payment[]> =>
  checkouts.store.attempts(merchantId, id);

function checkoutSeen(services: Pick<Services, 'forMerchant'>, checkout: Checkout, attempts: readonly Payment[]): CheckoutView {
  const { fields } = checkout;
  return {
    id: checkout.id,
    merchantId: checkout.merchantId,
    entityId: checkout.entityId,
    state: stateOf(checkout, attempts, services.forMerchant(checkout.merchantId).world.clock.now()),
    amount: fields.amount ?? null,
    currency: fields.currency ?? null,
    paymentType: fields.paymentType ?? null,
    merchantTransactionId: fields.merchantTransactionId ?? null,
    isRegistering: checkout.isRegistering,
    createdAt: instantShown(checkout.createdAt),
    expiresAt: instantShown(checkout.expiresAt),
    attempts: attempts.length,
    link: checkout.link ? `${checkout.origin}${linkPathOf(checkout)}` : null,
  };
}

/** A cursor after everything of this instant. */
const beforeInstant = (instant: number): ListCursor => ({ createdAt: instant, id: '' });

const sooner = (one: ListCursor | null, other: ListCursor | null): ListCursor | null =>
  one && other ? (one.createdAt <= other.createdAt ? one : other) : (one ?? other);

const listCheckouts = query(
  'listCheckouts',
  authorizeEntity,
  async (
    services: Pick<Services, 'checkouts' | 'directory' | 'forMerchant' | 'listings' | 'replies' | 'world'>,
    { entity, values },
  ) => {
    const { id, state, from, to, after, limit = PAGE } = values;
    const reach = reachOf(services, entity.id);
    const before = sooner(cursorOf(after), to === undefined ? null : beforeInstant(to));
    const now = services.world.clock.now();
    const named = id === undefined ? null : await checkoutIn(services, entity.id, id);
    const listQuery = { scope: reach, before, limit, livingAt: state === 'open' ? now : null };
    const listed = id === undefined ? await services.listings.checkoutsListed(listQuery) : named ? [named] : [];
    const matching = listed
      .filter(({ createdAt }) => from === undefined || createdAt >= from)
      .filter((checkout) => state !== 'over' || isOver(checkout, now));
    const checkouts = await Promise.all(
      matching.map(async (checkout) => checkoutSeen(services, checkout, await attemptsOf(services, checkout))),
    );
    const isPast = from !== undefined && (listed.at(-1)?.createdAt ?? from) < from;
    const body: CheckoutPage = { checkouts, next: id !== undefined || isPast ? null : nextCursor(listed, limit) };
    return services.replies.json(200, body, { entityId: entity.id });
  },
);

export async function checkoutIn(
  services: Pick<Services, 'checkouts' | 'directory'>,
  entityId: string,
  id: string,
): Promise<Checkout | null> {
  const checkout = await anyCheckout(services.checkouts, id);
  return checkout && isWithin(reachOf(services, entityId), checkout) ? checkout : null;
}

/** No personal data: only top-level names, and names of a series. */
const SHOWN = /^(?:[A-Za-z]+|standingInstruction\.[A-Za-z]+|registrations\[[0-9]+\]\.id)$/;

export async function checkoutDetail(
  services: Pick<Services, 'checkouts' | 'forMerchant' | 'queries'>,
  checkout: Checkout,
): Promise<CheckoutDetail> {
  const attempts = await attemptsOf(services, checkout);
  const familyOf = await readFamilies(services.queries, attempts);
  const { submission, askedAt, fields, origin } = checkout;
  return {
    ...checkoutSeen(services, checkout, attempts),
    origin,
    clickedAt: submission ? instantShown(submission.at) : null,
    shopOrigin: submission?.shopOrigin ?? null,
    askedAt: askedAt === null ? null : instantShown(askedAt),
    tried: attempts.map((payment) => paymentView(payment, familyOf(payment))),
    fields: namesOf(fields)
      .filter((name) => SHOWN.test(name))
      .map((name) => ({ name, value: fields[name] as string })),
  };
}

const seeCheckout = query(
  'seeCheckout',
  authorizeEntity,
  async (services: Pick<Services, 'checkouts' | 'directory' | 'forMerchant' | 'queries' | 'replies'>, { entity }, request) => {
    const checkout = await checkoutIn(services, entity.id, request.id ?? '');
    if (!checkout) return noSuch(services, 'checkout');
    const body = await checkoutDetail(services, checkout);
    return services.replies.json(200, body, { entityId: entity.id });
  },
);

export const checkoutHandlers = { listCheckouts, seeCheckout };
