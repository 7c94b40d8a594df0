import type { Checked, Fault } from '../../form/checked.ts';
import { type PaymentQuery, queryPayments } from '../../payments/read.ts';
import { LIST_MEGABYTES_MAX, ListTooLong } from '../../payments/storeErrors.ts';
import { withKnownValidities } from '../../payments/validity.ts';
import { mapInTicks, ticks } from '../../runtime/ticks.ts';
import { instantOf } from '../../spec/formats/dates.ts';
import { SECOND_MS } from '../../spec/time.ts';
import { originFor } from '../handler.ts';
import type { Request } from '../request.ts';
import type { Services } from '../services.ts';
import type { Reply } from '../transport/reply.ts';
import type { Authorized } from './authenticate.ts';
import { type ListServices, listReply, withoutItems } from './listReply.ts';
import { merchantReply } from './paymentReply.ts';

const LIMIT = 100;
/** Families that are read in one tick of the event loop. */
const BATCH = 100;

/** The first version lists `payments`, the third lists `records`. */
const isThird = ({ endpoint }: Request): boolean => endpoint === 'queryRecord' || endpoint === 'queryRecords';

type QueryServices = ListServices & Pick<Services, 'environment' | 'metrics' | 'publicUrl' | 'trust'>;

/** Finds transactions by id, by the merchant's reference or by time. */
export async function query(services: QueryServices, caller: Authorized, request: Request): Promise<Reply> {
  const { replies, environment } = services;
  const { checked, entityId } = caller;
  if (environment === 'live' && checked.text('testMode') !== undefined) return replies.result('600.200.701', entityId);
  const paymentQuery = queryOf(checked, request.id);
  try {
    return await services.longReplies.work(caller.scope.merchantId, () => found(services, caller, { request, paymentQuery }));
  } catch (error) {
    if (!(error instanceof ListTooLong)) throw error;
    return replies.result('200.300.404', entityId, { faults: [tooLong(paymentQuery, error)] });
  }
}

/** No client of a real shop meets this: the payments of a page have some kilobytes each. */
const tooLong = ({ by }: PaymentQuery, { megabytes }: ListTooLong): Fault => ({
  name: by.is === 'time' ? 'date.to' : by.is === 'reference' ? 'merchantTransactionId' : 'id',
  value: null,
  message: `the transactions that were found have ${megabytes} MB, at most ${LIST_MEGABYTES_MAX} are read together: ask for a shorter period, for single ones by their ids, or with includeCartItems=false`,
});

async function found(
  services: QueryServices,
  { scope, entityId }: Authorized,
  { request, paymentQuery }: { readonly request: Request; readonly paymentQuery: PaymentQuery },
): Promise<Reply> {
  const { replies } = services;
  const { payments: stored, count } = await queryPayments(
    { store: services.world.store, queries: services.queries, rest: ticks.next },
    scope,
    paymentQuery,
  );
  const payments = withKnownValidities(stored, services.world);
  const [first] = payments;
  if (first === undefined) return replies.result('700.400.580', entityId);
  const familyIds = [...new Set(payments.map(({ familyId }) => familyId))];
  const known = new Map(payments.map((payment) => [payment.id, payment]));
  if (familyIds.length > 1) await ticks.next();
  const family = await mapInTicks(familyIds, BATCH, async (ids) =>
    withKnownValidities(await services.queries.families(scope.merchantId, ids, { known }), services.world),
  );
  const { hasItems } = paymentQuery;
  if (request.endpoint === 'queryOne' && !paymentQuery.isLinked) {
    const context = { ndc: replies.ndc(entityId), request, family };
    return merchantReply(services, hasItems ? first : withoutItems(first), context);
  }
  const isFull = isThird(request);
  const byFamily = Map.groupBy(family, ({ familyId }) => familyId);
  const origin = originFor(services, request) ?? '';
  const pages = pagesOf(paymentQuery, { count, isFull });
  return listReply(services, {
    payments,
    byFamily,
    origin,
    isFull,
    hasItems,
    pages,
    entityId,
    hasBody: request.method !== 'HEAD',
  });
}

/** The number of pages. The first version leaves it out of a list by reference, and its clients expect that. */
function pagesOf({ by }: PaymentQuery, { count, isFull }: { readonly count: number; readonly isFull: boolean }): object {
  return by.is !== 'id' && (isFull || by.is === 'time') ? { pages: Math.ceil(count / by.limit) } : {};
}

function queryOf(checked: Checked, id: string | null): PaymentQuery {
  const text = (name: string) => checked.text(name);
  return {
    by: id === null ? selectionOf(text) : { is: 'id', id },
    types: text('paymentTypes')?.split(/, ?/) ?? null,
    methods: text('paymentMethods')?.split(/, ?/) ?? null,
    mode: (text('testMode') as PaymentQuery['mode'] | undefined) ?? null,
    shortId: text('shortId') ?? null,
    isLinked: text('includeLinkedTransactions') === 'true',
    hasItems: text('includeCartItems') !== 'false',
  };
}

/** The last second of a period belongs to it. A merchant's reference finds its payments whatever other filters are sent. */
function selectionOf(text: (name: string) => string | undefined): PaymentQuery['by'] {
  const page = { pageNo: Number(text('pageNo') ?? 1), limit: Number(text('limit') ?? LIMIT) };
  const merchantTransactionId = text('merchantTransactionId');
  if (merchantTransactionId !== undefined) return { is: 'reference', merchantTransactionId, ...page };
  const [from, to] = [text('date.from') ?? '', text('date.to') ?? ''].map(instantOf) as [number, number];
  return { is: 'time', from, before: to + SECOND_MS, ...page };
}
