import type { TraceStore, TransactionEvents } from '../../ledger/ports.ts';
import { matchesMerchant } from '../../merchants/merchantFilter.ts';
import type { Payment } from '../../payments/payment.ts';
import { type DueRelease, NEVER_AGAIN, type ReleaseStore } from '../../payments/ports.ts';
import type { Listing, PageFound, QueryPageRequest, QueryStore } from '../../payments/search/listing.ts';
import { isFound, newestFirst, type SearchStore } from '../../payments/search/search.ts';
import { itemsApart } from '../../runtime/json.ts';
import type { OutboxEvent } from '../../webhooks/webhook.ts';
import { markCells, oldestFirst } from '../areas/payments.ts';
import { join, type Tables, type WhileOpen } from './tables.ts';

/** Reads of payments in memory: lists, the search, and one payment's past. They are the reference, without an index. */

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

/** Search in memory: the reference, without an index. It always looks to the end. */
export function searchMethods(tables: Tables, whileOpen: WhileOpen): SearchStore & TraceStore {
  const { payments, emailHashes } = tables;
  return {
    ...traceMethods(tables, whileOpen),
    search: whileOpen((query) => {
      const found = [...payments].filter(([key, payment]) => isFound(query, payment, emailHashes.get(key) ?? null));
      const all = found.map(([, payment]) => payment).sort(newestFirst);
      const page = all.slice(0, query.limit);
      const last = page.at(-1);
      return { payments: page, next: all.length > page.length && last ? { createdAt: last.createdAt, id: last.id } : null };
    }),
    anyPayment: whileOpen(
      (merchantIds, id) => merchantIds.map((merchantId) => payments.get(join(merchantId, id))).find(Boolean) ?? null,
    ),
  };
}

/** One payment's past in memory. */
function traceMethods(tables: Tables, whileOpen: WhileOpen): TraceStore {
  const isOf = (merchantId: string, paymentId: string) => (one: { readonly merchantId: string; readonly subjectId: string }) =>
    one.merchantId === merchantId && one.subjectId === paymentId;
  const isCausedBy =
    (merchantId: string, { subjectId, transactionId }: TransactionEvents) =>
    (event: OutboxEvent): boolean =>
      isOf(merchantId, subjectId)(event) && (event.transactionId ?? transactionId) === transactionId;
  const byRevision = (one: { readonly revision: number }, other: { readonly revision: number }) => one.revision - other.revision;
  return {
    eventsOf: whileOpen((merchantId, about) =>
      [...tables.fresh.values(), ...tables.fannedOut.values()].filter(isCausedBy(merchantId, about)).sort(byRevision),
    ),
    postingsOf: whileOpen((merchantId, paymentId, { from, to }) => {
      const { unsealed, blocks } = tables.books.get(merchantId) ?? { unsealed: new Map<string, never>(), blocks: [] };
      return [...blocks.flatMap(({ postings }) => postings), ...unsealed.values()]
        .filter((posting) => isOf(merchantId, paymentId)(posting) && posting.at >= from && posting.at <= to)
        .sort(byRevision);
    }),
    deliveriesOf: whileOpen((merchantId, about) =>
      [...tables.deliveries.values()].map(({ delivery }) => delivery).filter(({ event }) => isCausedBy(merchantId, about)(event)),
    ),
  };
}

/** The end of authorisations in memory. */
export const releaseMethods = ({ releases }: Tables, whileOpen: WhileOpen): ReleaseStore => ({
  releasesDue: whileOpen(({ now, limit, merchants }) =>
    [...releases.values()]
      .filter((one) => dueAtOf(one) >= 0 && dueAtOf(one) <= now && matchesMerchant(merchants, one.merchantId))
      .sort((one, other) => dueAtOf(one) - dueAtOf(other) || (one.id < other.id ? -1 : 1))
      .slice(0, limit),
  ),
  markReleases: whileOpen((marks) => {
    for (const mark of marks) markCells(mark);
    for (const { merchantId, id, releaseAt, next } of marks) {
      const at = join(merchantId, id);
      if (releases.get(at)?.releaseAt !== releaseAt) continue;
      if (next === NEVER_AGAIN) releases.delete(at);
      else releases.set(at, { merchantId, id, releaseAt: next });
    }
  }),
});

/** An authorisation without an instant is due. */
export const dueAtOf = ({ releaseAt }: DueRelease): number => releaseAt ?? 0;
