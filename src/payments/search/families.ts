import type { Payment } from '../payment.ts';
import type { QueryStore } from './listing.ts';
import { stateOf } from './search.ts';

export type FamilyReader = (payment: Payment) => readonly Payment[];

/** Reads the families of approved payments, which decide their status: one query for each merchant. */
export async function readFamilies(queries: QueryStore, payments: readonly Payment[]): Promise<FamilyReader> {
  const byMerchant = Map.groupBy(
    payments.filter((payment) => stateOf(payment) === 'approved'),
    ({ merchantId }) => merchantId,
  );
  const found = await Promise.all(
    [...byMerchant].map(([merchantId, own]) => queries.families(merchantId, [...new Set(own.map(({ familyId }) => familyId))])),
  );
  const byFamily = Map.groupBy(found.flat(), ({ merchantId, familyId }) => `${merchantId} ${familyId}`);
  return (payment) => byFamily.get(`${payment.merchantId} ${payment.familyId}`) ?? [payment];
}
