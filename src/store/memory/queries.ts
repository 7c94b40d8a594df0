import type { Payment } from '../../payments/payment.ts';
import type { Listing, PageFound, QueryPageRequest, QueryStore } from '../../payments/search/listing.ts';
import { itemsApart } from '../../spec/longJson.ts';
import { oldestFirst } from '../areas/payments.ts';
import { join, type Tables, type WhileOpen } from './tables.ts';

/** Lists of payments in memory: the reference, without an index. */
export function queryMethods({ payments }: Tables, whileOpen: WhileOpen): QueryStore {
  const page = (isAsked: (payment: Payment) => boolean, { pageNo, limit }: QueryPageRequest): PageFound => {
    const found = [...payments.values()].filter(isAsked).sort(byTime);
    return { payments: found.slice((pageNo - 1) * limit, pageNo * limit), count: found.length };
  };
  return {
    named: whileOpen((listing, merchantTransactionId, query) =>
      page((one) => one.merchantTransactionId === merchantTransactionId && isListed(listing, one), query),
    ),
    within: whileOpen((listing, { from, before }, query) =>
      page((one) => one.createdAt >= from && one.createdAt < before && isListed(listing, one), query),
    ),
    families: whileOpen((merchantId, familyIds) =>
      [...payments.values()]
        .filter((one) => one.merchantId === merchantId && familyIds.includes(one.familyId) && isMember(one))
        .sort(oldestFirst),
    ),
    listed: whileOpen((merchantId, id, withItems) => {
      const payment = payments.get(join(merchantId, id));
      if (payment === undefined) return null;
      const { fields, items } = itemsApart(payment.fields, withItems);
      return { payment: { ...payment, fields, isBrief: true }, items };
    }),
  };
}

const byTime = (one: Payment, other: Payment): number => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);

const isMember = ({ id, familyId, referencedId }: Payment): boolean => id === familyId || referencedId !== null;

function isListed({ merchantId, entityId, types, methods, mode, shortId }: Listing, payment: Payment): boolean {
  return (
    payment.merchantId === merchantId &&
    (entityId === null || payment.entityId === entityId) &&
    (types === null || types.includes(payment.paymentType)) &&
    (methods === null || methods.includes(payment.method)) &&
    (mode === null || payment.mode === mode) &&
    (shortId === null || payment.shortId === shortId)
  );
}
