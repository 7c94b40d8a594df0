import type { Mode, Registration } from '../registrations/registration.ts';
import type { Payment } from './payment.ts';
import type { PaymentStore, World } from './ports.ts';
import type { Listing, QueryPageRequest, QueryStore, TimeRange } from './search/listing.ts';
import { withKnownValidities } from './validity.ts';

export type PaymentScope = { readonly merchantId: string; readonly entityId: string | null };

/**
 * The payment, if this entity may see it. A channel sees its own payments, a merchant the payments of all channels; a payment of another
 * merchant is reported exactly like one that does not exist.
 */
export async function readPayment(world: Pick<World, 'store'>, scope: PaymentScope, paymentId: string): Promise<Payment | null> {
  const payment = await world.store.payment(scope.merchantId, paymentId);
  return payment && (scope.entityId === null || payment.entityId === scope.entityId) ? payment : null;
}

/** The same with the family, of which the sums of the payment are made. `version` null: a setting may change the reply. */
export async function readPaymentWithFamily(
  world: Pick<World, 'channel' | 'connector' | 'store'>,
  scope: PaymentScope,
  paymentId: string,
): Promise<{ readonly payment: Payment; readonly family: readonly Payment[]; readonly version: number | null } | null> {
  const found = await world.store.family(scope.merchantId, paymentId);
  if (!found) return null;
  const family = withKnownValidities(found.payments, world);
  const payment = family.find(({ id }) => id === paymentId);
  if (!payment || (scope.entityId !== null && payment.entityId !== scope.entityId)) return null;
  return { payment, family, version: family === found.payments ? found.version : null };
}

/** Stored details belong to the merchant: each of its channels may see and use them. */
export async function readRegistration(
  world: Pick<World, 'store'>,
  { merchantId }: Pick<PaymentScope, 'merchantId'>,
  registrationId: string,
): Promise<Registration | null> {
  return (await world.store.registration(merchantId, registrationId))?.registration ?? null;
}

/** A merchant's query: the payments, and the parts of them. */
export type PaymentQuery = {
  readonly by:
    | { readonly is: 'id'; readonly id: string }
    | ({ readonly is: 'reference'; readonly merchantTransactionId: string } & QueryPageRequest)
    | ({ readonly is: 'time' } & TimeRange & QueryPageRequest);
  readonly types: readonly string[] | null;
  readonly methods: readonly string[] | null;
  readonly mode: Mode | null;
  readonly shortId: string | null;
  /** With the other payments of the families that are found. */
  readonly isLinked: boolean;
  /** With the items of carts. */
  readonly hasItems: boolean;
};

/** `count`: the number of payments on all pages, without linked ones. */
type PaymentQueryResult = { readonly payments: readonly Payment[]; readonly count: number };

type Service = {
  readonly store: Pick<PaymentStore, 'payment'>;
  readonly queries: QueryStore;
  /** Lets other requests in between two parts of a long query. */
  readonly rest: () => Promise<void>;
};

/**
 * The payments that a query finds and the entity may see, the oldest first. A channel sees its own, a merchant the payments of all
 * channels.
 */
export async function queryPayments(service: Service, scope: PaymentScope, question: PaymentQuery): Promise<PaymentQueryResult> {
  const { types, methods, mode, shortId, by } = question;
  const listing: Listing = { ...scope, types, methods, mode, shortId };
  const isBrief = !question.hasItems;
  if (by.is !== 'id') {
    const found = await (by.is === 'time'
      ? service.queries.within(listing, by, { ...by, isBrief })
      : service.queries.named(listing, by.merchantTransactionId, { ...by, isBrief }));
    return question.isLinked ? { ...found, payments: await withLinked(service, { listing, isBrief }, found.payments) } : found;
  }
  const payment = await service.store.payment(scope.merchantId, by.id);
  if (!payment || (scope.entityId !== null && payment.entityId !== scope.entityId)) return { payments: [], count: 0 };
  const family = question.isLinked
    ? await service.queries.families(scope.merchantId, [payment.familyId], { isBrief })
    : [payment];
  const payments = family.filter((one) => isListed(listing, one));
  return { payments, count: payments.length };
}

/** The payments that were found and all others of their families that pass the filters; none twice. */
async function withLinked(
  { queries, rest }: Service,
  { listing, isBrief }: { readonly listing: Listing; readonly isBrief: boolean },
  found: readonly Payment[],
): Promise<readonly Payment[]> {
  if (found.length === 0) return found;
  await rest();
  const familyIds = [...new Set(found.map(({ familyId }) => familyId))];
  const families = await queries.families(listing.merchantId, familyIds, { isBrief });
  const ids = new Set(found.map(({ id }) => id));
  const linked = families.filter((one) => !ids.has(one.id) && isListed({ ...listing, shortId: null }, one));
  return [...found, ...linked].sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
}

const isListed = ({ entityId, types, methods, mode, shortId }: Listing, payment: Payment): boolean =>
  (entityId === null || payment.entityId === entityId) &&
  (types === null || types.includes(payment.paymentType)) &&
  (methods === null || methods.includes(payment.method)) &&
  (mode === null || payment.mode === mode) &&
  (shortId === null || payment.shortId === shortId);
