import type { Mode } from '../../registrations/registration.ts';
import type { Payment } from '../payment.ts';
import type { PaymentStore } from '../ports.ts';
import type { PaymentScope } from '../read.ts';
import type { Listing, QueryPageRequest, QueryStore, TimeRange } from './listing.ts';

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
export type PaymentQueryResult = { readonly payments: readonly Payment[]; readonly count: number };

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
