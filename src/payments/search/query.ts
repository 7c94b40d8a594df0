import type { Mode } from '../../registrations/registration.ts';
import type { Payment } from '../payment.ts';
import type { PaymentStore } from '../ports.ts';
import type { PaymentScope } from '../read.ts';
import type { Listing, QueryPageRequest, QueryStore, TimeRange } from './listing.ts';

/** What a merchant wants to see, and what of it. */
export type PaymentQuery = {
  readonly by:
    | { readonly is: 'id'; readonly id: string }
    | ({ readonly is: 'reference'; readonly merchantTransactionId: string } & QueryPageRequest)
    | ({ readonly is: 'time' } & TimeRange & QueryPageRequest);
  readonly types: readonly string[] | null;
  readonly methods: readonly string[] | null;
  readonly mode: Mode | null;
  readonly shortId: string | null;
  /** With everything that belongs to what is found. */
  readonly isLinked: boolean;
  /** With the items of carts. */
  readonly hasItems: boolean;
};

/** `count`: how many there are on all pages, without what is linked to them. */
export type PaymentQueryResult = { readonly payments: readonly Payment[]; readonly count: number };

type Service = {
  readonly store: Pick<PaymentStore, 'payment'>;
  readonly queries: QueryStore;
  /** Lets other requests in between two parts of a long query. */
  readonly rest: () => Promise<void>;
};

/** The payments that a query finds and the entity may see, the oldest first. A channel sees its own, a merchant those of all channels. */
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

/** What was found and whatever else of its families the filters let through; nothing twice. */
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
