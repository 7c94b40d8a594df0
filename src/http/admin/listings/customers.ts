import { customerTotals } from '../../../payments/followUp.ts';
import type { Payment } from '../../../payments/payment.ts';
import { instantShown } from '../../../payments/reply/paymentView.ts';
import { noFilters, SEARCH_EFFORT, type SearchCursor, type SearchFound } from '../../../payments/search/search.ts';
import type { Registration } from '../../../registrations/registration.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { CustomerDetail, CustomerView } from '../../../spec/answers/stored.ts';
import type { Services } from '../../services.ts';
import { authorizeEntity, faulty, noSuch } from '../authorize.ts';
import { query } from '../command.ts';
import { isWithin, reachOf } from './reach.ts';
import { registrationSeen } from './registrations.ts';
import { scheduleSeen } from './schedules.ts';

/** The customers of merchants, by `customer.merchantCustomerId`. */

const PORTION = 200;
/** The newest payments that the totals of a customer count. */
const COUNTED_MAX = 1_000;
const REGISTRATIONS_MAX = 50;
const SCHEDULES_MAX = 20;

type Reach = ReturnType<typeof reachOf>;

const payments = (
  { search }: Pick<Services, 'search'>,
  { merchantIds, entityId }: Reach,
  asked: { readonly customer: string; readonly after: SearchCursor | null; readonly limit: number },
): Promise<SearchFound> => search.search({ ...noFilters, merchantIds, entityId, needles: null, effort: SEARCH_EFFORT, ...asked });

/** How many merchants of the same customer id are listed. */
const MERCHANTS_MAX = 20;

const nameOf = ({ directory }: Pick<Services, 'directory'>, merchantId: string): string =>
  directory.entity(merchantId)?.name ?? '';

const listCustomers = query(
  'listCustomers',
  authorizeEntity,
  async (services: Pick<Services, 'directory' | 'replies' | 'search'>, { entity, values }) => {
    const { merchantCustomerId: customer } = values;
    const customers: CustomerView[] = [];
    let reach = reachOf(services, entity.id);
    // A page has the newest payments of all merchants. The payments of one merchant may fill it, so the others are queried again.
    while (reach.merchantIds.length > 0 && customers.length < MERCHANTS_MAX) {
      const { payments: page, next } = await payments(services, reach, { customer, after: null, limit: PORTION });
      const newest = Map.groupBy(page, ({ merchantId }) => merchantId);
      for (const [merchantId, [first]] of newest)
        customers.push({
          merchantCustomerId: customer,
          merchantId,
          merchant: nameOf(services, merchantId),
          lastActivityAt: instantShown(first?.createdAt ?? 0),
        });
      if (next === null || newest.size === 0) break;
      reach = { ...reach, merchantIds: reach.merchantIds.filter((id) => !newest.has(id)) };
    }
    const body = { customers: customers.slice(0, MERCHANTS_MAX) } satisfies AdminAnswer<'listCustomers'>;
    return services.replies.json(200, body, { entityId: entity.id });
  },
);

type Counted = { readonly found: readonly Payment[]; readonly isComplete: boolean };

/** The newest payments of a customer, and whether these are all. */
async function countedPayments(services: Pick<Services, 'search'>, reach: Reach, customer: string): Promise<Counted> {
  const found: Payment[] = [];
  let after: SearchCursor | null = null;
  while (found.length < COUNTED_MAX) {
    const page: SearchFound = await payments(services, reach, { customer, after, limit: PORTION });
    found.push(...page.payments);
    if (page.next === null) return { found, isComplete: true };
    after = page.next;
  }
  return { found, isComplete: false };
}

/** The families of payments, in portions. */
async function familiesOf(
  { queries }: Pick<Services, 'queries'>,
  merchantId: string,
  found: readonly Payment[],
): Promise<readonly (readonly Payment[])[]> {
  const ids = [...new Set(found.map(({ familyId }) => familyId))];
  const members: Payment[] = [];
  for (let at = 0; at < ids.length; at += PORTION)
    members.push(...(await queries.families(merchantId, ids.slice(at, at + PORTION))));
  return [...Map.groupBy(members, ({ familyId }) => familyId).values()];
}

/** A name or an address of the newest payment that has one. */
function latest(found: readonly Payment[], text: (fields: Payment['fields']) => string): string | null {
  for (const { fields } of found) {
    const value = text(fields).trim();
    if (value !== '') return value;
  }
  return null;
}

const fullName = (fields: Payment['fields']): string =>
  [fields['customer.givenName'], fields['customer.surname']].filter(Boolean).join(' ');

const seeCustomer = query(
  'seeCustomer',
  authorizeEntity,
  async (
    services: Pick<Services, 'directory' | 'listings' | 'queries' | 'replies' | 'schedules' | 'search' | 'world'>,
    { entity, values },
  ) => {
    const { merchantCustomerId, language = 'en' } = values;
    const merchantId = services.directory.entity(entity.id)?.merchantId ?? null;
    if (merchantId === null) {
      const fault = { name: 'entityId', value: entity.id, message: 'must be a merchant or one of its channels' };
      return faulty(services, entity.id, fault);
    }
    const reach = reachOf(services, entity.id);
    const [{ found, isComplete }, stored] = await Promise.all([
      countedPayments(services, reach, merchantCustomerId),
      services.listings.registrationsOfCustomer(merchantId, merchantCustomerId, REGISTRATIONS_MAX),
    ]);
    const registrations = stored.filter((one) => isWithin(reach, one));
    if (found.length === 0 && registrations.length === 0) return noSuch(services, 'customer');
    const families = await familiesOf(services, merchantId, found);
    const schedules = await Promise.all(
      registrations.map(({ id }) => services.schedules.store.schedulesOf(merchantId, id, SCHEDULES_MAX)),
    );
    const body: CustomerDetail = {
      merchantCustomerId,
      merchantId,
      merchant: nameOf(services, merchantId),
      name: latest(found, fullName),
      email: latest(found, (fields) => fields['customer.email'] ?? ''),
      ...activityOf(found, registrations),
      isComplete,
      counted: found.length,
      totals: customerTotals(families),
      registrations: registrations.map(registrationSeen),
      schedules: schedules.flat().map((schedule) => scheduleSeen(services, schedule, language)),
    };
    return services.replies.json(200, body, { entityId: entity.id });
  },
);

/** When the customer was seen first and last. */
function activityOf(
  found: readonly Payment[],
  registrations: readonly Registration[],
): Pick<CustomerDetail, 'firstSeenAt' | 'lastActivityAt'> {
  const seen = [
    ...found.map(({ createdAt }) => createdAt),
    ...registrations.flatMap(({ createdAt, usedAt }) => [createdAt, usedAt]),
  ];
  const [first, last] = seen.reduce(([low, high], at) => [Math.min(low, at), Math.max(high, at)], [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as readonly [number, number]);
  return { firstSeenAt: instantShown(first), lastActivityAt: instantShown(last) };
}

export const customerHandlers = { listCustomers, seeCustomer };
