import { FIRST, type ListQuery, newestFirst } from '../../merchants/listing.ts';
import type { QueryStore } from '../../payments/search/listing.ts';
import type { StoredLists } from '../store.ts';
import { type CheckoutRow, checkoutFrom } from '../tables/checkouts.ts';
import { type ListedRow, lookThrough } from '../tables/listedPayments.ts';
import { type Listed as ListedIn, readBriefly } from '../tables/listedRows.ts';
import type { ListedName } from '../tables/listStatements.ts';
import { type RegistrationRow, registrationFrom } from '../tables/registrations.ts';
import { listEntryOf, type StoredEntry } from '../tables/riskLists.ts';
import { type ScheduleRow, scheduleOf } from '../tables/schedules.ts';
import { sqliteQueries } from './queries.ts';
import { type Reads, wholePayment } from './reads.ts';

type Placed = { readonly created_at: string | number; readonly id: string };
const placeOf = ({ created_at, id }: Placed) => ({ createdAt: Number(created_at), id });

/** Every list in SQLite. */
export const sqliteLists = (read: Reads): QueryStore & StoredLists => ({ ...sqliteQueries(read), ...sqliteStored(read) });

/** Lists of the back office in SQLite. */
function sqliteStored(read: Reads): StoredLists {
  const rowsOf = <Row extends Placed>(
    name: ListedName,
    { scope, before, limit }: ListQuery,
    ...cells: readonly (string | number | null)[]
  ): Row[] => {
    const { createdAt, id } = before ?? FIRST;
    return scope.merchantIds
      .flatMap((merchantId) => read.all<Row>(name, merchantId, createdAt, id, scope.entityId, limit, ...cells))
      .sort((one, other) => newestFirst(placeOf(one), placeOf(other)))
      .slice(0, limit);
  };
  const registrations = {
    of: registrationFrom,
    whole: ({ merchant_id, id }: ListedIn<RegistrationRow>) => read.all<RegistrationRow>('registration', merchant_id, id)[0],
  };
  const checkouts = { of: checkoutFrom, whole: ({ id }: ListedIn<CheckoutRow>) => read.all<CheckoutRow>('checkout', id)[0] };
  const payments = (rows: readonly ListedRow[]) => lookThrough(rows, wholePayment(read));
  return {
    registrationsListed: async (query) => {
      const { state, last4Digits } = query;
      const rows =
        last4Digits === null
          ? rowsOf<ListedIn<RegistrationRow>>('registrationsListed', query, state)
          : rowsOf<ListedIn<RegistrationRow>>('registrationsEnding', query, state, last4Digits);
      return readBriefly(rows, registrations);
    },
    registrationsOfCustomer: async (merchantId, customerId, limit) =>
      readBriefly(read.all<ListedIn<RegistrationRow>>('registrationsOfCustomer', merchantId, customerId, limit), registrations),
    checkoutsListed: async (query) =>
      readBriefly(rowsOf<ListedIn<CheckoutRow>>('checkoutsListed', query, query.livingAt), checkouts),
    listSchedules: async (query) => rowsOf<ScheduleRow>('listSchedules', query, query.state).map(scheduleOf),
    reviewsWaiting: async (query) => payments(rowsOf<ListedRow>('reviewsWaiting', query)),
    countReviews: async (query) => rowsOf('reviewKeys', { ...query, before: null }).length,
    usesOf: async ({ merchantId, registrationId, before, limit }) => {
      const { createdAt, id } = before ?? FIRST;
      return payments(read.all<ListedRow>('usesOf', merchantId, createdAt, id, registrationId, limit));
    },
    entriesListed: async ({ merchantId, list, kind, containing, now, after, limit }) =>
      read
        .all<StoredEntry>(
          'entriesListed',
          ...[merchantId, after?.list ?? '', after?.kind ?? '', after?.value ?? '', now, limit, list, kind, containing],
        )
        .map(listEntryOf),
  };
}
