import { FIRST, type ListQuery, newestFirst } from '../../merchants/listing.ts';
import type { QueryStore } from '../../payments/search/listing.ts';
import type { StoredLists } from '../store.ts';
import { type CheckoutRow, checkoutOf } from '../tables/checkouts.ts';
import type { ListedName } from '../tables/listStatements.ts';
import { type PaymentRow, paymentOf, readPayments } from '../tables/payments.ts';
import { type RegistrationRow, registrationOf } from '../tables/registrations.ts';
import { listEntryOf, type StoredEntry } from '../tables/riskLists.ts';
import { type ScheduleRow, scheduleOf } from '../tables/schedules.ts';
import { sqliteQueries } from './queries.ts';
import type { Reads } from './reads.ts';

type Listed = { readonly createdAt: number; readonly id: string };

/** Every list in SQLite. */
export const sqliteLists = (read: Reads): QueryStore & StoredLists => ({ ...sqliteQueries(read), ...sqliteStored(read) });

/** Lists of the back office in SQLite. */
function sqliteStored(read: Reads): StoredLists {
  const listed = <Row, Thing extends Listed>(
    name: ListedName,
    { scope, before, limit }: ListQuery,
    { of, cells = [] }: { readonly of: (row: Row) => Thing; readonly cells?: readonly (string | number | null)[] },
  ): Thing[] => {
    const { createdAt, id } = before ?? FIRST;
    const rows = scope.merchantIds.flatMap((merchantId) =>
      read.all<Row>(name, merchantId, createdAt, id, scope.entityId, limit, ...cells),
    );
    return rows.map(of).sort(newestFirst).slice(0, limit);
  };
  return {
    registrationsListed: async (query) => {
      const { state, last4Digits } = query;
      return last4Digits === null
        ? listed<RegistrationRow, ReturnType<typeof registrationOf>>('registrationsListed', query, {
            of: registrationOf,
            cells: [state],
          })
        : listed<RegistrationRow, ReturnType<typeof registrationOf>>('registrationsEnding', query, {
            of: registrationOf,
            cells: [state, last4Digits],
          });
    },
    registrationsOfCustomer: async (merchantId, customerId, limit) =>
      read.all<RegistrationRow>('registrationsOfCustomer', merchantId, customerId, limit).map(registrationOf),
    checkoutsListed: async (query) =>
      listed<CheckoutRow, ReturnType<typeof checkoutOf>>('checkoutsListed', query, { of: checkoutOf, cells: [query.livingAt] }),
    listSchedules: async (query) =>
      listed<ScheduleRow, ReturnType<typeof scheduleOf>>('listSchedules', query, { of: scheduleOf, cells: [query.state] }),
    reviewsWaiting: async (query) => listed<PaymentRow, ReturnType<typeof paymentOf>>('reviewsWaiting', query, { of: paymentOf }),
    countReviews: async (query) =>
      listed<{ readonly created_at: number; readonly id: string }, Listed>(
        'reviewKeys',
        { ...query, before: null },
        { of: ({ created_at, id }) => ({ createdAt: created_at, id }) },
      ).length,
    usesOf: async ({ merchantId, registrationId, before, limit }) => {
      const { createdAt, id } = before ?? FIRST;
      return readPayments(read.all<PaymentRow>('usesOf', merchantId, createdAt, id, registrationId, limit));
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
