import { type Amount, amountOf } from '../../money/amount.ts';
import { last4Of } from '../../registrations/registration.ts';
import { type SearchFilterName, searchFilterNames } from '../../spec/areas/payments.ts';
import { currencies } from '../../spec/currencies.ts';
import { tookPlace } from '../../spec/resultCodes/accepted.ts';
import { DAY_MS } from '../../spec/time.ts';
import { codeOf } from '../commitPayment.ts';
import { customerIdOf, type Payment } from '../payment.ts';
import type { QueryStore } from './listing.ts';

/** Search of payments by reference, amount, card, email and date; the newest first. */

/** One thing that a text can be. A payment is found when it is any of them. */
export type Needle =
  | { readonly is: 'id' | 'shortId' | 'reference'; readonly prefix: string }
  | { readonly is: 'last4'; readonly last4: string }
  /** Keyed hash of the address: the index contains no address. */
  | { readonly is: 'email'; readonly hash: string }
  /** The beginning of an address, in lower case: looked for in the payments themselves. */
  | { readonly is: 'emailPrefix'; readonly prefix: string }
  | { readonly is: 'amount'; readonly amount: Amount; readonly currency: string | null };

type SearchState = 'open' | 'approved' | 'declined';

/** The value of each filter of `searchFilters` inside the program. */
export type FilterValues = {
  /** From this instant on. */
  readonly from: number;
  /** Strictly before this instant. */
  readonly to: number;
  readonly state: SearchState;
  readonly types: readonly string[];
  readonly brand: string;
  readonly code: string;
  readonly currency: string;
  readonly amount: Amount;
  readonly last4: string;
  /** Keyed hash of the address. */
  readonly email: string;
  readonly customer: string;
};

/** The filters of a search; null: no filter. */
export type SearchFilters = { readonly [Name in SearchFilterName]: FilterValues[Name] | null };

/** A place in the order of a search: by time, then by id, both falling. */
export type SearchCursor = { readonly createdAt: number; readonly id: string };

export type SearchQuery = SearchFilters & {
  readonly merchantIds: readonly string[];
  /** A channel; null: all of them. */
  readonly entityId: string | null;
  /** Null: everything. None: nothing. */
  readonly needles: readonly Needle[] | null;
  /** Only what comes behind it. */
  readonly after: SearchCursor | null;
  readonly limit: number;
  /** How many payments may be looked at for this answer, so that it comes soon whatever is asked. */
  readonly effort: number;
};

/**
 * The number of payments that one answer of the back office reads. Each may be on a page of its own that is not in memory: more of them
 * make a slow answer of a large database. A search that has not found enough goes on from `next`.
 */
export const SEARCH_EFFORT = 4_000;

/** `next`: how far was looked; null: to the end. A page may have few payments and still not be the last. */
export type SearchFound = { readonly payments: readonly Payment[]; readonly next: SearchCursor | null };

export interface SearchStore {
  search(asked: SearchQuery): Promise<SearchFound>;
  /** A payment of one of these merchants, by its id. */
  anyPayment(merchantIds: readonly string[], id: string): Promise<Payment | null>;
}

export const noFilters = Object.fromEntries(searchFilterNames.map((name) => [name, null])) as unknown as SearchFilters;

export function stateOf(payment: Payment): SearchState {
  if (payment.phase.at !== 'final') return 'open';
  return tookPlace(payment.phase.code) ? 'approved' : 'declined';
}

/** The shopper's e-mail address, as it is compared. */
export const emailOf = ({ fields }: Payment): string | null => fields['customer.email']?.trim().toLowerCase() || null;

/** How a payment is compared with each filter. The databases agree with this table by contract. */
const comparisons: {
  readonly [Name in SearchFilterName]: (wanted: FilterValues[Name], payment: Payment, emailHash: string | null) => boolean;
} = {
  from: (instant, { createdAt }) => createdAt >= instant,
  to: (instant, { createdAt }) => createdAt < instant,
  state: (state, payment) => stateOf(payment) === state,
  types: (types, { paymentType }) => types.includes(paymentType),
  brand: (brand, { paymentBrand }) => paymentBrand === brand,
  code: (code, payment) => codeOf(payment) === code,
  currency: (currency, payment) => payment.currency === currency,
  amount: (amount, payment) => payment.amount === amount,
  last4: (last4, payment) => last4Of(payment.instrument) === last4,
  email: (hash, _, emailHash) => emailHash === hash,
  customer: (id, payment) => customerIdOf(payment) === id,
};

function passes<Name extends SearchFilterName>(
  name: Name,
  filters: SearchFilters,
  { payment, emailHash }: { readonly payment: Payment; readonly emailHash: string | null },
): boolean {
  const wanted = filters[name];
  return wanted === null || comparisons[name](wanted, payment, emailHash);
}

/** Whether a search finds the payment. `emailHash` is the keyed hash that was stored with it. */
export function isFound(asked: SearchQuery, payment: Payment, emailHash: string | null): boolean {
  const { after, needles } = asked;
  const { createdAt, id } = payment;
  return (
    asked.merchantIds.includes(payment.merchantId) &&
    (after === null || createdAt < after.createdAt || (createdAt === after.createdAt && id < after.id)) &&
    is(asked.entityId, payment.entityId) &&
    searchFilterNames.every((name) => passes(name, asked, { payment, emailHash })) &&
    (needles === null || needles.some((needle) => isNeedle(needle, payment, emailHash)))
  );
}

const is = <Value>(wanted: Value | null, value: Value | null): boolean => wanted === null || wanted === value;

function isNeedle(needle: Needle, payment: Payment, emailHash: string | null): boolean {
  switch (needle.is) {
    case 'id':
      return payment.id.startsWith(needle.prefix);
    case 'shortId':
      return payment.shortId.startsWith(needle.prefix);
    case 'reference':
      return payment.merchantTransactionId?.startsWith(needle.prefix) ?? false;
    case 'last4':
      return last4Of(payment.instrument) === needle.last4;
    case 'email':
      return emailHash === needle.hash;
    case 'emailPrefix':
      return emailOf(payment)?.startsWith(needle.prefix) ?? false;
    case 'amount':
      return payment.amount === needle.amount && is(needle.currency, payment.currency);
  }
}

/** The newest first. */
export const newestFirst = (one: SearchCursor, other: SearchCursor): number =>
  other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1);

/** Enough that no two addresses of an installation are taken for each other, and short in an index. */
const LENGTH = 16;

/** The address as searches use it: hashed by the vault, which alone has the key. */
export const emailHashOf = (digest: Digest, address: string): string =>
  digest('email', address.trim().toLowerCase()).slice(0, LENGTH);

export type Digest = (entityId: string, text: string) => string;

/** The hash that is kept with the first revision of a payment; null without an address, and for later revisions. */
export function emailHashFor(digest: Digest, payment: Payment): string | null {
  const address = payment.revision === 1 ? emailOf(payment) : null;
  return address === null ? null : emailHashOf(digest, address);
}

type FamilyReader = (payment: Payment) => readonly Payment[];

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

/** The meanings of a search text. */
type ParsedSearch = {
  readonly needles: readonly Needle[] | null;
  /** A day or several, where the text is one. */
  readonly range: { readonly from: number; readonly before: number } | null;
};

type HashEmail = (address: string) => string;

const ID = /^[0-9a-f]{8,32}$/i;
const SHORT = /^[0-9]{4}\.(?:[0-9]{0,4}(?:\.[0-9]{0,4})?)?$/;
const LAST4 = /^(?:[*•x.]{0,12} ?)?([0-9]{4})$/i;
const AMOUNT = /^(?:([A-Z]{3}) ?)?([0-9]{1,13}(?:[.,][0-9]{2})?)(?: ?([A-Z]{3}))?$/i;
const DAY = '((?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2})';
const DAYS = new RegExp(`^${DAY}(?: ?(?:\\.\\.|to|–|bis) ?${DAY})?$`);
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const EMAIL_BEGUN = /^[\x21-\x3f\x41-\x7e]+@[\x21-\x3f\x41-\x7e]*$/;
/** A search for the beginning that all references share would find everything. */
const REFERENCE = /^[\x20-\x7e]{2,255}$/;

/** A text can mean several things: four digits are an amount, the end of a card number, and the beginning of a reference. */
export function parseSearchText(text: string, hashed: HashEmail): ParsedSearch {
  const asked = text.trim();
  if (asked === '') return { needles: null, range: null };
  const range = rangeOf(asked);
  if (range) return { needles: null, range };
  return { needles: needlesOf(asked, hashed), range: null };
}

function needlesOf(asked: string, hashed: HashEmail): readonly Needle[] {
  if (asked.includes('@')) return [...addressOf(asked, hashed), ...referenceOf(asked)];
  const last4 = LAST4.exec(asked)?.[1];
  return [
    ...(ID.test(asked) ? [{ is: 'id', prefix: asked.toLowerCase() } as const] : []),
    ...(SHORT.test(asked) ? [{ is: 'shortId', prefix: asked } as const] : []),
    ...(last4 === undefined ? [] : [{ is: 'last4', last4 } as const]),
    ...amountIn(asked),
    ...referenceOf(asked),
  ];
}

/** A whole address is found by its hash; an incomplete one among the newest payments first. */
function addressOf(asked: string, hashed: HashEmail): readonly Needle[] {
  return [
    ...(EMAIL.test(asked) ? [{ is: 'email', hash: hashed(asked) } as const] : []),
    ...(EMAIL_BEGUN.test(asked) ? [{ is: 'emailPrefix', prefix: asked.toLowerCase() } as const] : []),
  ];
}

const referenceOf = (asked: string): readonly Needle[] => (REFERENCE.test(asked) ? [{ is: 'reference', prefix: asked }] : []);

function amountIn(asked: string): readonly Needle[] {
  const [, before, digits, behind] = AMOUNT.exec(asked) ?? [];
  const amount = digits === undefined ? undefined : amountOf(digits.replace(',', '.'));
  const currency = (before ?? behind)?.toUpperCase() ?? null;
  if (amount === undefined || (before && behind) || (currency !== null && !currencies.has(currency))) return [];
  return [{ is: 'amount', amount, currency }];
}

/** Days are in UTC. */
function rangeOf(asked: string): ParsedSearch['range'] {
  const [, first, last = first] = DAYS.exec(asked) ?? [];
  const [from, to] = [first, last].map((day) => Date.parse(`${day}T00:00:00Z`));
  return from === undefined || to === undefined || Number.isNaN(from + to) ? null : { from, before: to + DAY_MS };
}
