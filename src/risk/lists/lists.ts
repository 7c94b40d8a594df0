import { hasCardNumber } from '../../spec/cards/cardNumbers.ts';
import type { Clock } from '../../spec/time.ts';
import type { RiskFacts } from '../facts.ts';
import { addressOf, countryOf, domainOf, emailOf, type Network, networkAt, networkOf, networkText } from '../normalise.ts';
import type { ListEntry, Listing, ListKind, ListName, ListSubject, Lists, RiskStore } from '../ports.ts';

/** The normal form of the value of each kind of entry; null when it is invalid. */
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

/** The entry in its stored form; null when its value is not valid for its kind. */
export function entryOf(entry: ListEntry): ListEntry | null {
  const value = Object.hasOwn(forms, entry.kind) ? forms[entry.kind](entry.value) : null;
  return value === null ? null : { ...entry, value };
}

/** Whether the value of an entry looks like a card number, which must not be stored. */
export function looksLikeCard(value: string, kind: ListKind): boolean {
  if (kind === 'card' && /^[0-9]{12,19}$/.test(value.replace(/[\s.-]/g, ''))) return true;
  return hasCardNumber(value);
}

/** The kinds of entry that match each subject, and whether a request has a value of that subject. */
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

/** Entries that match a request, the most specific first: an entry overrides those after it. */
type MatchPath = readonly (readonly [kind: ListKind, value: string])[];

/** The paths by which a request can match. Each is independent: an allow entry on one path does not clear another. */
function matchPaths(facts: RiskFacts, subject: ListSubject, prefixes: Prefixes): readonly MatchPath[] {
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

/** The prefix lengths that occur on a merchant's lists, the longest first. */
type Prefixes = { readonly 32: number[]; readonly 128: number[] };

function networksOf(ip: string, prefixes: Prefixes): MatchPath {
  const address = addressOf(ip);
  if (!address) return [];
  return prefixes[address.bits].map((prefix) => ['ip', networkText(networkAt(address, prefix))]);
}

type MerchantEntries = { readonly expiry: Map<string, number | null>; readonly prefixes: Prefixes };

const entryKey = (list: ListName, kind: ListKind, value: string): string => `${list} ${kind} ${value}`;

function isListed(entries: MerchantEntries, { list, subject }: Listing, facts: RiskFacts): boolean | null {
  const paths = matchPaths(facts, subject, entries.prefixes);
  if (paths.length === 0) return null;
  const stands = (on: ListName, [kind, value]: MatchPath[number]): boolean => {
    const expiresAt = entries.expiry.get(entryKey(on, kind, value));
    return expiresAt === null || (expiresAt !== undefined && expiresAt > facts.now);
  };
  // For the subject `bin`, a block entry of the card itself does not match, and an allow entry of the card does.
  const isOwn = ([kind]: MatchPath[number]) => subject !== 'bin' || kind === 'bin';
  return paths.some((path) => {
    const blocked = path.findIndex((step) => isOwn(step) && stands('block', step));
    const allowed = path.findIndex((step) => stands('allow', step));
    if (list === 'allow') return path.some((step) => isOwn(step) && stands('allow', step));
    return blocked !== -1 && (allowed === -1 || allowed > blocked);
  });
}

const ENTRIES_MAX = 100_000;

/** Lists in the memory of this process, for callers that store the entries elsewhere. */
export type MemoryLists = Lists & {
  /** Whether put() would accept the entry. */
  hasCapacityFor(entry: ListEntry): boolean;
  /** Replaces all entries atomically. Invalid entries are ignored. */
  replaceAll(entries: readonly ListEntry[]): void;
};

const noEntries = (): MerchantEntries => ({ expiry: new Map(), prefixes: { 32: [], 128: [] } });

function addEntry(entries: MerchantEntries, { list, kind, value, expiresAt }: ListEntry): void {
  entries.expiry.set(entryKey(list, kind, value), expiresAt);
  if (kind === 'ip') addPrefix(entries.prefixes, networkOf(value) as Network);
}

function entriesOf(entriesByMerchant: Map<string, MerchantEntries>, merchantId: string): MerchantEntries {
  const entries = entriesByMerchant.get(merchantId) ?? noEntries();
  entriesByMerchant.set(merchantId, entries);
  return entries;
}

/**
 * Block and allow lists in memory. An allow entry overrides a block entry when it is at least as specific: an e-mail address over its
 * domain, a host over its network, a card over its BIN. It overrides nothing else.
 */
export function createLists(clock: Clock, entriesMax: number = ENTRIES_MAX): MemoryLists {
  let entriesByMerchant = new Map<string, MerchantEntries>();
  const hasCapacityFor = ({ merchantId, list, kind, value }: ListEntry): boolean => {
    const entries = entriesByMerchant.get(merchantId) ?? noEntries();
    return entries.expiry.has(entryKey(list, kind, value)) || hasCapacity(entries, clock.now(), entriesMax);
  };
  return {
    listed(asked, facts) {
      const entries = entriesByMerchant.get(facts.merchantId);
      // The fast path: most merchants have no lists, and every payment is looked up.
      return entries && entries.expiry.size > 0
        ? asked.map((listing) => isListed(entries, listing, facts))
        : asked.map(({ subject }) => (subjects[subject].has(facts) ? false : null));
    },
    async put(given) {
      const entry = checkedEntry(given);
      if (!hasCapacityFor(entry)) return false;
      addEntry(entriesOf(entriesByMerchant, entry.merchantId), entry);
      return true;
    },
    async remove(given) {
      const entry = entryOf({ ...given, expiresAt: null });
      return (
        entry !== null &&
        (entriesByMerchant.get(entry.merchantId)?.expiry.delete(entryKey(entry.list, entry.kind, entry.value)) ?? false)
      );
    },
    hasCapacityFor: (given) => hasCapacityFor(checkedEntry(given)),
    replaceAll(entries) {
      const others = new Map<string, MerchantEntries>();
      for (const given of entries) {
        const entry = entryOf(given);
        if (entry) addEntry(entriesOf(others, entry.merchantId), entry);
      }
      entriesByMerchant = others;
    },
  };
}

/** Throws for an entry that entryOf() would have rejected: the caller must check first. */
export function checkedEntry(given: ListEntry): ListEntry {
  const entry = entryOf(given);
  if (!entry) throw new Error(`an entry of kind ${given.kind} was put without entryOf()`);
  return entry;
}

/** Deletes expired entries when the limit is reached. */
function hasCapacity({ expiry }: MerchantEntries, now: number, entriesMax: number): boolean {
  if (expiry.size < entriesMax) return true;
  for (const [key, expiresAt] of expiry) if (expiresAt !== null && expiresAt <= now) expiry.delete(key);
  return expiry.size < entriesMax;
}

/** A prefix length stays when its last entry is removed: an unused one costs one lookup. */
function addPrefix(prefixes: Prefixes, { bits, prefix }: Network): void {
  const lengths = prefixes[bits];
  if (lengths.includes(prefix)) return;
  lengths.push(prefix);
  lengths.sort((one, other) => other - one);
}

export type StoredLists = Lists & {
  /** Loads the changes of other nodes. Rejects when the store cannot be read, and then keeps the entries it has. */
  refresh(): Promise<void>;
};

export type StoredListsOptions = {
  readonly store: RiskStore;
  readonly clock: Clock;
  /** Entries of one merchant. */
  readonly entriesMax?: number;
};

/**
 * Block and allow lists that are stored and answered from memory. Changes and refreshes run one after the other: otherwise a refresh that
 * began before a change would undo it in memory until the next one. The limit applies to the entries this node has loaded, so that
 * several nodes together may exceed it by what they accepted since their last refresh.
 */
export async function createStoredLists({ store, clock, entriesMax }: StoredListsOptions): Promise<StoredLists> {
  const memory = createLists(clock, entriesMax);
  const enqueue = createSerialQueue();
  let version: number | null = null;
  const refresh = async (): Promise<void> => {
    // The version is read first: changes during the read of the entries are then loaded next time.
    const current = await store.listVersion();
    if (current === version) return;
    memory.replaceAll(await store.listEntries(clock.now(), null));
    version = current;
  };
  /** Another node may have removed entries. */
  const hasCapacityFor = async (entry: ListEntry): Promise<boolean> => {
    if (memory.hasCapacityFor(entry)) return true;
    await refresh();
    return memory.hasCapacityFor(entry);
  };
  await refresh();
  return {
    listed: memory.listed,
    async put(given) {
      const entry = checkedEntry(given);
      return enqueue(async () => {
        if (!(await hasCapacityFor(entry))) return false;
        await store.putListEntry(entry);
        return memory.put(entry);
      });
    },
    async remove(given) {
      const entry = entryOf({ ...given, expiresAt: null });
      if (!entry) return false;
      return enqueue(async () => {
        const isGone = await store.removeListEntry(entry);
        await memory.remove(entry);
        return isGone;
      });
    },
    refresh: () => enqueue(refresh),
  };
}

/** Runs steps one after the other in the order of the calls; a failed step does not stop the next. */
function createSerialQueue(): <Value>(step: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const turn = last.then(step, step);
    last = turn.catch(() => undefined);
    return turn;
  };
}
