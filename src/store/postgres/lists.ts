import { FIRST, type ListQuery } from '../../merchants/listing.ts';
import type { StoredLists } from '../store.ts';
import { type CheckoutRow, checkoutOf } from '../tables/checkouts.ts';
import { type ListedName, postgresListReads } from '../tables/listStatements.ts';
import { type PaymentRow, readPayments } from '../tables/payments.ts';
import { type RegistrationRow, registrationOf } from '../tables/registrations.ts';
import { listEntryOf, type StoredEntry } from '../tables/riskLists.ts';
import { type ScheduleRow, scheduleOf } from '../tables/schedules.ts';
import type { Pool } from './pool.ts';

/** Lists of the back office in PostgreSQL. */
export function postgresLists(pool: Pick<Pool, 'read'>): StoredLists {
  const listed = <Row extends object>(
    name: ListedName,
    { scope, before, limit }: ListQuery,
    ...cells: readonly (string | number | null)[]
  ): Promise<readonly Row[]> => {
    const { createdAt, id } = before ?? FIRST;
    const merchants = JSON.stringify(scope.merchantIds);
    return pool.read<Row>(postgresListReads[name], [merchants, createdAt, id, scope.entityId, limit, ...cells]);
  };
  return {
    registrationsListed: async (query) => {
      const { state, last4Digits } = query;
      const rows = await (last4Digits === null
        ? listed<RegistrationRow>('registrationsListed', query, state)
        : listed<RegistrationRow>('registrationsEnding', query, state, last4Digits));
      return rows.map(registrationOf);
    },
    registrationsOfCustomer: async (merchantId, customerId, limit) => {
      const cells = [merchantId, customerId, limit];
      return (await pool.read<RegistrationRow>(postgresListReads.registrationsOfCustomer, cells)).map(registrationOf);
    },
    checkoutsListed: async (query) => (await listed<CheckoutRow>('checkoutsListed', query, query.livingAt)).map(checkoutOf),
    listSchedules: async (query) => (await listed<ScheduleRow>('listSchedules', query, query.state)).map(scheduleOf),
    reviewsWaiting: async (query) => readPayments(await listed<PaymentRow>('reviewsWaiting', query)),
    countReviews: async (query) => (await listed('reviewKeys', { ...query, before: null })).length,
    usesOf: async ({ merchantId, registrationId, before, limit }) => {
      const { createdAt, id } = before ?? FIRST;
      const cells = [merchantId, createdAt, id, registrationId, limit];
      return readPayments(await pool.read<PaymentRow>(postgresListReads.usesOf, cells));
    },
    entriesListed: async ({ merchantId, list, kind, containing, now, after, limit }) => {
      const place = [after?.list ?? '', after?.kind ?? '', after?.value ?? ''];
      const cells = [merchantId, ...place, now, limit, list, kind, containing];
      return (await pool.read<StoredEntry>(postgresListReads.entriesListed, cells)).map(listEntryOf);
    },
  };
}
