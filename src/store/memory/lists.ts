import { FIRST, type ListQuery, newestFirst } from '../../merchants/listing.ts';
import type { Payment } from '../../payments/payment.ts';
import { REVIEW_CODE, REVIEW_COLLECTION } from '../../payments/search/listing.ts';
import { last4Of } from '../../registrations/registration.ts';
import { entryNameCells } from '../areas/risk.ts';
import type { StoredLists } from '../store.ts';
import { join, type Tables, type WhileOpen } from './tables.ts';

type Listed = { readonly merchantId: string; readonly entityId: string; readonly createdAt: number; readonly id: string };

function page<Thing extends Listed>(
  things: readonly Thing[],
  { scope, before, limit }: ListQuery,
  isAsked: (thing: Thing) => boolean = () => true,
): readonly Thing[] {
  const isIn = ({ merchantId, entityId }: Listed): boolean =>
    scope.merchantIds.includes(merchantId) && (scope.entityId === null || entityId === scope.entityId);
  const isBehind = (thing: Listed): boolean => newestFirst(thing, before ?? FIRST) > 0;
  return things
    .filter((thing) => isIn(thing) && isBehind(thing) && isAsked(thing))
    .sort(newestFirst)
    .slice(0, limit);
}

/** Lists of the back office in memory. */
export function listMethods(tables: Tables, whileOpen: WhileOpen): StoredLists {
  const { registrations, checkouts, schedules, payments, documents, listEntries } = tables;
  const isWaiting = ({ id, phase }: Payment): boolean =>
    phase.at === 'final' && phase.code === REVIEW_CODE && !documents.has(join(REVIEW_COLLECTION, id));
  return {
    registrationsListed: whileOpen((query) => {
      const { state, last4Digits } = query;
      return page(
        [...registrations.values()].map(({ registration }) => registration),
        query,
        (one) => (state === null || one.state === state) && (last4Digits === null || last4Of(one.instrument) === last4Digits),
      );
    }),
    registrationsOfCustomer: whileOpen((merchantId, customerId, limit) =>
      [...registrations.values()]
        .map(({ registration }) => registration)
        .filter((one) => one.merchantId === merchantId && one.state === 'active')
        .filter(({ fields }) => fields['customer.merchantCustomerId'] === customerId)
        .sort(newestFirst)
        .slice(0, limit),
    ),
    checkoutsListed: whileOpen((query) =>
      page([...checkouts.values()], query, ({ expiresAt }) => query.livingAt === null || expiresAt > query.livingAt),
    ),
    listSchedules: whileOpen((query) =>
      page(
        [...schedules.values()].map(({ schedule }) => schedule),
        query,
        ({ state }) => query.state === null || state === query.state,
      ),
    ),
    reviewsWaiting: whileOpen((query) => page([...payments.values()], query, isWaiting)),
    countReviews: whileOpen((query) => page([...payments.values()], { ...query, before: null }, isWaiting).length),
    usesOf: whileOpen(({ merchantId, registrationId, before, limit }) =>
      page(
        [...payments.values()],
        { scope: { merchantIds: [merchantId], entityId: null }, before, limit },
        (payment) => payment.registrationId === registrationId,
      ),
    ),
    entriesListed: whileOpen(({ merchantId, list, kind, containing, now, after, limit }) => {
      const nameOf = (entry: Parameters<typeof entryNameCells>[0]): string => join(...entryNameCells(entry));
      const behind = after && nameOf({ merchantId, ...after });
      return [...listEntries.values()]
        .filter((entry) => entry.merchantId === merchantId && (behind === null || nameOf(entry) > behind))
        .filter((entry) => (list === null || entry.list === list) && (kind === null || entry.kind === kind))
        .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
        .filter(({ value }) => containing === null || lower(value).includes(containing))
        .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
        .slice(0, limit);
    }),
  };
}

/** As databases do it that compare byte by byte. */
const lower = (text: string): string => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
