import { hasCardNumber } from '../../spec/cardNumbers.ts';
import { addressOf, type Network, networkAt, networkOf, networkText } from '../address.ts';
import type { RiskFacts } from '../facts.ts';
import { countryOf, domainOf, emailOf } from '../normalise.ts';
import type { ListEntry, Listing, ListKind, ListName, ListSubject, Lists } from '../ports.ts';

/** How the value of each kind of entry is written; null: it cannot be one. */
const forms: Readonly<Record<ListKind, (value: string) => string | null>> = {
  card: (value) => (/^[\x21-\x7e]{1,128}$/.test(value) ? value : null),
  bin: (value) => (/^[0-9]{6}$/.test(value) ? value : null),
  email: emailOf,
  emailDomain: (value) => /^@?([^\s@]{1,253})$/.exec(value.trim().toLowerCase())?.[1] ?? null,
  ip: (value) => {
    const network = networkOf(value.trim());
    return network && networkText(network);
  },
  country: countryOf,
  customer: (value) => (value !== '' && value.length <= 255 ? value : null),
};

/** The entry as it is kept; null when its value is not of its kind. */
export function entryOf(entry: ListEntry): ListEntry | null {
  const value = Object.hasOwn(forms, entry.kind) ? forms[entry.kind](entry.value) : null;
  return value === null ? null : { ...entry, value };
}

/** Whether somebody has put the number of a card where it must not stay. */
export function looksLikeCard(value: string, kind: ListKind): boolean {
  if (kind === 'card' && /^[0-9]{12,19}$/.test(value.replace(/[\s.-]/g, ''))) return true;
  return hasCardNumber(value);
}

/** By which kinds of entry a request is found, and whether it has anything of that kind at all. */
export const subjects: Readonly<
  Record<ListSubject, { readonly kinds: readonly ListKind[]; readonly has: (facts: RiskFacts) => boolean }>
> = {
  card: { kinds: ['card'], has: ({ fingerprint }) => fingerprint !== null },
  bin: { kinds: ['bin'], has: ({ bin }) => bin !== null },
  email: { kinds: ['email', 'emailDomain'], has: ({ customer }) => customer.email !== null },
  ip: { kinds: ['ip'], has: ({ customer }) => customer.ip !== null },
  country: {
    kinds: ['country'],
    has: ({ issuer, customer, billing, shipping }) =>
      issuer.country !== null || customer.ipCountry !== null || billing.country !== null || shipping.country !== null,
  },
  customer: { kinds: ['customer'], has: ({ customer }) => customer.merchantCustomerId !== null },
};

/** By which entries a request is found, the most exact first: an entry further to the left knows better than one to the right. */
type Trail = readonly (readonly [kind: ListKind, value: string])[];

/** The ways a request may be found. Each trail stands for itself: to clear one is not to clear another. */
function trailsOf(facts: RiskFacts, subject: ListSubject, prefixes: Prefixes): readonly Trail[] {
  const { fingerprint, bin, customer } = facts;
  switch (subject) {
    case 'card':
      return fingerprint === null ? [] : [[['card', fingerprint]]];
    case 'bin':
      return bin === null ? [] : [[...(fingerprint === null ? [] : [['card', fingerprint] as const]), ['bin', bin]]];
    case 'email':
      return customer.email === null
        ? []
        : [
            [
              ['email', customer.email],
              ['emailDomain', domainOf(customer.email)],
            ],
          ];
    case 'ip':
      return customer.ip === null ? [] : [networksOf(customer.ip, prefixes)];
    case 'country':
      return [facts.issuer.country, customer.ipCountry, facts.billing.country, facts.shipping.country]
        .filter((country) => country !== null)
        .map((country) => [['country', country]]);
    case 'customer':
      return customer.merchantCustomerId === null ? [] : [[['customer', customer.merchantCustomerId]]];
  }
}

/** The lengths of the prefixes that stand on a merchant's lists, the longest first. */
type Prefixes = { readonly 32: number[]; readonly 128: number[] };

function networksOf(ip: string, prefixes: Prefixes): Trail {
  const address = addressOf(ip);
  if (!address) return [];
  return prefixes[address.bits].map((prefix) => ['ip', networkText(networkAt(address, prefix))]);
}

type Book = { readonly expiry: Map<string, number | null>; readonly prefixes: Prefixes };

const entryKey = (list: ListName, kind: ListKind, value: string): string => `${list} ${kind} ${value}`;

function answerTo(book: Book, { list, subject }: Listing, facts: RiskFacts): boolean | null {
  const trails = trailsOf(facts, subject, book.prefixes);
  if (trails.length === 0) return null;
  const stands = (on: ListName, [kind, value]: Trail[number]): boolean => {
    const expiresAt = book.expiry.get(entryKey(on, kind, value));
    return expiresAt === null || (expiresAt !== undefined && expiresAt > facts.now);
  };
  // Asked about the BIN, a block of the card itself is no answer; that the card is allowed is one.
  const isOwn = ([kind]: Trail[number]) => subject !== 'bin' || kind === 'bin';
  return trails.some((trail) => {
    const blocked = trail.findIndex((step) => isOwn(step) && stands('block', step));
    const allowed = trail.findIndex((step) => stands('allow', step));
    if (list === 'allow') return trail.some((step) => isOwn(step) && stands('allow', step));
    return blocked !== -1 && (allowed === -1 || allowed > blocked);
  });
}

const ENTRIES_MAX = 100_000;

/** Lists in the memory of this process, for whoever keeps the entries elsewhere. */
export type MemoryLists = Lists & {
  /** Whether put() would take the entry. */
  hasRoomFor(entry: ListEntry): boolean;
  /** Exchanges everything at once: no question in between finds half of it. Entries that make no sense name nobody. */
  replaceAll(entries: readonly ListEntry[]): void;
};

const emptyBook = (): Book => ({ expiry: new Map(), prefixes: { 32: [], 128: [] } });

function enter(book: Book, { list, kind, value, expiresAt }: ListEntry): void {
  book.expiry.set(entryKey(list, kind, value), expiresAt);
  if (kind === 'ip') addPrefix(book.prefixes, networkOf(value) as Network);
}

function bookIn(books: Map<string, Book>, merchantId: string): Book {
  const book = books.get(merchantId) ?? emptyBook();
  books.set(merchantId, book);
  return book;
}

/**
 * Block and allow lists in memory. An allow entry lifts a block of the same thing when it names it at least as exactly: an address
 * over its domain, a host over its network, a card over its BIN. It lifts nothing else.
 */
export function createLists(clock: { now(): number }, entriesMax: number = ENTRIES_MAX): MemoryLists {
  let books = new Map<string, Book>();
  const hasRoomFor = ({ merchantId, list, kind, value }: ListEntry): boolean => {
    const book = books.get(merchantId) ?? emptyBook();
    return book.expiry.has(entryKey(list, kind, value)) || hasRoom(book, clock.now(), entriesMax);
  };
  return {
    async listed(asked, facts) {
      const book = books.get(facts.merchantId);
      // Most merchants have no lists, and every payment asks.
      return book && book.expiry.size > 0
        ? asked.map((listing) => answerTo(book, listing, facts))
        : asked.map(({ subject }) => (subjects[subject].has(facts) ? false : null));
    },
    async put(given) {
      const entry = checkedEntry(given);
      if (!hasRoomFor(entry)) return false;
      enter(bookIn(books, entry.merchantId), entry);
      return true;
    },
    async remove(given) {
      const entry = entryOf({ ...given, expiresAt: null });
      return (
        entry !== null && (books.get(entry.merchantId)?.expiry.delete(entryKey(entry.list, entry.kind, entry.value)) ?? false)
      );
    },
    hasRoomFor: (given) => hasRoomFor(checkedEntry(given)),
    replaceAll(entries) {
      const others = new Map<string, Book>();
      for (const given of entries) {
        const entry = entryOf(given);
        if (entry) enter(bookIn(others, entry.merchantId), entry);
      }
      books = others;
    },
  };
}

/** Who puts an entry has looked at it with entryOf() before. */
export function checkedEntry(given: ListEntry): ListEntry {
  const entry = entryOf(given);
  if (!entry) throw new Error(`an entry of kind ${given.kind} was put without being looked at`);
  return entry;
}

/** Entries that have expired stand in nobody's way: they are cleared when the room runs out. */
function hasRoom({ expiry }: Book, now: number, entriesMax: number): boolean {
  if (expiry.size < entriesMax) return true;
  for (const [key, expiresAt] of expiry) if (expiresAt !== null && expiresAt <= now) expiry.delete(key);
  return expiry.size < entriesMax;
}

/** A prefix stays when its last entry is gone: looking for it costs one question. */
function addPrefix(prefixes: Prefixes, { bits, prefix }: Network): void {
  const lengths = prefixes[bits];
  if (lengths.includes(prefix)) return;
  lengths.push(prefix);
  lengths.sort((one, other) => other - one);
}
