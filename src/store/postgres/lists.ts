import { FIRST, type ListQuery } from '../../merchants/listing.ts';
import type { StoredLists } from '../store.ts';
import { type CheckoutRow, checkoutFrom, checkoutReads } from '../tables/checkouts.ts';
import { type ListedRow, lookThrough } from '../tables/listedPayments.ts';
import { type Listed, readBriefly } from '../tables/listedRows.ts';
import { type ListedName, postgresListReads } from '../tables/listStatements.ts';
import { type RegistrationRow, registrationFrom, registrationReads } from '../tables/registrations.ts';
import { listEntryOf, type StoredEntry } from '../tables/riskLists.ts';
import { type ScheduleRow, scheduleOf } from '../tables/schedules.ts';
import type { Pool } from './pool.ts';
import { wholePayment } from './wholePayment.ts';

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
  const registrations = {
    of: registrationFrom,
    whole: async ({ merchant_id, id }: Listed<RegistrationRow>) =>
      (await pool.read<RegistrationRow>(registrationReads.registration, [merchant_id, id]))[0],
  };
  const checkouts = {
    of: checkoutFrom,
    whole: async ({ id }: Listed<CheckoutRow>) => (await pool.read<CheckoutRow>(checkoutReads.checkout, [id]))[0],
  };
  return {
    registrationsListed: async (query) => {
      const { state, last4Digits } = query;
      const rows = await (last4Digits === null
        ? listed<Listed<RegistrationRow>>('registrationsListed', query, state)
        : listed<Listed<RegistrationRow>>('registrationsEnding', query, state, last4Digits));
      return readBriefly(rows, registrations);
    },
    registrationsOfCustomer: async (merchantId, customerId, limit) => {
      const cells = [merchantId, customerId, limit];
      const rows = await pool.read<Listed<RegistrationRow>>(postgresListReads.registrationsOfCustomer, cells);
      return readBriefly(rows, registrations);
    },
    checkoutsListed: async (query) =>
      readBriefly(await listed<Listed<CheckoutRow>>('checkoutsListed', query, query.livingAt), checkouts),
    listSchedules: async (query) => (await listed<ScheduleRow>('listSchedules', query, query.state)).map(scheduleOf),
    reviewsWaiting: async (query) => lookThrough(await listed<ListedRow>('reviewsWaiting', query), wholePayment(pool)),
    countReviews: async (query) => (await listed('reviewKeys', { ...query, before: null })).length,
    usesOf: async ({ merchantId, registrationId, before, limit }) => {
      const { createdAt, id } = before ?? FIRST;
      const cells = [merchantId, createdAt, id, registrationId, limit];
      return lookThrough(await pool.read<ListedRow>(postgresListReads.usesOf, cells), wholePayment(pool));
    },
    entriesListed: async ({ merchantId, list, kind, containing, now, after, limit }) => {
      const place = [after?.list ?? '', after?.kind ?? '', after?.value ?? ''];
      const cells = [merchantId, ...place, now, limit, list, kind, containing];
      return (await pool.read<StoredEntry>(postgresListReads.entriesListed, cells)).map(listEntryOf);
    },
  };
}
