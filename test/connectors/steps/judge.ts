import { isApproved } from '../../../src/payments/balance.ts';
import { isOpen, type Payment } from '../../../src/payments/payment.ts';
import type { Store } from '../../../src/store/store.ts';
import type { AcquirerServer, Booked } from '../contract.ts';
import { SECOND, type Shop } from '../trialShop.ts';
import type { Rows } from './paths.ts';
import type { Arrival } from './strike.ts';

/** What became of one request of the shop, and what both accounts' acquirers were sent meanwhile. */
export type Done = {
  readonly id: string;
  readonly registrationId: string | null;
  /** A payment of its own, which another account may take. */
  readonly isFirst: boolean;
  readonly isApproved: boolean;
  readonly isPending: boolean;
  readonly arrivals: readonly [readonly Arrival[], readonly Arrival[]];
};

type Judged = {
  readonly shop: Shop;
  readonly servers: readonly [AcquirerServer, AcquirerServer];
  readonly done: readonly Done[];
};

/** Everything that is wrong with the end of a flow. The books of the acquirers decide, not the connector. */
export async function judge(store: Pick<Store, 'family'>, cell: Judged, rows: Rows): Promise<readonly string[]> {
  const found = await Promise.all(cell.done.map((one) => (one.id === '' ? [] : judgeOne(store, cell, { ...one, rows }))));
  return found.flat();
}

const canBook =
  (rows: Rows) =>
  ({ steps }: Arrival): boolean =>
    steps.some((step) => rows[step]?.books ?? true);

type One = Done & { readonly rows: Rows };

async function judgeOne(store: Pick<Store, 'family'>, { shop, servers }: Judged, one: One): Promise<readonly string[]> {
  const { id, isFirst, arrivals, rows } = one;
  const merchantId = shop.ownerId;
  const [atFirst, atSecond] = arrivals.map((of) => of.some(canBook(rows)));
  const found: string[] = [];
  if (!atFirst && isFirst && !one.isApproved)
    found.push('lost: the first account was sent nothing that books, and the second one works');
  if (!atFirst && !atSecond && one.isPending) found.push('pending, and nothing that books was sent');
  if (atFirst && atSecond) found.push('the second account was asked although the first one may have booked');
  const family = await store.family(merchantId, id);
  if (!family) return [`${id} is not in the store`];
  if (!isFirst) return found.map((what) => `${id}: ${what}; ${said(family.payments)}`);
  const books = await Promise.all([
    servers[0].booked({ merchantId, id, key: id }),
    servers[1].booked({ merchantId, id, key: `${id}-2` }),
  ]);
  if (!atFirst && books[0].times > 0) found.push('booked, although no step that was sent can book by its row');
  found.push(...differences(family.payments, books));
  return found.map((what) => `${id}: ${what}; ${said(family.payments)}; books ${books.map(bookSaid).join(' and ')}`);
}

const said = (payments: readonly Payment[]): string =>
  payments
    .map(
      ({ paymentType, amount, connector, phase }) =>
        `${paymentType} ${amount} at ${connector} ${phase.at === 'final' ? phase.code : phase.at}`,
    )
    .join(', ');
const bookSaid = ({ times, authorised, captured, refunded, isCancelled }: Booked): string =>
  `${times}× ${authorised}/${captured}/${refunded}${isCancelled ? ' cancelled' : ''}`;

/** Money that an acquirer holds of a payment: promised or moved. */
const held = ({ authorised, captured, refunded, isCancelled }: Booked): bigint =>
  captured > 0n ? captured - refunded : isCancelled ? 0n : authorised;

function differences(payments: readonly Payment[], books: readonly [Booked, Booked]): readonly string[] {
  const [first] = payments;
  if (!first) return ['the family is empty'];
  const found: string[] = [];
  if (payments.some(isOpen)) found.push('still open');
  const [own, other] = first.connector === SECOND ? [books[1], books[0]] : books;
  if (books.some(({ times }) => times > 1)) found.push('booked twice by one account');
  if (isApproved(first) && held(own) > 0n && held(other) > 0n) found.push('the shopper is charged twice');
  else if (held(other) !== 0n) found.push('booked by an account that is not the one of the payment');
  const sum = (type: string): bigint =>
    payments.filter((one) => one.paymentType === type && isApproved(one)).reduce((total, { amount }) => total + amount, 0n);
  if (!isApproved(first) || sum('RV') > 0n || payments.some((one) => one.paymentType === 'RV' && isApproved(one))) {
    if (held(own) !== 0n) found.push('failed or reversed, and booked there');
    return found;
  }
  if (first.amount > 0n && own.times === 0) found.push('approved, and not booked there');
  const [authorised, captured] = first.paymentType === 'DB' ? [first.amount, first.amount] : [sum('PA'), sum('CP')];
  if (own.authorised !== authorised) found.push(`authorised ${authorised} here`);
  if (own.captured !== captured) found.push(`captured ${captured} here`);
  if (own.refunded !== sum('RF')) found.push(`refunded ${sum('RF')} here`);
  return found;
}
